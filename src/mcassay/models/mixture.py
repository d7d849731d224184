"""The isotropic mixture of Gaussians, the running example of Grosse & Duvenaud, "Testing MCMC code" (2014).

::

    pi          ~ Dirichlet(alpha, ..., alpha)
    z_i         ~ Categorical(pi)
    sigma_sq_mu ~ InverseGamma        the variance between clusters
    sigma_sq_n  ~ InverseGamma        the variance within clusters
    mu_kd       ~ Normal(0, sigma_sq_mu)
    x_id        ~ Normal(mu_{z_i, d}, sigma_sq_n)

Three things are kept apart. Distributions know nothing of the model; the model says what every block is given all the
others, as a distribution; the sampler, ``Gibbs``, works for any model. So a conditional can be checked without being run.

A state is a dict of the blocks pi (K), z (N), mu (K, D), sigma_sq_mu and sigma_sq_n; data are an array of shape (N, D).
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
from mcassay.vocabulary import Data, Generator, State


@dataclass(frozen=True, kw_only=True)
class IsotropicMixture(GaussianMixture):
    """A mixture of Gaussians whose clusters all have the same variance in every direction.

    Parameters
    ----------
    clusters, dimensions
        The number of clusters, K, and of dimensions, D.
    points
        The number of data points that a prior draw makes room for, N. The conditionals take it from the state and the data.
    alpha
        The concentration of the symmetric Dirichlet prior of the mixture probabilities.
    sigma_sq_mu_prior, sigma_sq_n_prior
        The priors of the variance between clusters and of the variance within clusters.

    Examples
    --------
    >>> import numpy as np
    >>> model = IsotropicMixture(clusters=2, points=5)
    >>> rng = np.random.default_rng(1)
    >>> state = model.prior(rng)
    >>> data = model.simulate(state, rng)
    >>> model.cond_sigma_sq_mu(state, data)
    InverseGamma(shape=5, scale=...)
    >>> state = model.gibbs()(state, data, rng)
    >>> model.subject()
    <Subject "mixture": updates pi, z, mu, sigma_sq_mu, sigma_sq_n>
    """

    sigma_sq_n_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))

    spread = "sigma_sq_n"
    title = "mixture"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_family(self, "sigma_sq_n_prior", InverseGamma)

    @property
    def spread_prior(self) -> InverseGamma:
        """The prior of the variance within clusters."""
        return self.sigma_sq_n_prior

    def own_conditionals(self) -> dict[str, Conditional]:
        """Return the conditionals of z, mu and the variance within clusters."""
        return {"z": self.cond_z, "mu": self.cond_mu, "sigma_sq_n": self.cond_sigma_sq_n}

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        with np.errstate(divide="ignore"):
            prior = np.log(state["pi"])
        # Differences are squared, not products expanded: that loses no digits, however far the data are from the origin.
        # One row a cluster as long as it is computed: what runs over the clusters of a point is fastest down the columns.
        log_odds = cdist(state["mu"], data, "sqeuclidean")
        log_odds *= -0.5 / state["sigma_sq_n"]
        log_odds += prior[:, np.newaxis]
        return Categorical.from_log_odds(log_odds.T)

    def cond_mu(self, state: State, data: Data) -> Normal:
        """Return the conditional of the cluster means; an empty cluster has its prior."""
        sizes, sums = self.cluster_sizes(state), self.cluster_sums(state, data)
        precision = sizes / state["sigma_sq_n"] + 1 / state["sigma_sq_mu"]
        variance = 1 / precision[:, np.newaxis]
        return Normal(variance * sums / state["sigma_sq_n"], variance=variance)

    def cond_sigma_sq_n(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variance within clusters."""
        shape, scale = self.sigma_sq_n_prior.parameters["shape"], self.sigma_sq_n_prior.parameters["scale"]
        return InverseGamma(shape + 0.5 * data.size, scale=scale + 0.5 * self.squares(state, data))

    def squares(self, state: State, data: Data) -> float:
        """Add up the squared distances of all points from their means."""
        residuals = data - self.means(state)
        return float(np.sum(residuals**2))

    def cond_x(self, state: State) -> Normal:
        """Return the conditional of the data given the state."""
        return Normal(self.means(state), variance=state["sigma_sq_n"])


def random_mixture(rng: Generator) -> IsotropicMixture:
    """Draw a small model: numbers of clusters, dimensions and points, and the parameters of the priors.

    Examples
    --------
    >>> import numpy as np
    >>> random_mixture(np.random.default_rng(1)).clusters
    2
    """
    shapes, scales = rng.uniform(1.0, 5.0, size=2), rng.uniform(0.5, 5.0, size=2)
    return IsotropicMixture(
        clusters=int(rng.integers(2, 6)),
        dimensions=int(rng.integers(1, 5)),
        points=int(rng.integers(5, 40)),
        alpha=float(rng.uniform(0.5, 5.0)),
        sigma_sq_mu_prior=InverseGamma(shapes[0], scale=scales[0]),
        sigma_sq_n_prior=InverseGamma(shapes[1], scale=scales[1]),
    )
