"""Bounds on P-P gaps: the size that is ruled out is hardly ever exceeded by any gap, at whatever time one looks."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mcassay.checks.gaps import DECILES, LEVEL, Gaps, sharpest

RUNS, BLOCKS, SIZE, STATISTICS = 400, 12, 128, 6
# If the bound failed with probability 1 - LEVEL, more failures than this would have a probability below 1e-6.
ALLOWED = int(stats.binom.isf(1e-6, RUNS, 1 - LEVEL))


def gap_of(shift):
    """The largest P-P gap, at the deciles, of a uniform variable that is drawn anew from [0, 1 - shift] at times."""
    return np.max(DECILES / (1 - shift) - DECILES, where=1 - shift >= DECILES, initial=0.0)


def failures(shift, level):
    """Count the runs in which the bound was ever below the largest gap; one statistic of several has moved."""
    return sum(_fails(np.random.default_rng(seed), shift, level) for seed in range(RUNS))


def _fails(rng, shift, level):
    gaps = Gaps.begin(STATISTICS, 0.05)
    gaps.single = replace(gaps.single, alpha=1 - level)
    for _ in range(BLOCKS):
        start, anew, kept = rng.random((3, SIZE, STATISTICS))
        end = np.where(kept < 0.3, start, anew)
        end[:, 0] = (1 - shift) * anew[:, 0]
        gaps.see(end, start, rng.random((SIZE, 2, STATISTICS)))
        if gaps.ruled_out < gap_of(shift):
            return True
    return False


@pytest.mark.parametrize("shift", [0.02, 0.1, 0.3])
def test_no_gap_exceeds_what_is_ruled_out(shift):
    assert failures(shift, LEVEL) <= ALLOWED


def test_a_bound_of_a_lower_level_would_be_found_out():
    assert failures(0.3, 0.3) > ALLOWED


def test_bounds_on_all_gaps_at_once_are_wider():
    rng = np.random.default_rng(1)
    gaps = Gaps.begin(STATISTICS, 0.05)
    for _ in range(BLOCKS):
        gaps.see(*rng.random((2, SIZE, STATISTICS)), rng.random((SIZE, 2, STATISTICS)))
    assert gaps.ruled_out < gaps.largest.max()


def test_the_tolerance_is_reached_within_the_replicates_that_a_budget_of_50_000_sweeps_leaves():
    """Statistics that forget their start at once are the hardest to bound."""
    rng = np.random.default_rng(2)
    gaps = Gaps.begin(30, 0.02)
    for _ in range(110):
        gaps.see(*rng.random((2, 256, 30)), rng.random((256, 4, 30)))
    assert gaps.replicates <= 0.85 * 34_000
    assert gaps.ruled_out < 0.02


def test_bounds_are_tuned_to_what_few_replicates_can_show():
    assert sharpest(0.02, 100) == 0.2
    assert sharpest(0.02, None) == 0.02
