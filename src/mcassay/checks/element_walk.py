"""A Metropolis kernel of ours on joint draws, built from log_joint alone: a few elements of every block, one at a time."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mcassay.checks.block_kinds import Movable
from mcassay.checks.joint_draws import JointDraw, like
from mcassay.kernels.structure import read_log
from mcassay.vocabulary import Generator, IntArray, LogJoint

# So many moves a run, shared among the blocks, and so many of one block.
MOVES = 20
FEWEST, MOST = 2, 16
_WIDTHS = (1.0, 0.4, 0.15, 0.06)
_PILOTS = 16


@dataclass(frozen=True)
class Order:
    """Elements of one block that always lie below elements of another."""

    lower: str
    upper: str
    below: IntArray
    above: IntArray

    def holds(self, draw: JointDraw) -> bool:
        """Say whether they do."""
        low, high = np.ravel(draw[self.lower]), np.ravel(draw[self.upper])
        return bool((low[self.below] < high[self.above]).all())


@dataclass(frozen=True)
class ElementWalk:
    """Move a few elements of every block, accepting by log_joint; a move that leaves the inferred support is rejected.

    The elements and the widths of the steps are chosen without looking at the state, so that the law that log_joint is the
    density of, restricted to the inferred support, is left invariant; and so is any mixture of it with what lies outside,
    which is never moved.
    """

    blocks: tuple[Movable, ...]
    orders: tuple[Order, ...]
    log_joint: LogJoint

    @property
    def moves(self) -> int:
        """How often each block is moved in a run."""
        return int(np.clip(MOVES // max(len(self.blocks), 1), FEWEST, MOST))

    def __call__(self, draw: JointDraw, nothing: None, rng: Generator) -> JointDraw:
        """Return the next draw."""
        height = self.height(draw)
        if not math.isfinite(height):
            return draw
        for block in self.blocks:
            for _ in range(self.moves):
                draw, height = self._move(block, draw, height, rng)
        return draw

    def height(self, draw: JointDraw) -> float:
        """Return log_joint at a draw."""
        with np.errstate(all="ignore"):
            return read_log("Subject", "log_joint", self.log_joint(draw.state, draw.data))

    def _move(self, block: Movable, draw: JointDraw, height: float, rng: Generator) -> tuple[JointDraw, float]:
        found = self.propose(block, draw, rng)
        level = -rng.standard_exponential()
        if found is None:
            return draw, height
        new, log_ratio = found
        there = self._height_if_possible(new)
        return (new, there) if there - height + log_ratio >= level else (draw, height)

    def propose(self, block: Movable, draw: JointDraw, rng: Generator) -> tuple[JointDraw, float] | None:
        """Return a proposal with the log ratio of its densities, or None where it leaves the inferred support."""
        old = np.asarray(draw[block.name])
        new, log_ratio = block.move(old, rng)
        if np.array_equal(old, new) or not block.support.allows(old, new):
            return None
        moved = draw.replaced(block.name, like(draw[block.name], new))
        concerned = [order for order in self.orders if block.name in (order.lower, order.upper)]
        possible = all(order.holds(draw) and order.holds(moved) for order in concerned)
        return (moved, log_ratio) if possible else None

    def _height_if_possible(self, draw: JointDraw) -> float:
        """Return log_joint at a proposal; where it can not be computed the proposal counts as impossible."""
        try:
            height = self.height(draw)
        except (ArithmeticError, ValueError):
            return -math.inf
        return height if height < math.inf else -math.inf

    def tuned(self, draws: Sequence[JointDraw], rng: Generator) -> "tuple[ElementWalk, tuple[str, ...]]":
        """Return the walk with the widths that moved farthest in a trial, and the blocks that log_joint does not depend on."""
        chosen, ignored = [], []
        for block in self.blocks:
            trials = {width: self._trial(replace(block, move=block.move.scaled(width)), draws, rng) for width in _WIDTHS}
            if any(changed for _, changed in trials.values()):
                best = max(_WIDTHS, key=lambda width: trials[width][0])
                chosen.append(replace(block, move=block.move.scaled(best)))
            else:
                ignored.append(block.name)
        return replace(self, blocks=tuple(chosen)), tuple(ignored)

    def _trial(self, block: Movable, draws: Sequence[JointDraw], rng: Generator) -> tuple[float, bool]:
        """Return how far the block moves on average, in squared widths, and whether log_joint ever changed."""
        width, total, changed = getattr(block.move, "width", 1.0), 0.0, False
        for draw in draws[:_PILOTS]:
            found = self.propose(block, draw, rng)
            if found is None:
                continue
            height, there = self.height(draw), self._height_if_possible(found[0])
            changed = changed or there != height
            if math.isfinite(height) and not math.isnan(there):
                total += width**2 * math.exp(min(0.0, there - height + found[1]))
        return total, changed


def orders_between(batches: Mapping[str, np.ndarray[Any, Any]], most: int = 64) -> tuple[Order, ...]:
    """Find elements of one block that are always below elements of another, where their ranges do not say so already."""
    small = {name: batch.reshape(len(batch), -1) for name, batch in batches.items() if 0 < batch[0].size <= most}
    small = {name: flat for name, flat in small.items() if flat.dtype.kind in "fiu"}
    found = []
    for lower, low in small.items():
        for upper, high in small.items():
            if lower != upper:
                below, above = _always_below(low, high)
                if below.size:
                    found.append(Order(lower, upper, below, above))
    return tuple(found)


def _always_below(low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]) -> tuple[IntArray, IntArray]:
    overlapping = low.max(axis=0)[:, np.newaxis] > high.min(axis=0)
    # Most pairs are out of order in the first few draws already.
    few = (low[:32, :, np.newaxis] < high[:32, np.newaxis, :]).all(axis=0)
    pairs = [(i, j) for i, j in np.argwhere(overlapping & few) if bool((low[:, i] < high[:, j]).all())]
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]
