"""Samplers of partitions on five points, and algorithm 8 on as many states as a million paths allow, by exact probabilities."""

import numpy as np
import pytest

from mcassay import Cycle, Subject
from mcassay.checks.base import Context
from mcassay.checks.enumeration import CHECK
from mcassay.engine.budget import Budget
from mcassay.models.restaurant import RestaurantMixture
from mcassay.results import Verdict
from tests.models.discrete_base import AtomMixture

EXACT = 1e-12
# Half a million sweeps allow for a million paths.
NIGHTLY = Budget(500_000)
THREE = {"atoms": (-1.0, 0.5, 2.0), "weights": (0.5, 0.3, 0.2)}


def check_holds(subject, states):
    found = CHECK.apply(subject, Context(seed=1, whole=NIGHTLY))
    for result in found:
        assert result.verdict is Verdict.PASS, result.message
        assert result.details["gap"] < EXACT
        assert result.details["states"] == states
        assert result.details["data points"] is None


def test_gibbs_and_split_merge_hold_on_every_partition_of_five_points():
    model = RestaurantMixture(points=5, concentration=1.3)
    steps = {"z": model.label_gibbs().of_each_point(5), "split_merge": model.split_merge(1)}
    check_holds(Subject(model.prior, model.simulate, Cycle(steps), log_joint=model.log_joint), 52)


@pytest.mark.parametrize(
    ("model", "states"),
    [(AtomMixture(points=5), 454), (AtomMixture(points=4, **THREE), 309), (AtomMixture(points=4, auxiliary=3), 94)],
)
def test_algorithm_8_holds_for_clusters_of_a_few_atoms(model, states):
    assert states == sum(np.prod([len(model.atoms)] * size) * ways for size, ways in enumerate(_stirling(model.points), 1))
    check_holds(model.subject(), states)


def _stirling(points):
    """Return how many partitions there are into 1, 2, ... clusters."""
    ways = [1]
    for _ in range(points - 1):
        ways = [a * k + b for k, (a, b) in enumerate(zip([*ways, 0], [0, *ways], strict=True), 1)]
    return ways
