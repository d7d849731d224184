"""The uniform distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.parameters import common_shape, numbers, require
from mcassay.vocabulary import FloatArray, Generator


class Uniform(Family):
    """Uniform distribution on an interval that includes its ends; array parameters give independent components.

    Parameters
    ----------
    low, high
        The ends of the interval.

    Examples
    --------
    >>> import numpy as np
    >>> uniform = Uniform(0.0, [1.0, 4.0])
    >>> uniform.log_p([1.5, 4.0])
    array([       -inf, -1.38629436])
    >>> uniform.mean
    array([0.5, 2. ])
    >>> uniform.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "interval"

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        self._low, self._high = numbers("Uniform", "low", low), numbers("Uniform", "high", high)
        self.batch_shape = common_shape("Uniform", low=self._low, high=self._high)
        self.parameters = {"low": self._low, "high": self._high}
        with np.errstate(over="ignore"):
            self._width = self._high - self._low
        if not ((self._width > 0) & (self._width < math.inf)).all():
            self._reject_width()

    def _reject_width(self) -> None:
        high, low = np.asarray(self._per_component(self._high)), self._low
        above = f"be above the low of {low.item():.6g}" if low.ndim == 0 else "be above its low"
        require("Uniform", "high", above, high, self._width > 0)
        require("Uniform", "high", "differ from low by a finite number", high, self._width < math.inf)

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._per_component(self._low + 0.5 * self._width)

    @property
    def variance(self) -> FloatArray:
        """The variance of every component."""
        with np.errstate(over="ignore"):
            return self._per_component(self._width * self._width / 12)

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        return inside((x >= self._low) & (x <= self._high), -np.log(self._width))

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        return rng.uniform(self._low, self._high, shape)
