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


def tenths(rng):
    return {"x": rng.integers(-4, 5) * 0.1}


def tenths_by_steps(state, data, rng):
    """Go up or down by a tenth, again and again, and round the corner: 0.1 + 0.2 is not 0.3."""
    x = state["x"]
    for _ in range(3):
        x += rng.choice([-0.1, 0.1])
        x += 0.9 if x < -0.45 else -0.9 if x > 0.45 else 0.0
    return {"x": x}


def direction(rng):
    x = rng.normal(size=3)
    return {"u": x / np.linalg.norm(x)}


def direction_by_angle(state, data, rng):
    height, angle = rng.uniform(-1, 1), rng.uniform(0, 2 * np.pi)
    radius = np.sqrt(1 - height**2)
    return {"u": np.array([radius * np.cos(angle), radius * np.sin(angle), height])}


def correlations(rng):
    products = np.cov(rng.normal(size=(3, 6)))
    return {"R": products / np.sqrt(np.outer(np.diag(products), np.diag(products)))}


def correlations_of_unit_vectors(state, data, rng):
    x = rng.normal(size=(3, 6))
    x -= x.mean(axis=1, keepdims=True)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return {"R": x @ x.T}


def shares_and_a_spike(rng):
    return {"w": rng.dirichlet(WEIGHTS), "x": 0.1 if rng.random() < 0.4 else rng.normal()}


def in_single_precision(state, data, rng):
    shares = rng.standard_gamma(WEIGHTS).astype(np.float32)
    return {"w": shares / shares.sum(), "x": np.float32(shares_and_a_spike(rng)["x"])}


def counts(rng, rate=3.0):
    return {"k": int(rng.poisson(rate)), "z": rng.integers(3, size=4)}


def counts_as_floats(state, data, rng, rate=3.0):
    return {name: np.asarray(value, dtype=float) for name, value in counts(rng, rate).items()}


def length(state, data):
    return float(np.linalg.norm(state["u"]))


ROUNDED = {
    "a lattice of tenths": (tenths, tenths_by_steps, {}),
    "a direction, and its length": (direction, direction_by_angle, {"statistics": {"length": length}}),
    "a direction, and a density that does not vary": (direction, direction_by_angle, {"log_joint": lambda s, d: -length(s, d)}),
    "correlations": (correlations, correlations_of_unit_vectors, {}),
    "single precision": (shares_and_a_spike, in_single_precision, {}),
    "whole numbers as floating ones": (counts, counts_as_floats, {}),
}


@pytest.mark.parametrize("name", ROUNDED)
def test_right_kernels_that_round_in_another_way_than_the_prior_do_not_fail(name):
    """Each of the six runs may fail with probability ALPHA."""
    prior, step, more = ROUNDED[name]
    (result,) = CHECK.apply(Subject(prior, None, step, **more), Context(11, ALPHA, budget=Budget(2000)))
    assert result.verdict in (Verdict.PASS, Verdict.UNCLEAR), result.message


def more_spikes(state, data, rng):
    return {**in_single_precision(state, data, rng), "x": np.float32(0.1 if rng.random() < 0.5 else rng.normal())}


def longer_by_a_thousandth(state, data, rng):
    return {"u": direction_by_angle(state, data, rng)["u"] * 1.001}


def skips_zero(state, data, rng):
    x = tenths_by_steps(state, data, rng)["x"]
    return {"x": x if abs(x) > 0.05 else 0.1}


def rates_too_high(state, data, rng):
    return counts_as_floats(state, data, rng, 3.5)


CONVICTED = [
    (tenths, skips_zero),
    (direction, longer_by_a_thousandth),
    (shares_and_a_spike, more_spikes),
    (counts, rates_too_high),
]


@pytest.mark.parametrize(("prior", "step"), CONVICTED)
def test_wrong_kernels_beside_them_fail(prior, step):
    (result,) = CHECK.apply(Subject(prior, None, step), Context(11, ALPHA, budget=Budget(20_000)))
    assert result.verdict is Verdict.FAIL, result.message


def test_a_part_of_a_whole_number_is_an_error_in_words():
    (result,) = CHECK.apply(Subject(counts, None, lambda s, d, rng: {**s, "k": 0.5}), Context(11, ALPHA, budget=Budget(100)))
    assert result.verdict is Verdict.ERROR
    assert 'block "k" holds whole numbers when the prior draws it, but 0.5 after a step' in result.message
