"""Distributions in words: parameters with the digits that are sure, and how one differs from another."""

import numpy as np

from mcassay.checks.implied import Implied
from mcassay.distributions.base import Family
from mcassay.vocabulary import FloatArray

# Parameters in which mistakes come as a count that is off; all others are compared as ratios where they are positive.
_COUNTS = {"shape", "degrees_of_freedom", "concentration", "alpha", "beta", "mean_count", "trials"}
_LOCATIONS = {"mean", "location", "low", "high"}
_MOST_DIGITS = 7


def with_digits(distribution: Family, digits: dict[str, int]) -> str:
    """Write a distribution with no more digits than are sure."""
    inside = ", ".join(f"{name}={number(value, digits[name])}" for name, value in distribution.parameters.items())
    return f"{type(distribution).__name__}({inside})"


def number(value: FloatArray, digits: int) -> str:
    """Write a number or an array with so many significant digits."""
    digits = max(1, min(digits, _MOST_DIGITS))
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return f"{array.item():.{digits}g}"
    if array.size > 16:
        return f"<array of shape {array.shape}>"
    shown = np.array2string(array, separator=", ", formatter={"float_kind": lambda x: f"{x:.{digits}g}"})
    return shown.replace("\n", "")


def compare(claimed: Family, found: Implied) -> str:
    """Say by how much the claimed parameters differ from the implied ones; parameters that agree are left out."""
    said = [
        _difference(name, np.asarray(value, dtype=float), np.asarray(found.distribution.parameters[name], dtype=float))
        for name, value in _comparable(claimed).items()
        if _differs(value, _comparable(found.distribution)[name], found.digits[name])
    ]
    return f"{', '.join(said)} here" if said else "they differ beyond the digits that can be shown"


def _comparable(distribution: Family) -> dict[str, FloatArray]:
    return {name: np.asarray(value, dtype=float) for name, value in distribution.parameters.items()}


def _differs(claimed: FloatArray, true: FloatArray, digits: int) -> bool:
    with np.errstate(invalid="ignore"):
        gap = np.nan_to_num(np.abs(claimed - true), nan=0.0).max()
    return bool(gap > 10.0 ** (1 - digits) * np.abs(true[np.isfinite(true)]).max(initial=0.0))


def _difference(name: str, claimed: FloatArray, true: FloatArray) -> str:
    index = np.unravel_index(_worst(claimed, true), true.shape)
    ratios = claimed / np.where(true == 0, np.nan, true)
    if true.ndim > 0 and name not in _COUNTS | _LOCATIONS and np.allclose(ratios, ratios.flat[0], rtol=1e-6):
        return _ratio(name, float(ratios.flat[0]))
    where = f"{name}[{', '.join(str(int(i)) for i in index)}]" if true.ndim else name
    a, b = float(claimed[index]), float(true[index])
    if name in _COUNTS | _LOCATIONS or a * b <= 0:
        return f"{where} is {abs(a - b):.4g} too {'large' if a > b else 'small'}"
    return _ratio(where, a / b)


def _worst(claimed: FloatArray, true: FloatArray) -> int:
    return int(np.argmax(np.nan_to_num(np.abs(claimed - true), nan=0.0, posinf=0.0)))


def _ratio(name: str, ratio: float) -> str:
    return f"{name} is {max(ratio, 1 / ratio):.4g} times too {'large' if ratio > 1 else 'small'}"
