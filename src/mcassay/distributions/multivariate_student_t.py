"""The multivariate Student t distribution."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.matrices import (
    diagonal,
    infinite_matrix,
    log_norm,
    lower_triangular,
    positive_definite,
    relative,
    same_dimension,
    vector,
)
from mcassay.distributions.parameters import common_shape, exactly_one, positive
from mcassay.vocabulary import FloatArray, Generator


class MultivariateStudentT(Family):
    """Student t distribution of a vector; arrays of parameters give independent components.

    Parameters
    ----------
    degrees_of_freedom
        The degrees of freedom, positive.
    location
        The centre: a vector, or an array of vectors along its last axis.
    scale_matrix, cholesky
        Exactly one of them, by name: the scale matrix (the covariance is larger by the factor
        ``degrees_of_freedom / (degrees_of_freedom - 2)``), or its lower triangular Cholesky factor.

    Examples
    --------
    >>> import numpy as np
    >>> student = MultivariateStudentT(4.0, [0.0, 1.0], scale_matrix=[[2.0, 1.0], [1.0, 2.0]])
    >>> student.log_p([[0.0, 1.0], [1.0, 1.0]])
    array([-2.38718321, -2.84963525])
    >>> student.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    >>> student.variance
    array([4., 4.])
    """

    support = "real"
    _parameter_axes = {"location": 1, "scale_matrix": 2, "cholesky": 2}  # noqa: RUF012

    def __init__(
        self,
        degrees_of_freedom: ArrayLike,
        location: ArrayLike,
        *,
        scale_matrix: ArrayLike | None = None,
        cholesky: ArrayLike | None = None,
    ) -> None:
        where = "MultivariateStudentT"
        name, value = exactly_one(where, scale_matrix=scale_matrix, cholesky=cholesky)
        self._degrees = positive(where, "degrees_of_freedom", degrees_of_freedom)
        self._location = vector(where, "location", location)
        read = lower_triangular if name == "cholesky" else positive_definite
        spread, self._root = read(where, name, value)
        self.event_shape = (same_dimension(where, location=self._location, **{name: spread}),)
        self.parameters = {"degrees_of_freedom": self._degrees, "location": self._location, name: spread}
        self.batch_shape = common_shape(where, self._parameter_axes, **self.parameters)

    @property
    def mean(self) -> FloatArray:
        """The mean of every component; NaN up to one degree of freedom."""
        return self._per_component(np.where(self._degrees[..., None] > 1, self._location, math.nan))

    @property
    def variance(self) -> FloatArray:
        """The variance of every entry: infinite up to two degrees of freedom, NaN up to one."""
        return diagonal(self.covariance)

    @property
    def covariance(self) -> FloatArray:
        """The covariance; up to two degrees of freedom infinite on its diagonal, NaN elsewhere and up to one."""
        degrees = self._degrees[..., None, None]
        excess = np.where(degrees > 2, degrees - 2, 1)
        finite = degrees / excess * self.scale_matrix
        infinite = np.where(degrees > 1, infinite_matrix(self._root.dimension), math.nan)
        return np.where(degrees > 2, finite, infinite)

    @property
    def scale_matrix(self) -> FloatArray:
        """The scale matrix of every component."""
        matrix = self.parameters.get("scale_matrix", self._root.matrix)
        return np.broadcast_to(matrix, self.batch_shape + 2 * self.event_shape)

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density of every component."""
        x = self._points(x)
        half, half_dimension = self._degrees / 2, self._root.dimension / 2
        # gammaln(half + half_dimension) - gammaln(half), without their cancellation at many degrees of freedom.
        log_gamma_ratio = gammaln(half_dimension) - betaln(half, half_dimension)
        log_normaliser = half_dimension * np.log(self._degrees * math.pi) + self._root.log_determinant / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            log_distance = 2 * self._log_whitened_norm(x) - np.log(self._degrees)
            log_tail = (half + half_dimension) * np.logaddexp(0, log_distance)
        return inside(np.isfinite(x).all(axis=-1), log_gamma_ratio - log_normaliser - log_tail)

    def _log_whitened_norm(self, x: FloatArray) -> FloatArray:
        # The tails are so heavy that the density is an ordinary number where squares and even differences overflow.
        largest, halves = relative(0.5 * x - 0.5 * self._location)
        return math.log(2) + np.log(largest) + log_norm(self._root.whiten_vectors(halves))

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        coloured = self._root.colour_vectors(rng.standard_normal((shape or ()) + self.event_shape))
        # With few degrees of freedom the divisor may underflow to zero.
        divisor = np.maximum(rng.chisquare(self._degrees, shape), np.finfo(float).tiny) / self._degrees
        return self._location + coloured / np.sqrt(divisor)[..., None]
