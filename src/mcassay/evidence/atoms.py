"""Which values of a statistic count as one: those that differ by rounding alone.

A value that a model fixes (the length of a unit vector, the diagonal of a correlation matrix) and values on a lattice (tenths)
differ in their last digits by how they were computed, and by far more where a step computes in single precision. A right
kernel that computes them in another way than the prior would be told apart by that. So values of a batch that lie closer
together than rounding explains, and that are tied as no continuous ones are, become one *atom*; and a value that comes
close enough to an atom belongs to it.
"""

import numpy as np

from mcassay.vocabulary import FloatArray, IntArray

# Gaps between neighbours of one atom, relative to their size.
_ROUNDING = 2.0**-34
# How often the values of an atom of several values occur on average, at least: noise has few values, and they come back.
_TIES = 8
# How far a value may lie from an atom: by size, and by the way to the next value of the batch.
_SINGLE_PRECISION, _OF_GAP = 2.0**-20, 2.0**-10
# What is left where numbers cancel is below this, and a whole multiple of that.
_CANCELLED, _MULTIPLE = 2.0**-40, 2.0**-60
_LARGEST = np.finfo(float).max


def intervals(column: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return where the distinct values of a batch begin and end, and how often each occurs.

    Examples
    --------
    >>> low, high, counts = intervals(np.array([1.0] * 8 + [np.nextafter(1.0, 2)] * 8 + [2.5]))
    >>> counts, low < [1.0, 2.5], high > [np.nextafter(1.0, 2), 2.5]
    (array([16,  1]), array([ True, False]), array([ True, False]))
    """
    values, counts = np.unique(column, return_counts=True)
    if _is_what_cancelled(values):
        return np.array([-_CANCELLED]), np.array([_CANCELLED]), np.array([len(column)])
    first, last = _runs(values, counts)
    totals = np.add.reduceat(counts, first)
    low, high = values[first], values[last]
    reach = np.where(totals > 1, _reach(low, high), 0.0)
    with np.errstate(over="ignore"):  # an atom next to the largest number does not reach infinity
        below, above = np.maximum(low - reach, -_LARGEST), np.minimum(high + reach, _LARGEST)
    return np.where(np.isinf(low), low, below), np.where(np.isinf(high), high, above), totals


def _is_what_cancelled(values: FloatArray) -> bool:
    """Say whether all is zero but for what numbers near one leave when they cancel."""
    if not (np.abs(values) < _CANCELLED).all() or not values.any():
        return False
    multiples = values / _MULTIPLE
    return bool((np.abs(multiples - np.rint(multiples)) <= _ROUNDING * np.abs(multiples)).all())


def _runs(values: FloatArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last place of every run of values that are one but for rounding."""
    every = np.arange(len(values))
    with np.errstate(invalid="ignore", over="ignore"):
        gaps, size = np.diff(values), np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
        apart = ~(gaps <= np.minimum(_ROUNDING * size, _LARGEST))
    if apart.all() or (values == np.rint(values)).all():  # whole numbers are exact
        return every, every
    run = np.concatenate([[0], np.cumsum(apart)])
    tied = np.bincount(run, weights=counts) >= _TIES * np.bincount(run)
    begins = np.concatenate([[True], apart]) | ~tied[run]
    first = np.flatnonzero(begins)
    return first, np.append(first[1:], len(values)) - 1


def _reach(low: FloatArray, high: FloatArray) -> FloatArray:
    """Say how far from every atom values still belong to it."""
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.concatenate([[np.inf], low[1:] - high[:-1], [np.inf]])
        size = np.maximum(np.abs(low), np.abs(high))
        typical = np.median(size[size > 0]) if size.any() else 0.0
        reach = np.minimum(_SINGLE_PRECISION * np.where(size > 0, size, typical), _OF_GAP * np.minimum(gaps[1:], gaps[:-1]))
    return np.where(np.isfinite(reach), reach, 0.0)
