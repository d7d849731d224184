import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom, norm

from mcassay.errors import InputError
from mcassay.evidence.confidence_sequences import ConfidenceSequence, GapBound, _crossings


def test_the_supermartingale_holds_over_all_paths():
    """The mean of exp(process) at the true mean is at most 1 over every path, blocks and learned stakes included."""
    values, chances = np.array([0.0, 0.4, 1.0]), np.array([0.5, 0.25, 0.25])
    mean = chances @ values
    every = np.array(list(itertools.product(range(3), repeat=6)))
    sequence = ConfidenceSequence.begin(len(every), alpha=0.05, target=0.3)
    for block in np.split(values[every], 3, axis=1):
        sequence = sequence.learn(2, block.sum(axis=1), (block**2).sum(axis=1))
    growth = np.exp(sequence.stake * mean - sequence.staked_total - sequence.penalty)
    assert chances[every].prod(axis=1) @ growth <= 1 + 1e-12
    assert np.ptp(growth) > 0.1


def test_both_sides_hold_at_all_times():
    """Both bounds at alpha = 0.05 each: 2,000 streams fail this test with probability below 1e-6."""
    rng = np.random.default_rng(1)
    means = rng.random(2000)
    sequence = ConfidenceSequence.begin(2000, alpha=0.05, target=0.05)
    for size in [1, 1, 2, 5, 10, 50, *[100] * 20]:
        x = rng.random((size, 2000)) < means
        sequence = sequence.learn(size, x.sum(axis=0), x.sum(axis=0))
    for missed in (sequence.lower > means, sequence.upper < means):
        assert binom.sf(missed.sum() - 1, 2000, 0.05) > 1e-6
    assert np.median(sequence.upper - sequence.lower) < 0.15


def test_a_shifted_range_gives_the_same_bounds_shifted():
    rng = np.random.default_rng(2)
    x = rng.random((500, 1))
    unit, signed = ConfidenceSequence.begin(1, alpha=0.01), ConfidenceSequence.begin(1, alpha=0.01, low=-1, target=0.04)
    for part in np.split(x, 5):
        y = 2 * part - 1
        unit = unit.learn(100, part.sum(axis=0), (part**2).sum(axis=0))
        signed = signed.learn(100, y.sum(axis=0), (y**2).sum(axis=0))
    np.testing.assert_allclose(signed.upper, 2 * unit.upper - 1)


def test_a_constant_stream_is_pinned_down_at_rate_one_over_n():
    sequence = ConfidenceSequence.begin(1, alpha=0.001)
    for _ in range(10):
        sequence = sequence.learn(100, [0.0], [0.0])
    assert sequence.lower == 0
    assert sequence.upper < 0.02


ATOMS = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, 2.0, np.inf])


@settings(max_examples=100, deadline=None)
@given(arrays(float, 6, elements=ATOMS), arrays(float, 8, elements=ATOMS), arrays(float, 8, elements=ATOMS))
def test_crossings_bound_the_gap_at_every_point_atoms_included(places, start, end):
    thresholds = np.unique(places)
    sums, squares = _crossings(thresholds, start, end)
    gaps = [(end <= t).sum() - (start <= t).sum() for t in (-1e300, -1.0, 0.0, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 1e300, np.inf)]
    assert max(np.abs(gaps)) <= sums.max()
    assert (np.abs(sums) <= squares).all()
    assert (squares <= 8).all()


def test_crossings_equal_their_definition():
    rng = np.random.default_rng(3)
    start, end = rng.integers(0, 5, (2, 30)).astype(float)
    a = np.array([-np.inf, 1.0, 3.0])
    b = np.array([1.0, 3.0, np.inf])
    forward = (end[:, None] < b).astype(int) - (start[:, None] <= a)
    back = (start[:, None] < b).astype(int) - (end[:, None] <= a)
    sums, squares = _crossings(np.array([1.0, 3.0]), start, end)
    np.testing.assert_array_equal(sums, np.concatenate([forward.sum(axis=0), back.sum(axis=0)]))
    np.testing.assert_array_equal(squares, np.concatenate([(forward**2).sum(axis=0), (back**2).sum(axis=0)]))


def sticky(rng, size, shift=0.0):
    start = rng.normal(size=(size, 3))
    end = np.where(rng.random((size, 3)) < 0.8, start, rng.normal(size=(size, 3)))
    return start, end + np.array([0, 0, shift])


def test_the_gap_of_a_right_sticky_kernel_is_bounded_by_the_tolerance():
    rng = np.random.default_rng(4)
    bound = GapBound.begin(rng.normal(size=(4000, 3)), tolerance=0.05)
    for _ in range(40):
        bound = bound.learn(*sticky(rng, 256))
    assert (bound.gaps < 0.05).all()


def test_the_bound_is_never_below_a_true_gap():
    """Fails for a valid bound with probability at most 0.01 once, over all seeds of a fixed stream."""
    rng = np.random.default_rng(5)
    bound = GapBound.begin(rng.normal(size=(4000, 3)), tolerance=0.02)
    true_gap = 2 * norm.cdf(0.25) - 1  # of a normal shifted by 1/2
    for _ in range(20):
        bound = bound.learn(*sticky(rng, 1000, shift=0.5))
        assert bound.gaps[2] >= true_gap
    assert bound.gaps[2] < 0.25


def test_discrete_and_constant_statistics_need_few_thresholds():
    rng = np.random.default_rng(6)
    bound = GapBound.begin(np.stack([rng.integers(0, 3, 500), np.ones(500)], axis=1), tolerance=0.05)
    assert [len(place) for place in bound.thresholds] == [3, 1]
    for _ in range(10):
        start = np.stack([rng.integers(0, 3, 500), np.ones(500)], axis=1)
        bound = bound.learn(start, start)
    assert (bound.gaps < 0.01).all()


def test_errors_name_what_is_wrong():
    bound = GapBound.begin(np.zeros((3, 2)))
    with pytest.raises(InputError, match="statistic 1"):
        bound.learn(np.zeros((2, 2)), [[0, 0], [0, np.nan]])
    with pytest.raises(InputError, match="columns"):
        bound.learn(np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(InputError, match="alpha"):
        ConfidenceSequence.begin(1, alpha=0.0)
    with pytest.raises(InputError, match="reference"):
        GapBound.begin([[np.nan]])
