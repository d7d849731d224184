"""Kernels of NumPyro on its models: right ones do not fail, broken ones are caught, constrained and discrete sites included.

A right kernel is failed here with a probability of at most 1e-6 an assay; seeds are fixed so that a run can be repeated.
"""

import numpy as np
import pytest

from mcassay import InputError, Verdict, assay
from mcassay.targets import Skip, standard

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'mcassay[numpyro]'")
numpyro = pytest.importorskip("numpyro", reason="NumPyro is not installed: pip install 'mcassay[numpyro]'")

import jax.numpy as jnp  # noqa: E402
import numpyro.distributions as dist  # noqa: E402
from numpyro import infer  # noqa: E402

from mcassay.adapters.numpyro import subject  # noqa: E402
from mcassay.adapters.numpyro_targets import on_target  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def double_precision():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def scale(points=4):
    mean = numpyro.sample("mean", dist.Normal(0.0, 1.0))
    sd = numpyro.sample("sd", dist.HalfNormal(1.0))
    numpyro.sample("y", dist.Normal(mean, 0.3 + sd).expand([points]).to_event(1))


def labels():
    c = numpyro.sample("c", dist.Categorical(jnp.array([0.2, 0.5, 0.3])))
    b = numpyro.sample("b", dist.Bernoulli(0.3))
    x = numpyro.sample("x", dist.Normal(jnp.array([-1.0, 0.0, 2.0])[c], 0.8))
    numpyro.sample("y", dist.Normal(x + b, 1.0))


def free():
    numpyro.sample("x", dist.Normal(0.0, 1.0))
    numpyro.sample("s", dist.Gamma(2.0, 1.0))


def pair():
    x = numpyro.sample("x", dist.Normal(0.0, 2.0))
    y = numpyro.sample("y", dist.Normal(0.0, 2.0))
    numpyro.sample("z", dist.Normal(x + y, 1.0))


def gibbs(observed_of, variance=0.8):
    """The conditional of x: precision 1/4 + 1, so variance 0.8."""

    def draw(rng_key, gibbs_sites, hmc_sites):
        return {"x": dist.Normal(0.8 * (observed_of() - hmc_sites["y"]), jnp.sqrt(variance)).sample(rng_key)}

    return draw


def within_gibbs(variance=0.8):
    """A kernel of HMC within Gibbs; its conditional reads the observed site off the model that it is given."""

    def make(model):
        def observed():
            with numpyro.handlers.block():
                trace = numpyro.handlers.trace(numpyro.handlers.seed(model, 0)).get_trace()
            return trace["z"]["value"]

        return infer.HMCGibbs(infer.NUTS(model, step_size=0.5), gibbs(observed, variance), ["x"])

    return make


RIGHT = {
    "HMC": (scale, lambda m: infer.HMC(m, step_size=0.3, num_steps=3, trajectory_length=None), {"observed": ["y"]}),
    "NUTS": (scale, lambda m: infer.NUTS(m, step_size=0.3), {"observed": ["y"]}),
    "NUTS dense": (
        scale,
        lambda m: infer.NUTS(m, step_size=0.5, dense_mass=True, inverse_mass_matrix=jnp.array([[1.0, 0.2], [0.2, 0.5]])),
        {"observed": ["y"]},
    ),
    "BarkerMH": (scale, lambda m: infer.BarkerMH(m, step_size=0.5), {"observed": ["y"]}),
    "DiscreteHMCGibbs": (labels, lambda m: infer.DiscreteHMCGibbs(infer.NUTS(m, step_size=0.4)), {"observed": ["y"]}),
    "DiscreteHMCGibbs modified": (
        labels,
        lambda m: infer.DiscreteHMCGibbs(infer.NUTS(m, step_size=0.4), modified=True),
        {"observed": ["y"]},
    ),
    "DiscreteHMCGibbs random walk": (
        labels,
        lambda m: infer.DiscreteHMCGibbs(infer.HMC(m, step_size=0.4, num_steps=2, trajectory_length=None), random_walk=True),
        {"observed": ["y"]},
    ),
    "MixedHMC": (
        labels,
        lambda m: infer.MixedHMC(infer.HMC(m, step_size=0.4, trajectory_length=1.0), num_discrete_updates=3),
        {"observed": ["y"]},
    ),
    "HMCGibbs": (pair, within_gibbs(), {"observed": ["z"]}),
    "AIES": (free, lambda m: infer.AIES(m), {"members": 6}),
    "ESS": (free, lambda m: infer.ESS(m), {"members": 6}),
}


def results(own, budget=2_000, checks=("caches", "invariance")):
    return assay(own, budget=budget, seed=2, checks=checks).results


def failing(found):
    return {result.check for result in found if result.verdict in (Verdict.FAIL, Verdict.ERROR)}


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_do_not_fail(name):
    model, kernel, options = RIGHT[name]
    found = results(subject(model, kernel, **options))
    assert not failing(found), [result.message for result in found]


def test_the_model_alone_gives_prior_simulator_and_density():
    own = subject(labels, RIGHT["MixedHMC"][1], observed=["y"])
    state, data = own.draw(np.random.default_rng(1), 7)
    assert {name: value.shape for name, value in state.items()} == {"c": (7,), "b": (7,), "x": (7,)}
    density = own.log_joint(state, data)
    prior = np.log(np.array([0.2, 0.5, 0.3])[state["c"]]) + np.log(np.where(state["b"], 0.3, 0.7))
    normal = -0.5 * ((state["x"] - np.array([-1.0, 0.0, 2.0])[state["c"]]) / 0.8) ** 2 - np.log(0.8)
    likelihood = -0.5 * (data["y"] - state["x"] - state["b"]) ** 2 - np.log(2 * np.pi)
    np.testing.assert_allclose(density, prior + normal + likelihood, rtol=1e-10)


def test_arguments_of_the_model_are_handed_on():
    own = subject(scale, RIGHT["NUTS"][1], observed=["y"], args=[3])
    _, data = own.draw(np.random.default_rng(1), 2)
    assert data["y"].shape == (2, 3)


# What is wrong, by name: kernels of NumPyro's shape with one small mistake.
class Accepting(infer.BarkerMH):
    """Moves by its proposal whatever the acceptance ratio."""

    def sample(self, state, model_args, model_kwargs):
        flat = state._replace(potential_energy=jnp.inf * jnp.ones(()))
        return super().sample(flat, model_args, model_kwargs)


class Stale(infer.NUTS):
    """Keeps the potential energy of the first state."""

    def sample(self, state, model_args, model_kwargs):
        new = super().sample(state, model_args, model_kwargs)
        return new._replace(potential_energy=state.potential_energy)


class Early(infer.DiscreteHMCGibbs):
    """Flips a fair coin for b, whatever the rest says."""

    def sample(self, state, model_args, model_kwargs):
        new = super().sample(state, model_args, model_kwargs)
        coin = jax.random.bernoulli(new.rng_key).astype(new.z["b"].dtype)
        first, *others = new.block_states
        first = first._replace(z={**first.z, "b": coin})
        return new._replace(z={**new.z, "b": coin}, block_states=(first, *others))


WRONG = {
    "accepting": (scale, lambda m: Accepting(m, step_size=0.5), "invariance", {"observed": ["y"]}),
    "stale": (scale, lambda m: Stale(m, step_size=0.3), "caches", {"observed": ["y"]}),
    "a conditional that is too wide": (pair, within_gibbs(1.2), "invariance", {"observed": ["z"]}),
    "a coin": (labels, lambda m: Early(infer.NUTS(m, step_size=0.4)), "invariance", {"observed": ["y"]}),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernels_are_caught(name):
    model, kernel, check, options = WRONG[name]
    assert check in failing(results(subject(model, kernel, **options), 10_000, [check]))


def given():
    numpyro.sample("x", dist.Normal(0.0, 1.0))
    numpyro.sample("y", dist.Normal(0.0, 1.0), obs=jnp.array(1.0))


BAD = {
    "a model with data": (lambda: subject(given, RIGHT["NUTS"][1]), 'must draw every site, but "y" is given a value'),
    "no such site": (lambda: subject(free, RIGHT["NUTS"][1], observed=["q"]), "observed must name sites of the model"),
    "observed": (lambda: subject(free, RIGHT["NUTS"][1], observed="x"), "observed must be a list of names of sites"),
    "members": (lambda: subject(free, RIGHT["AIES"][1], members=5), "members must be an even number from 2 on"),
    "an ensemble with data": (lambda: subject(scale, RIGHT["AIES"][1], observed=["y"], members=4), "without observed sites"),
    "SA": (lambda: subject(free, lambda m: infer.SA(m)), "SA keeps a set of past states"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_worded(name):
    make, message = BAD[name]
    with pytest.raises(InputError, match=message):
        make()


def test_targets():
    targets = {target.name: target for target in standard()}
    nuts = on_target(targets["normal in 2"], lambda f: infer.NUTS(potential_fn=f, step_size=0.5))
    assert not failing(results(nuts, 800))
    ensemble = on_target(targets["normal in 2"], lambda f: infer.AIES(potential_fn=f), members=6)
    assert not failing(results(ensemble, 800))
    for name in ("binary", "simplex"):
        assert isinstance(on_target(targets[name], lambda f: infer.NUTS(potential_fn=f)), Skip)
    assert isinstance(on_target(targets["logistic regression"], lambda f: infer.AIES(potential_fn=f), members=6), Skip)
