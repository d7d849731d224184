"""Exact probabilities that take longer: partitions of five points, algorithm 8 on hundreds of states, discrete targets."""

import numpy as np
import pytest

from mcassay import Cycle, Subject
from mcassay.checks.balance import Balance
from mcassay.checks.finite_chain import WHOLE, Attempt, sweep_matrix
from mcassay.enumeration.chain import MOST_PATHS, Limits
from mcassay.models.restaurant import RestaurantMixture
from mcassay.targets.discrete import binary, categorical, discrete_uniform, ising, potts
from tests.models.discrete_base import AtomMixture

EXACT = 1e-12
THREE = {"atoms": (-1.0, 0.5, 2.0), "weights": (0.5, 0.3, 0.2)}


def check_holds(subject, states):
    """Compare every update, and the sweep, with the joint; as an assay does, but however long it takes."""
    chain = Attempt(subject, Limits(MOST_PATHS), np.random.default_rng(1)).make().chain
    assert len(chain.space) == states
    assert set(chain.matrices) == set(subject.updates or [WHOLE])
    for matrix in (*chain.matrices.values(), sweep_matrix(subject.step, chain.matrices)):
        assert Balance(chain, matrix).gap < EXACT
    assert Balance(chain, matrix).classes == 1


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


def one_up_or_down(target):
    """Return Metropolis moves of one element by one."""

    def step(state, data, rng):
        new = np.array(state["x"])
        new.flat[rng.integers(new.size)] += rng.choice([-1, 1])
        log_ratio = target.log_joint({"x": new}) - target.log_joint(state)
        return {"x": new} if np.log(rng.random()) < log_ratio else state

    return step


@pytest.mark.parametrize(
    ("make", "states"), [(discrete_uniform, 64), (categorical, 30), (binary, 16), (ising, 512), (potts, 729)]
)
def test_metropolis_moves_hold_on_discrete_targets(make, states):
    target = make()
    check_holds(target.subject(one_up_or_down(target)), states)
