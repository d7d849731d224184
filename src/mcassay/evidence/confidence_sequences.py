"""Confidence sequences: bounds that hold at all times at once, for means of bounded variables and for P-P gaps.

For x in [0, 1] with mean m, any predictable centre c and stake 0 <= b < 1, the process
``exp(sum b (m - x) - (x - c)^2 psi(b))`` with ``psi(b) = -log(1 - b) - b`` is a nonnegative supermartingale (Fan, Grama and
Liu; Waudby-Smith and Ramdas), so that by Ville's inequality it stays below 1/alpha for ever with probability 1 - alpha.
Stakes and centres are fixed for a block of observations, from the blocks before it: sums and sums of squares suffice.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mcassay.errors import reject
from mcassay.vocabulary import FloatArray, IntArray

_PRIOR_VARIANCE = 0.25
# Of the tolerance, the rest goes to the largest estimate among many and to the width of a cell.
_HALF_WIDTH = 0.6


@dataclass(frozen=True)
class ConfidenceSequence:
    """Lower and upper bounds for the means of many streams, each side wrong at any time with probability at most ``alpha``.

    Parameters
    ----------
    alpha
        The error probability of each side of each stream; divide it by their number for simultaneous bounds.
    low, high
        The range of the variables.
    target
        The half-width that the sequence is tuned for: it is sharpest when that is reached, and valid always.

    Examples
    --------
    >>> sequence = ConfidenceSequence.begin(1, alpha=0.005, low=-1.0, high=1.0, target=0.03)
    >>> for _ in range(20):
    ...     sequence = sequence.learn(100, [0.0], [10.0])
    >>> sequence.lower.round(2), sequence.upper.round(2)
    (array([-0.03]), array([0.03]))
    """

    alpha: float
    low: float
    high: float
    target: float
    count: int
    total: FloatArray
    squares: FloatArray
    stake: FloatArray
    staked_total: FloatArray
    penalty: FloatArray
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def begin(
        cls, streams: int, *, alpha: float, low: float = 0.0, high: float = 1.0, target: float = 0.02
    ) -> "ConfidenceSequence":
        """Know nothing yet: the bounds are the range."""
        if not 0 < alpha < 1:
            reject("ConfidenceSequence", "alpha", "lie between 0 and 1", alpha)
        if not low < high:
            reject("ConfidenceSequence", "high", f"be above low = {low}", high)
        zero = np.zeros(streams)
        return cls(alpha, low, high, target, 0, zero, zero, zero, zero, zero, zero + low, zero + high)

    def learn(self, count: int, total: ArrayLike, squares: ArrayLike) -> "ConfidenceSequence":
        """Add a block of ``count`` observations a stream, given as sums and sums of squares."""
        width = self.high - self.low
        sums, powers = np.asarray(total, dtype=float), np.asarray(squares, dtype=float)
        powers = (powers - 2 * self.low * sums + count * self.low**2) / width**2
        sums = (sums - count * self.low) / width
        stake, centre = self._stake(count), self._centre()
        left = powers - 2 * centre * sums + count * centre * centre
        after = replace(
            self,
            count=self.count + count,
            total=self.total + sums,
            squares=self.squares + powers,
            stake=self.stake + count * stake,
            staked_total=self.staked_total + stake * sums,
            penalty=self.penalty + left * (-np.log1p(-stake) - stake),
        )
        return after._tightened()

    def _centre(self) -> FloatArray:
        return (self.total + 0.5) / (self.count + 1)

    def _stake(self, count: int) -> FloatArray:
        """Return the best stake for the target, or for the time once that is past: psi'(stake) = effect / variance."""
        centre = self._centre()
        left = self.squares - 2 * centre * self.total + self.count * centre * centre
        variance = (np.maximum(left, 0.0) + _PRIOR_VARIANCE) / (self.count + 1)
        for_time = np.sqrt(-2 * variance * np.log(self.alpha) / (self.count + count))
        effect = np.minimum(for_time, self.target / (self.high - self.low))
        return np.asarray(effect / (effect + variance))

    def _tightened(self) -> "ConfidenceSequence":
        centre = self.staked_total / self.stake
        half = (self.penalty - np.log(self.alpha)) / self.stake
        lower, upper = self.low + (self.high - self.low) * np.array([centre - half, centre + half])
        return replace(self, lower=np.maximum(self.lower, lower), upper=np.minimum(self.upper, upper))


@dataclass(frozen=True)
class GapBound:
    """A bound on the P-P gap ``sup_t |P(end <= t) - P(start <= t)|``, simultaneous over t, statistics and time.

    Between two thresholds a < b, ``P(end <= t) - P(start <= t)`` is at most ``P(end < b) - P(start <= a)``, the mean of a
    variable with values -1, 0 and 1 that is seen in every replicate; likewise with the roles exchanged. So a bound for
    each pair of neighbouring thresholds covers every t, atoms included. Start and end of a replicate are bound
    together, which makes the variables nearly always 0 after a short run.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> bound = GapBound.begin(rng.random((1000, 2)), alpha=0.01, tolerance=0.05)
    >>> for _ in range(40):
    ...     start = rng.random((500, 2))
    ...     bound = bound.learn(start, (start + 0.1 * rng.random((500, 2))) % 1)
    >>> bound.gaps.shape, bool((bound.gaps < 0.05).all())
    ((2,), True)
    """

    thresholds: tuple[FloatArray, ...]
    sequences: tuple[ConfidenceSequence, ...]

    @classmethod
    def begin(cls, reference: ArrayLike, *, alpha: float = 0.01, tolerance: float = 0.02, thresholds: int = 0) -> "GapBound":
        """Place thresholds at quantiles of reference draws, an ``n_ref x S`` array that is used for nothing else.

        ``alpha`` is the error probability of all bounds together. Without a number of thresholds, eight for each
        ``tolerance`` of probability are placed.
        """
        draws = np.asarray(reference, dtype=float)
        if draws.ndim != 2 or not len(draws) or np.isnan(draws).any():
            reject("GapBound", "reference", "be an array of draws by statistics without NaN", draws)
        number = thresholds or int(np.ceil(8 / tolerance))
        levels = (np.arange(number) + 0.5) / number
        places = tuple(np.unique(np.quantile(column, levels, method="inverted_cdf")) for column in draws.T)
        sequences = tuple(
            ConfidenceSequence.begin(
                2 * (len(place) + 1),
                alpha=alpha / (len(places) * 2 * (len(place) + 1)),
                low=-1.0,
                high=1.0,
                target=_HALF_WIDTH * tolerance,
            )
            for place in places
        )
        return cls(places, sequences)

    @property
    def gaps(self) -> FloatArray:
        """The bound on the gap of each statistic."""
        return np.array([sequence.upper.max() for sequence in self.sequences])

    def learn(self, start: ArrayLike, end: ArrayLike) -> "GapBound":
        """Add a block of replicates: two ``n x S`` arrays."""
        before, after = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        if before.shape != after.shape or before.ndim != 2 or before.shape[1] != len(self.thresholds):
            reject("GapBound", "end", f"match start, with {len(self.thresholds)} columns", (before.shape, after.shape))
        if np.isnan(before).any() or np.isnan(after).any():
            column = int(np.argmax((np.isnan(before) | np.isnan(after)).any(axis=0)))
            reject("GapBound", "statistics", "not be NaN", f"NaN in statistic {column}")
        sequences = tuple(
            sequence.learn(len(before), *_crossings(place, before[:, j], after[:, j]))
            for j, (place, sequence) in enumerate(zip(self.thresholds, self.sequences, strict=True))
        )
        return replace(self, sequences=sequences)


def _crossings(thresholds: FloatArray, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return sums and sums of squares of ``[end < b] - [start <= a]``, then with the roles exchanged, over neighbours a, b."""
    cells = len(thresholds) + 1
    both = [
        (thresholds.searchsorted(later, "right"), thresholds.searchsorted(earlier, "left") + 1)
        for later, earlier in ((end, start), (start, end))
    ]
    sums = [_at_most(first, cells) - _at_most(second, cells) for first, second in both]
    squares = [_at_most(np.minimum(*pair), cells) - _at_most(np.maximum(*pair), cells) for pair in both]
    return np.concatenate(sums), np.concatenate(squares)


def _at_most(places: IntArray, cells: int) -> FloatArray:
    """Count, for each cell k, the places that are at most k."""
    return np.cumsum(np.bincount(places, minlength=cells + 1))[:cells].astype(float)
