"""Reading the parameters of a distribution: what is found, or an error that says what would be right."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.errors import InputError, reject, shown
from mcassay.vocabulary import BoolArray, FloatArray


def exactly_one(where: str, **alternatives: Any) -> tuple[str, Any]:
    """Return the one alternative that was given, as (name, value)."""
    given = [(name, value) for name, value in alternatives.items() if value is not None]
    if len(given) != 1:
        *most, last = alternatives
        found = " and ".join(name for name, _ in given) or "none of them"
        raise InputError(f"{where}: give exactly one of {', '.join(most)} or {last}, by name; found {found}")
    return given[0]


def numbers(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read finite real numbers."""
    array = _as_float(where, name, value)
    require(where, name, "be finite", array, np.isfinite(array))
    return array


def positive(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read finite numbers above zero."""
    array = _as_float(where, name, value)
    require(where, name, "be positive and finite", array, (array > 0) & (array < math.inf))
    return array


def probability(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read numbers from 0 to 1."""
    array = _as_float(where, name, value)
    require(where, name, "be from 0 to 1", array, (array >= 0) & (array <= 1))
    return array


def require(where: str, name: str, rule: str, array: FloatArray, holds: BoolArray | np.bool_) -> None:
    """Raise an error that shows the first entry for which the rule does not hold."""
    if holds.all():
        return
    if array.ndim == 0:
        reject(where, name, rule, array.item())
    index = tuple(int(i) for i in np.argwhere(~holds)[0])
    place = ", ".join(map(str, index))
    raise InputError(f"{where}: {name} must {rule}, but found {shown(array[index])} at [{place}]")


def common_shape(where: str, **arrays: FloatArray) -> tuple[int, ...]:
    """Broadcast the shapes of the parameters against each other."""
    shapes = {name: array.shape for name, array in arrays.items()}
    if all(shape == () for shape in shapes.values()):
        return ()
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        found = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"{where}: the parameters' shapes must fit together, but found {found}") from None


def _as_float(where: str, name: str, value: ArrayLike) -> FloatArray:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError
    except (TypeError, ValueError):
        reject(where, name, "be a number or an array of numbers", value)
    # A float32 stays a float32, so that rounding shows where the user computes in it; integers become float64.
    return array if array.dtype.kind == "f" else array.astype(np.float64)
