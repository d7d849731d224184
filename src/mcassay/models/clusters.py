"""What a cluster with its parameters integrated out remembers of its points, kept up to date as points come and go.

Everything a collapsed sampler asks of a cluster is in ``Cluster``. Two kinds of them are here: with mean and covariance
integrated out (normal inverse Wishart), and with the mean alone, both variances being known.
"""

import copy
import math
from collections.abc import Callable
from typing import Protocol, Self

import numpy as np
from scipy.special import multigammaln

from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.models.arithmetic import downdate_factor, log_determinant, squared_distance, update_factor
from mcassay.vocabulary import FloatArray

_LOG_PI = math.log(math.pi)
_LOG_TWO_PI = math.log(2 * math.pi)


class Cluster(Protocol):
    """The sufficient statistics of the points of one cluster."""

    count: int

    def add(self, x: FloatArray, /) -> None:
        """Take a point in."""
        ...

    def remove(self, x: FloatArray, /) -> bool:
        """Take a point out again; False says that digits were lost and the cluster has to be made anew from its points."""
        ...

    def log_predictive(self, x: FloatArray, /) -> float:
        """Return the log density of one more point given those that are in."""
        ...

    def log_marginal(self) -> float:
        """Return the log density of all points that are in, their parameters integrated out."""
        ...


MakeCluster = Callable[[], Cluster]


class GaussianCluster:
    """A cluster of unknown mean and covariance, which have a normal inverse Wishart prior.

    Kept are the number of points, the mean of the posterior, and the Cholesky factor of its scale matrix. A point that comes
    or goes changes them in O(D^2) steps, without a factorisation.

    Parameters
    ----------
    prior
        The prior of mean and covariance.

    Examples
    --------
    >>> import numpy as np
    >>> prior = NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=4.0, scale=np.eye(2))
    >>> cluster = GaussianCluster(prior)
    >>> cluster.add(np.array([1.0, 2.0]))
    >>> cluster.posterior.parameters["mean"]
    array([0.5, 1. ])
    >>> cluster.remove(np.array([1.0, 2.0]))
    True
    >>> cluster.posterior.parameters["mean"]
    array([0., 0.])
    """

    def __init__(self, prior: NormalInverseWishart) -> None:
        parameters = prior.parameters
        self.prior = prior
        self.count = 0
        self.prior_count = float(parameters["mean_count"])
        self.prior_degrees = float(parameters["degrees_of_freedom"])
        self.prior_factor = np.linalg.cholesky(parameters["scale"]).astype(np.float64)
        self._start()

    def _start(self) -> None:
        self.mean = np.array(self.prior.parameters["mean"], np.float64)
        self.factor = self.prior_factor.copy()

    @property
    def dimension(self) -> int:
        """The number of entries of a point."""
        return int(self.mean.shape[0])

    @property
    def mean_count(self) -> float:
        """How many observations the mean of the posterior counts for."""
        return self.prior_count + self.count

    @property
    def degrees_of_freedom(self) -> float:
        """The degrees of freedom of the posterior of the covariance."""
        return self.prior_degrees + self.count

    @property
    def predictive_degrees(self) -> float:
        """The degrees of freedom of the Student t distribution of one more point."""
        return self.degrees_of_freedom - self.dimension + 1

    @property
    def posterior(self) -> NormalInverseWishart:
        """The posterior of mean and covariance."""
        return NormalInverseWishart(
            self.mean,
            mean_count=self.mean_count,
            degrees_of_freedom=self.degrees_of_freedom,
            scale=self.factor @ self.factor.T,
        )

    def add(self, x: FloatArray, /) -> None:
        """Take a point in."""
        difference = x - self.mean
        before = self.mean_count
        self.count += 1
        self.mean += difference / self.mean_count
        update_factor(self.factor, math.sqrt(before / self.mean_count) * difference)

    def remove(self, x: FloatArray, /) -> bool:
        """Take a point out again; False says that digits were lost and the cluster has to be made anew from its points."""
        self.count -= 1
        if self.count == 0:  # the prior exactly: no rounding outlives its points
            self._start()
            return True
        after = self.mean_count
        self.mean -= (x - self.mean) / after
        return downdate_factor(self.factor, math.sqrt(after / (after + 1)) * (x - self.mean))

    def log_predictive(self, x: FloatArray, /) -> float:
        """Return the log density of one more point given those that are in."""
        widening = (self.mean_count + 1) / self.mean_count
        half = 0.5 * (self.predictive_degrees + self.dimension)
        distance = squared_distance(self.factor, x - self.mean) / widening
        gammas = math.lgamma(half) - math.lgamma(0.5 * self.predictive_degrees)
        size = self.dimension * (_LOG_PI + math.log(widening)) + log_determinant(self.factor)
        return gammas - 0.5 * size - half * math.log1p(distance)

    def log_marginal(self) -> float:
        """Return the log density of all points that are in, mean and covariance integrated out."""
        size, degrees = self.dimension, self.degrees_of_freedom
        gammas = multigammaln(0.5 * degrees, size) - multigammaln(0.5 * self.prior_degrees, size)
        spread = self.prior_degrees * log_determinant(self.prior_factor) - degrees * log_determinant(self.factor)
        counts = size * (math.log(self.prior_count / self.mean_count) - self.count * _LOG_PI)
        return float(gammas + 0.5 * (spread + counts))

    def copy(self) -> Self:
        """Return a cluster of the same points that can be changed on its own."""
        return copy.deepcopy(self)


class CentredCluster:
    """A cluster whose mean is integrated out: Normal(0, between) in every direction, and points Normal(mean, within).

    Kept are the number of points, their mean and their sum of squares about it.

    Parameters
    ----------
    dimension
        The number of entries of a point.
    between, within
        The variance of the mean about the origin, and of the points about the mean.

    Examples
    --------
    >>> import numpy as np
    >>> cluster = CentredCluster(1, between=3.0, within=1.0)
    >>> round(cluster.log_predictive(np.array([0.0])), 6)
    -1.612086
    """

    def __init__(self, dimension: int, *, between: float, within: float) -> None:
        self.between, self.within = float(between), float(within)
        self.count, self.mean, self.squares = 0, np.zeros(dimension), 0.0

    def add(self, x: FloatArray, /) -> None:
        """Take a point in."""
        self.count += 1
        difference = x - self.mean
        self.mean = self.mean + difference / self.count
        self.squares += float(difference @ (x - self.mean))

    def remove(self, x: FloatArray, /) -> bool:
        """Take a point out again; a mean and a sum of squares lose their digits to no point but one far away."""
        self.count -= 1
        if self.count == 0:
            self.mean, self.squares = np.zeros_like(self.mean), 0.0
            return True
        difference = x - self.mean
        self.mean = self.mean - difference / self.count
        before = self.squares
        self.squares -= float(difference @ (x - self.mean))
        return self.squares > 1e-7 * before or before == 0.0

    @property
    def mean_variance(self) -> float:
        """The variance of the posterior of the mean."""
        return 1 / (self.count / self.within + 1 / self.between)

    def log_predictive(self, x: FloatArray, /) -> float:
        """Return the log density of one more point given those that are in."""
        shrunk = self.mean_variance * self.count / self.within
        variance = self.mean_variance + self.within
        difference = x - shrunk * self.mean
        return -0.5 * (self.mean.size * (_LOG_TWO_PI + math.log(variance)) + float(difference @ difference) / variance)

    def log_marginal(self) -> float:
        """Return the log density of all points that are in, the mean integrated out."""
        pooled = self.within + self.count * self.between
        size = self.mean.size * (self.count * (_LOG_TWO_PI + math.log(self.within)) + math.log(pooled / self.within))
        return -0.5 * (size + self.squares / self.within + self.count * float(self.mean @ self.mean) / pooled)

    def copy(self) -> Self:
        """Return a cluster of the same points that can be changed on its own."""
        return copy.deepcopy(self)
