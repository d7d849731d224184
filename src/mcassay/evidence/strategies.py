"""Betting strategies: stakes for a block of differences, chosen from the blocks before it.

A strategy keeps a memory (a dict of arrays) that is updated when a block is complete. Its stakes have an axis of arms, each arm
a wager of its own whose wealth is averaged with the others: an arm of a `Single` strategy stakes on one direction, an
arm of a `Combined` strategy on a linear combination of all. In every memory and stake, leading axes are independent runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

import numpy as np

from mcassay.vocabulary import FloatArray

LIMIT = 0.9
"""No arm ever stakes more than this share of its wealth."""

Memory: TypeAlias = Mapping[str, FloatArray]


class Strategy(Protocol):
    """What the wager needs of a strategy."""

    @property
    def name(self) -> str:
        """What reports and tables call it."""

    @property
    def combined(self) -> bool:
        """Whether an arm stakes on all directions together, rather than on one each."""

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Return the memory before the first block."""

    def stakes(self, memory: Memory) -> FloatArray:
        """Return the stakes of the next block, shape ``(..., arms, J)``."""

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Return the memory after a completed block of shape ``(..., n, J)``."""


@dataclass(frozen=True)
class Kelly:
    """Plug-in Kelly: the stake that would have been best so far, shrunk towards no bet.

    Parameters
    ----------
    shrinkage
        Added to the sum of squares; one arm for each value.

    Examples
    --------
    >>> strategy = Kelly((1.0,))
    >>> memory = strategy.learn(strategy.begin(1), np.array([[0.5], [0.5]]), np.zeros((1, 1)))
    >>> strategy.stakes(memory)
    array([[0.66666667]])
    """

    shrinkage: tuple[float, ...] = (2.0, 8.0)
    name: str = "plug-in Kelly"
    combined: ClassVar[bool] = False

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Know nothing yet."""
        return {"sum": np.zeros((*runs, directions)), "squares": np.zeros((*runs, directions))}

    def stakes(self, memory: Memory) -> FloatArray:
        """Sum over shrunk sum of squares."""
        shrunk = memory["squares"][..., None, :] + np.array(self.shrinkage)[:, None]
        return np.asarray(np.clip(memory["sum"][..., None, :] / shrunk, -LIMIT, LIMIT))

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Add the block's moments."""
        return {"sum": memory["sum"] + d.sum(axis=-2), "squares": memory["squares"] + (d * d).sum(axis=-2)}


@dataclass(frozen=True)
class Grid:
    """A mixture over fixed stakes of both signs: it learns nothing and bets from the first replicate on.

    Examples
    --------
    >>> Grid((0.1, 0.5)).stakes(Grid().begin(1))[:, 0]
    array([-0.5, -0.1,  0.1,  0.5])
    """

    sizes: tuple[float, ...] = (0.1, 0.2, 0.4, 0.8)
    name: str = "grid of stakes"
    combined: ClassVar[bool] = False

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Remember no more than the shape."""
        return {"zero": np.zeros((*runs, directions))}

    def stakes(self, memory: Memory) -> FloatArray:
        """Return the same stakes for every block."""
        sizes = np.minimum(np.sort(np.array(self.sizes)), LIMIT)
        return np.concatenate([-sizes[::-1], sizes])[:, None] + memory["zero"][..., None, :]

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Learn nothing."""
        return memory


@dataclass(frozen=True)
class NewtonStep:
    """Online Newton step on the log growth, one step a block.

    Examples
    --------
    >>> strategy = NewtonStep()
    >>> memory = strategy.learn(strategy.begin(1), np.array([[0.5], [0.5]]), strategy.stakes(strategy.begin(1)))
    >>> strategy.stakes(memory)
    array([[0.44444444]])
    """

    prior: float = 4.0
    rate: float = 2.0
    name: str = "online Newton step"
    combined: ClassVar[bool] = False

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Begin with no stake."""
        return {"stake": np.zeros((*runs, directions)), "curvature": np.full((*runs, directions), self.prior)}

    def stakes(self, memory: Memory) -> FloatArray:
        """Return the current point."""
        return memory["stake"][..., None, :]

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Take a step along the gradient of the block's log growth."""
        gradient = d / (1 + stakes[..., :1, :] * d)
        curvature = memory["curvature"] + (gradient * gradient).sum(axis=-2)
        step = self.rate * gradient.sum(axis=-2) / curvature
        return {"stake": np.clip(memory["stake"] + step, -0.5, 0.5), "curvature": curvature}


@dataclass(frozen=True)
class Ridge:
    """A learned combination of all directions: past mean over shrunk past second moments.

    Parameters
    ----------
    shrinkage
        Added to the diagonal of the sum of products; one arm for each value.

    Examples
    --------
    >>> strategy = Ridge((1.0,))
    >>> memory = strategy.learn(strategy.begin(2), np.array([[0.5, 0.0], [0.5, 0.0]]), np.zeros((1, 2)))
    >>> strategy.stakes(memory)
    array([[0.66666667, 0.        ]])
    """

    shrinkage: tuple[float, ...] = (30.0, 300.0)
    name: str = "ridge combination"
    combined: ClassVar[bool] = True

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Know nothing yet."""
        return {"sum": np.zeros((*runs, directions)), "products": np.zeros((*runs, directions, directions))}

    def stakes(self, memory: Memory) -> FloatArray:
        """Solve for the combination that would have grown fastest, with a ridge."""
        products, total = memory["products"], memory["sum"][..., None]
        eye = np.eye(products.shape[-1])
        arms = [np.linalg.solve(products + ridge * eye, total)[..., 0] for ridge in self.shrinkage]
        return within_limit(np.stack(arms, axis=-2))

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Add the block's moments."""
        return _with_products(memory, d)


@dataclass(frozen=True)
class Greedy:
    """A learned combination of few directions: added one at a time while the past says it pays.

    Parameters
    ----------
    sizes
        How many directions at most; one arm for each value.
    shrinkage
        Added to the diagonal of the sum of products.

    Examples
    --------
    >>> strategy = Greedy((1,), shrinkage=1.0)
    >>> memory = strategy.learn(strategy.begin(2), np.array([[0.5, 0.0], [0.5, 0.1]]), np.zeros((1, 2)))
    >>> strategy.stakes(memory)
    array([[0.66666667, 0.        ]])
    """

    sizes: tuple[int, ...] = (2, 3)
    shrinkage: float = 30.0
    name: str = "greedy combination"
    combined: ClassVar[bool] = True

    def begin(self, directions: int, runs: tuple[int, ...] = ()) -> Memory:
        """Know nothing yet."""
        return {"sum": np.zeros((*runs, directions)), "products": np.zeros((*runs, directions, directions))}

    def stakes(self, memory: Memory) -> FloatArray:
        """Choose the directions one after another, by the growth that each would have added."""
        total, products = memory["sum"], memory["products"]
        flat_total, flat_products = total.reshape(-1, total.shape[-1]), products.reshape(-1, *products.shape[-2:])
        arms = [[self._choose(t, p, size) for size in self.sizes] for t, p in zip(flat_total, flat_products, strict=True)]
        return within_limit(np.array(arms).reshape(*total.shape[:-1], len(self.sizes), total.shape[-1]))

    def _choose(self, total: FloatArray, products: FloatArray, size: int) -> FloatArray:
        gram = products + self.shrinkage * np.eye(len(total))
        chosen: list[int] = []
        stake, residual, left = np.zeros(len(total)), total, np.diag(gram)
        for _ in range(min(size, len(total))):
            best = int(np.argmax(residual * residual / left))
            if not residual[best]:
                break
            chosen.append(best)
            solved = np.linalg.solve(gram[np.ix_(chosen, chosen)], np.column_stack([total[chosen], gram[chosen]]))
            stake = np.zeros(len(total))
            stake[chosen] = solved[:, 0]
            residual = total - gram[:, chosen] @ solved[:, 0]
            left = np.maximum(np.diag(gram) - (gram[chosen] * solved[:, 1:]).sum(axis=0), self.shrinkage)
            residual[chosen] = 0.0
        return stake

    def learn(self, memory: Memory, d: FloatArray, stakes: FloatArray) -> Memory:
        """Add the block's moments."""
        return _with_products(memory, d)


def within_limit(stakes: FloatArray) -> FloatArray:
    """Shrink every arm until the sizes of its stakes sum to at most the limit."""
    size = np.abs(stakes).sum(axis=-1, keepdims=True)
    return np.asarray(stakes * np.minimum(1.0, LIMIT / np.maximum(size, LIMIT)))


def _with_products(memory: Memory, d: FloatArray) -> Memory:
    products = memory["products"] + np.swapaxes(d, -1, -2) @ d
    return {"sum": memory["sum"] + d.sum(axis=-2), "products": products}
