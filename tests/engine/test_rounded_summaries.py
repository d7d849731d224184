"""Sums that a model fixes differ in their last digits by how their terms were drawn; that must convict nobody."""

import numpy as np
import pytest

from mcassay import Subject
from mcassay.checks.base import Context
from mcassay.checks.invariance import CHECK
from mcassay.engine.budget import Budget
from mcassay.engine.summaries import summaries
from mcassay.results import Verdict

WEIGHTS = np.array([0.8, 1.5, 3.0])
ALPHA = 1e-6


def by_gammas(rng):
    shares = rng.gamma(WEIGHTS)
    return {"w": shares / shares.sum()}


def by_remainder(state, data, rng):
    shares = rng.dirichlet(WEIGHTS)
    shares[2] = 1 - shares[0] - shares[1]
    return {"w": shares}


def contrasts(state, data, rng):
    values = rng.normal(size=4)
    return {"c": np.append(values[:-1], -values[:-1].sum())}


def centred(rng):
    values = rng.normal(size=3)
    return {"c": np.append(values, -(values[2] + values[1] + values[0]))}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("prior", "step"), [(by_gammas, by_remainder), (centred, contrasts)])
def test_draws_of_a_fixed_sum_by_two_ways_do_not_fail(prior, step, seed):
    """Each of the six runs may fail with probability ALPHA."""
    (result,) = CHECK.apply(Subject(prior, None, step), Context(seed, ALPHA, budget=Budget(4000)))
    assert result.verdict is not Verdict.FAIL, result.message


def test_the_mean_of_a_fixed_sum_depends_on_the_power_of_two_of_the_largest_element_alone():
    rng = np.random.default_rng(5)
    batch = np.stack([by_gammas(rng)["w"] for _ in range(500)] + [by_remainder(None, None, rng)["w"] for _ in range(500)])
    columns = {column.name: column.values for column in summaries({"w": batch})}
    assert len(np.unique(columns["mean of w"])) == len(np.unique(np.floor(np.log2(batch.max(axis=1))))) == 2
    assert len(np.unique(columns["mean square of w"])) > 900
