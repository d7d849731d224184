"""The inverse gamma distribution."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import SMALLEST, Family, Shape, doubles, inside, kept_between
from mcassay.distributions.gamma import log_constant
from mcassay.distributions.parameters import common_shape, natural_rows, positive
from mcassay.distributions.stirling import gamma_log_p
from mcassay.vocabulary import FloatArray, Generator


class InverseGamma(Family):
    """Inverse gamma distribution, the law of 1/y for a gamma y; array parameters give independent components.

    Parameters
    ----------
    shape
        The shape.
    scale
        The multiplier b in the density, which is proportional to ``x**(-shape - 1) * exp(-b / x)``: the rate, and not
        the scale, of the gamma variable 1/x.

    Notes
    -----
    Draws of a tiny shape that no float can hold are rounded to the largest one, and never are infinite or 0.

    Examples
    --------
    >>> import numpy as np
    >>> inverse_gamma = InverseGamma(3.0, scale=[1.0, 2.0])
    >>> inverse_gamma.log_p(1.0)
    array([-1.69314718, -0.61370564])
    >>> inverse_gamma.mean
    array([0.5, 1. ])
    >>> inverse_gamma.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "positive"

    def __init__(self, shape: ArrayLike, *, scale: ArrayLike) -> None:
        self._shape = positive("InverseGamma", "shape", shape)
        self._scale = positive("InverseGamma", "scale", scale)
        self.batch_shape = common_shape("InverseGamma", shape=self._shape, scale=self._scale)
        self.parameters = {"shape": self._shape, "scale": self._scale}

    @cached_property
    def _log_constant(self) -> FloatArray:
        return log_constant(self._shape, np.log(self._scale))

    @property
    def mean(self) -> FloatArray:
        """The mean of every component; infinite for a shape of at most 1."""
        excess = np.maximum(self._shape - 1, 0)
        with np.errstate(divide="ignore", over="ignore"):
            return self._per_component(self._scale / excess)

    @property
    def variance(self) -> FloatArray:
        """The variance of every component; infinite for a shape of at most 2."""
        excess = np.maximum(self._shape - 2, 0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            variance = (self._scale / (self._shape - 1)) ** 2 / excess
        return self._per_component(np.where(excess > 0, variance, np.inf))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            log_x, standardised = np.log(x), self._scale / x
            usual = self._log_constant - (self._shape + 1) * log_x - standardised
            log_p = gamma_log_p(self._shape, standardised, log_x, usual)
        return inside((x > 0) & (x < np.inf), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        with np.errstate(divide="ignore", over="ignore"):
            draws = self._scale / doubles(rng.standard_gamma(self._shape, shape))
        return kept_between(draws, SMALLEST)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log(x), 1 / x)``."""
        x = self._doubles(x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.stack([np.log(x), 1 / x], axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(-shape - 1, -scale)``."""
        return np.stack(np.broadcast_arrays(-self._shape - 1, -self._scale), axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "InverseGamma":
        """Return the inverse gamma that has these natural parameters."""
        natural = natural_rows("InverseGamma", natural, 2)
        return InverseGamma(-natural[..., 0] - 1, scale=-natural[..., 1])
