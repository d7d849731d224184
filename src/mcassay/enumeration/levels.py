"""Draws from continuous laws that are only compared: what is known of the number is an interval, which every comparison narrows.

A level is an increasing or decreasing function of a number that is uniform on an interval. Whether it lies below a bound has a
known probability; once that is decided, the number is uniform on what is left of the interval. A level never becomes a number:
where the code needs one, enumeration is given up rather than a value drawn.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from mcassay.enumeration.paths import Path, Place, users_place

# What is less likely than this is taken for rounding, such as cumulative probabilities that end at 0.9999999999999999.
ROUNDING = 1e-14
_NUMBERS = (int, float, np.number, np.bool_)


class Monotone(NamedTuple):
    """An increasing or decreasing function and its inverse, which clips what lies outside the range."""

    forward: Callable[[float], float]
    inverse: Callable[[float], float]
    increasing: bool = True


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf


def _log1p(x: float) -> float:
    return math.log1p(x) if x > -1 else -math.inf


def _expm1(x: float) -> float:
    return math.expm1(x) if x < 700 else math.inf


LOG = Monotone(_log, _exp)
EXP = Monotone(_exp, _log)
LOG1P = Monotone(_log1p, _expm1)
EXPM1 = Monotone(_expm1, _log1p)


def times(factor: float) -> Monotone:
    """Return multiplication by a number that is not zero."""
    return Monotone(lambda x: x * factor, lambda y: y / factor, factor > 0)


def plus(constant: float) -> Monotone:
    """Return the addition of a number."""
    return Monotone(lambda x: x + constant, lambda y: y - constant)


def divided_by(negative: bool) -> Monotone:
    """Return 1 / x for x of one sign."""

    def inverse(y: float) -> float:
        wrong_side = y >= 0 if negative else y <= 0
        return (-math.inf if negative else math.inf) if wrong_side else 1 / y

    return Monotone(lambda x: 1 / x if x else (-math.inf if negative else math.inf), inverse, increasing=False)


def power(exponent: float) -> Monotone:
    """Return x ** exponent for x of 0 or more, and an exponent above 0."""
    return Monotone(lambda x: max(x, 0.0) ** exponent, lambda y: y ** (1 / exponent) if y > 0 else 0.0)


@dataclass
class Uniform:
    """A number drawn uniformly from 0 to 1, of which an interval is known."""

    path: Path
    place: Place
    law: str
    low: float = 0.0
    high: float = 1.0

    def is_below(self, bound: float) -> bool:
        """Decide whether the number lies below a bound."""
        if bound - self.low <= ROUNDING:
            return False
        if self.high - bound <= ROUNDING:
            return True
        share = (bound - self.low) / (self.high - self.low)
        below = self.path.choose((share, 1 - share)) == 0
        if below:
            self.high = bound
        else:
            self.low = bound
        return below


class Level:
    """An increasing or decreasing function of a uniform number: it can be transformed and compared, and has no value."""

    __slots__ = ("steps", "uniform")

    def __init__(self, uniform: Uniform, steps: tuple[Monotone, ...] = ()) -> None:
        self.uniform, self.steps = uniform, steps

    def then(self, step: Monotone) -> "Level":
        """Return a function of this level."""
        return Level(self.uniform, (*self.steps, step))

    def refuse(self, used: str) -> NoReturn:
        """Give up, since the number itself is needed."""
        reason = f"rng.{self.uniform.law}() has a continuous law, and its value is {used}"
        self.uniform.path.refuse(reason, self.uniform.place)

    def range(self) -> tuple[float, float]:
        """Return the lowest and highest value that are still possible."""
        ends = [self.uniform.low, self.uniform.high]
        for step in self.steps:
            ends = [step.forward(end) for end in ends]
        return min(ends), max(ends)

    def _is_below(self, bound: Any) -> bool:
        """Decide whether the level lies below a number."""
        number = float(bound)
        if math.isnan(number):
            return False
        for step in reversed(self.steps):
            number = step.inverse(number)
        increasing = sum(not step.increasing for step in self.steps) % 2 == 0
        return self.uniform.is_below(number) == increasing

    def _compared(self, other: Any, *, below: bool, equal: bool = False) -> Any:
        if other is self:  # numpy's searches compare keys with themselves
            return equal
        if isinstance(other, Level):
            self.refuse("compared with that of another draw")
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        found = self._is_below(other) == below and not math.isnan(float(other))
        # As for numbers: a comparison with one of numpy's gives a truth value of numpy's.
        return np.bool_(found) if isinstance(other, np.generic) else found

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, below=True)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, below=False)

    # A single value has no probability, so that it does not matter whether it counts.
    def __le__(self, other: Any) -> Any:
        return self._compared(other, below=True, equal=True)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, below=False, equal=True)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def _combined(self, other: Any, combine: Callable[[float], "Level | float"]) -> Any:
        if isinstance(other, Level):
            self.refuse("combined with that of another draw")
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        if not math.isfinite(number := float(other)):
            self.refuse(f"combined with {number}")
        return combine(number)

    def __add__(self, other: Any) -> Any:
        return self._combined(other, lambda number: self.then(plus(number)))

    def __sub__(self, other: Any) -> Any:
        return self._combined(other, lambda number: self.then(plus(-number)))

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        return self._combined(other, lambda number: self.then(times(number)) if number else 0.0)

    def __truediv__(self, other: Any) -> Any:
        return self._combined(other, lambda number: self.then(times(1 / number)) if number else self.refuse("divided by 0"))

    def __rtruediv__(self, other: Any) -> Any:
        low, high = self.range()
        if low < 0 < high:
            self.refuse("divided by")
        return self.then(divided_by(negative=high <= 0)) * other

    def __pow__(self, other: Any) -> Any:
        if self.range()[0] < 0:
            self.refuse("raised to a power although it may be negative")
        return self._combined(other, self._raised)

    def _raised(self, exponent: float) -> "Level | float":
        if exponent == 0:
            return 1.0
        raised = self.then(power(abs(exponent)))
        return raised if exponent > 0 else 1 / raised

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Level":
        return self.then(times(-1.0))

    def __pos__(self) -> "Level":
        return self

    def __abs__(self) -> "Level":
        low, high = self.range()
        if low < 0 < high:
            self.refuse("made positive")
        return self if low >= 0 else -self

    # numpy's functions call these on the elements of an array of levels.
    def log(self) -> "Level":
        """Return the logarithm."""
        return self.then(LOG)

    def log1p(self) -> "Level":
        """Return log(1 + x)."""
        return self.then(LOG1P)

    def exp(self) -> "Level":
        """Return the exponential."""
        return self.then(EXP)

    def expm1(self) -> "Level":
        """Return exp(x) - 1."""
        return self.then(EXPM1)

    def sqrt(self) -> "Level":
        """Return the square root."""
        return self.then(power(0.5))

    def square(self) -> "Level":
        """Return the square."""
        return self.then(power(2.0))

    def log2(self) -> "Level":
        """Return the logarithm to base 2."""
        return self.then(LOG).then(times(1 / math.log(2)))

    def log10(self) -> "Level":
        """Return the logarithm to base 10."""
        return self.then(LOG).then(times(1 / math.log(10)))

    def __floor__(self) -> int:
        low = self.range()[0]
        if low == -math.inf:
            self.refuse("rounded although it has no lowest value")
        whole = math.floor(low)
        while not self._is_below(whole + 1):
            whole += 1
        return whole

    floor = __floor__

    def __int__(self) -> int:
        if self.range()[0] < 0:
            self.refuse("rounded towards 0 although it may be negative")
        return self.__floor__()

    __trunc__ = __int__

    def __ceil__(self) -> int:
        return self.__floor__() + 1

    ceil = __ceil__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = np.empty((), object)
        array[()] = self
        return array if dtype is None else array.astype(dtype)

    def __float__(self) -> float:
        self.refuse("used by itself, not only compared with numbers")

    def __bool__(self) -> bool:
        self.refuse("used as a truth value")

    def __deepcopy__(self, memo: Any) -> "Level":
        return self

    def __repr__(self) -> str:
        return f"<a draw of rng.{self.uniform.law}()>"


class LevelArray(np.ndarray[Any, Any]):
    """An array of levels, of which numpy's searches take one at a time: they would compare one with the other."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar:
            return array[()]
        return array.view(LevelArray if array.dtype == object else np.ndarray)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function in (np.searchsorted, np.digitize):
            return _one_by_one(function, *arguments, **options)
        return super().__array_function__(function, types, arguments, options)


def _one_by_one(search: Any, first: Any, second: Any, *others: Any, **options: Any) -> Any:
    """Search for every level: the second argument of ``searchsorted``, the first of ``digitize``."""
    levels = np.asarray(second if search is np.searchsorted else first)
    found = np.empty(levels.shape, np.int64)
    for index in np.ndindex(levels.shape):
        pair = (first, levels[index]) if search is np.searchsorted else (levels[index], second)
        found[index] = search(*pair, *others, **options)
    return found[()]


def drawn(path: Path, law: str, steps: tuple[Monotone, ...] = ()) -> Level:
    """Return a new draw of a law, given as a function of a uniform number."""
    return Level(Uniform(path, users_place(), law), steps)
