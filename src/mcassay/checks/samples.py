"""The raw statistics of the first replicates, kept so that other tools can plot them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mcassay.vocabulary import FloatArray

MOST = 256
_DIGITS = 6


@dataclass
class Samples:
    """Statistics at the start and after one sweep, of so many replicates and no more.

    Examples
    --------
    >>> samples = Samples()
    >>> samples.see(np.array([[1.0], [2.0]]), np.array([[1.5], [2.5]]))
    >>> samples.by_name(["mu"])
    {'start': {'mu': [1.0, 2.0]}, 'end': {'mu': [1.5, 2.5]}}
    """

    start: list[FloatArray] = field(default_factory=list)
    end: list[FloatArray] = field(default_factory=list)
    count: int = 0

    def see(self, start: FloatArray, end: FloatArray) -> None:
        """Keep of a block what there is room for."""
        room = MOST - self.count
        if room > 0:
            self.start.append(start[:room])
            self.end.append(end[:room])
            self.count += len(self.start[-1])

    def by_name(self, names: Sequence[str]) -> dict[str, dict[str, list[float]]]:
        """Return the values of each statistic at both times; nothing where none were seen."""
        sides = {"start": self.start, "end": self.end}
        return {side: _columns(blocks, names) for side, blocks in sides.items()} if self.count else {}


def _columns(blocks: list[FloatArray], names: Sequence[str]) -> dict[str, list[float]]:
    table = np.concatenate(blocks)
    return {name: [float(f"{value:.{_DIGITS}g}") for value in column] for name, column in zip(names, table.T, strict=True)}
