"""Samplers of partitions by exact transition probabilities, update by update: the right ones, and well-known mistakes."""

import numpy as np
import pytest

from mcassay import Cycle, Subject
from mcassay.checks.base import Context
from mcassay.checks.enumeration import CHECK
from mcassay.engine.budget import Budget
from mcassay.enumeration.chain import transition_matrix
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.results import SWEEP, Verdict
from tests.models import collapsed_bugs
from tests.models import partition_bugs as bugs
from tests.models.discrete_base import AtomMixture

# The numbers of partitions of 3, 4 and 5 points.
PARTITIONS = {3: 5, 4: 15, 5: 52}
EXACT = 1e-12
MANY = Budget(500_000)


def restaurant(points):
    return RestaurantMixture(points=points, concentration=1.3)


def assayed(subject):
    return {r.target.removeprefix("update:"): r for r in CHECK.apply(subject, Context(seed=1, whole=MANY))}


def with_steps(model, steps):
    return Subject(model.prior, model.simulate, Cycle(steps), log_joint=model.log_joint, name="restaurant")


def labels_and_splits(points, scans=0):
    model = restaurant(points)
    return with_steps(model, {"z": model.label_gibbs().of_each_point(points), "split_merge": model.split_merge(scans)})


def failing(subject):
    return {name for name, r in assayed(subject).items() if r.verdict is Verdict.FAIL} - {SWEEP}


def check_holds(found, states):
    for result in found.values():
        assert result.verdict is Verdict.PASS, result.message
        assert result.details["gap"] < EXACT
        assert result.details["states"] == states


def test_gibbs_and_split_merge_hold_on_every_partition_of_four_points():
    found = assayed(labels_and_splits(4))
    check_holds(found, PARTITIONS[4])
    assert set(found) == {"split_merge", SWEEP, *(f"z.z[{i}]" for i in range(4))}
    assert found["split_merge"].details["reversible"]
    assert found[SWEEP].details["classes"] == 1


def test_split_merge_with_a_scan_of_the_launch_state():
    check_holds(assayed(with_steps(restaurant(4), {"split_merge": restaurant(4).split_merge(1)})), PARTITIONS[4])


def test_gibbs_holds_on_every_partition_of_five_points():
    model = restaurant(5)
    check_holds(assayed(with_steps(model, {"z": model.label_gibbs().of_each_point(5)})), PARTITIONS[5])


@pytest.mark.parametrize("model", [AtomMixture(points=4), AtomMixture(points=3, atoms=(-1, 0.5, 2), weights=(0.5, 0.3, 0.2))])
def test_algorithm_8_holds_for_clusters_of_a_few_atoms(model):
    found = assayed(model.subject())
    check_holds(found, {2: 94, 3: 57}[len(model.atoms)])
    assert found[SWEEP].details["classes"] == 1


@pytest.mark.parametrize("model", [CollapsedGaussianMixture(points=3), CollapsedIsotropicMixture(points=3)])
def test_collapsed_finite_mixtures_hold(model):
    found = assayed(model.subject())
    assert found["z"].verdict is Verdict.PASS
    assert found["z"].details["states"] == 3**3


def test_of_each_point_is_the_sweep():
    model, rng = restaurant(3), np.random.default_rng(1)
    state = model.prior(rng)
    data, gibbs = model.simulate(state, rng), model.label_gibbs()
    whole, single = (transition_matrix(step, [state], data) for step in (gibbs, gibbs.of_each_point(3)))
    order = [[s["z"].tolist() for s in single[0]].index(s["z"].tolist()) for s in whole[0]]
    np.testing.assert_allclose(whole[1].toarray(), single[1].toarray()[np.ix_(order, order)], atol=1e-14)


@pytest.mark.parametrize("bug", bugs.SPLIT_MERGE, ids=lambda bug: bug.__name__)
def test_a_mistake_in_split_merge_is_named(bug):
    model = restaurant(4)
    steps = {"z": model.label_gibbs().of_each_point(4), "split_merge": bug(model.split_merge(0))}
    assert failing(with_steps(model, steps)) == {"split_merge"}


@pytest.mark.parametrize("bug", bugs.RESTAURANT, ids=lambda bug: bug.__name__)
def test_a_mistake_in_gibbs_sampling_of_a_restaurant_is_named(bug):
    model = restaurant(3)
    assert failing(with_steps(model, {"z": bug(model.label_gibbs()), "split_merge": model.split_merge(0)})) == {"z"}


@pytest.mark.parametrize("bug", bugs.AUXILIARY, ids=lambda bug: bug.__name__)
def test_a_mistake_in_algorithm_8_is_named(bug):
    model = AtomMixture(points=3)
    assert failing(model.with_bug(bug).subject()) == {f"z.z[{point}]" for point in range(3)}


@pytest.mark.parametrize("bug", collapsed_bugs.COLLAPSED, ids=lambda bug: bug.__name__)
def test_a_mistake_in_a_collapsed_mixture_is_named(bug):
    model = CollapsedGaussianMixture(points=3, clusters=2)
    assert failing(model.subject(z=bug(model.label_gibbs()))) == {"z"}
