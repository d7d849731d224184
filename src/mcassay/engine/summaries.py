"""Statistics of stacked blocks, for a whole batch of replicates at once.

Every block and the data are watched by a few coordinates and by symmetric summaries; a discrete block by summaries that do
not depend on labels; and a discrete block beside data of the same length by how it splits them.
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mcassay.engine.layout import RAGGED, SMALLEST, Ragged
from mcassay.vocabulary import FloatArray

MOST_COORDINATES = 6
_FEW_COORDINATES = 2
_SIGNED_SUMS = 3
_BITS = 36
_CLOSE = 256


class Column(NamedTuple):
    """One statistic: its name, where it comes from, whether it enters pairs, and its values over the batch."""

    name: str
    block: str
    paired: bool
    values: FloatArray


def summaries(stacked: Mapping[str, Any]) -> Iterator[Column]:
    """Yield the statistics of every block of a batch; blocks that are not numbers, or have no elements, have none."""
    with np.errstate(all="ignore"):
        for name, batch in stacked.items():
            if isinstance(batch, Ragged):
                yield from _of_any_length(name, batch.table)
            elif batch.size:
                yield from _defined(_of_block(name, batch), batch)
        yield from _defined(_splits(stacked), *stacked.values())
        yield from _defined(_by_label(stacked), *stacked.values())


def _defined(columns: Iterator[Column], *batches: Any) -> Iterator[Column]:
    """Give summaries a value that infinite numbers leave undefined, such as their mean; a NaN of the user's own stays."""
    for column in columns:
        lost = np.isnan(column.values)
        if lost.any():
            theirs = [np.isnan(b).reshape(len(b), -1).any(axis=1) for b in batches if not isinstance(b, Ragged)]
            lost &= ~np.any(theirs, axis=0)
            column = column._replace(values=np.where(lost, 0.0, column.values))
        yield column


def _of_any_length(name: str, table: FloatArray) -> Iterator[Column]:
    theirs = np.isnan(table[:, SMALLEST])  # which is NaN where one of the values is
    for form, values in zip(RAGGED, table.T, strict=True):
        yield Column(form.format(name), name, True, np.where(np.isnan(values) & ~theirs, 0.0, values))


def _of_block(name: str, batch: np.ndarray[Any, Any]) -> Iterator[Column]:
    flat = batch.reshape(len(batch), -1)
    if flat.shape[1] == 1:
        yield Column(name, name, True, flat[:, 0].astype(float))
    elif batch.dtype.kind == "f":
        yield from _real(name, batch.shape[1:], flat)
    else:
        yield from _discrete(name, flat)


def _real(name: str, shape: tuple[int, ...], flat: np.ndarray[Any, Any]) -> Iterator[Column]:
    for index in _coordinates(flat.shape[1]):
        place = ",".join(str(int(i)) for i in np.unravel_index(index, shape))
        yield Column(f"{name}[{place}]", name, flat.shape[1] <= _FEW_COORDINATES + 1, flat[:, index].astype(float))
    values = flat.astype(float, copy=False)
    with np.errstate(all="ignore"):
        largest, smallest, count = values.max(axis=1), values.min(axis=1), flat.shape[1]
        size = np.maximum(largest, -smallest)
        yield Column(f"mean of {name}", name, True, cut(values.mean(axis=1), size))
        yield Column(f"mean square of {name}", name, True, cut(_products(values, values) / count, np.square(size)))
        yield Column(f"largest of {name}", name, False, largest)
        yield Column(f"smallest of {name}", name, False, smallest)
    if count > 2:
        yield Column(f"neighbours of {name}", name, False, _products(values[:, 1:], values[:, :-1]) / (count - 1))
    if count > _FEW_COORDINATES + 1:
        yield from _of_coordinates_together(name, values, size)
    if len(shape) == 2 and shape[0] > 1 < shape[1]:
        yield from _of_members(name, values.reshape(-1, *shape), size)


def _of_coordinates_together(name: str, values: FloatArray, size: FloatArray) -> Iterator[Column]:
    """Watch sums with signs of their own: how any two coordinates depend on each other shows in the spread of some of them."""
    for number in range(_SIGNED_SUMS):
        signs = np.random.default_rng((number, values.shape[1])).choice((-1.0, 1.0), size=values.shape[1])
        yield Column(f"signed sum {number + 1} of {name}", name, False, cut(values @ signs, size * values.shape[1]))


def _of_members(name: str, values: FloatArray, size: FloatArray) -> Iterator[Column]:
    """Watch the rows of a matrix as members of an ensemble: each column by its mean, and half the rows against the others."""
    columns, half = values.mean(axis=1), values.shape[1] // 2
    for j in range(min(columns.shape[1], _FEW_COORDINATES + 1)):
        yield Column(f"mean of {name}[:,{j}]", name, False, cut(columns[:, j], size))
    products = _products(values[:, :half].mean(axis=1), values[:, half:].mean(axis=1))
    yield Column(f"halves of {name}", name, False, cut(products, np.square(size) * columns.shape[1]))


def _products(a: FloatArray, b: FloatArray) -> FloatArray:
    """Sum the products of every row; no array of products is made, which would not fit into fast memory."""
    return np.asarray(np.einsum("ij,ij->i", a, b))


def cut(values: FloatArray, size: FloatArray) -> FloatArray:
    """Round off what is below ``2**-36`` of the size of the numbers that the values were computed from.

    A sum that the model fixes (the mean over a simplex) varies in its last digits all the same, by how its terms were drawn: a
    right kernel that draws them in another way than the prior would be told apart by that.

    Examples
    --------
    >>> np.unique(cut(np.array([0.1 + 0.2, 0.3]), np.array([0.2, 0.2]))).size
    1
    """
    with np.errstate(all="ignore"):
        quantum = np.exp2(np.floor(np.log2(size)) - _BITS)
        rounded = np.round(values / quantum) * quantum
    return np.asarray(np.where(np.isfinite(rounded), rounded, values))


def _coordinates(size: int) -> list[int]:
    return list(range(size)) if size <= MOST_COORDINATES else [0, size // 2]


def _discrete(name: str, flat: np.ndarray[Any, Any]) -> Iterator[Column]:
    """Yield summaries of the counts of values, which do not depend on labels, and a few plain ones that watch the labels."""
    counts = value_counts(flat)
    yield Column(f"{name}[0]", name, False, flat[:, 0].astype(float))
    yield Column(f"{name}[{flat.shape[1] - 1}]", name, False, flat[:, -1].astype(float))
    yield Column(f"mean of {name}", name, False, flat.mean(axis=1))
    yield Column(f"distinct values of {name}", name, False, (counts > 0).sum(axis=1).astype(float))
    yield Column(f"largest group of {name}", name, False, counts.max(axis=1).astype(float))
    yield Column(f"evenness of {name}", name, True, np.square(counts.astype(float)).sum(axis=1))
    yield Column(f"equal neighbours of {name}", name, False, (flat[:, 1:] == flat[:, :-1]).mean(axis=1))


def value_counts(flat: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Count, in every row, how often each of the values that occur anywhere in the batch occurs."""
    cells, width = _cells(flat)
    return np.bincount(cells, minlength=width * len(flat)).reshape(len(flat), width)


def _cells(labels: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], int]:
    """Give every value that occurs a number, and the next row the next numbers; return how many a row takes as well."""
    low, high = int(labels.min()), int(labels.max())
    # Values that lie close together need no sorting.
    codes = (
        labels.astype(np.int64) - low if high - low < _CLOSE else np.unique(labels, return_inverse=True)[1].reshape(labels.shape)
    )
    width = int(codes.max()) + 1
    codes += width * np.arange(len(codes))[:, np.newaxis]
    return codes.ravel(), width


def _splits(stacked: Mapping[str, Any]) -> Iterator[Column]:
    """Watch how discrete blocks split real ones of the same length: the spread within groups, whatever their labels."""
    groups, reals = _groups(stacked), _reals(stacked)
    for group, labels in groups.items():
        for name, values in reals.items():
            if labels.shape[1] > 1 and values.shape[1] == labels.shape[1]:
                yield Column(f"spread of {name} within {group}", name, True, _within(labels, values))


def _groups(stacked: Mapping[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    return {name: b for name, b in stacked.items() if isinstance(b, np.ndarray) and b.dtype.kind in "iu" and b.ndim == 2}


def _reals(stacked: Mapping[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    return {name: b for name, b in stacked.items() if isinstance(b, np.ndarray) and b.dtype.kind == "f" and b.ndim >= 2}


def _by_label(stacked: Mapping[str, Any]) -> Iterator[Column]:
    """Watch whether values belong to the row of another block that their label names: z, mu and x, by x - mu[z].

    Without it, nothing here would tell labels that were exchanged from those that were exchanged along with their rows.
    """
    reals = _reals(stacked)
    for group, labels in _groups(stacked).items():
        for values, rows in itertools.permutations(reals, 2):
            x, r = reals[values], reals[rows]
            if x.shape[1] != labels.shape[1] or r.shape[1] < 2 or labels.shape[1] < 2:
                continue
            named = np.take_along_axis(r.reshape(*r.shape[:2], -1), np.clip(labels, 0, r.shape[1] - 1)[..., np.newaxis], axis=1)
            flat = x.reshape(*x.shape[:2], -1).astype(float)
            if x.shape[2:] == r.shape[2:]:
                yield _mean(f"distance of {values} from {rows} by {group}", group, np.square(flat - named))
            if r.ndim == 2:
                yield _mean(f"size of {values} times {rows} by {group}", group, np.square(flat) * named)


def _mean(name: str, group: str, terms: FloatArray) -> Column:
    return Column(name, group, False, cut(terms.mean(axis=(1, 2)), np.abs(terms).max(axis=(1, 2))))


def _within(labels: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> FloatArray:
    """Return the mean square of what is left of the values when the mean of their group is taken away."""
    flat = values.reshape(*values.shape[:2], -1).astype(float, copy=False)
    cells, width = _cells(labels)
    counts = np.maximum(np.bincount(cells, minlength=width * len(flat)), 1)
    total = _products(flat.reshape(len(flat), -1), flat.reshape(len(flat), -1))
    between = np.zeros(len(flat))
    for column in np.moveaxis(flat, 2, 0):
        sums = np.bincount(cells, column.ravel(), width * len(flat))
        between += (sums**2 / counts).reshape(len(flat), width).sum(axis=1)
    return cut((total - between) / flat[0].size, total / flat[0].size)
