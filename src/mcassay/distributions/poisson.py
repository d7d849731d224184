"""The Poisson distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlogy

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.parameters import between, natural_rows
from mcassay.distributions.stirling import gamma_log_p
from mcassay.vocabulary import FloatArray, Generator

# Numpy's sampler knows no larger rates: its draws would not fit into 64 bits.
_LARGEST_RATE = 9e18


class Poisson(Family):
    """Poisson distribution; array parameters give independent components.

    Parameters
    ----------
    rate
        The mean, from 0 (always 0) to 9e18.

    Examples
    --------
    >>> import numpy as np
    >>> poisson = Poisson([0.0, 2.0])
    >>> poisson.log_p([0, 3])
    array([ 0.        , -1.71231793])
    >>> poisson.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "integer"

    def __init__(self, rate: ArrayLike) -> None:
        self._rate = between("Poisson", "rate", rate, 0, _LARGEST_RATE)
        self.batch_shape = self._rate.shape
        self.parameters = {"rate": self._rate}

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._per_component(self._rate)

    @property
    def variance(self) -> FloatArray:
        """The variance of every component, which is its mean."""
        return self.mean

    def log_p(self, x: Any, /) -> FloatArray:
        """Log probability of every component."""
        x = self._points(x)
        log_factorial = gammaln(x + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            usual = xlogy(x, self._rate) - self._rate - log_factorial
            log_p = gamma_log_p(x + 1, self._rate, np.log(self._rate), usual)
        # Where the factorial overflows there is nothing left of the probability either.
        return inside((x >= 0) & (x == np.floor(x)) & (log_factorial < np.inf), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        return rng.poisson(self._rate, shape)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(x,)``."""
        return self._doubles(x)[..., np.newaxis]

    @property
    def natural_parameters(self) -> FloatArray:
        """``(log(rate),)``, -inf for the rate 0."""
        with np.errstate(divide="ignore"):
            logs: FloatArray = np.log(self._rate)[..., np.newaxis]
        return logs

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Minus the logarithm of the factorial of x."""
        log_factorial: FloatArray = gammaln(self._doubles(x) + 1)
        return -log_factorial

    def with_natural_parameters(self, natural: FloatArray, /) -> "Poisson":
        """Return the Poisson that has these natural parameters."""
        with np.errstate(over="ignore"):
            return Poisson(np.exp(natural_rows("Poisson", natural, 1)[..., 0]))
