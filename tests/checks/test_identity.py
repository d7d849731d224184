"""Two log ratios side by side: what a comparison shows, and how much rounding it allows."""

import math

import numpy as np
import pytest

from mcassay.checks.identity import Outcome, Pair, coarsest_epsilon, epsilon_of_results, tolerance
from mcassay.checks.rounding import grid_of, has_fine_numbers, measured_noise, noise_level

INF = math.inf

PAIRS = [
    ((-1.0, -2.0, -11.0, -12.0), 1e-9, Outcome.AGREES),
    ((-1.0, -2.0, -11.0, -12.1), 1e-9, Outcome.DISAGREES),
    ((-1.0, -2.0, -11.0, -12.0), 2e-3, Outcome.HIDDEN),
    ((-1.0, -2.0, -11.0, -12.1), 2e-3, Outcome.DISAGREES),
    ((-INF, -2.0, -11.0, -12.0), 1e-9, Outcome.DISAGREES),
    ((-1.0, -2.0, -INF, -12.0), 1e-9, Outcome.DISAGREES),
    ((-1.0, -INF, -11.0, -12.0), 1e-9, Outcome.DISAGREES),
    ((-INF, -2.0, -INF, -12.0), 1e-9, Outcome.IMPOSSIBLE),
    ((-1.0, -2.0, -INF, -INF), 1e-9, Outcome.IMPOSSIBLE),
    # A density that underflowed: the other side says that the value is out of reach.
    ((-900.0, -2.0, -INF, -12.0), 1e-9, Outcome.IMPOSSIBLE),
    ((-INF, -2.0, -900.0, -12.0), 1e-9, Outcome.IMPOSSIBLE),
    # The other way round it is the present value that is out of reach, and the new one all the more likely.
    ((900.0, -2.0, -INF, -12.0), 1e-9, Outcome.DISAGREES),
]


@pytest.mark.parametrize(("numbers", "allowed", "outcome"), PAIRS)
def test_what_a_comparison_shows(numbers, allowed, outcome):
    assert Pair(*numbers, allowed).outcome is outcome


def test_the_tolerance_grows_with_what_cancels_with_terms_with_coarseness_and_with_noise():
    base = tolerance([1.0, -INF], 10, 1e-16)
    assert base < tolerance([100.0], 10, 1e-16) < tolerance([100.0], 10_000, 1e-16)
    assert base < tolerance([1.0], 10, 1e-7)
    assert base < tolerance([1.0], 10, 1e-16, noise=1e-9)


def test_precision_is_told_by_types_and_by_results():
    single, double = np.finfo(np.float32).eps, np.finfo(float).eps
    assert coarsest_epsilon([1.0, np.ones(2, dtype=np.float32), "text", 3]) == single
    assert coarsest_epsilon([]) == double
    values = np.random.default_rng(0).normal(size=8)
    assert epsilon_of_results([float(np.float32(value)) for value in values]) == single
    assert epsilon_of_results(values.tolist()) == double
    assert epsilon_of_results([1.0, 2.0, 3.0, 4.0, 5.0]) == double


def test_a_grid_is_told_by_results():
    values = np.random.default_rng(0).normal(size=8)
    assert grid_of(((values + 1e12) - 1e12).tolist()) == pytest.approx(2.0**-13, rel=7)
    assert grid_of(values.tolist()) < 1e-15
    assert grid_of([0.5, 0.5, 0.5, 0.5]) == 0.0


def test_round_numbers_are_not_fine():
    assert not has_fine_numbers({"z": np.arange(3), "x": 0.5}, None)
    assert has_fine_numbers({"z": np.arange(3)}, 0.1)


@pytest.mark.parametrize("constant", [1e4, 1e8, 1e12])
def test_noise_is_measured(constant):
    found = measured_noise(lambda moved: (constant + moved(1.3) ** 2) - constant, np.random.default_rng(0))
    assert 0.02 * np.spacing(constant) < found < 2 * np.spacing(constant)


@pytest.mark.parametrize("function", [np.exp, np.log, np.sqrt, lambda x: np.log1p(-x / 1.0011)])
def test_what_is_smooth_has_no_noise(function):
    assert noise_level(function(np.linspace(1, 1.001, 12))) < 1e-14
    assert noise_level(np.array([1.0, np.nan, 2.0])) == 0.0
