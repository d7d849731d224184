"""The normal inverse Wishart distribution: a covariance, and a vector that is normal given it."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.matrices import (
    Root,
    diagonal,
    dual_half_vector,
    factored_where_possible,
    half_length,
    multiplied,
    outer,
    positive_definite,
    same_dimension,
    squared_norm,
    symmetric_from_dual,
    symmetric_from_half,
    vector,
)
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.pairs import Pair, pair
from mcassay.distributions.parameters import common_shape, natural_rows, points, positive, require
from mcassay.distributions.wishart import enough_degrees
from mcassay.vocabulary import BoolArray, FloatArray, Generator


class NormalInverseWishart(Family):
    """Joint distribution of a pair: a covariance, and a vector that is normal given it.

    covariance ~ InverseWishart(degrees_of_freedom, scale), value ~ MultivariateNormal(mean, covariance / mean_count).
    Arrays of parameters give independent components. A pair is a tuple ``(value, covariance)``.

    Parameters
    ----------
    mean
        The mean of the value: a vector, or an array of vectors along its last axis.
    mean_count
        How many observations the mean counts for.
    degrees_of_freedom, scale
        The parameters of the inverse Wishart distribution of the covariance.

    Examples
    --------
    >>> import numpy as np
    >>> joint = NormalInverseWishart([0.0, 1.0], mean_count=2.0, degrees_of_freedom=5.0, scale=[[4.0, 1.0], [1.0, 4.0]])
    >>> joint.log_p(([[0.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]))
    array([-7.43571272, -6.93571272])
    >>> value, covariance = joint.sample(np.random.default_rng(1))
    >>> value.shape, covariance.shape
    ((2,), (2, 2))
    """

    support = "pair"
    _parameter_axes = {"mean": 1, "scale": 2}  # noqa: RUF012

    def __init__(self, mean: ArrayLike, *, mean_count: ArrayLike, degrees_of_freedom: ArrayLike, scale: ArrayLike) -> None:
        where = "NormalInverseWishart"
        self._mean = vector(where, "mean", mean)
        self._count = positive(where, "mean_count", mean_count)
        matrix, _ = positive_definite(where, "scale", scale)
        self._dimension = same_dimension(where, mean=self._mean, scale=matrix)
        degrees = enough_degrees(where, degrees_of_freedom, self._dimension)
        self.event_shape = (self._dimension,)
        self.event_shapes = (self.event_shape, 2 * self.event_shape)
        self.parameters = {"mean": self._mean, "mean_count": self._count, "degrees_of_freedom": degrees, "scale": matrix}
        self.batch_shape = common_shape(where, self._parameter_axes, **self.parameters)
        self._covariance = InverseWishart(
            np.broadcast_to(degrees, self.batch_shape),
            scale=np.broadcast_to(matrix, self.batch_shape + 2 * self.event_shape),
        )

    def _value(self, covariance: Root) -> MultivariateNormal:
        factor = covariance.lower / np.sqrt(self._count)[..., None, None]
        return MultivariateNormal(self._mean, cholesky=factor)

    @property
    def _value_is_integrable(self) -> BoolArray:
        return np.asarray(self.parameters["degrees_of_freedom"] > self._dimension)[..., None]

    @property
    def mean(self) -> Pair:
        """The mean of the vector (NaN up to D degrees of freedom), and that of the covariance as InverseWishart's."""
        value = np.where(self._value_is_integrable, self._mean, math.nan)
        return self._per_component(value), self._covariance.mean

    @property
    def variance(self) -> Pair:
        """The variances of entries: of the vector (infinite up to D + 1 degrees of freedom, NaN up to D), and the rest."""
        marginal = diagonal(self._covariance.mean) / self._count[..., None]
        return np.where(self._value_is_integrable, marginal, math.nan), self._covariance.variance

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component at a pair."""
        value, covariance = self._read("log_p", x)
        _, root = factored_where_possible(covariance)
        return self._value(root).log_p(value) + self._covariance.log_p(covariance)

    def _drawn(self, rng: Generator, shape: Shape) -> Pair:
        covariance = self._covariance._drawn(rng, shape)
        return self._value(Root.of(covariance)).sample(rng), covariance

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(log det C, inverse of C, C^-1 value, value' C^-1 value)``, the matrix as its half-vector."""
        value, covariance = self._read("sufficient_statistics", x)
        of_covariance = self._covariance.sufficient_statistics(covariance)
        weighted = multiplied(symmetric_from_half(of_covariance[..., 1:]), value)
        # Not the product with what was weighted: of a matrix next to singular, that loses all digits.
        _, root = factored_where_possible(covariance)
        with np.errstate(all="ignore"):
            square = squared_norm(root.whiten_vectors(value))[..., np.newaxis]
        batch = weighted.shape[:-1]
        return np.concatenate(
            [np.broadcast_to(part, batch + part.shape[-1:]) for part in (of_covariance, weighted, square)], axis=-1
        )

    @property
    def natural_parameters(self) -> FloatArray:
        """``(-(degrees_of_freedom + D + 2) / 2, -(scale + pull mean') / 2, pull, -mean_count / 2)``.

        The pull is ``mean_count mean``; off-diagonal entries of the half-vector are doubled.
        """
        pull = self._count[..., None] * self._mean
        power = -0.5 * (self.parameters["degrees_of_freedom"] + self._dimension + 2)
        matrix = dual_half_vector(-0.5 * (self.parameters["scale"] + outer(pull, self._mean)))
        parts = (power[..., None], matrix, pull, -0.5 * self._count[..., None])
        return np.concatenate([np.broadcast_to(part, self.batch_shape + part.shape[-1:]) for part in parts], axis=-1)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the density has no part free of the parameters but a constant."""
        value, covariance = self._read("log_base_measure", x)
        return np.zeros(np.broadcast_shapes(value.shape[:-1], covariance.shape[:-2]))[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "NormalInverseWishart":
        """Return the normal inverse Wishart with these natural parameters."""
        where, size, half = "NormalInverseWishart", self._dimension, half_length(self._dimension)
        natural = natural_rows(where, natural, 1 + half + size + 1)
        count = -2 * natural[..., -1]
        require(where, "mean_count", "be positive", count, count > 0)
        pull = natural[..., 1 + half : -1]
        with np.errstate(over="ignore", invalid="ignore"):
            mean = pull / count[..., None]
            scale = -2 * symmetric_from_dual(natural[..., 1 : 1 + half]) - outer(pull, mean)
        degrees = -2 * natural[..., 0] - size - 2
        return NormalInverseWishart(mean, mean_count=count, degrees_of_freedom=degrees, scale=scale)

    def _read(self, method: str, x: Any) -> tuple[FloatArray, FloatArray]:
        where = f"NormalInverseWishart.{method}"
        value, covariance = pair(where, x, ("value", "covariance"))
        vector_shape, matrix_shape = self.event_shapes
        return points(where, value, self.batch_shape, vector_shape), points(where, covariance, self.batch_shape, matrix_shape)
