"""The Wishart distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import multigammaln

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.matrices import (
    Root,
    diagonal,
    dual_half_vector,
    factored_where_possible,
    half_length,
    half_vector,
    outer,
    positive_definite,
    positive_definite_gram,
    squared_norm,
    symmetric_from_dual,
    symmetric_part,
)
from mcassay.distributions.parameters import common_shape, exactly_one, natural_rows, numbers, points, require
from mcassay.vocabulary import FloatArray, Generator

# Bartlett's diagonal may underflow where the degrees of freedom hardly exceed the dimension less one.
_SMALLEST = 1e-100


class Wishart(Family):
    """Wishart distribution of a positive definite matrix; arrays of parameters give independent components.

    Parameters
    ----------
    degrees_of_freedom
        The degrees of freedom, more than the dimension less one. The mean is ``degrees_of_freedom * scale``.
    scale, rate
        Exactly one of them, by name: the scale matrix or its inverse.

    Examples
    --------
    >>> import numpy as np
    >>> wishart = Wishart(5.0, scale=[[2.0, 1.0], [1.0, 2.0]])
    >>> wishart.log_p([[[2.0, 0.0], [0.0, 2.0]], [[2.0, 1.0], [1.0, 2.0]]])
    array([-7.01635341, -6.97070215])
    >>> wishart.sample(np.random.default_rng(1), size=3).shape
    (3, 2, 2)
    >>> wishart.mean
    array([[10.,  5.],
           [ 5., 10.]])
    """

    support = "positive definite"
    _parameter_axes = {"scale": 2, "rate": 2}  # noqa: RUF012

    def __init__(self, degrees_of_freedom: ArrayLike, *, scale: ArrayLike | None = None, rate: ArrayLike | None = None) -> None:
        name, value = exactly_one("Wishart", scale=scale, rate=rate)
        matrix, self._root = positive_definite("Wishart", name, value, inverse=name == "rate")
        self._degrees = enough_degrees("Wishart", degrees_of_freedom, self._root.dimension)
        self.event_shape = (self._root.dimension, self._root.dimension)
        self.parameters = {"degrees_of_freedom": self._degrees, name: matrix}
        self.batch_shape = common_shape("Wishart", self._parameter_axes, **self.parameters)

    @property
    def scale(self) -> FloatArray:
        """The scale matrix of every component."""
        return self._per_component(self.parameters.get("scale", self._root.matrix))

    @property
    def rate(self) -> FloatArray:
        """The inverse scale matrix of every component."""
        return self._per_component(self.parameters.get("rate", self._root.inverse))

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._degrees[..., None, None] * self.scale

    @property
    def variance(self) -> FloatArray:
        """The variance of every entry of every component."""
        spread = diagonal(self.scale)
        return self._degrees[..., None, None] * (self.scale**2 + outer(spread, spread))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        sound, root = factored_where_possible(x)
        trace = squared_norm(self._root.whiten(root.lower), axis=(-2, -1))
        power = 0.5 * (self._degrees - self._root.dimension - 1)
        log_normaliser = wishart_log_normaliser(self._degrees, self._root.dimension, self._root.log_determinant)
        return inside(sound, power * root.log_determinant - 0.5 * trace - log_normaliser)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        factor = bartlett(rng, self._degrees, self._root.dimension, shape or ())
        return positive_definite_gram(self._root.colour(factor))

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log det x, x)``, the matrix as its half-vector: the entries on and below the diagonal, row by row."""
        x = points("Wishart.sufficient_statistics", x, self.batch_shape, self.event_shape)
        return with_log_determinant(*factored_where_possible(x), symmetric_part(x))

    @property
    def natural_parameters(self) -> FloatArray:
        """``((degrees_of_freedom - D - 1) / 2, -rate / 2)``, the half-vector's off-diagonal entries doubled."""
        power = 0.5 * (self._degrees - self._root.dimension - 1)
        return joined(power, dual_half_vector(-0.5 * self.rate))

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape[:-2])[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "Wishart":
        """Return the Wishart with these natural parameters, given by scale or rate as this one was."""
        natural = natural_rows("Wishart", natural, 1 + half_length(self._root.dimension))
        degrees = 2 * natural[..., 0] + self._root.dimension + 1
        rate, root = positive_definite("Wishart", "rate", -2 * symmetric_from_dual(natural[..., 1:]), inverse=True)
        return Wishart(degrees, rate=rate) if "rate" in self.parameters else Wishart(degrees, scale=root.matrix)


def enough_degrees(where: str, degrees_of_freedom: ArrayLike, dimension: int) -> FloatArray:
    """Read degrees of freedom for which a distribution of matrices of this dimension is proper."""
    degrees = numbers(where, "degrees_of_freedom", degrees_of_freedom)
    rule = f"be greater than {dimension - 1} for matrices of dimension {dimension}"
    require(where, "degrees_of_freedom", rule, degrees, degrees > dimension - 1)
    return degrees


def bartlett(rng: Generator, degrees: FloatArray, dimension: int, shape: tuple[int, ...]) -> FloatArray:
    """Draw lower triangular factors of Wishart matrices of unit scale."""
    factor = np.zeros((*shape, dimension, dimension))
    rows, columns = np.tril_indices(dimension, -1)
    factor[..., rows, columns] = rng.standard_normal((*shape, len(rows)))
    each = np.arange(dimension)
    squared = rng.chisquare(degrees[..., None] - each, (*shape, dimension))
    factor[..., each, each] = np.maximum(np.sqrt(squared), _SMALLEST)
    return factor


def wishart_log_normaliser(degrees: FloatArray, dimension: int, log_determinant: FloatArray) -> FloatArray:
    """Return the log of the integral over the unnormalised density, at this log determinant of the scale."""
    scaled = 0.5 * degrees * (dimension * math.log(2) + log_determinant)
    normaliser: FloatArray = scaled + multigammaln(0.5 * degrees, dimension)
    return normaliser


def with_log_determinant(sound: Any, root: Root, matrix: FloatArray) -> FloatArray:
    """Return the log determinants and the half-vectors in one row; NaN where there is no log determinant."""
    return joined(np.where(sound, root.log_determinant, math.nan), half_vector(matrix))


def joined(first: FloatArray, half: FloatArray) -> FloatArray:
    """Put a number in front of every row."""
    batch = np.broadcast_shapes(first.shape, half.shape[:-1])
    rows = np.broadcast_to(half, batch + half.shape[-1:])
    return np.concatenate([np.broadcast_to(first, batch)[..., None], rows], axis=-1)
