"""Symmetric moves of single elements of a block, by what kind of block it is.

A move picks its element without looking at the state and changes as little as the block's constraints allow: one element of
a real block, two mirrored ones of a symmetric matrix, two that keep the sum of a simplex, two that trade places in a
permutation. Whether the result is possible is not its business.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from mcassay.vocabulary import FloatArray, Generator, IntArray

# A step is this wide at the most and at the least, times the scale of its element.
_WIDEST, _NARROWEST = 2.0, 0.25
_FEW_VALUES = 12

Move = Callable[[Any, Generator], "tuple[Any, float]"]


@dataclass(frozen=True)
class RealMove:
    """Shift one element; its mirror image in a symmetric matrix goes along.

    Parameters
    ----------
    elements
        Places in the flattened block.
    scales
        The spread of each of them.
    width
        By what the scales are multiplied.
    mirrored
        The place of the mirror image of every element, for a symmetric matrix.
    """

    elements: IntArray
    scales: FloatArray
    width: float = 1.0
    mirrored: IntArray | None = None

    def scaled(self, width: float) -> Self:
        """Return the move with another width."""
        return replace(self, width=width)

    def __call__(self, value: Any, rng: Generator) -> tuple[Any, float]:
        """Return a proposal and the log ratio of the proposal densities."""
        new, chosen = np.array(value, dtype=value.dtype), int(rng.integers(len(self.elements)))
        place = int(self.elements[chosen])
        moved = float(new.flat[place]) + self.width * float(self.scales[chosen]) * _step(rng)
        new.flat[place] = moved
        if self.mirrored is not None:
            new.flat[int(self.mirrored[chosen])] = moved
        return new, 0.0


@dataclass(frozen=True)
class PositiveMove:
    """Multiply one positive element; the scales are spreads of logarithms."""

    elements: IntArray
    scales: FloatArray
    width: float = 1.0

    def scaled(self, width: float) -> Self:
        """Return the move with another width."""
        return replace(self, width=width)

    def __call__(self, value: Any, rng: Generator) -> tuple[Any, float]:
        """Return a proposal and the log ratio of the proposal densities, the Jacobian of the logarithm."""
        new, chosen = np.array(value, dtype=value.dtype), int(rng.integers(len(self.elements)))
        shift = float(np.clip(self.width * float(self.scales[chosen]) * _step(rng), -50.0, 50.0))
        new.flat[int(self.elements[chosen])] *= np.exp(shift)
        return new, shift


@dataclass(frozen=True)
class ExchangeMove:
    """Take from one element of a row what is given to another: simplexes, contrasts, counts of a fixed total.

    ``rows`` holds the places of the elements of every row that varies.
    """

    rows: tuple[IntArray, ...]
    scale: float
    width: float = 1.0
    whole: bool = False

    def scaled(self, width: float) -> Self:
        """Return the move with another width."""
        return replace(self, width=width)

    def __call__(self, value: Any, rng: Generator) -> tuple[Any, float]:
        """Return a proposal; exchanges are symmetric."""
        new, row = np.array(value, dtype=value.dtype), self.rows[int(rng.integers(len(self.rows)))]
        giver, taker = (int(place) for place in rng.choice(row, size=2, replace=False))
        size = self.width * self.scale * abs(_step(rng))
        amount = np.ceil(size).astype(value.dtype) if self.whole else size
        new.flat[giver] -= amount
        new.flat[taker] += amount
        return new, 0.0


@dataclass(frozen=True)
class ValueMove:
    """Give one element another of the values that it was seen with: any of a few, a near one of many."""

    elements: IntArray
    values: tuple[IntArray | FloatArray, ...]
    width: float = 1.0
    mirrored: IntArray | None = None

    def scaled(self, width: float) -> Self:
        """Return the move with another width."""
        return replace(self, width=width)

    def __call__(self, value: Any, rng: Generator) -> tuple[Any, float]:
        """Return a proposal; an element with a value never seen stays."""
        new, chosen = np.array(value, dtype=value.dtype), int(rng.integers(len(self.elements)))
        place, values = int(self.elements[chosen]), self.values[chosen]
        here = int(np.searchsorted(values, new.flat[place]))
        there = self._other(here, len(values), rng)
        if here < len(values) and values[here] == new.flat[place] and 0 <= there < len(values):
            new.flat[place] = values[there]
            if self.mirrored is not None:
                new.flat[int(self.mirrored[chosen])] = values[there]
        return new, 0.0

    def _other(self, here: int, count: int, rng: Generator) -> int:
        if count <= _FEW_VALUES:
            other = int(rng.integers(count - 1))
            return other + (other >= here)
        reach = max(1, round(self.width * count / 4))
        return here + int(rng.integers(1, reach + 1)) * (1 if rng.random() < 0.5 else -1)


@dataclass(frozen=True)
class SwapMove:
    """Let two elements of a row trade places."""

    rows: tuple[IntArray, ...]

    def scaled(self, width: float) -> Self:
        """Return the move itself: it has no width."""
        return self

    def __call__(self, value: Any, rng: Generator) -> tuple[Any, float]:
        """Return a proposal; swaps are symmetric."""
        new, row = np.array(value, dtype=value.dtype), self.rows[int(rng.integers(len(self.rows)))]
        pair = rng.choice(row, size=2, replace=False)
        new.flat[pair] = new.flat[pair[::-1]]
        return new, 0.0


def _step(rng: Generator) -> float:
    """Return a normal step of a random width."""
    return float(rng.standard_normal() * _NARROWEST * (_WIDEST / _NARROWEST) ** rng.random())
