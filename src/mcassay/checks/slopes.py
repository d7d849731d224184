"""Slopes of a function of one variable by numerical differentiation, with a bound on their error.

Nothing is asked of the function outside its support: steps shrink until both sides are finite. A slope that depends on the step
or on the side is none, as at a kink.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from mcassay.checks.rounding import noise_level
from mcassay.vocabulary import FloatArray

Height = Callable[[float], float]

# Steps are relative to the scale of the variable: the first lose the fewest digits, the last see the least of what is far.
_STEPS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
_ERROR_STEPS = 10.0
_GOOD = 1e-7
COARSEST = 1e-3
_SMALLEST_NOISE_STEP = 1e-9


class SlopeOutcome(Enum):
    """What comparing a claimed slope with the numerical one shows."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    HIDDEN = "hidden by rounding"


@dataclass(frozen=True)
class Slope:
    """A slope, how far it may be off, and the step that it was taken with."""

    value: float
    error: float
    step: float


@dataclass(frozen=True)
class Line:
    """A function of one variable around zero, and the rounding in its values."""

    height: Height
    noise: float

    def slope(self, step: float, side: int = 0) -> Slope | None:
        """Differentiate with a step, on one side alone for -1 or 1; None where the function is not finite nearby."""
        from scipy.differentiate import derivative  # imported late: it takes longer than a whole check

        if not all(math.isfinite(self.height(t)) for t in (0.0, -step, step)):
            return None
        with np.errstate(all="ignore"):
            found = derivative(self._vectorised, 0.0, initial_step=step, step_direction=side, maxiter=5)
        value, error = float(found.df), float(found.error)
        if not (math.isfinite(value) and math.isfinite(error)):
            return None
        # The nearest of the points lie at an eighth of the step, and at half of that after every further iteration.
        rounding = self.noise * 16.0 * 2.0 ** int(found.nit) / step
        return Slope(value, _ERROR_STEPS * error + rounding, step)

    def _vectorised(self, t: Any) -> FloatArray:
        flat = np.array([self.height(float(one)) for one in np.ravel(t)])
        return flat.reshape(np.shape(t))

    def best_slope(self, size: float) -> Slope | None:
        """Return the slope with the least error over several steps; the first that is good enough for slopes of this size."""
        best: Slope | None = None
        for step in _STEPS:
            found = self.slope(step)
            if found is not None and (best is None or found.error < best.error):
                best = found
            if best is not None and best.error <= _GOOD * max(size, abs(best.value)):
                break
        return best

    def measured(self) -> "Line":
        """Return the same line with the rounding measured from its values nearby."""
        steps = [step for step in _STEPS if step >= _SMALLEST_NOISE_STEP]
        levels = [noise_level(np.array([self.height(1e-3 * step * k) for k in range(12)])) for step in steps]
        return Line(self.height, max(self.noise, 16 * max(levels)))


def compare(claimed: float, size: float, line: Line, rounding: float = 0.0) -> tuple[SlopeOutcome, Slope | None]:
    """Compare a claimed slope with the numerical one; a disagreement has to hold at several steps and on both sides.

    Parameters
    ----------
    claimed
        The slope that is claimed.
    size
        How large the terms are that the slope is added up from.
    line
        The function along a line.
    rounding
        How far the claim itself may be off for its own rounding.
    """
    found = line.best_slope(size)
    # Where nothing at all changes along the line, the change is compared with what a log density has to change to matter.
    if found is None or found.error > COARSEST * (max(size, abs(found.value)) or 1.0):
        return SlopeOutcome.HIDDEN, found
    if abs(claimed - found.value) <= found.error + rounding:
        return SlopeOutcome.AGREES, found
    return _confirm(claimed, size, line.measured(), found, rounding)


def _confirm(claimed: float, size: float, line: Line, first: Slope, rounding: float) -> tuple[SlopeOutcome, Slope]:
    allowed = COARSEST * max(size, abs(first.value))
    smaller = [line.slope(step * first.step) for step in (1.0, 0.1, 0.01)]
    kept = [found for found in smaller if found is not None and found.error <= allowed]
    if any(abs(claimed - found.value) <= found.error + rounding for found in kept):
        return SlopeOutcome.AGREES, min(kept, key=lambda found: abs(claimed - found.value))
    alike = all(abs(found.value - first.value) <= found.error + first.error for found in kept)
    if len(kept) < 2 or not alike or not _smooth(line, kept[-1], allowed):
        return SlopeOutcome.HIDDEN, first
    return SlopeOutcome.DISAGREES, kept[0]


def _smooth(line: Line, found: Slope, allowed: float) -> bool:
    """Say whether the slopes on either side are the same: a function has none at a kink."""
    sides = [line.slope(found.step, side) for side in (-1, 1)]
    return all(side is not None and abs(side.value - found.value) <= side.error + found.error + allowed for side in sides)
