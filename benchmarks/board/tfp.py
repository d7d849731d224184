"""The transition kernels of TensorFlow Probability on JAX that move a vector of real numbers."""

import jax
import tensorflow_probability.substrates.jax as tfp

from mcassay import Grid
from mcassay.adapters.tfp import on_target

jax.config.update("jax_enable_x64", True)
PACKAGE = "tfp-nightly"
mcmc = tfp.mcmc


def hmc(target, step, length):
    return on_target(target, lambda f: mcmc.HamiltonianMonteCarlo(f, step_size=step, num_leapfrog_steps=length))


def nuts(target, step):
    return on_target(target, lambda f: mcmc.NoUTurnSampler(f, step_size=step, max_tree_depth=6))


def plain(make):
    return lambda target: on_target(target, make)


def kernels():
    """Return a grid for HMC and NUTS, and the others as they are."""
    return {
        "HamiltonianMonteCarlo": Grid(hmc, {"step": [0.1, 0.5], "length": [1, 10]}),
        "NoUTurnSampler": Grid(nuts, {"step": [0.1, 0.8]}),
        "RandomWalkMetropolis": Grid(
            plain(lambda f: mcmc.RandomWalkMetropolis(f, new_state_fn=mcmc.random_walk_normal_fn(0.5))), {}
        ),
        "MetropolisAdjustedLangevinAlgorithm": Grid(
            plain(lambda f: mcmc.MetropolisAdjustedLangevinAlgorithm(f, step_size=0.2)), {}
        ),
        "SliceSampler": Grid(plain(lambda f: mcmc.SliceSampler(f, step_size=1.0, max_doublings=6)), {}),
    }
