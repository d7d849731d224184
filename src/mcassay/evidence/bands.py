"""Simultaneous bands for empirical distribution functions and P-P curves.

At fixed places the counts of a uniform sample form a Markov chain with binomial increments, and the counts of one sample below
the order statistics of another a chain with beta-binomial increments. So the probability that a whole curve stays
between two limits is computed exactly, and the pointwise level that gives the wanted simultaneous one is found by bisection.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln, xlog1py, xlogy

from mcassay.errors import reject
from mcassay.vocabulary import FloatArray, IntArray

EXACT_SIZE = 4000
"""Beyond this many observations the pointwise level is taken over from this size, where it has converged."""

_REACH = 7.0
_LogStep: TypeAlias = Callable[[int, IntArray, IntArray], FloatArray]


@dataclass(frozen=True)
class Band:
    """Limits that a right curve leaves with probability at most ``1 - level``, anywhere.

    ``lower`` and ``upper`` hold at the places ``z``; `at` extends them to any place, by monotonicity. ``coverage`` is the
    probability of staying inside, exact where ``exact``.
    """

    z: FloatArray
    lower: FloatArray
    upper: FloatArray
    level: float
    coverage: float
    exact: bool

    @property
    def difference(self) -> tuple[FloatArray, FloatArray]:
        """The limits for the curve less the diagonal, which shows more."""
        return self.lower - self.z, self.upper - self.z

    def at(self, places: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Limits at other places: a distribution with atoms is covered there with at least the same probability."""
        z = np.asarray(places, dtype=float)
        before, after = self.z.searchsorted(z, "right"), self.z.searchsorted(z, "left")
        lower, upper = np.concatenate([[0.0], self.lower]), np.concatenate([self.upper, [1.0]])
        return lower[before], upper[after]


def ecdf_band(size: int, *, level: float = 0.99, places: ArrayLike | int = 50) -> Band:
    """Band for the empirical distribution function of a uniform sample.

    Parameters
    ----------
    size
        The number of observations.
    level
        The simultaneous level.
    places
        Where the limits are wanted, inside (0, 1); or how many evenly spaced places.

    Examples
    --------
    >>> band = ecdf_band(100, places=[0.25, 0.5, 0.75])
    >>> band.lower, band.upper, band.exact
    (array([0.13, 0.36, 0.62]), array([0.38, 0.64, 0.87]), True)
    """
    n = min(_checked("ecdf_band", "size", size, level), EXACT_SIZE)
    z = _places("ecdf_band", places)
    step = np.diff(z, prepend=0.0) / (1 - np.concatenate([[0.0], z[:-1]]))
    chain = _Chain.build(n, z, np.sqrt(z * (1 - z) / n), lambda k, trials, hits: _log_binomial(trials, hits, step[k]))
    return _band(chain, z, level, np.sqrt(n / size))


def pp_band(size: int, reference: int, *, level: float = 0.99, places: int = 50) -> Band:
    """Band for the P-P curve of a sample against a reference sample of the same distribution.

    The curve is the share of the sample below order statistics of the reference; ties have to be broken at random
    first (see `mcassay.evidence.ranks`).

    Examples
    --------
    >>> band = pp_band(200, 100, places=3)
    >>> band.z.round(3), band.lower, band.upper
    (array([0.248, 0.495, 0.752]), array([0.115, 0.32 , 0.59 ]), array([0.41 , 0.67 , 0.885]))
    """
    n, m = _checked("pp_band", "size", size, level), _checked("pp_band", "reference", reference, level)
    scale = max(1.0, max(n, m) / EXACT_SIZE)
    small_n, small_m = max(1, round(n / scale)), max(1, round(m / scale))
    order = np.unique(np.clip(np.round(np.arange(1, places + 1) / (places + 1) * (small_m + 1)), 1, small_m)).astype(int)
    z = order / (small_m + 1)
    spread = np.sqrt(z * (1 - z) * (1 / small_n + 1 / small_m))
    ahead, before = np.diff(order, prepend=0), np.concatenate([[0], order[:-1]])
    chain = _Chain.build(
        small_n, z, spread, lambda k, trials, hits: _log_beta_binomial(trials, hits, ahead[k], small_m - before[k] - ahead[k] + 1)
    )
    return _band(chain, z, level, np.sqrt((1 / n + 1 / m) / (1 / small_n + 1 / small_m)))


def dkw_band(size: int, *, level: float = 0.99, places: ArrayLike | int = 50) -> Band:
    """Band of constant width by the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: simple, valid, wider.

    Examples
    --------
    >>> dkw_band(100, places=[0.5]).upper.round(3)
    array([0.663])
    """
    _checked("dkw_band", "size", size, level)
    z = _places("dkw_band", places)
    half = np.sqrt(np.log(2 / (1 - level)) / (2 * size))
    return Band(z, np.maximum(z - half, 0.0), np.minimum(z + half, 1.0), level, level, False)


@dataclass(frozen=True)
class _Chain:
    """Counts at successive places as a Markov chain, on the states that matter."""

    size: int
    states: tuple[IntArray, ...]
    transitions: tuple[FloatArray, ...]

    @classmethod
    def build(cls, size: int, z: FloatArray, spread: FloatArray, log_step: _LogStep) -> "_Chain":
        """Keep the states within seven standard deviations; ``log_step(k, trials, hits)`` is the law of an increment."""
        low = np.maximum(np.floor(size * (z - _REACH * spread)) - 2, 0).astype(int)
        high = np.minimum(np.ceil(size * (z + _REACH * spread)) + 2, size).astype(int)
        states = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
        transitions = []
        for k, (before, after) in enumerate(zip([np.zeros(1, dtype=int), *states[:-1]], states, strict=True)):
            hits = after - before[:, None]
            log_p = log_step(k, size - before[:, None], np.maximum(hits, 0))
            transitions.append(np.where(hits >= 0, np.exp(log_p), 0.0))
        return cls(size, tuple(states), tuple(transitions))

    def limits(self, pointwise: float) -> tuple[FloatArray, FloatArray]:
        """Smallest and largest counts that are not in a tail of less than half of ``pointwise``."""
        lower, upper, law = [], [], np.ones(1)
        for counts, transition in zip(self.states, self.transitions, strict=True):
            law = law @ transition
            below = np.cumsum(law)
            lower.append(counts[min(int(np.searchsorted(below, pointwise / 2, "right")), len(counts) - 1)])
            upper.append(counts[min(int(np.searchsorted(below, 1 - pointwise / 2)), len(counts) - 1)])
        return np.array(lower, dtype=float), np.array(upper, dtype=float)

    def coverage(self, pointwise: float) -> float:
        """Return the probability that no count leaves its limits."""
        law = np.ones(1)
        for counts, transition, low, high in zip(self.states, self.transitions, *self.limits(pointwise), strict=True):
            law = (law @ transition) * ((counts >= low) & (counts <= high))
        return float(law.sum())


def _band(chain: _Chain, z: FloatArray, level: float, shrink: float) -> Band:
    """Find the largest pointwise level with enough coverage; ``shrink`` takes the band to a larger size."""
    smallest, largest = 0.0, 1 - level
    for _ in range(20):
        middle = 0.5 * (smallest + largest)
        smallest, largest = (middle, largest) if chain.coverage(middle) >= level else (smallest, middle)
    lower, upper = (z + shrink * (limit / chain.size - z) for limit in chain.limits(smallest))
    exact = bool(shrink == 1)
    low, high = (lower, upper) if exact else (np.maximum(lower, 0.0), np.minimum(upper, 1.0))
    return Band(z, low, high, level, chain.coverage(smallest), exact)


def _log_binomial(trials: IntArray, hits: IntArray, p: float) -> FloatArray:
    misses = np.maximum(trials - hits, 0)
    return np.asarray(_log_choose(trials, hits, misses) + xlogy(hits, p) + xlog1py(misses, -p))


def _log_beta_binomial(trials: IntArray, hits: IntArray, a: int, b: int) -> FloatArray:
    misses = np.maximum(trials - hits, 0)
    return np.asarray(_log_choose(trials, hits, misses) + betaln(hits + a, misses + b) - betaln(a, b))


def _log_choose(trials: IntArray, hits: IntArray, misses: IntArray) -> FloatArray:
    return np.asarray(gammaln(trials + 1) - gammaln(hits + 1) - gammaln(misses + 1))


def _places(where: str, places: ArrayLike | int) -> FloatArray:
    z = np.arange(1, places + 1) / (places + 1) if isinstance(places, int) else np.asarray(places, dtype=float)
    if z.ndim != 1 or not z.size or not ((z > 0) & (z < 1)).all() or (np.diff(z) <= 0).any():
        reject(where, "places", "increase inside (0, 1)", z)
    return z


def _checked(where: str, argument: str, size: int, level: float) -> int:
    if size < 1:
        reject(where, argument, "be at least 1", size)
    if not 0 < level < 1:
        reject(where, "level", "lie between 0 and 1", level)
    return size
