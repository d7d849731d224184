"""Hamiltonian Monte Carlo: leapfrog steps along a given gradient, then acceptance."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from mcassay.errors import InputError, reject
from mcassay.kernels.structure import (
    block_names,
    read_log,
    require_callable,
    require_callable_or_none,
    require_count,
    require_positive,
)
from mcassay.state import get_blocks, replace_blocks
from mcassay.vocabulary import Data, FloatArray, Generator, LogJoint, State

Gradient = Callable[[State, Data], Any]


@dataclass(frozen=True)
class HamiltonianMonteCarlo:
    """Move some real-valued blocks along Hamiltonian dynamics with unit mass, and accept or reject the end point.

    Parameters
    ----------
    blocks
        The name of the block that moves, or a tuple of names.
    gradient
        ``gradient(state, data)``: the gradient of the log joint with respect to the block, in its shape; for several blocks a
        tuple of them, in the same order.
    step_size
        The size of a leapfrog step.
    steps
        How many leapfrog steps a move takes.
    log_joint
        Inherits the subject's where it is not given.
    """

    blocks: Any
    gradient: Gradient = field(kw_only=True)
    step_size: float = field(kw_only=True)
    steps: int = field(kw_only=True)
    log_joint: LogJoint | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", block_names("HamiltonianMonteCarlo", self.blocks))
        require_callable("HamiltonianMonteCarlo", "gradient", self.gradient, "(state, data) -> array")
        require_callable_or_none("HamiltonianMonteCarlo", "log_joint", self.log_joint, "(state, data) -> float")
        require_positive("HamiltonianMonteCarlo", "step_size", self.step_size)
        require_count("HamiltonianMonteCarlo", "steps", self.steps)

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the kernel with the log joint filled in where it is missing."""
        return self if self.log_joint is not None else replace(self, log_joint=log_joint)

    def gradient_vector(self, state: State, data: Data) -> FloatArray:
        """Return the gradient with respect to all the blocks, as one vector."""
        gradient = self._read_gradient(self.gradient(state, data))
        # One number would silently be taken for every entry.
        if gradient.size != (size := to_vector(get_blocks(state, self.blocks), len(self.blocks)).size):
            raise InputError(
                f"HamiltonianMonteCarlo: gradient(state, data) must return as many numbers as "
                f"{', '.join(self.blocks)} {'has' if len(self.blocks) == 1 else 'have'}, {size}, but found {gradient.size}"
            )
        return gradient

    def _read_gradient(self, gradient: Any) -> FloatArray:
        several = len(self.blocks) > 1
        parts = gradient if several else (gradient,)
        sound = isinstance(parts, (tuple, list)) and len(parts) == len(self.blocks)
        if not sound or any(np.asarray(part).dtype.kind not in "fiu" for part in parts):
            form = f"a tuple of {len(self.blocks)} arrays" if several else "an array of numbers"
            reject("HamiltonianMonteCarlo", "gradient(state, data)", f"return {form}", gradient)
        return to_vector(gradient, len(self.blocks))

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        position = to_vector(get_blocks(state, self.blocks), len(self.blocks))
        momentum = rng.standard_normal(position.size)
        new, end_momentum = self.leapfrog(state, data, position, momentum)
        change = self._energy(state, data, momentum) - self._energy(new, data, end_momentum)
        # A trajectory that diverged has an energy of inf or NaN and is rejected, as the reverse trajectory would be.
        # So is one from an impossible state to another, where the change is NaN.
        return new if rng.random() < (0.0 if math.isnan(change) else math.exp(min(0.0, change))) else state

    def leapfrog(self, state: State, data: Data, position: FloatArray, momentum: FloatArray) -> tuple[State, FloatArray]:
        """Follow the dynamics; half steps of the momentum enclose the whole steps of the position."""
        with np.errstate(over="ignore", invalid="ignore"):
            momentum = momentum + 0.5 * self.step_size * self.gradient_vector(state, data)
            for step in range(self.steps):
                position = position + self.step_size * momentum
                state = replace_blocks(state, self.blocks, from_vector(position, state, self.blocks))
                share = 0.5 if step == self.steps - 1 else 1.0
                momentum = momentum + share * self.step_size * self.gradient_vector(state, data)
        return state, momentum

    def _energy(self, state: State, data: Data, momentum: FloatArray) -> float:
        if self.log_joint is None:
            raise InputError("HamiltonianMonteCarlo: log_joint is missing; give it here or to the subject")
        energy = -read_log("HamiltonianMonteCarlo", "log_joint(state, data)", self.log_joint(state, data)) + 0.5 * float(
            momentum @ momentum
        )
        return math.inf if math.isnan(energy) else energy


def to_vector(values: Any, count: int) -> FloatArray:
    """Join the values of one block, or of a tuple of blocks, into one vector."""
    parts = values if count > 1 else (values,)
    return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])


def from_vector(vector: FloatArray, state: State, blocks: tuple[str, ...]) -> Any:
    """Cut a vector into values of the shapes that the blocks have in the state."""
    old = get_blocks(state, blocks)
    shapes = [np.shape(value) for value in (old if len(blocks) > 1 else (old,))]
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    parts = np.split(vector, ends[:-1])
    values = tuple(part.reshape(shape)[()] for part, shape in zip(parts, shapes, strict=True))
    return values if len(blocks) > 1 else values[0]
