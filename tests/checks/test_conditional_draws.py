"""Draws of conditionals: samplers whose draws are not what their density says must be caught, right ones must not fail."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from mcassay import Categorical, Cycle, Dirichlet, Gamma, Gibbs, InverseGamma, MultivariateNormal, Normal, Subject
from mcassay.checks.base import Context
from mcassay.checks.conditional_draws import CHECK, REPEATS
from mcassay.engine.budget import Budget
from mcassay.models.mixture import IsotropicMixture
from mcassay.results import CheckResult, Verdict
from tests.checks import right_models

SEEDS = range(3)
# Each run of a right subject fails with probability ALPHA at most.
ALPHA = 1e-6
BUDGET = Budget(4000)


def run(subject, seed, **changes):
    return CHECK.apply(subject, Context(seed, ALPHA, budget=BUDGET, **changes))


def failed(results):
    return [result.target for result in results if result.verdict is Verdict.FAIL]


@dataclass(frozen=True)
class Claims:
    """A distribution whose density is not that of its draws."""

    density: Any
    draws: Any

    def log_p(self, x):
        return self.density.log_p(x)

    def sample(self, rng):
        return self.draws.sample(rng)


def normal_mean(conditional):
    return Subject(
        lambda rng: {"mu": rng.normal(0.0, 2.0)},
        lambda state, rng: rng.normal(state["mu"], 1.0, size=3),
        Gibbs({"mu": conditional}),
        log_joint=lambda s, x: float(Normal(0.0, variance=4.0).log_p(s["mu"]) + Normal(s["mu"], sd=1.0).log_p(x).sum()),
    )


def of_mean(data, **spread):
    return Normal(np.sum(data) / 3.25, **(spread or {"variance": 1 / 3.25}))


def sd_for_variance():
    return normal_mean(lambda state, data: Claims(of_mean(data), of_mean(data, sd=1 / 3.25)))


def prior_forgotten():
    return normal_mean(lambda state, data: Claims(of_mean(data), Normal(np.mean(data), variance=1 / 3)))


def data_forgotten():
    return normal_mean(lambda state, data: Claims(of_mean(data), Normal(0.0, variance=4.0)))


def rate_for_scale():
    def scale(state, data):
        shape, rate = 3.0 + 2.0 * 4, 2.0 + np.sum(state["rates"])
        return Claims(Gamma(shape, rate=rate), Gamma(shape, scale=rate))

    right = right_models.hierarchical()
    rates = right.updates["rates"].conditional
    return replace(right, step=Gibbs({"scale": scale, "rates": rates}))


def dirichlet_without_prior():
    right = right_models.simplex()
    return replace(
        right, step=Gibbs({"w": lambda s, data: Claims(Dirichlet(data + np.array([0.8, 1.5, 3.0])), Dirichlet(data + 0.3))})
    )


@dataclass(frozen=True)
class OneUniformForAll:
    """Draws of several labels from one uniform number: every one of them right, and all of them bound together."""

    probabilities: Any

    def log_p(self, x):
        return Categorical.from_probabilities(self.probabilities).log_p(x)

    def sample(self, rng):
        return (rng.random() > np.cumsum(self.probabilities, axis=-1)).sum(axis=-1)


def one_uniform_for_all_labels():
    shares = np.tile([0.5, 0.3, 0.2], (6, 1))
    return Subject(
        lambda rng: {"labels": rng.choice(3, p=shares[0], size=6)},
        None,
        Gibbs({"labels": lambda state, data: OneUniformForAll(shares)}),
    )


def last_label_never():
    right = right_models.discrete()
    conditional = right.updates["k"].conditional

    def without_last(state, data):
        log_odds = np.log(right_models.SHARES) + data * np.log(right_models.RATES) - right_models.RATES
        return Claims(conditional(state, data), Categorical.from_log_odds(log_odds - [0, 0, 50]))

    return replace(right, step=Gibbs({"k": without_last}))


def correlation_forgotten():
    cov = np.array([[1.0, 0.8], [0.8, 1.0]])
    drawn = Claims(MultivariateNormal(np.zeros(2), covariance=cov), MultivariateNormal(np.zeros(2), covariance=np.eye(2)))
    return Subject(lambda rng: {"xy": rng.multivariate_normal(np.zeros(2), cov)}, None, Gibbs({"xy": lambda s, data: drawn}))


def scale_of_residuals_doubled():
    model = IsotropicMixture(clusters=2, points=10, dimensions=1)

    def conditional(state, data):
        residuals = data - model.means(state)
        right = model.cond_sigma_sq_n(state, data)
        return Claims(right, InverseGamma(3 + 0.5 * data.size, scale=3 + np.sum(residuals**2)))

    return model.subject(sigma_sq_n=conditional)


BUGS = {
    sd_for_variance: "mu",
    prior_forgotten: "mu",
    data_forgotten: "mu",
    rate_for_scale: "scale",
    dirichlet_without_prior: "w",
    one_uniform_for_all_labels: "labels",
    last_label_never: "k",
    correlation_forgotten: "xy",
    scale_of_residuals_doubled: "sigma_sq_n",
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug is not prior_forgotten], ids=lambda bug: bug.__name__)
def test_a_wrong_sample_is_caught_and_no_other_update_blamed(bug, seed):
    assert failed(run(bug(), seed)) == [f"update:{BUGS[bug]}"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_error_needs_the_larger_share_without_log_joint(seed):
    subject = replace(prior_forgotten(), log_joint=None)
    (result,) = CHECK.apply(subject, Context(seed, ALPHA, budget=Budget(60_000)))
    assert result.verdict is Verdict.FAIL


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("model", right_models.WITH_CONDITIONALS, ids=lambda model: model.__name__)
def test_right_conditionals_do_not_fail(model, seed):
    results = run(model(), seed)
    assert {result.verdict for result in results} == {Verdict.PASS}, [result.message for result in results]


def test_it_costs_no_sweep_and_counts_its_draws():
    (result,) = run(right_models.unit_interval(), 1)
    assert result.sweeps == 0
    assert result.details["draws"] == REPEATS * result.details["replicates"] > BUDGET.sweeps / 3 - REPEATS
    assert "P-P gaps above" in result.message


def test_without_log_joint_it_draws_three_times_as_many():
    right = right_models.unit_interval()
    (with_joint,), (without,) = run(right, 1), run(replace(right, log_joint=None), 1)
    assert without.details["draws"] > 2 * with_joint.details["draws"]


def test_the_same_seed_gives_the_same_result_in_any_number_of_processes():
    subject = IsotropicMixture(clusters=2, points=5, dimensions=1).subject()
    alone = CHECK.apply(subject, Context(4, ALPHA, budget=Budget(600)))
    assert [r.to_dict() for r in alone] == [r.to_dict() for r in CHECK.apply(subject, Context(4, ALPHA, budget=Budget(600)))]


def test_where_the_density_was_vouched_for_the_cause_says_what_is_left():
    vouched = CheckResult("conditionals", "update:mu", Verdict.PASS, "agrees")
    (result,) = run(sd_for_variance(), 1, earlier=(vouched,))
    assert "either sample() does not draw from that density, or log_joint" in result.cause
    assert run(sd_for_variance(), 1)[0].cause is None


def test_a_kernel_without_conditionals_is_skipped():
    subject = Subject(lambda rng: {"x": rng.normal()}, None, Cycle({"stay": lambda state, data, rng: state}))
    (result,) = run(subject, 1)
    assert result.verdict is Verdict.SKIPPED
