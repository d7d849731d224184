"""How much rounding there is inside a function, measured: what its value does between neighbouring inputs.

A sum of large terms inside the user's functions may lose digits that its result does not betray. Along a line of nearby inputs
a smooth function has high differences of nearly zero; what is found in them instead is rounding (Moré & Wild, "Estimating
computational noise", 2011).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mcassay.checks.identity import LARGE_COUNT
from mcassay.state import blocks, fields_of, replace_block
from mcassay.vocabulary import FloatArray, Generator

_POINTS = 12
_ORDERS = (4, 5, 6, 7)
# Relative distances between neighbours: rounding of a certain size only shows where the function moves by as much.
_DISTANCES = (1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 1e-1)


def noise_level(values: FloatArray) -> float:
    """Estimate the rounding in evenly spaced values of a smooth function; 0 where they are not all finite.

    Examples
    --------
    >>> x = np.linspace(1, 1.001, 12)
    >>> noise_level(x**2) < 1e-15, 1e-9 < noise_level(x**2 + 1e9 - 1e9) < 1e-6
    (True, True)
    """
    if not np.isfinite(values).all():
        return 0.0
    levels = []
    for order in _ORDERS:
        differences = np.diff(values, order)
        scale = math.sqrt(math.factorial(order) ** 2 / math.factorial(2 * order))
        levels.append(scale * float(np.sqrt(np.mean(differences**2))) if _alternates(differences) else 0.0)
    # Noise looks alike at every order; what is left of the function itself does not.
    return min(levels)


def _alternates(differences: FloatArray) -> bool:
    """Say whether high differences change their sign as those of noise do; next to a singularity they keep it."""
    signs = np.sign(differences[differences != 0])
    return bool(np.mean(signs[1:] != signs[:-1]) >= 0.5) if signs.size > 1 else signs.size == 1


def measured_noise(function: Callable[[Callable[[Any], Any]], float], rng: Generator) -> float:
    """Measure the rounding in a function of moved inputs.

    Parameters
    ----------
    function
        ``function(moved)``, which evaluates at ``moved(state)`` and ``moved(data)``; NaN where the comparison is not fair,
        since other magnitudes have another rounding.
    rng
        Chooses the direction.
    """
    key = int(rng.integers(2**63))
    with np.errstate(all="ignore"):
        lines = [[_at(function, key, distance, step) for step in range(_POINTS)] for distance in _DISTANCES]
    return max(noise_level(np.array(line)) for line in lines)


def _at(function: Callable[[Callable[[Any], Any]], float], key: int, distance: float, step: int) -> float:
    # Where the user's function breaks down next to a proper input, nothing is learned about its rounding.
    try:
        return function(lambda value: moved(value, distance, np.random.default_rng(key), step))
    except Exception:
        return math.nan


def moved(value: Any, distance: float, rng: Generator, steps: int = 1) -> Any:
    """Move every number by steps of up to this share of itself, in a direction that the generator chooses.

    Large whole numbers, such as counts, move by whole steps; small ones may be labels, and stay.
    """
    if fields_of(value) is None:
        return _moved_part(value, distance, rng, steps)
    for name, part in blocks(value).items():
        value = replace_block(value, name, _moved_part(part, distance, rng, steps))
    return value


def _moved_part(part: Any, distance: float, rng: Generator, steps: int) -> Any:
    array = np.asarray(part)
    if array.dtype.kind not in "fi":
        return part
    share = distance * rng.uniform(-1.0, 1.0, size=array.shape)
    if array.dtype.kind == "f":
        return (array * (1.0 + steps * share)).astype(array.dtype)[()]
    step = np.copysign(np.maximum(np.rint(np.abs(array * share)), 1.0), array * share)
    return (array + steps * np.where(np.abs(array) >= LARGE_COUNT, step, 0.0).astype(array.dtype))[()]


def grid_of(results: list[float]) -> float:
    """Return the coarsest grid that all results lie on: the largest power of two, up to 1, of which they are multiples."""
    distinct = {value for value in results if math.isfinite(value) and value != 0}
    if len(distinct) < 4:
        return 0.0
    return 1.0 / max(value.as_integer_ratio()[1] for value in distinct)


def has_fine_numbers(*values: Any) -> bool:
    """Say whether there are floating numbers that are no round ones, so that what is computed from them is not either."""
    for value in values:
        for part in blocks(value).values():
            if isinstance(part, (float, np.floating, np.ndarray)) and np.asarray(part).dtype.kind == "f":
                some = np.ravel(part)[:16].astype(float) * 2.0**20
                if np.any(np.isfinite(some) & (some != np.round(some))):
                    return True
    return False
