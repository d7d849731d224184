"""The normal distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.parameters import common_shape, exactly_one, natural_rows, numbers, positive, require
from mcassay.vocabulary import FloatArray, Generator

_LOG_2_PI = math.log(2 * math.pi)


class Normal(Family):
    """Normal distribution; array parameters give independent components.

    Parameters
    ----------
    mean
        The mean.
    variance, sd, precision
        Exactly one of them, by name.

    Examples
    --------
    >>> import numpy as np
    >>> normal = Normal([0.0, 1.0], variance=4.0)
    >>> normal.log_p([0.0, 1.0])
    array([-1.61208571, -1.61208571])
    >>> normal.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    >>> normal.sd
    array([2., 2.])
    """

    support = "real"

    def __init__(
        self,
        mean: ArrayLike,
        *,
        variance: ArrayLike | None = None,
        sd: ArrayLike | None = None,
        precision: ArrayLike | None = None,
    ) -> None:
        name, value = exactly_one("Normal", variance=variance, sd=sd, precision=precision)
        location, spread = numbers("Normal", "mean", mean), positive("Normal", name, value)
        self.batch_shape = common_shape("Normal", mean=location, **{name: spread})
        self.parameters = {"mean": location, name: spread}
        self._mean = location
        self._sd = spread if name == "sd" else np.sqrt(spread) if name == "variance" else 1 / np.sqrt(spread)

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return np.broadcast_to(self._mean, self.batch_shape)[()]

    @property
    def sd(self) -> FloatArray:
        """The standard deviation of every component."""
        return np.broadcast_to(self._sd, self.batch_shape)[()]

    @property
    def variance(self) -> FloatArray:
        """The variance of every component."""
        with np.errstate(over="ignore"):
            return self._per_component(self.parameters.get("variance", self._sd * self._sd))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        with np.errstate(invalid="ignore", over="ignore"):
            standardised = (x - self._mean) / self._sd
            log_p = -0.5 * (standardised * standardised + _LOG_2_PI) - np.log(self._sd)
        return inside(np.isfinite(x), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        return rng.normal(self._mean, self._sd, shape)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(x, x**2)``."""
        x = self._doubles(x)
        with np.errstate(over="ignore"):
            return np.stack([x, x * x], axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(mean / variance, -1 / (2 variance))``."""
        with np.errstate(over="ignore", invalid="ignore"):
            precision = self._sd**-2
            return np.stack(np.broadcast_arrays(self._mean * precision, -0.5 * precision), axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters but a constant."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "Normal":
        """Return the normal that has these natural parameters, given by variance, sd or precision as this one was."""
        natural = natural_rows("Normal", natural, 2)
        precision = -2 * natural[..., 1]
        require("Normal", "precision", "be positive", precision, precision > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            spread = {"variance": 1 / precision, "sd": precision**-0.5, "precision": precision}
            mean = natural[..., 0] / precision
        name = next(name for name in self.parameters if name != "mean")
        return Normal(mean, **{name: spread[name]})
