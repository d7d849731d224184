"""The beta distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, xlog1py, xlogy

from mcassay.distributions.base import SMALLEST, Family, Shape, inside, kept_between
from mcassay.distributions.parameters import common_shape, natural_rows, positive
from mcassay.distributions.stirling import beta_log_p
from mcassay.vocabulary import FloatArray, Generator

_BELOW_ONE = float(np.nextafter(1.0, 0.0))


class Beta(Family):
    """Beta distribution; array parameters give independent components.

    Parameters
    ----------
    alpha
        The density goes as ``x**(alpha - 1)`` near 0.
    beta
        The density goes as ``(1 - x)**(beta - 1)`` near 1.

    Notes
    -----
    At 0 and 1 the density is its limit, which is infinite for a parameter below 1. Draws of tiny parameters that no
    float can hold are rounded to the nearest one between 0 and 1, and never are 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> beta = Beta([1.0, 2.0], 3.0)
    >>> beta.log_p([0.0, 0.5])
    array([1.09861229, 0.40546511])
    >>> beta.mean
    array([0.25, 0.4 ])
    >>> beta.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "unit interval"

    def __init__(self, alpha: ArrayLike, beta: ArrayLike) -> None:
        self._alpha = positive("Beta", "alpha", alpha)
        self._beta = positive("Beta", "beta", beta)
        self.batch_shape = common_shape("Beta", alpha=self._alpha, beta=self._beta)
        self.parameters = {"alpha": self._alpha, "beta": self._beta}

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._per_component(self._alpha / (self._alpha + self._beta))

    @property
    def variance(self) -> FloatArray:
        """The variance of every component."""
        total = self._alpha + self._beta
        return self._per_component((self._alpha / total) * (self._beta / total) / (total + 1))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        with np.errstate(invalid="ignore"):
            usual = xlogy(self._alpha - 1, x) + xlog1py(self._beta - 1, -x) - betaln(self._alpha, self._beta)
            shapes = np.stack(np.broadcast_arrays(self._alpha, self._beta), axis=-1)
            log_p = beta_log_p(shapes, np.stack([x, 1 - x], axis=-1), 0.0, usual)
        return inside((x >= 0) & (x <= 1), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        return kept_between(rng.beta(self._alpha, self._beta, shape), SMALLEST, _BELOW_ONE)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log(x), log(1 - x))``."""
        x = self._doubles(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.stack([np.log(x), np.log1p(-x)], axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(alpha - 1, beta - 1)``."""
        return np.stack(np.broadcast_arrays(self._alpha - 1, self._beta - 1), axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "Beta":
        """Return the beta that has these natural parameters."""
        natural = natural_rows("Beta", natural, 2)
        return Beta(natural[..., 0] + 1, natural[..., 1] + 1)
