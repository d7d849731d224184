"""Reading the data points that a user gives, and putting them on a common scale."""

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from mcassay.errors import InputError, shown
from mcassay.vocabulary import FloatArray

# Squares of larger numbers, and sums of them, may overflow.
LARGEST = 1e100


def read_points(given: Any) -> FloatArray:
    """Read points, one a row; a vector is a column of them.

    Examples
    --------
    >>> read_points([1, 2, 3]).shape
    (3, 1)
    """
    if np.ma.is_masked(given):
        _refuse("have no masked entries", f"{int(np.sum(given.mask))} of them")
    points = _numbers(given)
    if points.ndim == 1:
        points = points[:, np.newaxis]
    if points.ndim != 2 or 0 in points.shape:
        _refuse("have one row a point and one column a dimension, at least one of each", f"shape {np.shape(points)}")
    _require_finite(points)
    return np.ascontiguousarray(points)


def _numbers(given: Any) -> FloatArray:
    try:
        array = np.asarray(given.to_numpy() if hasattr(given, "to_numpy") else given)
    except ValueError:  # rows of different lengths
        _reject_kind(given)
    if array.dtype.kind == "O" and array.ndim > 0:
        return _from_objects(array, given)
    if array.dtype.kind not in "biuf":
        _reject_kind(given)
    return array.astype(np.float64)


def _from_objects(array: Any, given: Any) -> FloatArray:
    """Read what is no array of numbers: tables of mixed columns hold objects, even where each of them is a number."""
    for place, entry in np.ndenumerate(array):
        if not isinstance(entry, (int, float, np.number, np.bool_)):
            where = f"column {given.columns[place[-1]]!r}" if hasattr(given, "columns") else f"place {place}"
            _refuse("hold numbers", f"{shown(entry)} in {where}")
    return np.asarray(array, np.float64)


def _reject_kind(given: Any) -> NoReturn:
    _refuse("be an array or a table of real numbers, one row a point", shown(given))


def _refuse(rule: str, found: str) -> NoReturn:
    """Raise an error that tells what was found in words."""
    raise InputError(f"fit: X must {rule}, but found {found}")


def _require_finite(points: FloatArray) -> None:
    wrong = ~(np.abs(points) <= LARGEST)
    if wrong.any():
        row, column = (int(place) for place in np.argwhere(wrong)[0])
        many = f"{points[row, column]} in row {row}, column {column} ({int(wrong.sum())} such entries in all)"
        _refuse(f"hold finite numbers of at most {LARGEST:g} in size", many)


@dataclass(frozen=True)
class Scale:
    """The place and the scale of every column: points are measured from the one in units of the other."""

    location: FloatArray
    unit: FloatArray

    @classmethod
    def of(cls, points: FloatArray) -> "Scale":
        """Return means and standard deviations; a column that never varies has its own value, and the unit 1."""
        constant = np.ptp(points, axis=0) == 0
        location = np.where(constant, points[0], points.mean(axis=0))
        deviation = (points - location).std(axis=0)
        return cls(location, np.where(constant | (deviation == 0), 1.0, deviation))

    @classmethod
    def none(cls, dimensions: int) -> "Scale":
        """Return the scale that leaves points as they are."""
        return cls(np.zeros(dimensions), np.ones(dimensions))

    def applied(self, points: FloatArray) -> FloatArray:
        """Return points on this scale."""
        return (points - self.location) / self.unit
