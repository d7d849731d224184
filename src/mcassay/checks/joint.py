"""The log joint as checks call it: read with care, and with its precision watched."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.identity import coarsest_epsilon, count_numbers, epsilon_of_results, floating_parts, tolerance
from mcassay.errors import InputError, shown
from mcassay.vocabulary import Data, LogJoint, State


@dataclass
class Joint:
    """A log joint that remembers what precision its results betray."""

    log_joint: LogJoint
    results: list[float] = field(default_factory=list)
    epsilon: float = float(np.finfo(float).eps)

    def __call__(self, state: State, data: Data) -> float:
        """Return the log joint as a number; -inf where it is impossible."""
        with np.errstate(all="ignore"):
            result = self.log_joint(state, data)
        self.epsilon = max(self.epsilon, coarsest_epsilon([result]))
        value = read_number(result, "log_joint(state, data)")
        if math.isnan(value):
            raise InputError(f"log_joint(state, data) is NaN at the state {shown(state, limit=400)}")
        if len(self.results) < 64:
            self.results.append(value)
        return value

    def tolerance(self, magnitudes: list[float], state: State, data: Data) -> float:
        """Return how far rounding may part two sides of an identity at this state."""
        coarsest = max(self.epsilon, coarsest_epsilon(floating_parts(state, data)), epsilon_of_results(self.results))
        return tolerance(magnitudes, count_numbers(state, data), coarsest)


def read_number(result: Any, what: str) -> float:
    """Read the one number that a function of the user's returns."""
    array = np.asarray(result)
    if array.size != 1 or array.dtype.kind not in "fiub":
        raise InputError(f"{what} must return one number, but found {shown(result)}{_advice(array)}")
    return float(array.reshape(()))


def _advice(array: np.ndarray[Any, Any]) -> str:
    return f", an array of shape {array.shape}: sum it" if array.size > 1 and array.dtype.kind in "fi" else ""
