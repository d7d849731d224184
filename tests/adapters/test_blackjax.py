"""Every algorithm of BlackJAX: right ones do not fail, broken ones are caught, and what a kernel carries is carried.

A right kernel is failed here with a probability of at most 1e-6 an assay; seeds are fixed so that a run can be repeated.
"""

import pytest

from mcassay import Verdict, assay
from mcassay.targets import Skip, standard

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'mcassay[blackjax]'")
blackjax = pytest.importorskip("blackjax", reason="BlackJAX is not installed: pip install 'mcassay[blackjax]'")

import jax.numpy as jnp  # noqa: E402

from mcassay.adapters.blackjax import on_target, subject  # noqa: E402
from tests.adapters.starters import runs  # noqa: E402

MIX = jnp.array([[1.0, 0.5], [0.0, 1.0], [0.7, -0.7]])
METRIC = jnp.array([[1.5, 0.4], [0.4, 0.8]])
WIDTH = jnp.array([0.8, 0.5])


@pytest.fixture(autouse=True)
def double_precision():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


# A linear model: x is normal, data are three noisy projections of it.
def prior(key):
    return jax.random.normal(key, (2,))


def simulate(state, key):
    return MIX @ state + jax.random.normal(key, (3,))


def log_likelihood(state, data):
    return -0.5 * jnp.sum((data - MIX @ state) ** 2)


def log_joint(state, data):
    return log_likelihood(state, data) - 0.5 * jnp.sum(state**2)


def riemannian(position):
    return jnp.eye(2) * (1 + jnp.sum(position**2))


def lognormal_walk(key, position):
    """Scale each coordinate, which is no symmetric proposal."""
    return position * jnp.exp(0.5 * jax.random.normal(key, (2,)))


def lognormal_density(start, end):
    ratio = end.position / start.position
    log_ratio = jnp.log(jnp.abs(ratio))
    return jnp.sum(-0.5 * (log_ratio / 0.5) ** 2 - jnp.log(jnp.abs(end.position)))


RIGHT = {
    "hmc": lambda f: blackjax.hmc(f, 0.4, jnp.ones(2), 5),
    "hmc dense": lambda f: blackjax.hmc(f, 0.4, METRIC, 3),
    "hmc one step": lambda f: blackjax.hmc(f, 0.8, WIDTH, 1),
    "mhmc": lambda f: blackjax.mhmc(f, 0.4, METRIC, 5),
    "nuts": lambda f: blackjax.nuts(f, 0.4, METRIC),
    "nuts large steps": lambda f: blackjax.nuts(f, 1.2, jnp.ones(2), max_num_doublings=3),
    "mala": lambda f: blackjax.mala(f, 0.3),
    "barker": lambda f: blackjax.barker(f, 0.8),
    "barker dense": lambda f: blackjax.barker(f, 0.8, METRIC),
    "dhmc": lambda f: blackjax.dhmc(f, 0.4, jnp.ones(2)),
    "dmhmc": lambda f: blackjax.dmhmc(f, 0.4, jnp.ones(2)),
    "rmhmc": lambda f: blackjax.rmhmc(f, 0.2, blackjax.mcmc.metrics.gaussian_riemannian(riemannian), 3),
    "additive_step_random_walk": lambda f: blackjax.additive_step_random_walk.normal_random_walk(f, WIDTH),
    "rmh": lambda f: blackjax.rmh(f, lognormal_walk, lognormal_density),
    "irmh": lambda f: blackjax.irmh(
        f, lambda key: 1.5 * jax.random.normal(key, (2,)), lambda start, end: -0.5 * jnp.sum((end.position / 1.5) ** 2)
    ),
    "ghmc": lambda f: blackjax.ghmc(f, 0.3, jnp.ones(2), 0.5, 0.3),
    "adjusted_mclmc": lambda f: blackjax.adjusted_mclmc(f, 0.4, num_integration_steps=4),
    "adjusted_mclmc_dynamic": lambda f: blackjax.adjusted_mclmc_dynamic(f, 0.4),
    "slice_sampling": lambda f: blackjax.slice_sampling(f),
    "coordinate_slice": lambda f: blackjax.coordinate_slice(f),
    "gist_step_size": lambda f: blackjax.gist_step_size(f, jnp.ones(2), 0.5),
    "gist_trajectory_length": lambda f: blackjax.gist_trajectory_length(f, jnp.ones(2), 0.4, max_num_steps=16),
    "orbital_hmc": lambda f: blackjax.orbital_hmc(f, 0.3, jnp.ones(2), 4),
}
ON_THE_LIKELIHOOD = {
    "elliptical_slice": lambda f: blackjax.elliptical_slice(f, mean=jnp.zeros(2), cov=jnp.eye(2)),
    "mgrad_gaussian": lambda f: blackjax.mgrad_gaussian(f, covariance=jnp.eye(2), step_size=0.5),
}


def of(algorithm, **changes):
    return subject(prior, simulate, algorithm, **{"log_joint": log_joint, **changes})


def results(own, budget, checks):
    return assay(own, budget=budget, seed=2, checks=checks).results


def failing(found):
    return {result.check for result in found if result.verdict in (Verdict.FAIL, Verdict.ERROR)}


@pytest.mark.parametrize("name", RIGHT)
def test_right_algorithms_do_not_fail(name):
    found = results(of(RIGHT[name]), 2_500, ["caches", "invariance", "carry"])
    assert not failing(found), [result.message for result in found]


@pytest.mark.parametrize("name", ON_THE_LIKELIHOOD)
def test_right_algorithms_for_a_normal_prior_do_not_fail(name):
    found = results(of(ON_THE_LIKELIHOOD[name], density=log_likelihood), 2_500, ["caches", "invariance"])
    assert not failing(found), [result.message for result in found]


# What is wrong, by name: kernels of BlackJAX's shape with one small mistake.
def accepting(f):
    """Take the end of a trajectory in any case."""

    def step(key, state):
        _, info = blackjax.hmc(f, 0.9, jnp.ones(2), 2).step(key, state)
        return blackjax.hmc.init(info.proposal.position, f), info

    return blackjax.SamplingAlgorithm(lambda position, key=None: blackjax.hmc.init(position, f), step)


def uncorrected(f):
    """Leave out that the proposal is not symmetric."""
    return blackjax.rmh(f, lognormal_walk)


def stale(f):
    """Keep the density of the first state for ever."""
    right = blackjax.additive_step_random_walk.normal_random_walk(f, WIDTH)

    def step(key, state):
        new, info = right.step(key, state)
        return new._replace(logdensity=state.logdensity), info

    return blackjax.SamplingAlgorithm(right.init, step)


def cooling(f):
    """Let the momentum lose a little in every step."""
    right = blackjax.ghmc(f, 0.5, jnp.ones(2), 0.1, 0.3)

    def step(key, state):
        new, info = right.step(key, state)
        return new._replace(momentum=0.8 * new.momentum), info

    return blackjax.SamplingAlgorithm(right.init, step)


WRONG = {
    "accepting": (accepting, "invariance"),
    "uncorrected": (uncorrected, "invariance"),
    "stale": (stale, "caches"),
    "cooling": (cooling, "carry"),
    "unadjusted": (lambda f: blackjax.mclmc(f, 4.0, 4.0), "invariance"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_algorithms_are_caught(name):
    algorithm, check = WRONG[name]
    assert check in failing(results(of(algorithm), 12_000, [check]))


def test_a_momentum_that_is_not_drawn_as_the_kernel_keeps_it_is_caught():
    def narrow(algorithm, state, key):
        carry = algorithm.init(state, key)
        return carry._replace(momentum=0.3 * carry.momentum)

    own = of(RIGHT["ghmc"], init=narrow)
    assert "carry" in failing(results(own, 20_000, ["invariance", "carry"]))


def of_scale(scale):
    return lambda f: blackjax.ghmc(f, 0.3, scale * jnp.ones(2), 0.5, 0.3)


def test_ghmc_begins_with_a_momentum_that_knows_nothing_of_its_scale():
    """The kernel keeps a momentum of standard deviation 1 / scale, and init draws one of 1, whatever the scale."""
    key, start = jax.random.PRNGKey(0), jnp.ones(2)
    drawn = [of_scale(scale)(lambda x: -jnp.sum(x**2)).init(start, key).momentum for scale in (1.0, 0.3)]
    if not jnp.array_equal(*drawn):
        pytest.skip(f"blackjax {blackjax.__version__} draws it by its scale")
    assert "carry" in failing(results(of(of_scale(0.3)), 12_000, ["invariance", "carry"]))


def test_ghmc_with_a_momentum_that_is_drawn_by_its_scale():
    def init(algorithm, state, key):
        carry = algorithm.init(state, key)
        return carry._replace(momentum=carry.momentum / 0.3)

    assert not failing(results(of(of_scale(0.3), init=init), 4_000, ["invariance", "carry"]))


def test_targets():
    targets = {target.name: target for target in standard()}
    for name in ("normal in 2", "hierarchical normal"):
        nuts = on_target(targets[name], lambda f, size=targets[name].size: blackjax.nuts(f, 0.3, jnp.ones(size)))
        assert not failing(results(nuts, 800, ["caches", "invariance"]))
    assert isinstance(on_target(targets["binary"], RIGHT["hmc"]), Skip)


def test_the_starter_runs():
    assert runs("blackjax")
