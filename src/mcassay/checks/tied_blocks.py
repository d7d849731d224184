"""Blocks that follow from others (counts, squares, logarithms, caches): none of those involved can be moved alone.

An element that a linear combination of simple functions of other blocks gives exactly is no free variable, and neither are
the blocks that it follows from, as long as it has to agree with them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mcassay.vocabulary import FloatArray

_EXACT = 1e-9
_NEEDED = 1e-6
_TARGETS = 6
_MOST_ELEMENTS = 24
_MOST_VALUES = 12
_DRAWS = 1024


def tied_blocks(batches: Mapping[str, np.ndarray[Any, Any]]) -> set[str]:
    """Return the names of the blocks that follow from others, and of those that they follow from.

    Examples
    --------
    >>> labels = np.random.default_rng(1).integers(3, size=(500, 8))
    >>> counts = np.stack([np.bincount(row, minlength=3) for row in labels])
    >>> sorted(tied_blocks({"labels": labels, "counts": counts, "free": np.random.default_rng(2).normal(size=500)}))
    ['counts', 'labels']
    """
    batches = {name: batch[:_DRAWS] for name, batch in batches.items()}
    features = {name: _features(batch) for name, batch in batches.items()}
    tied: set[str] = set()
    for name, batch in batches.items():
        others = {other: columns for other, columns in features.items() if other != name and columns.shape[1]}
        sources = _sources(_targets(batch), _fitting(others, len(batch)))
        if sources:
            tied |= {name, *sources}
    return tied


def _fitting(features: Mapping[str, FloatArray], draws: int) -> dict[str, FloatArray]:
    """Keep as many features as there are draws to tell a relation from a coincidence."""
    most = max(1, draws // (3 * max(1, len(features))))
    return {name: columns[:, -most:] for name, columns in features.items()}


def _sources(targets: FloatArray, features: Mapping[str, FloatArray]) -> set[str]:
    """Return the blocks from which any of the targets follows."""
    if not features or not targets.shape[1]:
        return set()
    left = _unexplained(targets, list(features.values()))
    exact = left < _EXACT
    if not exact.any():
        return set()
    followed = targets[:, exact]
    needed = {name for name in features if not _follow(followed, [c for other, c in features.items() if other != name])}
    return needed or {name for name, columns in features.items() if _follow(followed, [columns])}


def _follow(targets: FloatArray, features: list[FloatArray]) -> bool:
    return bool((_unexplained(targets, features) <= _NEEDED).all())


def _unexplained(targets: FloatArray, features: list[FloatArray]) -> FloatArray:
    """Return the share of the standard deviation of each target that is left by a linear regression."""
    design = np.column_stack([np.ones(len(targets)), *features])
    solution = np.linalg.lstsq(design, targets, rcond=1e-12)[0]
    return np.asarray((targets - design @ solution).std(axis=0))


def _targets(batch: np.ndarray[Any, Any]) -> FloatArray:
    flat = _standard(batch.reshape(len(batch), -1).astype(float))
    if not flat.shape[1]:
        return flat
    chosen = np.unique(np.linspace(0, flat.shape[1] - 1, _TARGETS).astype(int))
    values = _varying(batch.reshape(len(batch), -1).astype(float))[:, chosen]
    return np.column_stack([flat[:, chosen], *_functions(values)])


def _features(batch: np.ndarray[Any, Any]) -> FloatArray:
    """Return simple functions of a block: summaries, counts of values, elements and functions of them, the broadest last."""
    values = _varying(batch.reshape(len(batch), -1).astype(float))
    if not values.shape[1]:
        return values
    wide = values.shape[1] > _MOST_ELEMENTS
    summaries = [f(values, axis=1) for f in (np.sum, np.max, np.min)] if values.shape[1] > 1 else []
    columns = [*([] if wide else [values, *_functions(values)]), *summaries, np.square(values).sum(axis=1), *_counts(values)]
    return _standard(np.column_stack(columns))


def _functions(values: FloatArray) -> list[FloatArray]:
    functions = [np.square(values)]
    if (values > 0).all():
        functions += [np.log(values), 1 / values, np.sqrt(values)]
    elif np.abs(values).max() < 30:
        functions.append(np.exp(values))
    return [_standard(columns) for columns in functions]


def _counts(values: FloatArray) -> list[FloatArray]:
    seen = np.unique(values)
    return [(values == value).sum(axis=1).astype(float) for value in seen] if len(seen) <= _MOST_VALUES else []


def _varying(values: FloatArray) -> FloatArray:
    return values[:, np.ptp(values, axis=0) > 0]


def _standard(values: FloatArray) -> FloatArray:
    varying = _varying(values)
    return np.asarray((varying - varying.mean(axis=0)) / varying.std(axis=0))
