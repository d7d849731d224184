"""Proposals without random numbers are weighed by their Jacobian; intervals that are too long by little are noticed."""

import math

import numpy as np
import pytest
import scipy.stats

from mcassay import Beta, Gibbs, MetropolisHastings, Subject, Uniform, Verdict
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK as CONDITIONALS
from mcassay.checks.jacobians import log_volume_change
from tests.checks.test_proposals import check, log_joint

SEEDS = range(3)


def inverted(log_ratio):
    return MetropolisHastings(lambda state, data, rng: ({**state, "rate": 1 / state["rate"]}, log_ratio(state)), blocks="rate")


def scaled(log_ratio):
    """Scale one block by what the other says, and undo it at the other's mirror image."""

    def propose(state, data, rng):
        new = {**state, "rate": state["rate"] * math.exp(-2 * state["place"]), "place": -state["place"]}
        return new, log_ratio(state)

    return MetropolisHastings(propose, blocks=("rate", "place"))


def own_ratio(factor):
    def log_ratio(state, new, data):
        return log_joint(new, data) - log_joint(state, data) - factor * math.log(state["rate"])

    return MetropolisHastings(
        lambda state, data, rng: ({**state, "rate": 1 / state["rate"]}, 0.0), blocks="rate", log_ratio=log_ratio
    )


RIGHT = {
    "inversion": inverted(lambda state: -2 * math.log(state["rate"])),
    "scaling": scaled(lambda state: -2 * state["place"]),
    "own ratio": own_ratio(2),
    "swap": MetropolisHastings(
        lambda state, data, rng: ({**state, "levels": state["levels"][::-1].copy()}, 0.0), blocks="levels"
    ),
}

BROKEN = {
    "no Jacobian": inverted(lambda state: 0.0),
    "half of it": inverted(lambda state: -math.log(state["rate"])),
    "reversed": inverted(lambda state: 2 * math.log(state["rate"])),
    "scaling without": scaled(lambda state: 0.0),
    "own ratio without": own_ratio(0),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_right_moves_without_random_numbers_pass(name, seed):
    result = check(RIGHT[name], seed)
    assert result.verdict is Verdict.PASS
    assert "accepts by its Jacobian on" in result.message


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_wrong_moves_without_random_numbers_fail(name, seed):
    result = check(BROKEN[name], seed)
    assert result.verdict is Verdict.FAIL
    assert "its log ratio must be the log of its Jacobian" in result.message


def test_no_jacobian_is_claimed_where_there_is_none():
    assert log_volume_change(lambda x: np.abs(x - 1.0), np.array([1.0])) is None
    assert log_volume_change(lambda x: x + np.floor(x), np.array([1.0])) is None
    assert log_volume_change(lambda x: None, np.array([1.0])) is None
    assert log_volume_change(np.negative, np.zeros(0)) is None


# Intervals.


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("up", "verdict"), [(1.0, Verdict.PASS), (1.01, Verdict.FAIL)])
def test_a_window_that_is_hardly_lopsided(up, verdict, seed):
    walk = MetropolisHastings(
        lambda state, data: Uniform(state["place"] - 1, state["place"] + up),
        blocks="place",
        log_ratio=lambda state, new, data: log_joint(new, data) - log_joint(state, data),
    )
    assert check(walk, seed).verdict is verdict


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [lambda end: Uniform(0.0, end), lambda end: scipy.stats.uniform(0.0, end)])
@pytest.mark.parametrize(("end", "verdict"), [(1.0, Verdict.PASS), (1.005, Verdict.FAIL)])
def test_an_interval_that_is_hardly_too_long(kind, end, verdict, seed):
    subject = Subject(
        lambda rng: {"x": rng.uniform()},
        None,
        Gibbs({"x": lambda state, data: kind(end)}),
        log_joint=lambda state, data: float(Beta(1.0, 1.0).log_p(state["x"])),
    )
    (result,) = CONDITIONALS.apply(subject, Context(seed))
    assert result.verdict is verdict
