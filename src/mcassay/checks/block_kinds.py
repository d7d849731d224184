"""What kind of block a batch of draws shows, and the moves that suit it; or why it is not moved."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.element_moves import ExchangeMove, Move, PositiveMove, RealMove, SwapMove, ValueMove
from mcassay.checks.inferred_support import Support, is_symmetric, varying
from mcassay.vocabulary import FloatArray, IntArray

# A ratio of this size between large and small values calls for steps on the scale of logarithms.
_LOG_SCALE = 3.0
_SAME = 1e-9
_MOST_FOR_RANK = 200


@dataclass(frozen=True)
class Movable:
    """A block that is moved: its kind in words, how, and where it may go."""

    name: str
    kind: str
    move: Any
    support: Support


@dataclass(frozen=True)
class Unmoved:
    """A block that is not moved, and why."""

    name: str
    reason: str


def kind_of(name: str, values: list[Any]) -> Movable | Unmoved:
    """Infer the kind of a block from its values in a batch of draws.

    Examples
    --------
    >>> draws = np.random.default_rng(1).dirichlet([1.0, 2.0, 3.0], size=500)
    >>> kind_of("weights", list(draws)).kind
    'rows of a fixed sum'
    """
    if len({np.shape(value) for value in values}) > 1:
        return Unmoved(name, "its shape varies")
    batch = np.asarray(values)
    if batch.dtype.kind not in "fiub" or not batch.size:
        return Unmoved(name, "it does not hold numbers")
    if not np.isfinite(batch).all():
        return Unmoved(name, "it holds infinite values or NaN")
    if not varying(batch.reshape(len(batch), -1)).any():
        return Unmoved(name, "it never varies")
    found = _discrete(batch) if _is_whole(batch) else _real(batch)
    return Unmoved(name, found) if isinstance(found, str) else Movable(name, *found, Support.of(batch))


def _is_whole(batch: np.ndarray[Any, Any]) -> bool:
    return batch.dtype.kind in "iub" or bool((batch == np.round(batch)).all())


def _real(batch: np.ndarray[Any, Any]) -> tuple[str, Move] | str:
    flat = batch.reshape(len(batch), -1)
    if is_symmetric(batch):
        return _symmetric(batch)
    if _fixed_sums(batch):
        return _exchange(batch)
    problem = _degenerate(batch)
    if problem:
        return problem
    elements = np.flatnonzero(varying(flat))
    chosen = flat[:, elements].astype(float)
    if (chosen > 0).all() and (np.quantile(chosen, 0.95, axis=0) > _LOG_SCALE * np.quantile(chosen, 0.05, axis=0)).all():
        return "positive", PositiveMove(elements, spread(np.log(chosen)))
    return "real", RealMove(elements, spread(chosen))


def _degenerate(batch: np.ndarray[Any, Any]) -> str | None:
    """Say where the elements of a block are bound to each other, so that none can move alone."""
    if batch.ndim == 1:
        return None
    for axis in range(1, batch.ndim):
        if batch.shape[axis] > 1 and _constant(np.square(batch.astype(float)).sum(axis=axis)):
            return "its vectors have a fixed length"
        if batch.shape[axis] > 1 and _constant(batch.astype(float).sum(axis=axis)):
            return "its elements have a fixed sum along another axis than the last"
    flat = batch.reshape(len(batch), -1).astype(float)
    return "its elements follow from each other" if _rank_is_short(flat[:, varying(flat)]) else None


def _rank_is_short(flat: FloatArray) -> bool:
    """Say whether some combination of the elements is constant, as far as there are draws enough to tell."""
    if not 1 < flat.shape[1] <= min(_MOST_FOR_RANK, len(flat) // 2):
        return False
    standard = (flat - flat.mean(axis=0)) / flat.std(axis=0)
    sizes = np.linalg.svd(standard, compute_uv=False)
    return bool(sizes[-1] < _SAME * sizes[0])


def _symmetric(batch: np.ndarray[Any, Any]) -> tuple[str, Move] | str:
    flat, size = batch.reshape(len(batch), -1).astype(float), batch.shape[-1]
    rows, columns = np.tril_indices(size)
    places, mirrored = rows * size + columns, columns * size + rows
    chosen = varying(flat)[places]
    if not chosen.any() or _rank_is_short(flat[:, places[chosen]]) or _constant(flat.reshape(batch.shape).sum(axis=-1)):
        return "the elements of its matrix follow from each other"
    definite = bool((np.linalg.eigvalsh(batch.astype(float)) > 0).all())
    move = RealMove(places[chosen], spread(flat[:, places[chosen]]), mirrored=mirrored[chosen])
    return ("positive definite" if definite else "symmetric"), move


def _fixed_sums(batch: np.ndarray[Any, Any]) -> bool:
    return batch.ndim > 1 and batch.shape[-1] > 1 and _constant(batch.astype(float).sum(axis=-1))


def _exchange(batch: np.ndarray[Any, Any], *, whole: bool = False) -> tuple[str, Move] | str:
    flat = batch.reshape(len(batch), -1).astype(float)
    rows = _varying_rows(flat, batch.shape[-1])
    free = np.concatenate([row[:-1] for row in rows])
    if _rank_is_short(flat[:, free]):
        return "its elements follow from each other"
    return "rows of a fixed sum", ExchangeMove(rows, float(np.median(spread(flat[:, free]))), whole=whole)


def _varying_rows(flat: np.ndarray[Any, Any], width: int) -> tuple[IntArray, ...]:
    places = np.arange(flat.shape[1]).reshape(-1, width)
    moving = varying(flat).reshape(-1, width)
    return tuple(row[chosen] for row, chosen in zip(places, moving, strict=True) if chosen.sum() > 1)


def _discrete(batch: np.ndarray[Any, Any]) -> tuple[str, Move] | str:
    flat, mirrored = batch.reshape(len(batch), -1), None
    elements = np.flatnonzero(varying(flat))
    ordered = np.sort(batch, axis=-1) if batch.ndim > 1 else batch
    if batch.ndim > 1 and batch.shape[-1] > 1 and bool((ordered == ordered[:1]).all()):
        return "permutations", SwapMove(_varying_rows(flat, batch.shape[-1]))
    if is_symmetric(batch):
        rows, columns = np.unravel_index(elements, batch.shape[1:])
        elements, mirrored = elements[rows >= columns], (columns * batch.shape[-1] + rows)[rows >= columns]
    elif _fixed_sums(batch):
        return _exchange(batch, whole=True)
    else:
        problem = _degenerate(batch)
        if problem:
            return problem
    return "discrete", ValueMove(elements, tuple(np.unique(column) for column in flat[:, elements].T), mirrored=mirrored)


def _constant(values: FloatArray) -> bool:
    """Say whether something has the same value, but for rounding, in all draws."""
    span = values.max(axis=0) - values.min(axis=0)
    return bool((span <= _SAME * np.maximum(np.abs(values).max(axis=0), 1e-300)).all())


def spread(values: FloatArray) -> FloatArray:
    """Return half the distance between the quantiles at 1/6 and 5/6: the standard deviation of a normal, and no outliers."""
    low, high = np.quantile(values, [1 / 6, 5 / 6], axis=0)
    half = (high - low) / 2
    return np.asarray(np.where(half > 0, half, np.maximum(values.std(axis=0), np.finfo(float).tiny)))
