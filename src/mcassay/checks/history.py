"""How evidence grew: a history that stays short however long the run."""

from dataclasses import dataclass, field

MOST_POINTS = 500


@dataclass
class History:
    """Sweeps and evidence after every block; of many blocks every second, fourth and so on, and always the last.

    Examples
    --------
    >>> history = History()
    >>> for block in range(1, 2001):
    ...     history.note(block, 0.5)
    >>> len(history.points), history.points[0], history.points[-1]
    (250, (8, 0.5), (2000, 0.5))
    """

    kept: list[tuple[int, float]] = field(default_factory=list)
    last: tuple[int, float] | None = None
    _every: int = 1
    _blocks: int = 0

    def note(self, sweeps: int, log10_evidence: float) -> None:
        """Add a block."""
        self.last = (sweeps, log10_evidence)
        self._blocks += 1
        if self._blocks % self._every == 0:
            self.kept.append(self.last)
        if len(self.kept) == MOST_POINTS:
            self.kept, self._every = self.kept[1::2], 2 * self._every

    @property
    def points(self) -> list[tuple[int, float]]:
        """What is kept, and the last block."""
        return self.kept if self.last is None or self.last in self.kept[-1:] else [*self.kept, self.last]
