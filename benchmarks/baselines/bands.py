"""Simultaneous bands for the distribution of discrete uniform ranks: Säilynoja, Bürkner & Vehtari (2022).

"Graphical test for discrete uniformity and its applications in goodness-of-fit evaluation and multiple sample comparison",
Statistics and Computing 32. At the right end of every cell the count of ranks so far is binomial; a band takes the same
share gamma / 2 from either tail everywhere. How often the whole path of counts stays inside follows, cell by cell, from the
Markov chain that the counts are.
"""

import numpy as np
from scipy.stats import binom


def path_of_counts(ranks: np.ndarray, cells: int) -> np.ndarray:
    """Count the ranks in 0 .. cells - 1 up to the right end of every cell but the last."""
    return np.cumsum(np.bincount(ranks, minlength=cells))[:-1]


def smallest_tail(counts: np.ndarray, size: int, cells: int) -> float:
    """Return gamma of the narrowest band that the path just leaves: twice its smallest pointwise tail."""
    z = np.arange(1, cells) / cells
    return float(2 * np.minimum(binom.cdf(counts, size, z), binom.sf(counts - 1, size, z)).min())


def limits(gamma: float, size: int, cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest counts inside the band: those with more than gamma / 2 in either tail."""
    z = np.arange(1, cells) / cells
    edge = 0.5 * gamma * (1 + 1e-9)
    low = binom.ppf(edge, size, z).astype(int)
    low = np.where(binom.cdf(low, size, z) > edge, low, low + 1)
    return low, size - low[::-1]


def coverage(gamma: float, size: int, cells: int) -> float:
    """Return the probability that the path of as many uniform ranks stays inside the band everywhere."""
    low, high = limits(gamma, size, cells)
    counts, inside = np.array([0]), np.array([1.0])
    for step, (a, b) in enumerate(zip(low, high, strict=True)):
        if a > b:
            return 0.0
        after = np.arange(a, b + 1)
        # A rank that lies beyond the last point lies in the next of the cells that are left with this probability.
        share = 1 / (cells - step)
        inside = inside @ binom.pmf(after - counts[:, np.newaxis], size - counts[:, np.newaxis], share)
        counts = after
    return float(inside.sum())


def band_p_value(ranks: np.ndarray, cells: int) -> float:
    """Return the probability that uniform ranks leave a band as wide as the one that these just leave."""
    gamma = smallest_tail(path_of_counts(ranks, cells), len(ranks), cells)
    return max(0.0, 1.0 - coverage(gamma, len(ranks), cells))


def smallest_band_p_value(ranks: np.ndarray, cells: int) -> float:
    """Return the smallest p-value over the columns of ranks; only the column that strays most is worked out."""
    strays = [smallest_tail(path_of_counts(column, cells), len(column), cells) for column in ranks.T]
    return max(0.0, 1.0 - coverage(min(strays), len(ranks), cells))


def band_gamma(level: float, size: int, cells: int) -> float:
    """Return the largest gamma whose band uniform ranks leave with probability at most ``level``."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if 1 - coverage(middle, size, cells) <= level else (low, middle)
    return low
