"""The gamma distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlogy

from mcassay.distributions.base import SMALLEST, Family, Shape, doubles, inside, kept_between
from mcassay.distributions.parameters import common_shape, exactly_one, natural_rows, positive
from mcassay.distributions.stirling import gamma_log_p
from mcassay.vocabulary import FloatArray, Generator


class Gamma(Family):
    """Gamma distribution; array parameters give independent components.

    Parameters
    ----------
    shape
        The shape.
    rate, scale
        Exactly one of them, by name; the density falls as ``exp(-rate * x)``, or ``exp(-x / scale)``.

    Notes
    -----
    At 0 the density is its limit: infinite for a shape below 1, the rate for 1, zero above. Draws of a tiny shape that
    no float can hold are rounded up to the smallest one, 5e-324, and never are 0.

    Examples
    --------
    >>> import numpy as np
    >>> gamma = Gamma([1.0, 3.0], rate=2.0)
    >>> gamma.log_p([0.0, 1.0])
    array([ 0.69314718, -0.61370564])
    >>> gamma.mean
    array([0.5, 1.5])
    >>> gamma.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "positive"

    def __init__(self, shape: ArrayLike, *, rate: ArrayLike | None = None, scale: ArrayLike | None = None) -> None:
        name, value = exactly_one("Gamma", rate=rate, scale=scale)
        power, spread = positive("Gamma", "shape", shape), positive("Gamma", name, value)
        self.batch_shape = common_shape("Gamma", shape=power, **{name: spread})
        self.parameters = {"shape": power, name: spread}
        self._shape = power
        self._spread, self._by_rate = spread, name == "rate"

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        with np.errstate(over="ignore"):
            return self._per_component(self._scaled(self._shape))

    @property
    def variance(self) -> FloatArray:
        """The variance of every component."""
        with np.errstate(over="ignore"):
            return self._per_component(self._scaled(self._scaled(self._shape)))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            standardised = self._standardised(x)
            usual = xlogy(self._shape - 1, x) - standardised + log_constant(self._shape, self._log_rate)
            log_p = gamma_log_p(self._shape, standardised, np.log(x), usual)
        return inside((x >= 0) & (x < np.inf), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        with np.errstate(over="ignore"):
            draws = self._scaled(doubles(rng.standard_gamma(self._shape, shape)))
        return kept_between(draws, SMALLEST)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log(x), x)``."""
        x = self._doubles(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.stack([np.log(x), x], axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(shape - 1, -rate)``."""
        return np.stack(np.broadcast_arrays(self._shape - 1, -self._rate), axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "Gamma":
        """Return the gamma that has these natural parameters, given by rate or scale as this one was."""
        natural = natural_rows("Gamma", natural, 2)
        return Gamma(natural[..., 0] + 1, **self._spread_from(-natural[..., 1]))

    # The reciprocal of a tiny scale or rate overflows, so each is used as it was given wherever that is possible.
    def _standardised(self, x: FloatArray) -> FloatArray:
        return x * self._spread if self._by_rate else x / self._spread

    def _scaled(self, standard: FloatArray) -> FloatArray:
        return standard / self._spread if self._by_rate else standard * self._spread

    @property
    def _log_rate(self) -> FloatArray:
        return np.log(self._spread) if self._by_rate else -np.log(self._spread)

    @property
    def _rate(self) -> FloatArray:
        return self._spread if self._by_rate else reciprocal(self._spread)

    def _spread_from(self, rate: FloatArray) -> dict[str, FloatArray]:
        return {"rate": rate} if self._by_rate else {"scale": reciprocal(rate)}


def log_constant(shape: FloatArray, log_rate: FloatArray) -> FloatArray:
    """Return the logarithm of ``rate**shape / gamma(shape)``, which makes a gamma density add up to one."""
    constant: FloatArray = shape * log_rate - gammaln(shape)
    return constant


def reciprocal(value: FloatArray) -> FloatArray:
    """Return ``1 / value``, silently infinite where that is too large."""
    with np.errstate(divide="ignore", over="ignore"):
        inverse: FloatArray = 1 / value
    return inverse
