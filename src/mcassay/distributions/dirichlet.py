"""The Dirichlet distribution."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlogy

from mcassay.distributions.base import SMALLEST, Family, Shape, inside
from mcassay.distributions.parameters import adding_to_one, natural_rows, positive, rows
from mcassay.distributions.stirling import beta_log_p
from mcassay.vocabulary import FloatArray, Generator

# Below this, 1 / concentration overflows; a draw then is a corner of the simplex as it is at this value.
_TINY = 1e-290


class Dirichlet(Family):
    """Dirichlet distribution over vectors of K probabilities; further leading axes give independent components.

    Parameters
    ----------
    concentration
        K positive numbers, or an array of such rows.

    Notes
    -----
    Where a probability is 0 the density is its limit, infinite for a concentration below 1; where it would be zero and
    infinite at once there is no limit, and ``log_p`` is -inf. Probabilities too small for a float are drawn as the
    smallest one, 5e-324, never as 0.

    Examples
    --------
    >>> import numpy as np
    >>> dirichlet = Dirichlet([1.0, 2.0, 3.0])
    >>> dirichlet.log_p([[0.2, 0.3, 0.5], [0.5, 0.5, 0.5]])
    array([1.5040774,      -inf])
    >>> dirichlet.mean
    array([0.16666667, 0.33333333, 0.5       ])
    >>> dirichlet.sample(np.random.default_rng(1), size=4).shape
    (4, 3)
    """

    support = "simplex"
    _parameter_axes: Mapping[str, int] = {"concentration": 1}

    def __init__(self, concentration: ArrayLike) -> None:
        self._concentration = positive("Dirichlet", "concentration", rows("Dirichlet", "concentration", concentration))
        self.batch_shape = self._concentration.shape[:-1]
        self.event_shape = self._concentration.shape[-1:]
        self.parameters = {"concentration": self._concentration}

    @property
    def _total(self) -> FloatArray:
        total: FloatArray = self._concentration.sum(axis=-1, keepdims=True)
        return total

    @cached_property
    def _log_constant(self) -> FloatArray:
        constant: FloatArray = gammaln(self._total[..., 0]) - gammaln(self._concentration).sum(axis=-1)
        return constant

    @property
    def mean(self) -> FloatArray:
        """The mean of every component, one row each."""
        return self._concentration / self._total

    @property
    def variance(self) -> FloatArray:
        """The variance of every entry of every component."""
        mean = self.mean
        return mean * (1 - mean) / (self._total + 1)

    @property
    def covariance(self) -> FloatArray:
        """The covariance matrix of every component."""
        mean = self.mean
        spread = mean[..., :, np.newaxis] * (np.eye(mean.shape[-1]) - mean[..., np.newaxis, :])
        return spread / (self._total[..., np.newaxis] + 1)

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component, with respect to all probabilities but one."""
        x = self._points(x)
        with np.errstate(invalid="ignore", over="ignore"):
            kernel = xlogy(self._concentration - 1, x).sum(axis=-1)
            usual = kernel + self._log_constant
            log_p = beta_log_p(self._concentration, x, x.sum(axis=-1) - 1, usual)
        return inside((x >= 0).all(axis=-1) & adding_to_one(x) & ~np.isnan(kernel), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        entries = (shape or ()) + self.event_shape
        # In logarithms: gamma variables of tiny shapes are 0 in floating point, all of them, too often.
        logs = np.log(rng.standard_gamma(self._concentration + 1.0, entries))
        logs -= rng.standard_exponential(entries) / np.maximum(self._concentration, _TINY)
        draws = np.exp(logs - logs.max(axis=-1, keepdims=True))
        draws /= draws.sum(axis=-1, keepdims=True)
        return np.maximum(draws, SMALLEST)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``log(x)``."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs: FloatArray = np.log(self._doubles(x))
        return logs

    @property
    def natural_parameters(self) -> FloatArray:
        """``concentration - 1``."""
        return self._concentration - 1

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape[:-1])

    def with_natural_parameters(self, natural: FloatArray, /) -> "Dirichlet":
        """Return the Dirichlet that has these natural parameters."""
        return Dirichlet(natural_rows("Dirichlet", natural, self.event_shape[0]) + 1)
