"""Kernels made of named steps: one after another, or one at random."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from mcassay.errors import reject
from mcassay.kernels.structure import apply, bind, named_steps
from mcassay.vocabulary import Data, FloatArray, Generator, LogJoint, State, Step


@dataclass(frozen=True)
class Cycle:
    """Apply named steps in order.

    Parameters
    ----------
    steps
        ``{name: step}``; a step may itself be a kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import Cycle
    >>> cycle = Cycle({"add": lambda state, data, rng: state + 1, "double": lambda state, data, rng: 2 * state})
    >>> cycle(1, None, np.random.default_rng(0))
    4
    """

    steps: Mapping[str, Step]
    in_order: bool = field(default=True, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", named_steps("Cycle", self.steps))

    def parts(self) -> Mapping[str, Step]:
        """Return the named steps."""
        return self.steps

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the cycle with the log joint filled in wherever a step lacks it."""
        return type(self)({name: bind(step, log_joint) for name, step in self.steps.items()})

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        for step in self.steps.values():
            state = apply(step, state, data, rng)
        return state


@dataclass(frozen=True)
class RandomScan:
    """Apply one step, chosen at random with fixed probabilities.

    Parameters
    ----------
    steps
        ``{name: step}``.
    weights
        ``{name: weight}``, positive; None chooses evenly. They may not depend on the state.
    """

    steps: Mapping[str, Step]
    weights: Mapping[str, float] | None = field(default=None, kw_only=True)
    in_order: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", named_steps("RandomScan", self.steps))
        if self.weights is not None:
            _check_weights(self.weights, self.steps)

    def parts(self) -> Mapping[str, Step]:
        """Return the named steps."""
        return self.steps

    @property
    def probabilities(self) -> FloatArray:
        """The probability of each step, in the order of the steps."""
        weights = self.weights or dict.fromkeys(self.steps, 1.0)
        ordered = np.array([weights[name] for name in self.steps], dtype=float)
        probabilities: FloatArray = ordered / ordered.sum()
        return probabilities

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the scan with the log joint filled in wherever a step lacks it."""
        return type(self)({name: bind(step, log_joint) for name, step in self.steps.items()}, weights=self.weights)

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        chosen = rng.choice(len(self.steps), p=self.probabilities)
        return apply(list(self.steps.values())[chosen], state, data, rng)


def _check_weights(weights: Mapping[str, float], steps: Mapping[str, Step]) -> None:
    if not isinstance(weights, Mapping) or set(weights) != set(steps):
        reject("RandomScan", "weights", f"be a dict with one weight for each of {', '.join(steps)}", weights)
    for name, weight in weights.items():
        if not isinstance(weight, (int, float, np.number)) or not 0 < weight < float("inf"):
            reject("RandomScan", f'weights["{name}"]', "be positive and finite", weight)
