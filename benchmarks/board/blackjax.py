"""The algorithms of BlackJAX: tiny and large steps, one step and many, diagonal and dense metrics."""

import blackjax
import jax
import jax.numpy as jnp

from mcassay import Grid
from mcassay.adapters.blackjax import on_target

PACKAGE = "blackjax"
jax.config.update("jax_enable_x64", True)


def metric(kind, size):
    """Return an inverse mass matrix that is not the identity."""
    return jnp.linspace(0.5, 1.5, size) if kind == "diagonal" else 0.7 * jnp.eye(size) + 0.3


def with_metric(make):
    def made(target, metric_kind, **options):
        return on_target(target, lambda density: make(density, metric(metric_kind, target.size), **options))

    return made


def plain(make):
    return lambda target, **options: on_target(target, lambda density: make(density, **options))


METRICS = ["diagonal", "dense"]
STEPS = {"step_size": [0.02, 0.7], "steps": [1, 10], "metric_kind": METRICS}


def kernels():
    """Return a grid for every algorithm that takes standard targets as they are."""
    return {
        "hmc": Grid(with_metric(lambda f, m, step_size, steps: blackjax.hmc(f, step_size, m, steps)), STEPS),
        "mhmc": Grid(with_metric(lambda f, m, step_size, steps: blackjax.mhmc(f, step_size, m, steps)), STEPS),
        "nuts": Grid(
            with_metric(lambda f, m, step_size: blackjax.nuts(f, step_size, m, max_num_doublings=5)),
            {"step_size": [0.1, 1.0], "metric_kind": METRICS},
        ),
        "mala": Grid(plain(blackjax.mala), {"step_size": [0.01, 0.5]}),
        "barker": Grid(plain(blackjax.barker), {"step_size": [0.1, 2.0]}),
        "random walk": Grid(
            lambda target, scale: on_target(
                target,
                lambda f: blackjax.additive_step_random_walk.normal_random_walk(f, scale * jnp.ones(target.size)),
            ),
            {"scale": [0.1, 2.0]},
        ),
        "slice_sampling": Grid(plain(lambda f: blackjax.slice_sampling(f))),
        "coordinate_slice": Grid(plain(lambda f: blackjax.coordinate_slice(f))),
    }
