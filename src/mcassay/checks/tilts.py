"""Evidence that numbers are not uniform, or that bounded differences are not zero on average: e-values, exact at any size.

Each is an average of likelihood ratios or of wealths that have expectation one if the claim is right. So the average ever exceeds
1/alpha with probability at most alpha, by Markov's inequality, with no appeal to large numbers.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammaln, logsumexp

from mcassay.vocabulary import FloatArray

BINS = 64
_DEGREES = 4
_SHARES = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
_TILTS = np.concatenate([-_SHARES, _SHARES])
_STAKES = np.array([-0.6, -0.2, -0.06, 0.06, 0.2, 0.6])


def _log_tilted() -> FloatArray:
    """Return the log densities of bins under tilts by Legendre polynomials, whose averages over bins add up to zero."""
    edges = np.linspace(-1.0, 1.0, BINS + 1)
    p = np.polynomial.legendre.legvander(edges, _DEGREES + 1)
    degrees = np.arange(1, _DEGREES + 1)
    shapes = np.diff((p[:, 2:] - p[:, :-2]) / (2 * degrees + 1), axis=0) * BINS / 2
    tilted: FloatArray = np.log1p(shapes.T[:, np.newaxis, :] * _TILTS[:, np.newaxis]).reshape(-1, BINS)
    return tilted


_LOG_TILTED = _log_tilted()


def binned(u: FloatArray) -> FloatArray:
    """Count numbers from 0 to 1 in bins."""
    return np.bincount(np.minimum((u * BINS).astype(int), BINS - 1).ravel(), minlength=BINS).astype(float)


def log_evidence_against_uniform(counts: FloatArray) -> float:
    """Return the log odds against the counts of bins being those of uniform numbers.

    Half of the stake is on smooth tilts, which need few numbers, and half on any shape at all, in two resolutions.
    """
    smooth = float(logsumexp(_LOG_TILTED @ counts)) - math.log(len(_LOG_TILTED))
    coarse, fine = (_log_any_shape(counts.reshape(size, -1).sum(axis=1)) for size in (16, BINS))
    return float(logsumexp([smooth, coarse, fine], b=[0.5, 0.25, 0.25]))


def _log_any_shape(counts: FloatArray) -> float:
    bins, total = len(counts), float(counts.sum())
    return float(gammaln(bins) - gammaln(total + bins) + gammaln(counts + 1).sum() + total * math.log(bins))


@dataclass
class Uniformity:
    """Counts of what must be uniform, all together and group by group."""

    pooled: FloatArray = field(default_factory=lambda: np.zeros(BINS))
    groups: list[float] = field(default_factory=list)
    size: int = 0

    def add(self, u: FloatArray) -> None:
        """Add the numbers of one group."""
        counts = binned(u)
        self.pooled += counts
        self.groups.append(log_evidence_against_uniform(counts))
        self.size += u.size

    @property
    def log_evidence(self) -> float:
        """The log odds against all of them being uniform: half on what they have in common, half on single groups."""
        if not self.groups:
            return 0.0
        single = float(logsumexp(self.groups)) - math.log(len(self.groups))
        return float(np.logaddexp(log_evidence_against_uniform(self.pooled), single)) - math.log(2.0)

    @property
    def gap(self) -> float:
        """The largest gap between the distribution functions."""
        cumulative = np.cumsum(self.pooled) / max(self.size, 1)
        return float(np.abs(cumulative - np.arange(1, BINS + 1) / BINS).max())

    def bound(self, alpha: float = 0.01) -> float:
        """Return how much larger the true gap may be (Dvoretzky, Kiefer, Wolfowitz and Massart)."""
        return math.sqrt(math.log(2 / alpha) / (2 * max(self.size, 1)))


@dataclass
class Differences:
    """Differences within [-1, 1] that must be zero on average, all together and group by group."""

    pooled: FloatArray = field(default_factory=lambda: np.zeros(len(_STAKES)))
    groups: list[FloatArray] = field(default_factory=list)
    total: float = 0.0
    size: int = 0

    def add(self, differences: FloatArray) -> None:
        """Add differences: one row a draw, one column a group."""
        wealth = np.stack([np.log1p(stake * differences).sum(axis=0) for stake in _STAKES])
        self.pooled += wealth.sum(axis=1)
        self.groups.append(wealth)
        self.total += float(differences.sum())
        self.size += differences.size

    @property
    def mean(self) -> float:
        """The average difference."""
        return self.total / max(self.size, 1)

    @property
    def log_evidence(self) -> float:
        """The log odds against all of them being zero on average."""
        if not self.groups:
            return 0.0
        every = np.concatenate([group.ravel() for group in self.groups])
        single = float(logsumexp(every)) - math.log(every.size)
        pooled = float(logsumexp(self.pooled)) - math.log(len(_STAKES))
        return float(np.logaddexp(pooled, single)) - math.log(2.0)
