"""Step methods of PyMC: right ones do not fail, broken ones are caught, and what releases get wrong is shown by other means."""

import warnings

import numpy as np
import pytest
from scipy import stats

from mcassay import InputError, Skip, Verdict, assay
from mcassay.targets import standard

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

try:
    with warnings.catch_warnings():  # ArviZ, which PyMC imports, warns once a day of what it will be
        warnings.simplefilter("ignore", FutureWarning)
        import pymc as pm
except ImportError:
    pytest.skip("PyMC is not installed: pip install 'mcassay[pymc]'", allow_module_level=True)

from mcassay.adapters.pymc import subject  # noqa: E402
from mcassay.adapters.pymc_targets import Bridge, on_target, population  # noqa: E402
from tests.adapters.starters import runs  # noqa: E402

TARGETS = {target.name: target for target in standard()}
PoissonProposal = pm.step_methods.metropolis.PoissonProposal
# Of each assay here; so no test of a right step method fails more often than once in a million runs.
ALPHA = 1e-6


def verdict(under_test, budget, check="invariance"):
    return assay(under_test, alpha=ALPHA, budget=budget, seed=1, checks=[check]).results[0].verdict


def model():
    with pm.Model() as made:
        mean, sd = pm.Normal("mean", 0.0, 2.0), pm.HalfNormal("sd", 1.0)
        kind, bit = pm.Categorical("kind", [0.2, 0.3, 0.5]), pm.Bernoulli("bit", 0.3)
        pm.Normal("y", mean + kind + bit, sd, observed=np.zeros(3))
    return made


def every_method(made):
    real = [made["mean"], made["sd"]]
    return pm.CompoundStep([
        pm.NUTS(real, step_scale=0.5),
        pm.Slice(real, w=2.0),
        pm.HamiltonianMC(real, path_length=0.5),
        pm.Metropolis(real, proposal_dist=pm.step_methods.metropolis.CauchyProposal),
        pm.CategoricalGibbsMetropolis([made["kind"]]),
        pm.Metropolis([made["kind"]]),
        pm.BinaryGibbsMetropolis([made["bit"]]),
        pm.BinaryMetropolis([made["bit"]]),
    ])  # fmt: skip


def test_prior_data_and_density_come_from_the_model():
    made = subject(model(), every_method)
    rng = np.random.default_rng(1)
    drawn = [made.draw(rng) for _ in range(4)]
    for state, data in drawn:
        mean, sd, kind, bit = (float(state[name]) for name in ("mean", "sd_log__", "kind", "bit"))
        expected = stats.norm(0, 2).logpdf(mean) + stats.halfnorm.logpdf(np.exp(sd)) + sd + np.log([0.2, 0.3, 0.5][int(kind)])
        expected += np.log(0.3 if bit else 0.7) + stats.norm(mean + kind + bit, np.exp(sd)).logpdf(data["y"]).sum()
        assert made.log_joint(state, data) == pytest.approx(expected)
    assert verdict(made, 60) is not Verdict.FAIL
    assert verdict(made, 20, "purity") is Verdict.PASS


def test_the_model_is_compiled_once(monkeypatch):
    made = subject(model(), every_method)
    rng = np.random.default_rng(1)
    made.step(*made.draw(rng), rng)
    made.log_joint(*made.draw(rng))
    monkeypatch.setattr("pytensor.compile.function.pfunc", None)
    for _ in range(3):
        state, data = made.draw(rng)
        made.log_joint(made.step(state, data, rng), data)


def test_a_model_with_a_wrong_likelihood_in_mind_is_caught():
    """The step method of another model, with twice the spread, moves the states of this one."""
    with pm.Model() as other:
        mean = pm.Normal("mean", 0.0, 1.0)
        pm.Normal("y", mean, 2.0, observed=np.zeros(3))
    with pm.Model() as made:
        mean = pm.Normal("mean", 0.0, 1.0)
        pm.Normal("y", mean, 1.0, observed=np.zeros(3))
    right, wrong = subject(made, pm.Slice), subject(other, pm.Slice)
    mixed = type(right)(right.prior, right.simulate, wrong.step, log_joint=right.log_joint, name="mixed")
    assert verdict(mixed, 3000) is Verdict.FAIL


def free(made):
    return made.free_RVs


class UpwardProposal(pm.step_methods.metropolis.NormalProposal):
    def __call__(self, rng=None):
        return np.abs(super().__call__(rng)) * rng.choice((-1.0, 2.0))


def test_broken_proposals_are_caught():
    drifting = on_target(TARGETS["gamma"], lambda made: pm.Metropolis(free(made), proposal_dist=UpwardProposal))
    assert verdict(drifting, 6000) is Verdict.FAIL


class NarrowSlice(pm.Slice):
    """Lays one interval round the start, in its middle, and steps out no further."""

    def astep(self, apoint):
        here, level = apoint.data, self.logp(apoint.data) - 0.5 * self.rng.standard_exponential()
        new = self.rng.uniform(here - 1, here + 1)
        while self.logp(new) < level:
            new = here + 0.5 * (new - here)
        return type(apoint)(new, apoint.point_map_info), [{"nstep_out": 0, "nstep_in": 0}]


def test_a_broken_slice_sampler_is_caught():
    assert verdict(on_target(TARGETS["normal in 1"], lambda made: NarrowSlice(free(made))), 4000) is Verdict.FAIL


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("simplex", pm.Slice),
        ("truncated normal", pm.NUTS),
        ("hierarchical normal", pm.HamiltonianMC),
        ("poisson", lambda made: pm.Metropolis(free(made), S=np.array([1.0, 3.0]))),
        ("categorical", lambda made: pm.CategoricalGibbsMetropolis(free(made), order=[2, 0, 1])),
        ("binary", lambda made: pm.BinaryGibbsMetropolis(free(made), transit_p=0.3)),
    ],
)
def test_standard_targets(name, method):
    assert verdict(on_target(TARGETS[name], method), 100) is not Verdict.FAIL


@pytest.mark.parametrize("name", ["normal in 5", "gaussian process", "von mises", "mixed", "potts", "hidden markov"])
def test_models_of_targets_have_their_density(name):
    target = TARGETS[name]
    bridge, rng = Bridge.of(target), np.random.default_rng(1)
    log_p = bridge.model.compile_logp(jacobian=False)
    differences = []
    for _ in range(5):
        state = target.prior(rng)
        data = target.simulate(state, rng) if target.has_data else None
        for shared in bridge.observed.values():
            shared.set_value(np.asarray(data))
        differences.append(float(log_p(bridge.values(state))) - target.log_joint(state, data))
        assert np.allclose(target.vector(bridge.state(bridge.values(state))), target.vector(state))
    assert np.ptp(differences) < 1e-9


def test_populations():
    right = population(TARGETS["normal in 1"], lambda made: pm.DEMetropolis(free(made)), chains=3, at_once=False)
    assert verdict(right, 200) is not Verdict.FAIL
    assert isinstance(population(TARGETS["ising"], pm.DEMetropolis), Skip)
    with pytest.raises(InputError, match="two others"):
        population(TARGETS["normal in 1"], pm.DEMetropolis, chains=2)


# What PyMC 5.28 gets wrong. Each is shown by computation first, and then by an assay.


def proportional_ratio(here, there):
    """The probability to go from one label to another, as ``metropolis_proportional`` has it: a proposal and a ratio."""
    proposed = there / (1 - here)
    return proposed * min(1.0, (1 - here) / (1 - proposed))


def test_the_proportional_proposal_takes_a_wrong_ratio():
    """The ratio (1 - p(x)) / (1 - p(y)) is computed after p(y) was divided by 1 - p(x).

    With two labels it divides by zero, or by what rounding leaves of it.
    """
    p = np.array([0.1, 0.3, 0.6])
    flow = np.array([[p[i] * proportional_ratio(p[i], p[j]) if i != j else 0.0 for j in range(3)] for i in range(3)])
    # what flows out of a label has to flow into it
    assert np.abs(flow.sum(axis=0) - flow.sum(axis=1)).max() > 0.03

    def proportional(made):
        return pm.CategoricalGibbsMetropolis(free(made), proposal="proportional")

    with pm.Model() as three:
        pm.Categorical("x", p, shape=2)
    assert verdict(subject(three, proportional), 3000) is Verdict.FAIL
    with pm.Model() as two:
        pm.Categorical("x", [0.3, 0.7])
    stuck, rng = subject(two, proportional), np.random.default_rng(1)
    with np.errstate(divide="ignore"):
        assert {int(stuck.step({"x": np.array(0)}, None, rng)["x"]) for _ in range(50)} == {0}


def test_the_poisson_proposal_is_not_symmetric():
    """A Poisson number less its rate is as often above zero as below on average, but not as far; no ratio makes up for it."""
    rate, target = 1, stats.poisson(0.7).pmf(np.arange(15))
    matrix = np.zeros((15, 15))
    for i in range(15):
        for j in range(max(0, i - rate), 15):
            matrix[i, j] = stats.poisson(rate).pmf(j - i + rate) * min(1.0, target[j] / target[i])
        matrix[i, i] += 1 - matrix[i].sum()
    after = target / target.sum() @ matrix
    assert np.abs(np.cumsum(after - target / target.sum())).max() > 0.05
    method = on_target(TARGETS["poisson"], lambda made: pm.Metropolis(free(made), proposal_dist=PoissonProposal))
    assert verdict(method, 6000) is Verdict.FAIL


def test_correlated_proposals_are_accepted_one_element_at_a_time():
    """With a covariance the steps of two elements are drawn together, but each is accepted alone.

    For two independent standard normals the mean of x' given a step d is 2 d Phi(-|d| / 2) in each, so that the mean of their
    product, which has to be 0, is that of the product of the two means over the correlated steps.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    first, second = np.meshgrid(nodes, nodes, indexing="ij")
    second = 0.9 * first + np.sqrt(1 - 0.81) * second
    means = [2 * d * stats.norm.cdf(-np.abs(d) / 2) for d in (first, second)]
    assert np.sum(weights[:, None] * weights * means[0] * means[1]) > 0.2
    with pm.Model() as made:
        pm.Normal("x", shape=2)
    covariance = np.array([[1.0, 0.9], [0.9, 1.0]])
    assert verdict(subject(made, lambda made: pm.Metropolis(free(made), S=covariance)), 4000) is Verdict.FAIL


def one_generation(rng, count, *, at_once):
    """Differential evolution of three chains on a standard normal, in plain numpy: the population before and after."""
    before = rng.normal(size=(count, 3))
    after = before.copy()
    for chain in range(3):
        seen = before if at_once else after
        first, second = (seen[:, other] for other in range(3) if other != chain)
        new = after[:, chain] + 2.38 / np.sqrt(2) * (first - second) * rng.choice((-1, 1), size=count)
        accepted = np.log(rng.random(count)) < 0.5 * (after[:, chain] ** 2 - new**2)
        after[:, chain] = np.where(accepted, new, after[:, chain])
    return before, after


@pytest.mark.parametrize("at_once", [True, False])
def test_a_population_that_moves_at_once_does_not_keep_its_law(at_once):
    """``PopulationStepper`` moves every chain given where the others were, and they all move: the published moves take turns."""
    before, after = one_generation(np.random.default_rng(1), 400_000, at_once=at_once)
    change = (after.var(axis=1) < 0.1).astype(float) - (before.var(axis=1) < 0.1)
    z = change.mean() / change.std() * np.sqrt(len(change))
    assert (abs(z) > 10) if at_once else (abs(z) < 5)  # 5 is exceeded with a probability below 1e-6


def test_bad_input():
    with pytest.raises(InputError, match=r"pymc\.Model"):
        subject(3, pm.Slice)
    with pytest.raises(InputError, match="method"):
        subject(model(), 3)
    with pm.Model() as made:
        x = pm.Normal("x")
        pm.Potential("p", -(x**2))
    with pytest.raises(InputError, match="potentials"):
        subject(made, pm.Slice)
    with pytest.raises(InputError, match="step method"):
        subject(model(), lambda made: 3).step(*subject(model(), pm.Slice).draw(np.random.default_rng(1)), None)


def test_the_starter_runs():
    assert runs("pymc")
