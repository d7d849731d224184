"""How far the law of each statistic moves in one sweep: P-P gaps at a set of quantiles, with bounds.

At each quantile, whether a statistic lies below it at the end, less the share of the start and the fresh draws of the same
replicate that do, is bounded and has mean zero for a right kernel. Its mean over replicates estimates the gap.
"""

import math
from dataclasses import dataclass

import numpy as np

from mcassay.vocabulary import FloatArray

QUANTILES = np.arange(1, 16) / 16
LEVEL = 0.99


@dataclass
class Gaps:
    """Sums over replicates of the differences and their squares, shape (statistics, quantiles)."""

    total: FloatArray
    squares: FloatArray
    replicates: int = 0

    @classmethod
    def begin(cls, statistics: int) -> "Gaps":
        """Know nothing yet."""
        zero = np.zeros((statistics, len(QUANTILES)))
        return cls(zero, zero.copy())

    def see(self, end: FloatArray, start: FloatArray, forward: FloatArray) -> None:
        """Add a block: u of shape (n, S) at the end and the start, and (n, m, S) of the fresh draws."""
        for j, quantile in enumerate(QUANTILES):
            before = ((start < quantile).astype(float) + (forward < quantile).sum(axis=1)) / (1 + forward.shape[1])
            difference = (end < quantile) - before
            self.total[:, j] += difference.sum(axis=0)
            self.squares[:, j] += np.square(difference).sum(axis=0)
        self.replicates += len(end)

    @property
    def mean(self) -> FloatArray:
        """The estimated gap at every quantile: positive where the statistic ends too low."""
        return self.total / max(self.replicates, 1)

    @property
    def gap(self) -> FloatArray:
        """The largest gap of each statistic in size."""
        return np.asarray(np.abs(self.mean).max(axis=1))

    def band(self, level: float = LEVEL) -> FloatArray:
        """Return how far the true gap of each statistic may lie from the estimate, simultaneously at this level.

        An empirical Bernstein bound at every quantile (Maurer & Pontil 2009), shared out evenly.
        """
        n = self.replicates
        if n < 2:
            return np.ones(len(self.total))
        log_term = math.log(4 * self.total.size / (1 - level))
        variance = np.maximum(self.squares / n - self.mean**2, 0.0) * n / (n - 1)
        # The differences range over an interval of length 2.
        width = np.sqrt(2 * variance * log_term / n) + 2 * 7 * log_term / (3 * (n - 1))
        return np.asarray(np.minimum(width.max(axis=1), 1.0))
