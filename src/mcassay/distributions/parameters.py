"""Reading the parameters of a distribution: what is found, or an error that says what would be right."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.errors import InputError, reject, shown
from mcassay.vocabulary import BoolArray, FloatArray

# The fourth power of this, or of its reciprocal, is a number in single precision.
_LARGE = 1e9


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
    return between(where, name, value, 0, 1)


def between(where: str, name: str, value: ArrayLike, low: float, high: float) -> FloatArray:
    """Read numbers in a closed interval."""
    array = _as_float(where, name, value)
    require(where, name, f"be from {low:.6g} to {high:.6g}", array, (array >= low) & (array <= high))
    return array


def count(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read whole numbers from zero up to where floating point still tells them apart."""
    array = _as_float(where, name, value).astype(np.float64, copy=False)
    whole = (array >= 0) & (array <= 2**53) & (array == np.floor(array))
    require(where, name, "be a whole number from 0 to 2**53", array, whole)
    return array


def rows(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read a vector or an array of vectors, each with at least one entry; the entries may be any numbers."""
    array = _as_float(where, name, value)
    if array.ndim == 0 or array.shape[-1] == 0:
        reject(where, name, "be a vector, or rows of vectors, with at least one entry", value)
    return array


def adding_to_one(array: FloatArray) -> BoolArray | np.bool_:
    """Say which rows add up to one: to 1e-8, or to the rounding of a coarser type."""
    tolerance = max(1e-8, 4 * math.sqrt(array.shape[-1]) * float(np.finfo(array.dtype).eps))
    with np.errstate(invalid="ignore", over="ignore"):
        holds: BoolArray | np.bool_ = abs(np.add.reduce(array, axis=-1) - 1) <= tolerance
    return holds


def points(where: str, x: ArrayLike, batch_shape: tuple[int, ...], event_shape: tuple[int, ...] = ()) -> FloatArray:
    """Read the values at which a density is asked for: any numbers, of a shape that fits the distribution's."""
    array = _as_float(where, "x", x)
    if array.shape != batch_shape + event_shape:
        _check_fit(where, array, batch_shape, event_shape)
    return array


def natural_rows(where: str, natural: ArrayLike, length: int) -> FloatArray:
    """Read natural parameters, one row of this length per component, none of them NaN."""
    array = rows(where, "natural parameters", natural)
    if array.shape[-1] != length:
        reject(where, "natural parameters", f"have {length} entries in the last axis", natural)
    require(where, "natural parameters", "be numbers", array, ~np.isnan(array))
    return array


def require(where: str, name: str, rule: str, array: FloatArray, holds: BoolArray | np.bool_) -> None:
    """Raise an error that shows the first entry for which the rule does not hold."""
    if bool(holds) if holds.ndim == 0 else holds.all():  # the truth of one number is read ten times as fast
        return
    if holds.ndim == 0:
        reject(where, name, rule, array.item() if array.ndim == 0 else array)
    index = tuple(int(i) for i in np.argwhere(~holds)[0])
    place = ", ".join(map(str, index))
    raise InputError(f"{where}: {name} must {rule}, but found {shown(array[index])} at [{place}]")


def common_shape(where: str, axes: Mapping[str, int] | None = None, /, **arrays: FloatArray) -> tuple[int, ...]:
    """Broadcast the shapes of the parameters against each other, without the trailing axes of one component."""
    own = axes or {}
    shapes = {name: array.shape[: array.ndim - own.get(name, 0)] for name, array in arrays.items()}
    if all(shape == () for shape in shapes.values()):
        return ()
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(f"{where}: the parameters' shapes must fit together, but found {found}") from None


def _as_float(where: str, name: str, value: ArrayLike) -> FloatArray:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError
    except (TypeError, ValueError):
        reject(where, name, "be a number or an array of numbers", value)
    # A float32 stays a float32, so that rounding shows where the user computes in it. Everything else becomes float64,
    # long doubles too: neither numpy's samplers nor scipy.special know them.
    return array if array.dtype.char == "f" and _has_room(array) else array.astype(np.float64, copy=False)


def _has_room(array: FloatArray) -> bool:
    """Say whether single precision still holds what is computed of numbers: their squares, and products of these."""
    size = np.abs(array)
    return bool(((size == 0) | ~np.isfinite(size) | ((size > 1 / _LARGE) & (size < _LARGE))).all())


def _check_fit(where: str, array: FloatArray, batch_shape: tuple[int, ...], event_shape: tuple[int, ...]) -> None:
    lead = array.shape[: array.ndim - len(event_shape)]
    try:
        fits = array.shape[len(lead) :] == event_shape
        np.broadcast_shapes(lead, batch_shape)
    except ValueError:
        fits = False
    if not fits:
        wanted = batch_shape + event_shape
        raise InputError(f"{where}: x must have a shape that fits {wanted}, but found shape {array.shape}")
