"""New values for a block: drawn so that an error in one cluster, one category or one element shows as well as one in all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mcassay.checks.situations import is_discrete
from mcassay.vocabulary import Generator

# How many elements of a discrete block are moved one at a time in each situation.
_MOVES = 12
_LARGE = 10_000


def candidates(old: Any, own: list[Any], foreign: list[Any], values: list[Any], separable: bool, rng: Generator) -> Iterator[Any]:
    """Yield new values of a block, all in the support of what is claimed or drawn from the prior.

    Parameters
    ----------
    old
        The present value; a tuple for blocks that are drawn jointly.
    own
        Draws from the distribution that is claimed.
    foreign
        Values of the block in other draws from the prior.
    values
        The values that an element of a discrete block may take.
    separable
        Whether rows of the block are independent components, so that some may change without the others.
    rng
        Chooses elements.
    """
    fitting = [value for value in [*own, *foreign] if _shape(value) == _shape(old)]
    yield from fitting
    if isinstance(old, tuple) or np.size(old) < 2:
        yield from _single(old, values, rng)
        return
    if not separable:
        return
    for value in fitting:
        yield from _partly(old, value, rng)
    if is_discrete(old):
        yield from _discrete(np.asarray(old), values, rng)


def _single(old: Any, values: list[Any], rng: Generator) -> Iterator[Any]:
    if not isinstance(old, tuple) and is_discrete(old):
        for value in rng.permutation(values)[:_MOVES]:
            yield np.full_like(old, value)[()]


def _partly(old: Any, value: Any, rng: Generator) -> Iterator[Any]:
    """Take one row, and half of the rows, of a block from the new value: rows are what independent components share."""
    for rows in (rng.integers(len(old), size=1), np.flatnonzero(rng.random(len(old)) < 0.5)):
        new = np.array(old)
        new[rows] = np.asarray(value)[rows]
        yield new


def _discrete(old: np.ndarray[Any, Any], values: list[Any], rng: Generator) -> Iterator[Any]:
    """Redraw all elements evenly, so that every category occurs, then move single elements to one category after another."""
    yield rng.choice(np.asarray(values, dtype=old.dtype), size=old.shape)
    for value in np.resize(rng.permutation(values), _MOVES if old.size <= _LARGE else _MOVES // 4):
        new = old.copy()
        new.flat[rng.integers(old.size)] = value
        yield new


def _shape(value: Any) -> Any:
    return tuple(np.shape(part) for part in value) if isinstance(value, tuple) else np.shape(value)
