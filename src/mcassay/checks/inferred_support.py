"""The support of a block as a batch of draws shows it. A move that stays inside asks log_joint only about what is possible.

A log joint need not say where its support ends. The inferred support is smaller than the real one, never larger in what
it was made to see: ranges of elements, of the sums and sums of squares of rows, which elements lie below which, positive
definite matrices, labels numbered in order of appearance. A Metropolis kernel restricted to any set leaves the joint invariant.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.vocabulary import BoolArray, FloatArray, IntArray

_MOST_ORDERED = 64
# Sums vary in their last digits by rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Support:
    """Where the elements of a block, and a few functions of them, were seen; elements are counted along the flattened block."""

    low: FloatArray
    high: FloatArray
    rows: "Rows | None"
    below: IntArray
    above: IntArray
    definite: bool
    by_appearance: bool

    @classmethod
    def of(cls, batch: np.ndarray[Any, Any]) -> "Support":
        """Read the support off a batch of shape (draws, *block)."""
        flat = batch.reshape(len(batch), -1).astype(float)
        low, high = flat.min(axis=0), flat.max(axis=0)
        below, above = order(flat, low, high)
        rows = Rows.of(batch) if batch.ndim > 1 and batch.shape[-1] > 1 else None
        definite = is_symmetric(batch) and bool((np.linalg.eigvalsh(batch.astype(float)) > 0).all())
        return cls(low, high, rows, below, above, definite, _numbered_by_appearance(batch))

    def allows(self, old: np.ndarray[Any, Any], new: np.ndarray[Any, Any]) -> bool:
        """Say whether a move from old to new, and the move back, stay inside."""
        before, after = old.ravel(), new.ravel()
        changed = np.flatnonzero(before != after)
        within = all(self._in_range(values, changed) and self._in_order(values) for values in (before, after))
        if not within or (self.rows is not None and not (self.rows.allow(old, changed) and self.rows.allow(new, changed))):
            return False
        if self.by_appearance and not _in_order_of_appearance(after):
            return False
        return not self.definite or _definite(new)

    def _in_range(self, values: np.ndarray[Any, Any], changed: IntArray) -> bool:
        chosen = values[changed]
        return bool(((chosen >= self.low[changed]) & (chosen <= self.high[changed])).all())

    def _in_order(self, values: np.ndarray[Any, Any]) -> bool:
        return not self.below.size or bool((values[self.below] < values[self.above]).all())


@dataclass(frozen=True)
class Rows:
    """Ranges of the sums and of the sums of squares along the last axis."""

    width: int
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, batch: np.ndarray[Any, Any]) -> "Rows":
        """Read the ranges off a batch."""
        sums = _row_sums(batch.astype(float).reshape(len(batch), -1, batch.shape[-1]))
        slack = _ROUNDING * np.abs(sums).max(axis=1)
        return cls(batch.shape[-1], sums.min(axis=1) - slack, sums.max(axis=1) + slack)

    def allow(self, block: np.ndarray[Any, Any], changed: IntArray) -> bool:
        """Say whether the rows of the changed elements are in their ranges."""
        touched = np.unique(changed // self.width)
        sums = _row_sums(block.reshape(-1, self.width)[touched].astype(float))
        return bool(((sums >= self.low[:, touched]) & (sums <= self.high[:, touched])).all())


def _row_sums(rows: FloatArray) -> FloatArray:
    """Return sums and sums of squares along the last axis, on a new first axis."""
    return np.stack([rows.sum(axis=-1), np.square(rows).sum(axis=-1)])


def order(flat: FloatArray, low: FloatArray, high: FloatArray) -> tuple[IntArray, IntArray]:
    """Return pairs of elements of which the first was always below the second, where their ranges do not say so already."""
    if not 1 < flat.shape[1] <= _MOST_ORDERED:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    pairs = np.argwhere((high[:, np.newaxis] > low) & ~np.eye(len(low), dtype=bool))
    always = np.array([bool((flat[:, i] < flat[:, j]).all()) for i, j in pairs], dtype=bool)
    chosen = pairs[always].reshape(-1, 2)
    return chosen[:, 0], chosen[:, 1]


def is_symmetric(batch: np.ndarray[Any, Any]) -> bool:
    """Say whether every draw is one symmetric matrix, of two rows or more."""
    return batch.ndim == 3 and batch.shape[1] == batch.shape[2] > 1 and bool(np.allclose(batch, batch.swapaxes(1, 2), rtol=1e-12))


def _definite(matrix: np.ndarray[Any, Any]) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _numbered_by_appearance(batch: np.ndarray[Any, Any]) -> bool:
    if batch.ndim != 2 or batch.dtype.kind not in "iu" or batch.shape[1] < 3 or (batch == batch[0]).all():
        return False
    return all(_in_order_of_appearance(row) for row in batch)


def _in_order_of_appearance(labels: np.ndarray[Any, Any]) -> bool:
    highest = np.maximum.accumulate(labels)
    return bool((np.diff(highest) <= 1).all())


def varying(flat: np.ndarray[Any, Any]) -> BoolArray:
    """Say which elements vary over the batch."""
    return np.asarray((flat != flat[0]).any(axis=0))
