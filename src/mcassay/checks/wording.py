"""Distributions in words: parameters with the digits that are sure, and how one differs from another."""

import math
from typing import Any

import numpy as np

from mcassay.checks.implied import Implied
from mcassay.distributions.base import Family
from mcassay.distributions.categorical import Categorical
from mcassay.vocabulary import BoolArray, FloatArray

# Parameters in which mistakes come as a count that is off; all others are compared as ratios where they are positive.
_COUNTS = {"shape", "degrees_of_freedom", "concentration", "alpha", "beta", "mean_count", "trials"}
_LOCATIONS = {"mean", "location", "low", "high", "log_odds"}
_DIGITS = (7, 9, 12, 15)
_SAFETY = 10.0


def family_name(distribution: Family) -> str:
    """Write the family with an article, and with the trials of a binomial, which its conditional has to have as well."""
    name = type(distribution).__name__
    trials = distribution.parameters.get("trials")
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" + (f" of {trials.item():.0f} trials" if trials is not None else "")


def written_pair(claimed: Family, found: Implied) -> tuple[str, str]:
    """Write what is claimed and what is implied with as few digits, from seven on, as tell them apart."""
    exact = {name: np.zeros(np.shape(value)) for name, value in claimed.parameters.items()}
    for digits in _DIGITS:
        said, true = _written(claimed, exact, digits), _written(found.distribution, found.errors, digits)
        if said != true:
            break
    return said, true


def _written(distribution: Family, errors: dict[str, FloatArray], digits: int) -> str:
    spread = _spread(distribution)
    inside = [
        (name, numbers(value, errors[name], digits, spread if name in _LOCATIONS else 0.0))
        for name, value in distribution.parameters.items()
    ]
    if isinstance(distribution, Categorical):
        ((name, text),) = inside
        return f"Categorical.from_{name}({text})"
    return f"{type(distribution).__name__}({', '.join(f'{name}={text}' for name, text in inside)})"


def _spread(distribution: Any) -> float:
    """Return the size of typical deviations from the mean, next to which a location is as good as zero or not."""
    variance = getattr(distribution, "variance", 0.0)
    first = np.asarray(variance[0] if isinstance(variance, tuple) else variance, dtype=float)
    return math.sqrt(float(np.nan_to_num(first, nan=0.0, posinf=0.0).max(initial=0.0)))


def numbers(value: FloatArray, errors: FloatArray, digits: int, spread: float = 0.0) -> str:
    """Write a number or an array with at most so many significant digits, and no more than the errors leave.

    Examples
    --------
    >>> numbers(np.array([0.123456789, 1e-17]), np.array([1e-5, 1e-15]), 7)
    '[0.1235, 0]'
    """
    array = np.asarray(value, dtype=float)
    if array.size > 16:
        return f"<array of shape {array.shape}>"
    scale = max(spread, float(np.abs(array[np.isfinite(array)]).max(initial=0.0)))
    off = np.broadcast_to(errors, array.shape)
    texts = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        texts[index] = _number(float(array[index]), float(off[index]), digits, scale)
    return _nested(texts) if array.ndim else str(texts[()])


def _number(value: float, error: float, digits: int, scale: float) -> str:
    if error >= abs(value) and not (value == 0 and error == 0):
        return "0" if error < 1e-3 * scale else "?"
    if error > 0 and math.isfinite(value):
        digits = min(digits, max(1, math.floor(math.log10(abs(value) / error))))
    return f"{value:.{digits}g}" if value else "0"


def _nested(texts: Any) -> str:
    return texts if isinstance(texts, str) else f"[{', '.join(_nested(part) for part in texts)}]"


def compare(claimed: Family, found: Implied) -> str:
    """Say by how much the claimed parameters differ from the implied ones; parameters that agree are left out."""
    said = []
    for name, value in claimed.parameters.items():
        true = np.asarray(found.distribution.parameters[name], dtype=float)
        differs = _differs(np.asarray(value, dtype=float), true, found.errors[name])
        if differs.any():
            sure = np.where(np.abs(true) > found.errors[name], true, 0.0)
            said.append(_difference(name, np.asarray(value, dtype=float), sure, differs))
    return f"{', '.join(said)} here" if said else "they differ by less than the digits that are sure"


def _differs(claimed: FloatArray, true: FloatArray, errors: FloatArray) -> BoolArray:
    with np.errstate(invalid="ignore"):
        gaps = np.where(claimed == true, 0.0, np.abs(claimed - true))
    return np.asarray(gaps > _SAFETY * errors)


def _difference(name: str, claimed: FloatArray, true: FloatArray, differs: BoolArray) -> str:
    ratios = np.divide(claimed, true, out=np.full(true.shape, math.nan), where=(true != 0) & np.isfinite(true))
    by_ratio = name not in _COUNTS | _LOCATIONS
    if true.ndim > 0 and by_ratio and differs.any() and np.allclose(ratios[true != 0], ratios[differs].flat[0], rtol=1e-6):
        return _ratio(name, float(ratios[differs].flat[0]))
    index = _worst(claimed, true, differs)
    where = f"{name}[{', '.join(str(int(i)) for i in index)}]" if true.ndim else name
    a, b = float(claimed[index]), float(true[index])
    more = f" (the largest of {differs.sum()} differences)" if differs.sum() > 1 else ""
    return (_ratio(where, a / b) if by_ratio and np.sign(a) * np.sign(b) > 0 else _count(where, a, b)) + more


def _worst(claimed: FloatArray, true: FloatArray, differs: BoolArray) -> tuple[Any, ...]:
    with np.errstate(invalid="ignore"):
        gaps = np.where(differs, np.nan_to_num(np.abs(claimed - true), nan=0.0), -1.0)
    return np.unravel_index(int(np.argmax(gaps)), true.shape)


def _count(name: str, claimed: float, true: float) -> str:
    return f"{name} is {abs(claimed - true):.4g} too {'large' if claimed > true else 'small'}"


def _ratio(name: str, ratio: float) -> str:
    factor = max(ratio, 1 / ratio)
    # As many digits as show that the factor is not 1.
    digits = max(4, 2 + math.ceil(-math.log10(factor - 1))) if factor > 1 else 4
    return f"{name} is {factor:.{digits}g} times too {'large' if ratio > 1 else 'small'}"
