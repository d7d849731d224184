"""Compiled finite mixtures do what the models themselves do: the same labels from the same random numbers, the same sums."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mcassay import InputError, InverseWishart, Verdict
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK as CONDITIONALS
from mcassay.checks.distributions import CHECK as DISTRIBUTIONS
from mcassay.models.compiled import compiled
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.results import update_target

assignments = pytest.importorskip("mcassay.models.compiled.assignments")
mixtures = pytest.importorskip("mcassay.models.compiled.mixtures")

MODELS = {
    "isotropic": IsotropicMixture,
    "untied": UntiedIsotropicMixture,
    "full": FullCovarianceMixture,
    "untied full": UntiedCovarianceMixture,
}
# On both sides of the length of a tile, and of the number of dimensions that are worked on at once.
SIZES = [(1, 1, 1), (3, 2, 63), (2, 4, 64), (7, 5, 65), (20, 10, 500), (12, 1, 3)]


def drawn(name, clusters, dimensions, points, seed=1):
    model = MODELS[name](clusters=clusters, dimensions=dimensions, points=points)
    rng = np.random.default_rng(seed)
    state = model.prior(rng)
    return model, compiled(model), state, model.simulate(state, rng)


def test_exponentials_are_right_to_the_last_digit_but_one():
    numbers = -np.concatenate([np.random.default_rng(1).exponential(50, 10_000), [0.0, 1e-300, 1e-17, 699.999]])
    taken, scale = numbers.copy(), np.empty_like(numbers)
    assignments.exponentials(taken, scale, scale.view(np.int64))
    expected = np.where(numbers > -700, np.exp(numbers), 0)
    np.testing.assert_allclose(taken, expected, rtol=4.5e-16)


def test_exponentials_of_almost_nothing_are_zero():
    numbers = np.array([-700.0, -701.0, -1e4, -1e300, -math.inf])
    scale = np.empty_like(numbers)
    assignments.exponentials(numbers, scale, scale.view(np.int64))
    assert numbers.tolist() == [0.0] * 5


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_the_same_random_numbers_give_the_same_labels(name, sizes):
    model, fast, state, data = drawn(name, *sizes)
    for seed in range(3):
        slow_labels = model.cond_z(state, data).sample(np.random.default_rng(seed))
        np.testing.assert_array_equal(fast.cond_z(state, data).sample(np.random.default_rng(seed)), slow_labels)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_labels_far_from_the_origin(name):
    model, fast, state, data = drawn(name, 5, 3, 300)
    state["mu"], data = state["mu"] + 1e7, data + 1e7
    slow_labels = model.cond_z(state, data).sample(np.random.default_rng(2))
    # A distance of 1e7 leaves nine digits of a difference: a level may be that close to a limit, for one point in 1e8.
    np.testing.assert_array_equal(fast.cond_z(state, data).sample(np.random.default_rng(2)), slow_labels)


@pytest.mark.parametrize("name", MODELS)
def test_a_cluster_of_probability_zero_is_never_chosen(name):
    _, fast, state, data = drawn(name, 4, 2, 200)
    state["pi"] = np.array([0.0, 0.5, 0.5, 0.0])
    labels = fast.cond_z(state, data).sample(np.random.default_rng(3))
    assert set(labels.tolist()) <= {1, 2}
    lowest = mixtures.draw_isotropic(data, np.array([-math.inf, 0.0]), state["mu"][:2], np.ones(2), np.zeros(200))
    assert set(lowest.tolist()) == {1}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_sweeps_of_the_same_seed_are_the_same(name, sizes):
    model, fast, state, data = drawn(name, *sizes)
    slow = model.gibbs()(state, data, np.random.default_rng(4))
    quick = fast.gibbs()(state, data, np.random.default_rng(4))
    for block, value in slow.items():
        np.testing.assert_allclose(quick[block], value, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_conditionals_and_what_they_draw_pass_the_exact_checks(name):
    model = MODELS[name](clusters=3, dimensions=2, points=7)
    for check in (CONDITIONALS, DISTRIBUTIONS):
        results = check.apply(compiled(model).subject(), Context(seed=0))
        assert {result.verdict for result in results} == {Verdict.PASS}, [result.message for result in results]


class UpsideDown(mixtures.CompiledIsotropicMixture):
    """Draws the labels by levels seen from above, beside log probabilities that are right."""

    def cond_z(self, state, data):
        right = super().cond_z(state, data)
        draw = lambda uniforms: self.clusters - 1 - right._draw(uniforms)  # noqa: E731
        return mixtures.CompiledLabels(len(data), draw, right._exact)


def test_compiled_draws_that_do_not_belong_to_the_log_probabilities_are_caught():
    results = DISTRIBUTIONS.apply(UpsideDown(points=7).subject(), Context(seed=0))
    assert {r.target: r.verdict for r in results}[update_target("z")] is Verdict.FAIL


@pytest.mark.parametrize("name", MODELS)
def test_a_compiled_model_keeps_its_arguments_and_stays_compiled(name):
    model = MODELS[name](clusters=4, points=9, alpha=0.3)
    fast = compiled(model)
    assert (fast.clusters, fast.points, fast.alpha) == (4, 9, 0.3)
    assert compiled(fast) is fast
    assert type(replace(fast, points=3)) is type(fast)


def test_priors_are_kept():
    prior = InverseWishart(6, scale=np.eye(2))
    assert compiled(FullCovarianceMixture(covariance_prior=prior)).covariance_prior is prior


def test_what_has_no_compiled_form_is_said():
    with pytest.raises(InputError, match="compiled: model must be one of IsotropicMixture, "):
        compiled("isotropic")


def test_without_numba_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("mcassay.models.compiled.is_available", lambda: False)
    with pytest.raises(InputError, match=r"needs numba, which is not installed: pip install 'mcassay\[fast\]'"):
        compiled(IsotropicMixture())
