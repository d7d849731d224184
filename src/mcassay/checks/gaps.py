"""How far the law of each statistic moves: P-P gaps at the deciles, with bounds that hold at all times.

At each decile, whether a statistic lies below it at the end, less what the start and the fresh draws of the same replicate
say of that, is bounded and has the gap as its mean. A confidence sequence bounds that mean.

Two things are asked of these bounds. To bound every gap at once, each has its share of the error probability. To say which
size no gap exceeds, none has to be shared: the largest of all bounds can only be too small if the bound of the largest gap
is, and which gap that is does not depend on chance. So the second kind is sharper.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.evidence.confidence_sequences import ConfidenceSequence
from mcassay.evidence.paired import Pairing
from mcassay.vocabulary import FloatArray

DECILES = np.arange(1, 10) / 10
LEVEL = 0.99
# Of the tolerance; the rest goes to the largest estimate among many.
_HALF_WIDTH = 0.5


@dataclass
class Gaps:
    """The gaps of S statistics at every decile.

    Attributes
    ----------
    sequence
        Bounds that hold for all gaps at once.
    single
        Bounds that hold for any one gap, whose largest bounds the largest gap.
    """

    statistics: int
    pairing: Pairing
    sequence: ConfidenceSequence
    single: ConfidenceSequence
    total: FloatArray
    replicates: int = 0

    @classmethod
    def begin(cls, statistics: int, tolerance: float) -> "Gaps":
        """Know nothing yet; the bounds will be sharpest when they reach the tolerance."""
        streams = statistics * len(DECILES)
        shared = (1 - LEVEL) / (2 * streams)
        sequence = ConfidenceSequence.begin(streams, alpha=shared, low=-1.0, high=1.0, target=tolerance)
        single = ConfidenceSequence.begin(streams, alpha=1 - LEVEL, low=-1.0, high=1.0, target=_HALF_WIDTH * tolerance)
        return cls(statistics, Pairing.begin(streams), sequence, single, np.zeros(streams))

    def see(self, end: FloatArray, start: FloatArray, forward: FloatArray) -> None:
        """Add a block: u of shape (n, S) at the end and the start, and (n, m, S) of the fresh draws."""
        self._learn(_below(end), _below(start), _below(forward).mean(axis=1) if forward.shape[1] else None)

    def see_repeats(self, ends: FloatArray, start: FloatArray) -> None:
        """Add a block with several ends from each start: u of shape (m, n, S) at the ends, and (n, S) at the start."""
        self._learn(_below(ends).mean(axis=0), _below(start), None)

    def _learn(self, *triple: Any) -> None:
        difference = self.pairing.differences(*triple)
        self.pairing = self.pairing.learn(*triple)
        total, squares = difference.sum(axis=0), np.square(difference).sum(axis=0)
        self.sequence = self.sequence.learn(len(difference), total, squares)
        self.single = self.single.learn(len(difference), total, squares)
        self.total = self.total + total
        self.replicates += len(difference)

    @property
    def mean(self) -> FloatArray:
        """The estimated gap at every decile, shape (S, 9): positive where the statistic ends too low."""
        return (self.total / max(self.replicates, 1)).reshape(self.statistics, -1)

    @property
    def gap(self) -> FloatArray:
        """The largest gap of each statistic in size."""
        return np.asarray(np.abs(self.mean).max(axis=1))

    @property
    def largest(self) -> FloatArray:
        """The bounds on the gaps of all statistics at once: no larger one is compatible with what was seen."""
        sizes = np.maximum(-self.sequence.lower, self.sequence.upper)
        return np.asarray(sizes.reshape(self.statistics, -1).max(axis=1))

    @property
    def ruled_out(self) -> float:
        """The size that no gap of any statistic exceeds, at this level and at all times."""
        return float(np.maximum(-self.single.lower, self.single.upper).max())

    @property
    def band(self) -> FloatArray:
        """How far the bound lies from the estimate, for each statistic."""
        return np.asarray(self.largest - self.gap)


def curves(gaps: Gaps, names: Sequence[str]) -> dict[str, Any]:
    """Return what is needed to draw the P-P curves: of every statistic the gap at each decile, and its bounds.

    The bounds hold at ``level`` for all statistics and deciles at once, at any time.
    """
    shape = (gaps.statistics, len(DECILES))
    rows = zip(names, gaps.mean, gaps.sequence.lower.reshape(shape), gaps.sequence.upper.reshape(shape), strict=True)
    drawn = {name: {"mean": _short(mean), "lower": _short(low), "upper": _short(high)} for name, mean, low, high in rows}
    return {"deciles": _short(DECILES), "level": LEVEL, "statistics": drawn}


def _short(values: FloatArray) -> list[float]:
    return [round(float(value), 5) for value in values]


def sharpest(tolerance: float, replicates: float | None) -> float:
    """Return the size of gap that so few replicates can bound, for the bounds to be tuned to.

    Examples
    --------
    >>> sharpest(0.02, 400), sharpest(0.02, 1_000_000)
    (0.1, 0.02)
    """
    return tolerance if replicates is None else max(tolerance, 2 / math.sqrt(replicates))


def _below(u: FloatArray) -> FloatArray:
    """Say which deciles each u lies below: shape (..., 9 S)."""
    return (u[..., np.newaxis] < DECILES).astype(float).reshape(*u.shape[:-1], -1)
