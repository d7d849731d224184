"""The normal inverse gamma distribution: a variance, and a value that is normal given it."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import SMALLEST, Family, Shape, kept_between
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.distributions.pairs import Pair, pair
from mcassay.distributions.parameters import common_shape, natural_rows, numbers, points, positive, require
from mcassay.vocabulary import FloatArray, Generator


class NormalInverseGamma(Family):
    """Joint distribution of a pair: variance ~ InverseGamma(shape, scale), value ~ Normal(mean, variance / mean_count).

    Array parameters give independent components. A pair is a tuple ``(value, variance)``.

    Parameters
    ----------
    mean
        The mean of the value.
    mean_count
        How many observations the mean counts for.
    shape, scale
        The parameters of the inverse gamma distribution of the variance.

    Examples
    --------
    >>> import numpy as np
    >>> joint = NormalInverseGamma([0.0, 1.0], mean_count=2.0, shape=3.0, scale=4.0)
    >>> joint.log_p(([0.0, 0.0], 2.0))
    array([-2.22579135, -2.72579135])
    >>> value, variance = joint.sample(np.random.default_rng(1))
    >>> value.shape, variance.shape
    ((2,), (2,))
    >>> joint.mean
    (array([0., 1.]), array([2., 2.]))
    """

    support = "pair"
    event_shapes = ((), ())

    def __init__(self, mean: ArrayLike, *, mean_count: ArrayLike, shape: ArrayLike, scale: ArrayLike) -> None:
        where = "NormalInverseGamma"
        self._mean = numbers(where, "mean", mean)
        self._count = positive(where, "mean_count", mean_count)
        self._shape, self._scale = positive(where, "shape", shape), positive(where, "scale", scale)
        self.parameters = {
            "mean": self._mean,
            "mean_count": self._count,
            "shape": self._shape,
            "scale": self._scale,
        }
        self.batch_shape = common_shape(where, **self.parameters)

    @property
    def _variance(self) -> InverseGamma:
        return InverseGamma(self._per_component(self._shape), scale=self._per_component(self._scale))

    def _value(self, variance: FloatArray) -> Normal:
        # Divided as standard deviations, a tiny variance can not underflow to zero.
        with np.errstate(over="ignore"):
            sd = np.sqrt(variance) / np.sqrt(self._count)
        return Normal(self._mean, sd=kept_between(sd, SMALLEST))

    @property
    def mean(self) -> Pair:
        """The means of the value (NaN for a shape up to 1/2) and of the variance (infinite for a shape up to 1)."""
        value = np.where(self._shape > 0.5, self._mean, math.nan)
        return self._per_component(value), self._variance.mean

    @property
    def variance(self) -> Pair:
        """The variances of the value (infinite for a shape up to 1, NaN up to 1/2) and of the variance."""
        mean = self._variance.mean / self._count
        return np.where(self._shape > 0.5, mean, math.nan)[()], self._variance.variance

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component at a pair."""
        value, variance = self._read("log_p", x)
        sound = (variance > 0) & np.isfinite(variance)
        given = self._value(np.where(sound, variance, 1))
        return given.log_p(value) + self._variance.log_p(variance)

    def _drawn(self, rng: Generator, shape: Shape) -> Pair:
        variance = self._variance._drawn(rng, shape)
        return self._value(variance).sample(rng), variance

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log variance, 1 / variance, value / variance, value**2 / variance)``."""
        value, variance = self._read("sufficient_statistics", x)
        with np.errstate(all="ignore"):
            ratio = value / variance
            statistics = np.broadcast_arrays(np.log(variance), 1 / variance, ratio, value * ratio)
        return np.stack(statistics, axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(-shape - 3/2, -scale - mean_count mean**2 / 2, mean_count mean, -mean_count / 2)``."""
        with np.errstate(over="ignore"):
            pull = self._count * self._mean
            inverse_power = -self._scale - 0.5 * pull * self._mean
        natural = np.broadcast_arrays(-self._shape - 1.5, inverse_power, pull, -0.5 * self._count)
        return np.stack(natural, axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters but a constant."""
        value, variance = self._read("log_base_measure", x)
        return np.zeros(np.broadcast_shapes(value.shape, variance.shape))[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "NormalInverseGamma":
        """Return the normal inverse gamma with these natural parameters."""
        log_power, inverse_power, pull, half_count = np.moveaxis(natural_rows("NormalInverseGamma", natural, 4), -1, 0)
        count = -2 * half_count
        require("NormalInverseGamma", "mean_count", "be positive", count, count > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            mean = pull / count
            scale = -inverse_power - 0.5 * pull * mean
        return NormalInverseGamma(mean, mean_count=count, shape=-log_power - 1.5, scale=scale)

    def _read(self, method: str, x: Any) -> tuple[FloatArray, FloatArray]:
        where = f"NormalInverseGamma.{method}"
        value, variance = pair(where, x, ("value", "variance"))
        return points(where, value, self.batch_shape), points(where, variance, self.batch_shape)
