"""Points at which a gradient is tried: its value there, and the lines along which the log joint is differentiated."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.identity import coarsest_epsilon
from mcassay.checks.joint import Joint
from mcassay.checks.situations import Situation
from mcassay.checks.slopes import Line
from mcassay.errors import shown
from mcassay.state import get_blocks, replace_blocks
from mcassay.vocabulary import FloatArray, Generator

_DIRECTIONS = 2
_UNNOTICED = 1e-6
_ROUNDING_STEPS = 1000


class GradientFault(Exception):
    """Something wrong with a gradient before any slope is compared, in words."""


@dataclass(frozen=True)
class Point:
    """A gradient at a state: one part for each block, beside the value of the block and the scale on which it varies."""

    joint: Joint
    situation: Situation
    names: tuple[str, ...]
    values: tuple[FloatArray, ...]
    scales: tuple[FloatArray, ...]
    gradient: tuple[FloatArray, ...]
    height: float
    precision: float

    @classmethod
    def at(cls, update: Any, joint: Joint, situation: Situation, names: tuple[str, ...], other: Any) -> "Point | None":
        """Ask for the gradient; None where a state that was put together is none that the joint allows."""
        try:
            height = joint(situation.state, situation.data)
            with np.errstate(all="ignore"):
                returned = update.gradient(situation.state, situation.data) if math.isfinite(height) else None
        except Exception:
            if situation.genuine:
                raise
            return None
        values = _parts(get_blocks(situation.state, names), names)
        if not math.isfinite(height) or any(value.dtype.kind != "f" for value in values):
            return None
        gradient = _read(returned, names, values)
        scales = tuple(_scale(value, there) for value, there in zip(values, _parts(other, names), strict=True))
        return cls(joint, situation, names, values, scales, gradient, height, _precision(returned))

    def line(self, block: int, direction: FloatArray) -> Line:
        """Return the log joint along a direction of one block; a state that the joint can not deal with is impossible."""

        def height(t: float) -> float:
            moved = list(self.values)
            moved[block] = (self.values[block] + t * direction).astype(self.values[block].dtype)
            new = tuple(value[()] for value in moved)
            state = replace_blocks(self.situation.state, self.names, new if len(new) > 1 else new[0])
            try:
                return self.joint(state, self.situation.data) - self.height
            except (ArithmeticError, ValueError):
                return -math.inf

        # What the tolerance of an identity allows many times over is about what rounding does to one value.
        return Line(height, self.joint.tolerance([self.height], self.situation.state, self.situation.data) / 16)


def _precision(returned: Any) -> float:
    """Return the relative error that is granted to a gradient: no kernel notices the first, single precision needs the other."""
    parts = returned if isinstance(returned, (tuple, list)) else (returned,)
    return max(_UNNOTICED, _ROUNDING_STEPS * coarsest_epsilon(parts))


def directions(point: Point, rng: Generator) -> Iterator[tuple[int, FloatArray]]:
    """Yield random directions of every block, on the scale on which it varies."""
    for block, scale in enumerate(point.scales):
        for _ in range(_DIRECTIONS if scale.size > 1 else 1):
            yield block, scale * rng.uniform(0.3, 1.0, size=scale.shape) * rng.choice([-1.0, 1.0], size=scale.shape)


def _parts(values: Any, names: tuple[str, ...]) -> tuple[FloatArray, ...]:
    return tuple(np.asarray(value) for value in (values if len(names) > 1 else (values,)))


def _read(returned: Any, names: tuple[str, ...], values: tuple[FloatArray, ...]) -> tuple[FloatArray, ...]:
    if len(names) > 1 and (not isinstance(returned, (tuple, list)) or len(returned) != len(names)):
        raise GradientFault(f"must be one part for each of the blocks {', '.join(names)}, but found {shown(returned)}")
    gradient = _parts(returned, names)
    for name, part, value in zip(names, gradient, values, strict=True):
        if part.dtype.kind not in "fiu" or _shape(part) != _shape(value):
            raise GradientFault(f'has shape {part.shape} for the block "{name}" of shape {value.shape}')
        if not np.isfinite(part).all():
            raise GradientFault(f'is not finite for the block "{name}" at {shown(value)}, where log_joint is: {shown(part)}')
    return tuple(part.reshape(value.shape).astype(float) for part, value in zip(gradient, values, strict=True))


def _shape(array: FloatArray) -> tuple[int, ...]:
    """Return the shape without axes of length one, which do not move any number to another place."""
    return tuple(length for length in array.shape if length != 1)


def _scale(value: FloatArray, other: FloatArray) -> FloatArray:
    """Return how far each coordinate may be moved: less than to the other side of zero, and less than draws differ."""
    spread = float(np.sqrt(np.mean((value - other) ** 2))) if value.size and value.shape == other.shape else 0.0
    size = np.abs(value).astype(float)
    scale = np.minimum(size, spread) if spread > 0 else size
    fallback = spread if spread > 0 else 1.0
    return np.where(scale > 0, scale, fallback)
