"""By how much a map stretches volumes: the Jacobian of a proposal without random numbers, by numerical differentiation."""

import math
from collections.abc import Callable

import numpy as np

from mcassay.vocabulary import FloatArray

_MOST_DIMENSIONS = 30
# Relative steps; where the answers from both agree, they are as good as their difference.
_STEPS = (1e-4, 5e-5)
_ROUGH = 1e-3


def log_volume_change(move: Callable[[FloatArray], FloatArray | None], at: FloatArray) -> tuple[float, float] | None:
    """Return the log of the Jacobian of a map at a point, and how far it may be off; None where it can not be known.

    Parameters
    ----------
    move
        The map from vectors to vectors; None where a point is none that it can be asked at.
    at
        The point.

    Examples
    --------
    >>> value, error = log_volume_change(lambda x: 1 / x, np.array([2.0, 4.0]))
    >>> bool(abs(value + math.log(4.0 * 16.0)) < error < 1e-6)
    True
    """
    if not 0 < at.size <= _MOST_DIMENSIONS:
        return None
    found = [_log_determinant(move, at, step) for step in _STEPS]
    if not all(math.isfinite(value) for value in found):
        return None
    # Halving the step leaves a quarter of the error.
    value, error = found[1] + (found[1] - found[0]) / 3, abs(found[1] - found[0]) + 1e-7
    return (value, error) if error < _ROUGH else None


def _log_determinant(move: Callable[[FloatArray], FloatArray | None], at: FloatArray, step: float) -> float:
    columns = []
    for place in range(at.size):
        shift = np.zeros(at.size)
        shift[place] = step * (abs(at[place]) or 1.0)
        ends = move(at + shift), move(at - shift)
        if ends[0] is None or ends[1] is None:
            return math.nan
        columns.append((ends[0] - ends[1]) / (2 * shift[place]))
    with np.errstate(all="ignore"):
        return float(np.linalg.slogdet(np.stack(columns, axis=-1))[1])
