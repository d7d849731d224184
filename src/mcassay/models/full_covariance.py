"""Mixtures of Gaussians with full covariances, which have an inverse Wishart prior.

As in ``mixture``, but with a block ``covariance`` in the place of ``sigma_sq_n``: one that all clusters share, or one a cluster
(untied)::

    covariance   ~ InverseWishart
    x_i          ~ MultivariateNormal(mu_{z_i}, covariance)        shared
    x_i          ~ MultivariateNormal(mu_{z_i}, covariance_{z_i})  untied
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.matrices import Root, multiplied
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.kernels.gibbs import Conditional
from mcassay.models.arguments import require_family
from mcassay.models.gaussian_mixture import GaussianMixture
from mcassay.vocabulary import Data, FloatArray, State


@dataclass(frozen=True, kw_only=True)
class FullCovarianceMixture(GaussianMixture):
    """A mixture of Gaussians that all have the same covariance, whatever its form.

    The parameters are those of ``IsotropicMixture``, but for the prior of the spread.

    Parameters
    ----------
    covariance_prior
        The InverseWishart prior of the covariance; None for D + 2 degrees of freedom and the identity, whose mean it then is.

    Examples
    --------
    >>> FullCovarianceMixture(clusters=2).subject()
    <Subject "full covariance": updates pi, z, mu, sigma_sq_mu, covariance>
    """

    covariance_prior: InverseWishart | None = None

    spread = "covariance"
    title = "full covariance"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.covariance_prior is None:
            identity = InverseWishart(self.dimensions + 2, scale=np.eye(self.dimensions))
            object.__setattr__(self, "covariance_prior", identity)
        require_family(self, "covariance_prior", InverseWishart, self.dimensions)

    @property
    def spread_prior(self) -> InverseWishart:
        """The prior of the covariance."""
        assert self.covariance_prior is not None
        return self.covariance_prior

    def own_conditionals(self) -> dict[str, Conditional]:
        """Return the conditionals of z, mu and the covariance."""
        return {"z": self.cond_z, "mu": self.cond_mu, "covariance": self.cond_covariance}

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        lower = np.linalg.cholesky(state["covariance"])
        # Whitened by a common factor, distances are Euclidean.
        means, points = _whitened(lower, state["mu"]), _whitened(lower, data)
        with np.errstate(divide="ignore"):
            log_odds = np.log(state["pi"])[:, np.newaxis] - 0.5 * cdist(means, points, "sqeuclidean")
        return Categorical.from_log_odds(log_odds.T)

    def cond_mu(self, state: State, data: Data) -> MultivariateNormal:
        """Return the conditional of the cluster means; an empty cluster has its prior."""
        inverse = Root.of(state["covariance"]).inverse
        precision = self.cluster_sizes(state)[:, np.newaxis, np.newaxis] * inverse
        precision += np.eye(self.dimensions) / state["sigma_sq_mu"]
        pull = multiplied(inverse, self.cluster_sums(state, data))
        return MultivariateNormal(_solved(precision, pull), precision=precision)

    def cond_covariance(self, state: State, data: Data) -> InverseWishart:
        """Return the conditional of the covariance."""
        parameters, residuals = self.spread_prior.parameters, data - self.means(state)
        degrees = parameters["degrees_of_freedom"] + len(data)
        return InverseWishart(degrees, scale=parameters["scale"] + residuals.T @ residuals)

    def cond_x(self, state: State) -> MultivariateNormal:
        """Return the conditional of the data given the state."""
        return MultivariateNormal(self.means(state), covariance=state["covariance"])


@dataclass(frozen=True, kw_only=True)
class UntiedCovarianceMixture(FullCovarianceMixture):
    """A mixture of Gaussians, each with a covariance of its own.

    The parameters are those of ``FullCovarianceMixture``; every covariance has the same prior.

    Examples
    --------
    >>> UntiedCovarianceMixture(clusters=2).subject()
    <Subject "untied covariance": updates pi, z, mu, sigma_sq_mu, covariance>
    """

    title = "untied covariance"

    @property
    def spread_prior(self) -> InverseWishart:
        """The prior of the covariances."""
        parameters = super().spread_prior.parameters
        degrees = np.full(self.clusters, parameters["degrees_of_freedom"])
        return InverseWishart(degrees, scale=parameters["scale"])

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        root = Root.of(state["covariance"])
        with np.errstate(divide="ignore"):
            prior = np.log(state["pi"]) - 0.5 * root.log_determinant
        squares = [np.sum(_whitened(lower, data - mu) ** 2, axis=1) for lower, mu in zip(root.lower, state["mu"], strict=True)]
        return Categorical.from_log_odds((prior[:, np.newaxis] - 0.5 * np.stack(squares)).T)

    def cond_covariance(self, state: State, data: Data) -> InverseWishart:
        """Return the conditional of the covariances."""
        parameters = super().spread_prior.parameters
        degrees = parameters["degrees_of_freedom"] + self.cluster_sizes(state)
        return InverseWishart(degrees, scale=parameters["scale"] + self.cluster_scatter(state, data))

    def cluster_scatter(self, state: State, data: Data) -> FloatArray:
        """Add up the outer squares of every cluster's points about its mean: shape (K, D, D)."""
        residuals = data - self.means(state)
        return np.stack([residuals[state["z"] == k].T @ residuals[state["z"] == k] for k in range(self.clusters)])

    def cond_x(self, state: State) -> MultivariateNormal:
        """Return the conditional of the data given the state."""
        lower = Root.of(state["covariance"]).lower
        return MultivariateNormal(self.means(state), cholesky=lower[state["z"]])


def _whitened(lower: FloatArray, points: FloatArray) -> FloatArray:
    whitened: FloatArray = solve_triangular(lower, points.T, lower=True).T
    return whitened


def _solved(matrix: FloatArray, vectors: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(matrix, vectors[..., np.newaxis])[..., 0], np.float64)
