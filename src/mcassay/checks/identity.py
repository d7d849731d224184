"""Comparing two log ratios that must be equal: how much rounding may part them, and what a comparison shows.

Both sides of an exact identity are differences of large numbers, so what may remain between them follows from the precision
of those numbers and from how many terms were added up, never from a constant.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from mcassay.state import blocks

# Beyond this tolerance an agreement proves nothing.
COARSEST = 1e-3
FEWEST_PAIRS = 5
# From here on, a step of one is small beside a whole number.
LARGE_COUNT = 1000

_ROUNDING_STEPS = 64
# A log ratio of densities beyond which nothing is ever seen of a value.
_OUT_OF_REACH = 80.0


class Outcome(Enum):
    """What one comparison shows."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    HIDDEN = "hidden by rounding"
    IMPOSSIBLE = "impossible on both sides"


@dataclass(frozen=True)
class Pair:
    """A move from one value to another, weighed by a claim and by the joint.

    Each of the four numbers is a log density up to a constant; the two differences must be equal.
    """

    claim_new: float
    claim_old: float
    joint_new: float
    joint_old: float
    tolerance: float

    @property
    def gap(self) -> float:
        """The log ratio that is claimed less that of the joint."""
        return (self.claim_new - self.claim_old) - (self.joint_new - self.joint_old)

    @property
    def outcome(self) -> Outcome:
        """What the comparison shows."""
        ends = ((self.claim_new, self.joint_new), (self.claim_old, self.joint_old))
        if all(joint == -math.inf for _, joint in ends):
            return Outcome.IMPOSSIBLE
        if any((claim == -math.inf) != (joint == -math.inf) for claim, joint in ends):
            return Outcome.IMPOSSIBLE if self._out_of_reach() else Outcome.DISAGREES
        # An end that is impossible on both sides, or where both densities are infinite, says nothing about a ratio.
        if not math.isfinite(self.gap):
            return Outcome.IMPOSSIBLE
        if abs(self.gap) > self.tolerance:
            return Outcome.DISAGREES
        return Outcome.HIDDEN if self.tolerance > COARSEST else Outcome.AGREES

    def _out_of_reach(self) -> bool:
        """Say whether a value that only one side calls impossible is one that no chain would reach by the other side either.

        There exp() may simply have run out of range, as in the logarithm of a density that underflowed.
        """
        steps = {
            (self.claim_new, self.joint_new): (self.claim_new - self.claim_old, self.joint_new - self.joint_old),
            (self.claim_old, self.joint_old): (self.claim_old - self.claim_new, self.joint_old - self.joint_new),
        }
        wrong = [sides for (claim, joint), sides in steps.items() if (claim == -math.inf) != (joint == -math.inf)]
        return all(any(math.isfinite(side) and side < -_OUT_OF_REACH for side in sides) for sides in wrong)


def tolerance(magnitudes: Iterable[float], terms: int, epsilon: float, noise: float = 0.0) -> float:
    """Return how far rounding may part two sums of this many terms.

    Parameters
    ----------
    magnitudes
        The magnitudes that cancel.
    terms
        How many terms were added up; the error of a sum grows like the square root of their number.
    epsilon
        The precision of the numbers.
    noise
        The rounding inside the functions as far as it is known otherwise.
    """
    scale = sum(abs(value) for value in magnitudes if math.isfinite(value))
    return (epsilon * (1.0 + scale) + noise) * (_ROUNDING_STEPS + 4 * math.sqrt(terms))


def coarsest_epsilon(values: Iterable[Any]) -> float:
    """Return the machine epsilon of the coarsest floating type among some values; that of double precision without any."""
    types = {np.asarray(value).dtype for value in values if not isinstance(value, str)}
    found = [np.finfo(dtype).eps for dtype in types if dtype.kind == "f"]
    return float(max(found, default=np.finfo(float).eps))


def epsilon_of_results(results: list[float]) -> float:
    """Return the precision that computed results betray: single where every one of them is a single precision number.

    A function may compute in single precision and return a Python float; four results that all happen to lie on the coarse
    grid do not come from double precision (one chance in 2^29 each).
    """
    telling = [value for value in results if math.isfinite(value) and value != round(value)]
    with np.errstate(over="ignore"):
        single = len(set(telling)) >= 4 and all(float(np.float32(value)) == value for value in telling)
    return float(np.finfo(np.float32 if single else float).eps)


def count_numbers(*values: Any) -> int:
    """Count the numbers in states and data: as many terms as a sum over them has, roughly."""
    return sum(int(np.size(part)) for value in values for part in blocks(value).values())


def size_of_counts(*values: Any) -> float:
    """Return how large the logarithm of a factorial of whole numbers in states and data is, which may come and go in a sum.

    Beyond a thousand they may be no counts; how much rounding there is with them has to be measured.
    """
    parts = [np.asarray(part) for value in values for part in blocks(value).values() if not isinstance(part, str)]
    whole = [part for part in parts if part.dtype.kind in "iu" and part.size]
    largest = max((max(-float(part.min()), float(part.max())) for part in whole), default=0.0)
    return min(largest, LARGE_COUNT) * math.log(1.0 + min(largest, LARGE_COUNT))


def floating_parts(*values: Any) -> Iterator[Any]:
    """Yield the floating arrays and numbers in states and data."""
    for value in values:
        for part in blocks(value).values():
            if isinstance(part, (float, np.floating)) or (isinstance(part, np.ndarray) and part.dtype.kind == "f"):
                yield part
