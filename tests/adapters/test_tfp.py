"""Kernels of TensorFlow Probability on JAX: right ones do not fail, broken ones are caught, kernel results are carried.

A right kernel is failed here with a probability of at most 1e-6 an assay; seeds are fixed so that a run can be repeated.
"""

import warnings

import pytest

from mcassay import Verdict, assay
from mcassay.targets import Skip, standard

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'mcassay[tfp]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it uses names that newer releases of JAX are about to drop
    tfp = pytest.importorskip("tensorflow_probability.substrates.jax", reason="TFP is not installed: pip install 'mcassay[tfp]'")

import jax.numpy as jnp  # noqa: E402

from mcassay.adapters.tfp import on_target, subject  # noqa: E402

mcmc = tfp.mcmc
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
MIX = jnp.array([[1.0, 0.5], [0.0, 1.0], [0.7, -0.7]])


@pytest.fixture(autouse=True)
def double_precision():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def prior(key):
    return jax.random.normal(key, (2,))


def simulate(state, key):
    return MIX @ state + jax.random.normal(key, (3,))


def log_joint(state, data):
    return -0.5 * jnp.sum((data - MIX @ state) ** 2) - 0.5 * jnp.sum(state**2)


def random_walk(density):
    return mcmc.RandomWalkMetropolis(density, new_state_fn=mcmc.random_walk_normal_fn(0.8))


def hamiltonian(density):
    return mcmc.HamiltonianMonteCarlo(density, step_size=0.4, num_leapfrog_steps=3)


RIGHT = {
    "RandomWalkMetropolis": random_walk,
    "RandomWalkMetropolis uniform": lambda f: mcmc.RandomWalkMetropolis(f, new_state_fn=mcmc.random_walk_uniform_fn(1.0)),
    "HamiltonianMonteCarlo": hamiltonian,
    "MetropolisAdjustedLangevinAlgorithm": lambda f: mcmc.MetropolisAdjustedLangevinAlgorithm(f, step_size=0.3),
    "NoUTurnSampler": lambda f: mcmc.NoUTurnSampler(f, step_size=0.4, max_tree_depth=5),
    "SliceSampler": lambda f: mcmc.SliceSampler(f, step_size=1.0, max_doublings=5),
}


def of(kernel, **changes):
    return subject(prior, simulate, kernel, **{"log_joint": log_joint, **changes})


def failing(found):
    return {result.check for result in found if result.verdict in (Verdict.FAIL, Verdict.ERROR)}


def results(own, budget=2_500, checks=("caches", "invariance")):
    return assay(own, budget=budget, seed=2, checks=checks).results


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_do_not_fail(name):
    found = results(of(RIGHT[name]))
    assert not failing(found), [result.message for result in found]


def test_a_state_of_several_parts():
    own = subject(
        lambda key: list(jax.random.normal(key, (2, 2))),
        None,
        hamiltonian,
        log_joint=lambda state, data: -0.5 * jnp.sum(state[0] ** 2) - 0.5 * jnp.sum(state[1] ** 2),
    )
    assert not failing(results(own, 1_500))


# A ladder of temperatures; every replica is drawn from its own law.
HEAT = jnp.array([1.0, 0.5, 0.2])


def ladder(key):
    return jax.random.normal(key, (3, 2)) / jnp.sqrt(HEAT)[:, None]


def one_replica(state, data):
    return -0.5 * jnp.sum(state**2, axis=-1)


def whole_ladder(state, data):
    return jnp.sum(HEAT * one_replica(state, data))


def exchange(density, swaps=None):
    return mcmc.ReplicaExchangeMC(
        density,
        inverse_temperatures=HEAT,
        make_kernel_fn=random_walk,
        swap_proposal_fn=swaps or mcmc.default_swap_proposal_fn(1.0),
        state_includes_replicas=True,
    )


def test_replica_exchange_keeps_the_law_of_every_replica():
    own = subject(ladder, None, exchange, log_joint=whole_ladder, density=one_replica)
    assert not failing(results(own, 3_000))


def test_replicas_that_are_exchanged_without_regard_to_their_temperature_are_caught():
    class Careless(mcmc.ReplicaExchangeMC):
        """Hands the replicas round after every step."""

        def one_step(self, current_state, previous_kernel_results, seed=None):
            _, found = super().one_step(current_state, previous_kernel_results, seed=seed)
            turned = [part[jnp.array([1, 0, 2])] for part in found.post_swap_replica_states]
            again = self.bootstrap_results(turned[0])
            return turned[0], again._replace(seed=found.seed)

    def careless(density):
        return Careless(density, inverse_temperatures=HEAT, make_kernel_fn=random_walk, state_includes_replicas=True)

    own = subject(ladder, None, careless, log_joint=whole_ladder, density=one_replica)
    assert "invariance" in failing(results(own, 8_000, ["invariance"]))


class Accepting(mcmc.HamiltonianMonteCarlo):
    """Accepts whatever it proposes."""

    def one_step(self, current_state, previous_kernel_results, seed=None):
        _, found = super().one_step(current_state, previous_kernel_results, seed=seed)
        return found.proposed_state, found._replace(accepted_results=found.proposed_results)


def test_a_kernel_that_accepts_everything_is_caught():
    own = of(lambda f: Accepting(f, step_size=0.9, num_leapfrog_steps=2))
    assert "invariance" in failing(results(own, 10_000, ["invariance"]))


class Stale(mcmc.RandomWalkMetropolis):
    """Goes on with the density of the first state."""

    def one_step(self, current_state, previous_kernel_results, seed=None):
        state, found = super().one_step(current_state, previous_kernel_results, seed=seed)
        old = previous_kernel_results.accepted_results.target_log_prob
        return state, found._replace(accepted_results=found.accepted_results._replace(target_log_prob=old))


def test_a_stale_log_probability_is_named():
    own = of(lambda f: Stale(f, new_state_fn=mcmc.random_walk_normal_fn(0.8)))
    (result,) = results(own, checks=["caches"])
    assert result.verdict is Verdict.FAIL
    assert "target_log_prob" in result.message


def test_targets():
    targets = {target.name: target for target in standard()}
    assert not failing(results(on_target(targets["normal in 2"], hamiltonian), 1_500))
    for name in ("binary", "simplex"):
        assert isinstance(on_target(targets[name], hamiltonian), Skip)
