"""Draws with right marginals and a wrong dependence within one block, which no coordinate, mean or neighbour shows."""

import numpy as np
import pytest

from mcassay import Subject
from mcassay.checks.base import Context
from mcassay.checks.invariance import CHECK
from mcassay.engine.budget import Budget
from mcassay.results import Verdict

ALPHA = 1e-6
BUDGET = Budget(20_000)
SIX, ENSEMBLE = (6,), (8, 2)


def tied(a, b, correlation):
    """Return b with its own variance kept and this correlation with a."""
    return correlation * a + np.sqrt(1 - np.square(correlation)) * b


def independent(shape, state, data, rng):
    return {"x": rng.normal(size=shape)}


def two_pairs(state, data, rng):
    """Coordinates 1 and 4 lean to the same side, 2 and 5 to opposite ones: the mean's variance is right."""
    x = rng.normal(size=SIX)
    x[4], x[5] = tied(x[1], x[4], 0.3), tied(x[2], x[5], -0.3)
    return {"x": x}


def halves(state, data, rng):
    """Walkers of one half lean on those of the other, by opposite signs in the two coordinates."""
    x = rng.normal(size=ENSEMBLE)
    x[4:] = tied(x[:4], x[4:], np.array([0.25, -0.25]))
    return {"x": x}


def one_walker(state, data, rng):
    """One walker leans on that half an ensemble away, in one coordinate."""
    x = rng.normal(size=ENSEMBLE)
    x[5, 0] = tied(x[1, 0], x[5, 0], 0.9)
    return {"x": x}


def result_of(shape, step):
    subject = Subject(lambda rng: {"x": rng.normal(size=shape)}, None, step)
    (result,) = CHECK.apply(subject, Context(11, ALPHA, budget=BUDGET))
    return result


@pytest.mark.parametrize(("shape", "step"), [(SIX, two_pairs), (ENSEMBLE, halves), (ENSEMBLE, one_walker)])
def test_wrong_dependence_is_caught(shape, step):
    result = result_of(shape, step)
    assert result.verdict is Verdict.FAIL, result.message


@pytest.mark.parametrize("shape", [SIX, ENSEMBLE, (2, 2), (3, 1), (1, 5)])
def test_independent_draws_do_not_fail(shape):
    """Each may fail with probability ALPHA."""
    result = result_of(shape, lambda state, data, rng: independent(shape, state, data, rng))
    assert result.verdict is not Verdict.FAIL, result.message
