"""Student's t distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import poch

from mcassay.distributions.base import MAXIMUM, Family, Shape, doubles, inside, kept_between
from mcassay.distributions.parameters import common_shape, numbers, positive
from mcassay.vocabulary import FloatArray, Generator

_LOG_PI = math.log(math.pi)


class StudentT(Family):
    """Student's t distribution, moved and scaled; array parameters give independent components.

    Parameters
    ----------
    degrees_of_freedom
        The smaller, the heavier the tails; 1 is the Cauchy distribution.
    location
        The median.
    scale
        What multiplies the standard t variable; the standard deviation is larger.

    Notes
    -----
    Draws beyond the largest float, which tiny degrees of freedom do yield, are rounded to it.

    Examples
    --------
    >>> import numpy as np
    >>> student = StudentT([1.0, 5.0], location=2.0, scale=3.0)
    >>> student.log_p(2.0)
    array([-2.24334217, -2.06723188])
    >>> student.variance
    array([nan, 15.])
    >>> student.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "real"

    def __init__(self, degrees_of_freedom: ArrayLike, *, location: ArrayLike = 0.0, scale: ArrayLike = 1.0) -> None:
        self._freedom = positive("StudentT", "degrees_of_freedom", degrees_of_freedom)
        self._location = numbers("StudentT", "location", location)
        self._scale = positive("StudentT", "scale", scale)
        self.parameters = {
            "degrees_of_freedom": self._freedom,
            "location": self._location,
            "scale": self._scale,
        }
        self.batch_shape = common_shape("StudentT", **self.parameters)

    @property
    def mean(self) -> FloatArray:
        """The mean of every component; nan where there is none, at one degree of freedom or less."""
        return self._per_component(np.where(self._freedom > 1, self._location, math.nan))

    @property
    def variance(self) -> FloatArray:
        """The variance of every component; infinite from two degrees of freedom down, nan from one down."""
        excess = np.maximum(self._freedom - 2, 0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            variance = self._scale * self._scale * (self._freedom / excess)
        return self._per_component(np.where(self._freedom > 2, variance, np.where(self._freedom > 1, math.inf, math.nan)))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        half = 0.5 * self._freedom
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            constant = np.log(poch(half, 0.5)) - 0.5 * (np.log(self._freedom) + _LOG_PI) - np.log(self._scale)
            # In logarithms: the square of a far point overflows, and far points are common here.
            log_square = 2 * (np.log(np.abs(x - self._location)) - np.log(self._scale)) - np.log(self._freedom)
            log_p = constant - (half + 0.5) * np.logaddexp(0, log_square)
        return inside(np.isfinite(x), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        with np.errstate(over="ignore"):
            draws = self._location + self._scale * doubles(rng.standard_t(self._freedom, shape))
        return kept_between(draws, -MAXIMUM)
