"""The inverse Wishart distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.matrices import (
    diagonal,
    dual_half_vector,
    factored_where_possible,
    half_length,
    infinite_matrix,
    outer,
    positive_definite,
    positive_definite_gram,
    solve_lower,
    squared_norm,
    symmetric_from_dual,
)
from mcassay.distributions.parameters import common_shape, natural_rows, points
from mcassay.distributions.wishart import (
    bartlett,
    enough_degrees,
    joined,
    wishart_log_normaliser,
    with_log_determinant,
)
from mcassay.vocabulary import FloatArray, Generator


class InverseWishart(Family):
    """Inverse Wishart distribution of a positive definite matrix; arrays of parameters give independent components.

    Parameters
    ----------
    degrees_of_freedom
        The degrees of freedom, more than the dimension less one.
    scale
        The scale matrix. The mean is ``scale / (degrees_of_freedom - D - 1)``.

    Examples
    --------
    >>> import numpy as np
    >>> inverse = InverseWishart(5.0, scale=[[2.0, 1.0], [1.0, 2.0]])
    >>> inverse.log_p([[[2.0, 0.0], [0.0, 2.0]], [[2.0, 1.0], [1.0, 2.0]]])
    array([-8.12143044, -6.97070215])
    >>> inverse.sample(np.random.default_rng(1), size=3).shape
    (3, 2, 2)
    >>> inverse.mean
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    support = "positive definite"
    _parameter_axes = {"scale": 2}  # noqa: RUF012

    def __init__(self, degrees_of_freedom: ArrayLike, *, scale: ArrayLike) -> None:
        self._scale, self._root = positive_definite("InverseWishart", "scale", scale)
        self._degrees = enough_degrees("InverseWishart", degrees_of_freedom, self._root.dimension)
        self.event_shape = (self._root.dimension, self._root.dimension)
        self.parameters = {"degrees_of_freedom": self._degrees, "scale": self._scale}
        self.batch_shape = common_shape("InverseWishart", self._parameter_axes, **self.parameters)

    @property
    def mean(self) -> FloatArray:
        """The mean; up to D + 1 degrees of freedom infinite on the diagonal and NaN elsewhere."""
        excess = self._degrees[..., None, None] - self._root.dimension - 1
        mean = self._scale / np.where(excess > 0, excess, 1)
        return np.where(excess > 0, mean, infinite_matrix(self._root.dimension))

    @property
    def variance(self) -> FloatArray:
        """The variance of every entry: infinite up to D + 3 degrees of freedom, or NaN where there is no mean."""
        excess = self._degrees[..., None, None] - self._root.dimension
        safe = np.where(excess > 3, excess, 4)
        spread = diagonal(self._scale)
        above = (safe + 1) * self._scale**2 + (safe - 1) * outer(spread, spread)
        variance = above / (safe * (safe - 1) ** 2 * (safe - 3))
        return np.where(excess > 3, variance, np.where(excess > 1, math.inf, infinite_matrix(self._root.dimension)))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        sound, root = factored_where_possible(x)
        trace = squared_norm(root.whiten(self._root.lower), axis=(-2, -1))
        power = 0.5 * (self._degrees + self._root.dimension + 1)
        log_normaliser = wishart_log_normaliser(self._degrees, self._root.dimension, -self._root.log_determinant)
        return inside(sound, -power * root.log_determinant - 0.5 * trace - log_normaliser)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        factor = bartlett(rng, self._degrees, self._root.dimension, shape or ())
        return positive_definite_gram(solve_lower(factor, self._root.lower.mT).mT)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log det x, inverse of x)``, the matrix as its half-vector; NaN outside the support."""
        x = points("InverseWishart.sufficient_statistics", x, self.batch_shape, self.event_shape)
        sound, root = factored_where_possible(x)
        return with_log_determinant(sound, root, np.where(sound[..., None, None], root.inverse, math.nan))

    @property
    def natural_parameters(self) -> FloatArray:
        """``(-(degrees_of_freedom + D + 1) / 2, -scale / 2)``, the half-vector's off-diagonal entries doubled."""
        power = 0.5 * (self._degrees + self._root.dimension + 1)
        return joined(-power, dual_half_vector(-0.5 * self._scale))

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape[:-2])[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "InverseWishart":
        """Return the inverse Wishart with these natural parameters."""
        natural = natural_rows("InverseWishart", natural, 1 + half_length(self._root.dimension))
        degrees = -2 * natural[..., 0] - self._root.dimension - 1
        return InverseWishart(degrees, scale=-2 * symmetric_from_dual(natural[..., 1:]))
