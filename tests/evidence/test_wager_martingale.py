"""E[wealth] = 1 exactly: every path of small finite null examples is enumerated through the blocks, learning included."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mcassay.evidence.strategies import Greedy, Grid, Kelly, NewtonStep, Ridge
from mcassay.evidence.wager import DEFAULT, Purse, Triple, Wager

# Differences of two directions: mean zero, skewed, dependent.
OUTCOMES = np.array([[1.0, -0.5], [-0.25, 0.5], [-0.25, -0.5], [-0.5, 0.5]])
CHANCES = np.array([0.25, 0.25, 0.25, 0.25])
assert np.allclose(CHANCES @ OUTCOMES, 0)

STRATEGIES = [
    ((Kelly((0.1, 2.0)), 1.0),),
    ((Grid(), 1.0),),
    ((NewtonStep(prior=0.1), 1.0),),
    ((Ridge((0.1, 1.0)), 1.0),),
    ((Greedy((1, 2), shrinkage=0.1), 1.0),),
    ((Kelly(), 0.2), (Grid(), 0.3), (NewtonStep(), 0.1), (Ridge((0.1,)), 0.3), (Greedy((2,), shrinkage=0.1), 0.1)),
    DEFAULT,
]


LEARNING = ((Kelly((0.1,)), 0.5), (Ridge((0.1,)), 0.5))


def paths(count, steps):
    """All sequences of outcomes: one row a path."""
    return np.array(list(itertools.product(range(count), repeat=steps)))


def expectation(log_wealth, chances):
    return float(np.sum(np.exp(log_wealth) * chances))


@pytest.mark.parametrize("strategies", STRATEGIES, ids=lambda s: " and ".join(strategy.name for strategy, _ in s))
@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 3, 1), (1, 1, 1, 1, 1)])
def test_expected_wealth_is_one_over_all_paths(strategies, sizes):
    every = paths(len(OUTCOMES), sum(sizes))
    purse = Purse.begin(2, weights=[0.7, 0.3], strategies=strategies, runs=(len(every),))
    for block in np.split(OUTCOMES[every], np.cumsum(sizes)[:-1], axis=1):
        purse = purse.bet(block)
    assert expectation(purse.log_wealth, CHANCES[every].prod(axis=1)) == pytest.approx(1, abs=1e-12)
    assert np.ptp(purse.log_wealth) > 0.1


# A chain on three points with two directions: start, end and a forward draw all have the law MASS, end depends on start.
MASS = np.array([0.5, 0.3, 0.2])
STAY = 0.6
VALUES = np.array([[0.0, 1.0], [0.4, 0.3], [1.0, 0.5]])
POINTS = np.array(list(itertools.product(range(3), repeat=3)))
POINT_CHANCES = np.array([MASS[s] * (STAY * (s == e) + (1 - STAY) * MASS[e]) * MASS[f] for s, e, f in POINTS])


def triples(points):
    """The directions of a block of shape (runs, n) of outcomes."""
    start, end, forward = (VALUES[POINTS[points, k]] for k in range(3))
    return Triple(end, start, forward)


@pytest.mark.parametrize("controls", [(), (0,), (0, 1)])
def test_expected_wealth_is_one_with_learned_pairing(controls):
    every = paths(len(POINTS), 3)
    wager = Wager.begin({"a": 1.0}, directions=2, controls=controls, strategies=LEARNING, runs=(len(every),))
    wager = replace(wager, pairings=tuple(replace(pairing, ridge=0.1) for pairing in wager.pairings))
    rhos = []
    for block in np.split(every, 3, axis=1):
        rhos.append(wager.pairings[0].rho)
        wager = wager.bet({"a": triples(block)})
    assert expectation(wager.log_wealth, POINT_CHANCES[every].prod(axis=1)) == pytest.approx(1, abs=1e-12)
    assert np.ptp(rhos[-1]) > 0.1


def test_expected_wealth_is_one_over_groups_that_join_at_different_times():
    every = paths(len(POINTS), 3)
    wager = Wager.begin({"a": 0.7, "b": 0.3}, directions=2, runs=(len(every),))
    first, second, third = (triples(block) for block in np.split(every, 3, axis=1))
    wager = wager.bet({"a": first}).bet({"a": second, "b": third._replace(forward=None)}).bet({"b": first})
    # The last block repeats outcomes of the first in another group: no group sees anything twice.
    purse_b = wager.purses[1]
    chances = POINT_CHANCES[every].prod(axis=1)
    assert expectation(purse_b.log_wealth, chances) == pytest.approx(1, abs=1e-12)
    assert expectation(wager.log_wealth, chances) == pytest.approx(1, abs=1e-12)


@dataclass(frozen=True)
class Peeking(Kelly):
    """Invalid on purpose: its memory already holds the block that it bets on."""


def test_the_enumeration_convicts_a_stake_that_peeks():
    every = paths(len(OUTCOMES), 3)
    d = OUTCOMES[every]
    strategy = Peeking((2.0,))
    purse = Purse.begin(2, strategies=((strategy, 1.0),), runs=(len(every),))
    memory = strategy.learn(purse.memories[0], d, strategy.stakes(purse.memories[0]))
    purse = replace(purse, memories=(memory,)).bet(d)
    assert expectation(purse.log_wealth, CHANCES[every].prod(axis=1)) > 1.1


def test_the_enumeration_convicts_products_of_differences():
    every = paths(len(POINTS), 2)
    block = triples(every)
    d = block.end - block.start
    products = d[..., :1] * d[..., 1:]
    purse = Purse.begin(1, strategies=((Grid((0.5,)), 1.0),), runs=(len(every),)).bet(products)
    assert abs(expectation(purse.log_wealth, POINT_CHANCES[every].prod(axis=1)) - 1) > 1e-3


def test_pairing_differences_have_mean_zero_and_stay_in_range():
    rng = np.random.default_rng(3)
    wager = Wager.begin({"a": 1.0}, directions=2, controls=(0, 1))
    wager = replace(wager, pairings=tuple(replace(pairing, ridge=0.1) for pairing in wager.pairings))
    for _ in range(5):
        wager = wager.bet({"a": triples(rng.choice(len(POINTS), size=50, p=POINT_CHANCES))})
    d = wager.pairings[0].differences(*triples(np.arange(len(POINTS))))
    np.testing.assert_allclose(POINT_CHANCES @ d, 0, atol=1e-12)
    assert np.abs(d).max() <= 1
