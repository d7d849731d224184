"""Coordinates without constraints: logarithms of positive numbers, log ratios of a simplex, log Cholesky factors of matrices.

Densities of values that are constrained become densities over all of R^d there, so that one and the same invertible map can be
applied to any of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.vocabulary import FloatArray

_ON_SIMPLEX = 1e-9


@dataclass(frozen=True)
class Chart:
    """One part of a value in coordinates without constraints.

    Attributes
    ----------
    kind
        "real", "positive", "simplex" or "positive definite".
    event_shape
        The shape of one value; leading axes of arrays are any number of values.
    """

    kind: str
    event_shape: tuple[int, ...]

    def coordinates(self, x: FloatArray) -> FloatArray:
        """Return coordinates along the last axis."""
        with np.errstate(all="ignore"):
            return _TO[self.kind](np.asarray(x, dtype=float), len(self.event_shape))

    def values(self, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return values at coordinates, and the log of the volume of values per volume of coordinates."""
        with np.errstate(all="ignore"):
            return _FROM[self.kind](y, self.event_shape)


def chart_of(draws: FloatArray, event_axes: int) -> Chart | None:
    """Choose a chart for values by what draws have in common; None where they lie on a surface that is not known.

    Examples
    --------
    >>> chart_of(np.array([[0.25, 0.75], [0.5, 0.5]]), 1).kind
    'simplex'
    """
    event_shape = draws.shape[draws.ndim - event_axes :]
    if event_axes == 2 and event_shape[0] == event_shape[1] > 1 and _all_symmetric(draws):
        return Chart("positive definite", event_shape) if _all_positive_definite(draws) else None
    if event_axes > 0 and event_shape[-1] > 1 and (draws >= 0).all() and np.abs(draws.sum(axis=-1) - 1).max() < _ON_SIMPLEX:
        return Chart("simplex", event_shape)
    if event_axes > 0 and math.prod(event_shape) > 1 and _constant(np.linalg.norm(_flat(draws, event_axes), axis=-1)):
        return None
    return Chart("positive" if (draws > 0).all() else "real", event_shape)


def _all_symmetric(draws: FloatArray) -> bool:
    return bool(np.allclose(draws, np.swapaxes(draws, -1, -2), rtol=1e-9, atol=0.0))


def _all_positive_definite(draws: FloatArray) -> bool:
    diagonals = np.diagonal(draws, axis1=-2, axis2=-1)
    if _constant(diagonals[..., 0]):
        return False  # correlation matrices: a surface among the positive definite ones
    return bool((np.linalg.eigvalsh(draws)[..., 0] > 0).all())


def _constant(values: FloatArray) -> bool:
    return bool(np.ptp(values) <= 1e-9 * np.abs(values).max())


def _flat(x: FloatArray, event_axes: int) -> FloatArray:
    return x.reshape((*x.shape[: x.ndim - event_axes], -1))


def _simplex_coordinates(x: FloatArray, event_axes: int) -> FloatArray:
    return _flat(np.log(x[..., :-1]) - np.log(x[..., -1:]), event_axes)


def _simplex_values(y: FloatArray, event_shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    odds = y.reshape(y.shape[:-1] + event_shape[:-1] + (event_shape[-1] - 1,))
    odds = np.concatenate([odds, np.zeros((*odds.shape[:-1], 1))], axis=-1)
    log_x = odds - np.logaddexp.reduce(odds, axis=-1, keepdims=True)
    x = np.exp(log_x)
    return x / x.sum(axis=-1, keepdims=True), _flat(log_x, len(event_shape)).sum(axis=-1)


def _matrix_coordinates(x: FloatArray, _: int) -> FloatArray:
    root = np.linalg.cholesky(x)
    size = x.shape[-1]
    below = root[..., *np.tril_indices(size, -1)]
    return np.concatenate([np.log(np.diagonal(root, axis1=-2, axis2=-1)), below], axis=-1)


def _matrix_values(y: FloatArray, event_shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    size = event_shape[0]
    root = np.zeros(y.shape[:-1] + event_shape)
    root[..., *np.tril_indices(size, -1)] = y[..., size:]
    root[..., np.arange(size), np.arange(size)] = np.exp(y[..., :size])
    weights = np.arange(size + 1, 1, -1)
    return root @ np.swapaxes(root, -1, -2), size * math.log(2.0) + y[..., :size] @ weights


def _positive_values(y: FloatArray, event_shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    return np.exp(y).reshape(y.shape[:-1] + event_shape), y.sum(axis=-1)


def _real_values(y: FloatArray, event_shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    return y.reshape(y.shape[:-1] + event_shape), np.zeros(y.shape[:-1])


_TO: dict[str, Callable[[FloatArray, int], FloatArray]] = {
    "real": _flat,
    "positive": lambda x, axes: _flat(np.log(x), axes),
    "simplex": _simplex_coordinates,
    "positive definite": _matrix_coordinates,
}
_FROM: dict[str, Callable[[FloatArray, tuple[int, ...]], tuple[FloatArray, FloatArray]]] = {
    "real": _real_values,
    "positive": _positive_values,
    "simplex": _simplex_values,
    "positive definite": _matrix_values,
}


@dataclass(frozen=True)
class Atlas:
    """The charts of all parts of a value that is drawn jointly, side by side."""

    charts: tuple[Chart, ...]
    dimensions: tuple[int, ...]

    @classmethod
    def of(cls, draws: tuple[FloatArray, ...], lead: int) -> "Atlas | None":
        """Choose charts by draws of every part, whose first axes are draws and components."""
        charts = [chart_of(part, part.ndim - lead) for part in draws]
        known = tuple(chart for chart in charts if chart is not None)
        if len(known) < len(charts):
            return None
        sizes = [chart.coordinates(part[:1]).shape[-1] for chart, part in zip(known, draws, strict=True)]
        return cls(known, tuple(int(size) for size in sizes))

    def coordinates(self, draws: tuple[Any, ...]) -> FloatArray:
        """Return the coordinates of all parts."""
        return np.concatenate([chart.coordinates(part) for chart, part in zip(self.charts, draws, strict=True)], axis=-1)

    def values(self, y: FloatArray) -> tuple[tuple[FloatArray, ...], FloatArray]:
        """Return the parts at coordinates, and the log volume of all together."""
        pieces = np.split(y, np.cumsum(self.dimensions)[:-1], axis=-1)
        found = [chart.values(piece) for chart, piece in zip(self.charts, pieces, strict=True)]
        return tuple(x for x, _ in found), np.sum([volume for _, volume in found], axis=0)
