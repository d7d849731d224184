"""The isotropic mixture with untied variances: each cluster spreads its points by a variance of its own.

As in ``mixture``, but ``sigma_sq_n`` has one entry a cluster, all of them with the same prior::

    sigma_sq_n_k ~ InverseGamma
    x_id         ~ Normal(mu_{z_i, d}, sigma_sq_n_{z_i})
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.distance import cdist

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.kernels.gibbs import Conditional
from mcassay.models.arguments import require_family
from mcassay.models.gaussian_mixture import GaussianMixture
from mcassay.vocabulary import Data, FloatArray, State


@dataclass(frozen=True, kw_only=True)
class UntiedIsotropicMixture(GaussianMixture):
    """A mixture of Gaussians, each with a variance of its own that is the same in every direction.

    The parameters are those of ``IsotropicMixture``; ``sigma_sq_n_prior`` is the prior of every cluster's variance.

    Examples
    --------
    >>> UntiedIsotropicMixture(clusters=2).subject()
    <Subject "untied mixture": updates pi, z, mu, sigma_sq_mu, sigma_sq_n>
    """

    sigma_sq_n_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))

    spread = "sigma_sq_n"
    title = "untied mixture"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_family(self, "sigma_sq_n_prior", InverseGamma)

    @property
    def spread_prior(self) -> InverseGamma:
        """The prior of the variances within clusters."""
        shape, scale = self.sigma_sq_n_prior.parameters["shape"], self.sigma_sq_n_prior.parameters["scale"]
        return InverseGamma(np.full(self.clusters, shape), scale=scale)

    def own_conditionals(self) -> dict[str, Conditional]:
        """Return the conditionals of z, mu and the variances within clusters."""
        return {"z": self.cond_z, "mu": self.cond_mu, "sigma_sq_n": self.cond_sigma_sq_n}

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        variance = state["sigma_sq_n"][:, np.newaxis]
        with np.errstate(divide="ignore"):
            prior = np.log(state["pi"])[:, np.newaxis]
        log_odds = cdist(state["mu"], data, "sqeuclidean") * (-0.5 / variance)
        log_odds += prior - 0.5 * self.dimensions * np.log(variance)
        return Categorical.from_log_odds(log_odds.T)

    def cond_mu(self, state: State, data: Data) -> Normal:
        """Return the conditional of the cluster means; an empty cluster has its prior."""
        within = state["sigma_sq_n"]
        variance = 1 / (self.cluster_sizes(state) / within + 1 / state["sigma_sq_mu"])[:, np.newaxis]
        return Normal(variance * self.cluster_sums(state, data) / within[:, np.newaxis], variance=variance)

    def cond_sigma_sq_n(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variances within clusters."""
        shape, scale = self.sigma_sq_n_prior.parameters["shape"], self.sigma_sq_n_prior.parameters["scale"]
        within = self.cluster_squares(state, data)
        return InverseGamma(shape + 0.5 * self.dimensions * self.cluster_sizes(state), scale=scale + 0.5 * within)

    def cluster_squares(self, state: State, data: Data) -> FloatArray:
        """Add up the squared distances of every cluster's points from its mean: shape (K,)."""
        squares = np.sum((data - self.means(state)) ** 2, axis=1)
        return np.asarray(np.bincount(state["z"], squares, self.clusters), np.float64)

    def cond_x(self, state: State) -> Normal:
        """Return the conditional of the data given the state."""
        return Normal(self.means(state), variance=state["sigma_sq_n"][state["z"]][:, np.newaxis])
