"""Collapsed finite mixtures: their joint against independent computations, and every label's conditional against the joint."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from mcassay import InputError, NormalInverseWishart, Verdict
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture

SIZES = {"clusters": 3, "points": 5, "alpha": 0.7}
PRIOR = NormalInverseWishart([0.5, -1.0, 0.0], mean_count=0.4, degrees_of_freedom=4.5, scale=np.diag([1.0, 2.0, 0.5]))
MODELS = {
    "full": CollapsedGaussianMixture(**SIZES, cluster_prior=PRIOR),
    "isotropic": CollapsedIsotropicMixture(**SIZES, dimensions=3),
}


def drawn(model, seed):
    rng = np.random.default_rng(seed)
    state = model.prior(rng)
    return state, model.simulate(state, rng), rng


@pytest.mark.parametrize("name", MODELS)
def test_probabilities_of_all_labellings_sum_to_one(name):
    labellings = itertools.product(range(3), repeat=5)
    assert math.fsum(math.exp(MODELS[name].log_labels(np.array(z))) for z in labellings) == pytest.approx(1, abs=1e-12)


def slow_marginal(model, state, points):
    """Return the density of the points of one cluster by a way that shares no code with clusters."""
    count, size = points.shape
    if isinstance(model, CollapsedIsotropicMixture):
        law = scipy.stats.multivariate_normal(np.zeros(count), state["sigma_sq_n"] * np.eye(count) + state["sigma_sq_mu"])
        return sum(law.logpdf(column) for column in points.T)
    # The chain rule: every point from the Student t of those before it, with moments recomputed from scratch.
    p, total = model.cluster_prior.parameters, 0.0
    for n in range(count):
        before, counts = points[:n], p["mean_count"] + n
        centre = before.mean(axis=0) if n else p["mean"]
        spread = p["scale"] + (before - centre).T @ (before - centre)
        spread = spread + p["mean_count"] * n / counts * np.outer(centre - p["mean"], centre - p["mean"])
        degrees = p["degrees_of_freedom"] + n - size + 1
        mean = (p["mean_count"] * p["mean"] + n * centre) / counts
        student = scipy.stats.multivariate_t(mean, spread * (counts + 1) / counts / degrees, df=float(degrees))
        total += student.logpdf(points[n])
    return total


def slow_log_joint(model, state, data):
    sizes = np.bincount(state["z"], minlength=model.clusters)
    total = math.lgamma(3 * model.alpha) - math.lgamma(3 * model.alpha + len(data))
    total += sum(math.lgamma(model.alpha + n) - math.lgamma(model.alpha) for n in sizes)
    if isinstance(model, CollapsedIsotropicMixture):
        total += sum(scipy.stats.invgamma(3, scale=3).logpdf(state[name]) for name in ("sigma_sq_mu", "sigma_sq_n"))
    return total + sum(slow_marginal(model, state, data[state["z"] == k]) for k in np.flatnonzero(sizes))


@pytest.mark.parametrize("name", MODELS)
def test_log_joint_equals_a_slow_computation(name):
    for seed in range(3):
        state, data, _ = drawn(MODELS[name], seed)
        expected = slow_log_joint(MODELS[name], state, data)
        assert MODELS[name].log_joint(state, data) == pytest.approx(expected, rel=1e-11, abs=1e-10)


def test_the_isotropic_joint_is_the_papers_with_probabilities_and_centres_integrated_out():
    """Joint = collapsed joint x conditional of pi and mu given the rest, at any pi and mu."""
    model = MODELS["isotropic"]
    state, data, _ = drawn(model, 4)
    for seed in range(3):
        whole = {**model.mixture.prior(np.random.default_rng(seed)), **state}
        conditionals = model.mixture.cond_pi(whole, data).log_p(whole["pi"])
        # With mu integrated out, pi and mu are independent given labels and variances.
        conditionals += model.mixture.cond_mu(whole, data).log_p(whole["mu"]).sum()
        expected = model.mixture.log_joint(whole, data) - conditionals
        assert model.log_joint(state, data) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("name", MODELS)
def test_every_label_has_the_conditional_that_the_collapsed_joint_implies(name):
    results = CHECK.apply(MODELS[name].pointwise(), Context(seed=0))
    assert [result.verdict for result in results] == [Verdict.PASS] * 5


class OwnPointKept(CollapsedGaussianMixture):
    """The classic mistake: the point is not taken out of its cluster before its label is drawn."""

    def cond_label(self, state, data, point):
        gibbs = self.label_gibbs()
        seating = gibbs.seating(state, data)
        weights = [gibbs.log_weight(seating, k, data[point], state) for k in gibbs.choices(seating)]
        return type(super().cond_label(state, data, point)).from_log_odds(weights)


def test_a_point_that_stays_in_its_cluster_is_caught():
    results = CHECK.apply(OwnPointKept(**SIZES, cluster_prior=PRIOR).pointwise(), Context(seed=0))
    assert [result.verdict for result in results] == [Verdict.FAIL] * 5


@pytest.mark.parametrize("name", MODELS)
def test_states_come_apart_and_together_again(name):
    state, _, _ = drawn(MODELS[name], 5)
    again = MODELS[name].whole(MODELS[name].apart(state))
    assert again.keys() == state.keys()
    assert all(np.array_equal(again[block], state[block]) for block in state)


@pytest.mark.parametrize("name", MODELS)
def test_a_sweep_keeps_the_old_state_and_its_form(name):
    model = MODELS[name]
    state, data, rng = drawn(model, 6)
    before = {block: np.copy(value) for block, value in state.items()}
    after = model.sampler()(state, data, rng)
    assert after.keys() == state.keys()
    assert after["z"].shape == (5,)
    assert all(np.array_equal(state[block], before[block]) for block in state)


def test_labels_out_of_range_have_no_probability():
    state, data, _ = drawn(MODELS["full"], 7)
    assert MODELS["full"].log_joint({"z": state["z"] + 3}, data) == -math.inf


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CollapsedGaussianMixture(clusters=0), "clusters must be a whole number of at least 1, but found 0"),
        (lambda: CollapsedIsotropicMixture(alpha=-1), "alpha must be a positive number, but found -1"),
        (
            lambda: CollapsedGaussianMixture().sampler(mu=print),
            "CollapsedGaussianMixture.sampler: every name must be one of z, but found 'mu'",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(InputError, match=message):
        make()
