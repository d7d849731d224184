"""The multivariate normal distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.matrices import (
    Root,
    diagonal,
    dual_half_vector,
    half_length,
    half_vector,
    lower_triangular,
    multiplied,
    outer,
    positive_definite,
    same_dimension,
    squared_norm,
    symmetric_from_dual,
    vector,
)
from mcassay.distributions.parameters import common_shape, exactly_one, natural_rows, points
from mcassay.vocabulary import FloatArray, Generator

_LOG_2_PI = math.log(2 * math.pi)


class MultivariateNormal(Family):
    """Normal distribution of a vector; arrays of vectors and matrices give independent components.

    Parameters
    ----------
    mean
        The mean: a vector, or an array of vectors along its last axis.
    covariance, cholesky, precision
        Exactly one of them, by name: the covariance, its lower triangular Cholesky factor, or its inverse; a matrix, or
        an array of matrices along its last two axes.

    Examples
    --------
    >>> import numpy as np
    >>> normal = MultivariateNormal([0.0, 1.0], covariance=[[2.0, 1.0], [1.0, 2.0]])
    >>> normal.log_p([[0.0, 1.0], [1.0, 1.0]])
    array([-2.38718321, -2.72051654])
    >>> normal.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    >>> normal.variance
    array([2., 2.])
    """

    support = "real"
    _parameter_axes = {"mean": 1, "covariance": 2, "cholesky": 2, "precision": 2}  # noqa: RUF012

    def __init__(
        self,
        mean: ArrayLike,
        *,
        covariance: ArrayLike | None = None,
        cholesky: ArrayLike | None = None,
        precision: ArrayLike | None = None,
    ) -> None:
        where = "MultivariateNormal"
        name, value = exactly_one(where, covariance=covariance, cholesky=cholesky, precision=precision)
        location = vector(where, "mean", mean)
        if name == "cholesky":
            spread, self._root = lower_triangular(where, name, value)
        else:
            spread, self._root = positive_definite(where, name, value, inverse=name == "precision")
        self.event_shape = (same_dimension(where, mean=location, **{name: spread}),)
        self.parameters = {"mean": location, name: spread}
        self.batch_shape = common_shape(where, self._parameter_axes, **self.parameters)
        self._mean = location

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._per_component(self._mean)

    @property
    def variance(self) -> FloatArray:
        """The variance of every entry of every component."""
        return diagonal(self.covariance)

    @property
    def covariance(self) -> FloatArray:
        """The covariance matrix of every component."""
        return self._spread("covariance")

    @property
    def cholesky(self) -> FloatArray:
        """The lower triangular Cholesky factor of the covariance of every component."""
        return self._spread("cholesky")

    @property
    def precision(self) -> FloatArray:
        """The inverse covariance of every component."""
        return self._spread("precision")

    def _spread(self, name: str) -> FloatArray:
        given = self.parameters.get(name)
        matrix = spread_as(name, self._root) if given is None else given
        return np.broadcast_to(matrix, self.batch_shape + 2 * self.event_shape)

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        with np.errstate(invalid="ignore", over="ignore"):
            distance = squared_norm(self._root.whiten_vectors(x - self._mean))
        log_p = -0.5 * (distance + self._root.dimension * _LOG_2_PI + self._root.log_determinant)
        return inside(np.isfinite(x).all(axis=-1), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        standard = rng.standard_normal((shape or ()) + self.event_shape)
        return self._mean + self._root.colour_vectors(standard)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(x, x x')``, the matrix as its half-vector: the entries on and below the diagonal, row by row."""
        x = points("MultivariateNormal.sufficient_statistics", x, self.batch_shape, self.event_shape)
        return np.concatenate([x, half_vector(outer(x, x))], axis=-1)

    @property
    def natural_parameters(self) -> FloatArray:
        """``(precision mean, -precision / 2)``, the matrix as its half-vector with off-diagonal entries doubled."""
        linear = multiplied(self.precision, self.mean)
        return np.concatenate([linear, dual_half_vector(-0.5 * self.precision)], axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters but a constant."""
        return np.zeros(self._doubles(x).shape[:-1])[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "MultivariateNormal":
        """Return the normal with these natural parameters, given by the same one of the alternatives as this one."""
        dimension = self._root.dimension
        natural = natural_rows("MultivariateNormal", natural, dimension + half_length(dimension))
        matrix = -2 * symmetric_from_dual(natural[..., dimension:])
        _, root = positive_definite("MultivariateNormal", "precision", matrix, inverse=True)
        name = next(name for name in self.parameters if name != "mean")
        return MultivariateNormal(root.times_vectors(natural[..., :dimension]), **{name: spread_as(name, root)})


def spread_as(name: str, root: Root) -> FloatArray:
    """Return a covariance by one of the names under which it may be given."""
    if name == "cholesky":
        return root.lower
    return root.inverse if name == "precision" else root.matrix
