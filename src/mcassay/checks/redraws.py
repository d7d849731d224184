"""Redraws of a block beside the draw from the joint that they start from: an exchangeable lot under a right conditional.

Besides the directions of the instrument, which compare laws, the place of the joint draw among its own redraws is bet on:
whether it tends to lie above them, or outside them. That sees a conditional that is too wide or too narrow at once, however
much its place varies with the rest of the state.
"""

from dataclasses import dataclass, field

import numpy as np

from mcassay.checks import findings
from mcassay.checks.watch import Watch
from mcassay.engine.block import BlockResult
from mcassay.engine.instrument import Instrument
from mcassay.evidence.wager import Purse
from mcassay.vocabulary import FloatArray

_WORDS = (("is drawn too high", "is drawn too low"), ("is drawn with too much spread", "is drawn with too little spread"))


@dataclass
class Redraws(Watch):
    """A watch with half the wealth on the directions of the instrument, and half on places among redraws.

    Attributes
    ----------
    places
        The wealth on places, of two directions a statistic: how high, and how far outside.
    peak
        The largest log of the wealth so far.
    """

    places: Purse = field(default_factory=lambda: Purse.begin(1))
    peak: float = 0.0

    @classmethod
    def begin(cls, instrument: Instrument, tolerance: float) -> "Redraws":
        """Know nothing yet."""
        watch = Watch.over(instrument, {1: tolerance})
        return cls(instrument, watch.wager, watch.gaps, places=Purse.begin(2 * len(instrument.reference.names)))

    @property
    def log10_evidence(self) -> float:
        """The largest evidence after any block so far."""
        return self.peak / float(np.log(10))

    def see(self, block: BlockResult) -> None:
        """Bet on a block."""
        super().see(block)
        self.places = self.places.bet(place_differences(block.start, block.ends))
        wealth = np.logaddexp(self.wager.log_wealth, self.places.log_wealth) - np.log(2)
        self.peak = max(self.peak, float(wealth))

    @property
    def leading(self) -> list[str]:
        """What the evidence is about, in words."""
        best, names = int(np.argmax(self.places.by_direction)), self.instrument.reference.names
        if float(self.places.log_wealth) < float(self.wager.log_wealth):
            return findings.leading(self)
        kind, statistic = divmod(best, len(names))
        return [f"{names[statistic]} {_WORDS[kind][int(self.places.drift[best] > 0)]}"]


def place_differences(start: FloatArray, ends: FloatArray) -> FloatArray:
    """Compare the place of the start in the lot with the places of the redraws: shape ``(n, 2 S)``, mean zero, in [-1, 1].

    A place is the share of the others that lie below, ties counting half; its distance from the middle says how far
    outside it is. Exchanging start and redraws exchanges their places, so that the mean is zero whatever the ties.

    Examples
    --------
    >>> place_differences(np.array([[9.0]]), np.array([[[1.0]], [[2.0]]]))
    array([[0.75, 0.5 ]])
    """
    lot = np.concatenate([start[np.newaxis], ends])
    below = (lot[np.newaxis] < lot[:, np.newaxis]).sum(axis=1)
    tied = (lot[np.newaxis] == lot[:, np.newaxis]).sum(axis=1) - 1
    place = (below + tied / 2) / len(ends)
    both = np.concatenate([place, np.abs(2 * place - 1)], axis=-1)
    return np.asarray(both[0] - both[1:].mean(axis=0))
