"""The log joint as checks call it: read with care, and with its precision watched."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.identity import (
    coarsest_epsilon,
    count_numbers,
    epsilon_of_results,
    floating_parts,
    size_of_counts,
    tolerance,
)
from mcassay.checks.rounding import grid_of, has_fine_numbers
from mcassay.errors import InputError, place_of, shown
from mcassay.vocabulary import Data, LogJoint, State

_REMEMBERED = 64
_ENOUGH = 12


@dataclass
class Joint:
    """A log joint that remembers what precision its results betray."""

    log_joint: LogJoint
    results: list[float] = field(default_factory=list)
    epsilon: float = float(np.finfo(float).eps)
    noise: float = 0.0
    fine: bool = False
    read_results: int = -1
    reading: tuple[float, float] = (0.0, 0.0)

    def __call__(self, state: State, data: Data) -> float:
        """Return the log joint as a number; -inf where it is impossible."""
        with np.errstate(all="ignore"):
            result = self.log_joint(state, data)
        self.epsilon = max(self.epsilon, coarsest_epsilon([result]))
        value = read_number(result, self._name)
        if math.isnan(value):
            raise InputError(f"{self._name} is NaN at the state {shown(state, limit=400)}")
        if len(self.results) < _REMEMBERED:
            self.results.append(value)
            self.fine = self.fine or has_fine_numbers(state, data)
        return value

    def hear(self, draws: Iterable[tuple[State, Data]]) -> None:
        """Ask for more results before one is doubted, as many as it takes to know their precision."""
        for state, data in draws:
            if len(self.results) >= _ENOUGH or not math.isfinite(self(state, data)):
                return

    @property
    def _name(self) -> str:
        place = place_of(self.log_joint)
        return f"log_joint(state, data){f' ({place})' if place else ''}"

    def tolerance(self, magnitudes: list[float], state: State, data: Data) -> float:
        """Return how far rounding may part two sides of an identity at this state."""
        coarsest = max(self.epsilon, coarsest_epsilon(floating_parts(state, data)), self._betrayed[0])
        sizes = [*magnitudes, size_of_counts(state, data)]
        return tolerance(sizes, count_numbers(state, data), coarsest, self._absolute_noise())

    def _absolute_noise(self) -> float:
        """Return the rounding that was measured, or that a coarse grid of results betrays.

        Results lie on a grid where a large constant came and went; those of round numbers may do so without any rounding.
        """
        return max(self.noise, self._betrayed[1] if self.fine else 0.0)

    @property
    def _betrayed(self) -> tuple[float, float]:
        """The precision and the grid that the results betray; worked out again only while more of them come in."""
        if self.read_results != len(self.results):
            self.read_results = len(self.results)
            self.reading = epsilon_of_results(self.results), grid_of(self.results)
        return self.reading


def read_number(result: Any, what: str) -> float:
    """Read the one number that a function of the user's returns."""
    array = np.asarray(result)
    if array.size != 1 or array.dtype.kind not in "fiub":
        raise InputError(f"{what} must return one number, but found {shown(result)}{_advice(array)}")
    return float(array.reshape(()))


def _advice(array: np.ndarray[Any, Any]) -> str:
    return f", an array of shape {array.shape}: sum it" if array.size > 1 and array.dtype.kind in "fi" else ""
