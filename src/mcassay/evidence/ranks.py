"""Ranks that stay uniform when there are ties: ties are broken at random."""

import numpy as np
from numpy.typing import ArrayLike

from mcassay.errors import reject
from mcassay.vocabulary import FloatArray, Generator, IntArray


def randomised_ranks(values: ArrayLike, draws: ArrayLike, rng: Generator) -> IntArray:
    """Rank each value among its own draws: uniform on 0, ..., m when the m draws and the value are exchangeable.

    Parameters
    ----------
    values
        Any shape.
    draws
        The shape of ``values`` with m draws on a last axis.
    rng
        Breaks ties.

    Examples
    --------
    >>> randomised_ranks([0.5, np.inf], [[0.1, 0.2, 0.9], [0.0, 1.0, 2.0]], np.random.default_rng(1))
    array([2, 3])
    """
    value, others = _read(values), _read(draws)
    if others.shape[:-1] != value.shape:
        reject("randomised_ranks", "draws", f"have shape {value.shape} and one more axis", others.shape)
    below = (others < value[..., None]).sum(axis=-1)
    ties = (others == value[..., None]).sum(axis=-1)
    return np.asarray(below + rng.integers(0, ties + 1), dtype=np.int64)


def pooled_ranks(values: ArrayLike, rng: Generator) -> IntArray:
    """Rank the values among each other, 1 to n, ties broken at random: a uniform permutation when they are exchangeable.

    Examples
    --------
    >>> pooled_ranks([0.3, -np.inf, 2.0], np.random.default_rng(1))
    array([2, 1, 3])
    """
    array = _read(values)
    order = np.lexsort((rng.random(array.shape), array))
    ranks = np.empty(len(array), dtype=np.int64)
    ranks[order] = np.arange(1, len(array) + 1)
    return ranks


def randomised_uniforms(values: ArrayLike, reference: ArrayLike, rng: Generator) -> FloatArray:
    """Place the values in (0, 1) by their ranks in a reference batch: each one uniform when it is one more draw from it.

    Examples
    --------
    >>> u = randomised_uniforms([0.0, 0.0, 1.0], np.zeros(9), np.random.default_rng(1))
    >>> bool(((u > 0) & (u < 1)).all())
    True
    """
    value, batch = _read(values), np.sort(_read(reference))
    low, high = batch.searchsorted(value, "left"), batch.searchsorted(value, "right")
    return np.asarray((low + (high - low + 1) * rng.random(value.shape)) / (len(batch) + 1))


def _read(values: ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=float)
    if np.isnan(array).any():
        reject("ranks", "values", "not be NaN", f"NaN at {tuple(int(i) for i in np.argwhere(np.isnan(array))[0])}")
    return array
