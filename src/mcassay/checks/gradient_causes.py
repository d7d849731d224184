"""What is wrong with a gradient: the coordinate with the largest gap, and simple mistakes that explain every coordinate."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mcassay.checks.gradient_points import Point
from mcassay.vocabulary import BoolArray, FloatArray, Generator, IntArray

_MOST_COORDINATES = 64


def explain(point: Point, block: int, rng: Generator) -> tuple[str, str, dict[str, Any]]:
    """Return what is wrong, where that shows most, and the figures behind it."""
    claimed, value = point.gradient[block], point.values[block]
    places = _places(point, block, rng)
    found, errors = _differences(point, block, places)
    known = np.isfinite(found)
    name = f'block "{point.names[block]}"'
    if not known.any():
        return f"slopes along {name} differ", "", {}
    places, found, errors = places[known], found[known], errors[known]
    gaps = np.abs(claimed.flat[places] - found)
    worst = int(np.argmax(gaps))
    errors = errors + point.precision * np.abs(found)
    cause = _cause(claimed, places, found, errors, value) or _count_wrong(gaps > errors, value.size)
    index = _written(np.unravel_index(places[worst], value.shape))
    where = (
        f"at {name}{index} = {value.flat[places[worst]]:.6g} it is {claimed.flat[places[worst]]:.6g}, "
        f"numerical differentiation says {found[worst]:.6g} to within {errors[worst]:.1g}"
    )
    return f"in {name}, {cause}", where, {"coordinate": index, "gap": float(gaps[worst])}


def _places(point: Point, block: int, rng: Generator) -> IntArray:
    """Choose coordinates to differentiate along; where they can not be all, one that is wrong among them."""
    size = point.values[block].size
    places = rng.permutation(size)
    if size <= _MOST_COORDINATES:
        return places
    suspect = _suspect(point, block, rng)
    return np.concatenate([[suspect], places[places != suspect][: _MOST_COORDINATES - 1]])


def _suspect(point: Point, block: int, rng: Generator) -> int:
    """Find a coordinate whose slope is wrong by halving the set of those that are moved."""
    scale = point.scales[block]
    direction = scale * rng.choice([-1.0, 1.0], size=scale.shape)
    places = np.arange(scale.size)
    while len(places) > 1:
        places = max(np.array_split(places, 2), key=lambda half: _gap(point, block, direction, half))
    return int(places[0])


def _gap(point: Point, block: int, direction: FloatArray, places: IntArray) -> float:
    part = np.zeros(direction.shape)
    part.flat[places] = direction.flat[places]
    terms = point.gradient[block] * part
    slope = point.line(block, part).best_slope(float(np.abs(terms).sum()))
    return 0.0 if slope is None else abs(float(terms.sum()) - slope.value) - slope.error


def _differences(point: Point, block: int, places: Any) -> tuple[FloatArray, FloatArray]:
    """Differentiate the log joint along single coordinates; NaN where that is not possible."""
    found, errors = np.full(len(places), np.nan), np.full(len(places), np.nan)
    for i, place in enumerate(places):
        direction = np.zeros(point.values[block].shape)
        step = direction.flat[place] = point.scales[block].flat[place]
        slope = point.line(block, direction).best_slope(abs(point.gradient[block].flat[place] * step))
        if slope is not None:
            found[i], errors[i] = slope.value / step, slope.error / step
    return found, errors


def _cause(claimed: FloatArray, places: Any, found: FloatArray, errors: FloatArray, value: FloatArray) -> str | None:
    """Name the first simple mistake under which every coordinate that could be differentiated agrees."""
    own, slack = claimed.flat[places], errors

    def fits(predicted: FloatArray) -> bool:
        return bool((np.abs(own - predicted) <= slack * max(1.0, float(np.abs(predicted).max() / np.abs(found).max()))).all())

    if not np.abs(found).max() > 0 or (np.abs(own - found) <= slack).all():
        return None
    missing = (own == 0) & (np.abs(found) > slack)
    kept = ~missing
    if missing.any() and kept.any() and (np.abs(own - found) <= slack)[kept].all():
        first = _written(np.unravel_index(places[int(np.argmax(missing))], value.shape))
        return (
            f"the coordinate {first or 'itself'} is missing (0){'' if missing.sum() == 1 else f', and {missing.sum() - 1} more'}"
        )
    for said, predicted in _simple_mistakes(claimed, places, found, value).items():
        if fits(predicted()):
            return said
    return None


def _simple_mistakes(
    claimed: FloatArray, places: Any, found: FloatArray, value: FloatArray
) -> dict[str, Callable[[], FloatArray]]:
    own, here = claimed.flat[places], np.ravel(value)[places]
    largest = int(np.argmax(np.abs(found)))
    factor = float(own[largest] / found[largest])
    mistakes: dict[str, Callable[[], FloatArray]] = {
        "it is zero": lambda: np.zeros_like(found),
        "its sign is reversed": lambda: -found,
        f"it is {_written_factor(factor)} times what it should be": lambda: factor * found,
        "it is the gradient with respect to the log of the block": lambda: found * here,
        "it is the gradient with respect to the log of the block, Jacobian included": lambda: found * here + 1.0,
    }
    if len(found) < 2:
        mistakes = {said: mistakes[said] for said in list(mistakes)[:3]}
    if claimed.ndim == 2 and claimed.shape[0] == claimed.shape[1] and len(places) == claimed.size:
        full = np.empty(claimed.shape)
        full.flat[places] = found
        mistakes = {"it is transposed": lambda: full.T.flat[places], **mistakes}
    return mistakes


def _written_factor(factor: float) -> str:
    """Write a factor with as many digits as show that it is not 1."""
    digits = 6 if factor == 1 else max(6, 2 + math.ceil(-math.log10(abs(factor - 1))))
    return f"{factor:.{digits}g}"


def _count_wrong(wrong: BoolArray, size: int) -> str:
    return f"{int(wrong.sum())} of {len(wrong)} coordinates{'' if len(wrong) == size else f' (of {size})'} differ"


def _written(index: Any) -> str:
    return f"[{', '.join(str(int(i)) for i in index)}]" if len(index) else ""
