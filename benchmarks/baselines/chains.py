"""What the baselines share: statistics of samples, chains of a subject, and an error budget over looks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mcassay import Subject
from mcassay.engine.instrument import REFERENCE_SIZE, Instrument
from mcassay.engine.numbers import Sample
from mcassay.engine.statistics import tabulate
from mcassay.kernels import apply
from mcassay.state import copy_state


@dataclass(frozen=True)
class Gauge:
    """The statistics that the wager watches, for tests of another kind.

    Attributes
    ----------
    moving
        Which of them depend on the state; those of the data alone stay put while the data are fixed.
    """

    subject: Subject
    instrument: Instrument
    moving: np.ndarray
    forward: int = REFERENCE_SIZE

    @classmethod
    def of(cls, subject: Subject, seed: int) -> "Gauge":
        instrument = Instrument.of(subject, seed)
        sample = Sample(*subject.draw(np.random.default_rng(seed)))
        blocks = tabulate(subject, [sample], instrument.layout).blocks
        moving = [block != "data" and not block.startswith("data.") for block in blocks]
        return cls(subject, instrument, np.array(moving))

    def __call__(self, samples: Sequence[tuple]) -> np.ndarray:
        """Evaluate the statistics of pairs of state and data: one row a pair."""
        return tabulate(self.subject, [Sample(*pair) for pair in samples], self.instrument.layout).values

    def uniform(self, samples: Sequence[tuple]) -> np.ndarray:
        """Map the statistics to [0, 1] by their empirical distribution under the joint."""
        return self.instrument.uniform(self(samples))


class Chain:
    """A chain from a state: sweeps, and new data if wanted."""

    def __init__(self, subject: Subject, state, data, rng) -> None:
        self.subject, self.data, self.rng = subject, data, rng
        state = copy_state(state)
        self.carry = state if subject.init is None else subject.init(state, data, rng)

    def sweep(self, count: int = 1) -> None:
        for _ in range(count):
            self.carry = apply(self.subject.step, self.carry, self.data, self.rng)

    def redraw_data(self) -> None:
        if self.subject.simulate is not None:
            self.data = self.subject.simulate(self.state, self.rng)
            if self.subject.refresh is not None:
                self.carry = self.subject.refresh(self.carry, self.data, self.rng)

    @property
    def state(self):
        return self.carry if self.subject.position is None else self.subject.position(self.carry)

    def sample(self) -> Sample:
        return Sample(copy_state(self.state), self.data)


def level_of_look(alpha: float, look: int) -> float:
    """Share alpha among looks 1, 2, 3, ... without an end: the shares 1 / (k (k + 1)) sum to 1."""
    return alpha / (look * (look + 1))


def evidence(p_value: float, level: float, alpha: float) -> float:
    """Minus log10 of a p-value, corrected so that ``level`` counts as alpha."""
    return float(-np.log10(max(p_value, 1e-300) * alpha / level))
