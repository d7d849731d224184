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

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from scipy.spatial.distance import cdist

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.errors import reject
from mcassay.kernels.gibbs import Conditional, Gibbs
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State


@dataclass(frozen=True, kw_only=True)
class IsotropicMixture:
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

    clusters: int = 3
    dimensions: int = 2
    points: int = 20
    alpha: float = 1.0
    sigma_sq_mu_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))
    sigma_sq_n_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))

    def __post_init__(self) -> None:
        for name in ("clusters", "dimensions", "points"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
                reject("IsotropicMixture", name, "be a whole number of at least 1", number)
        if not isinstance(self.alpha, (int, float, np.number)) or not 0 < self.alpha < math.inf:
            reject("IsotropicMixture", "alpha", "be a positive number", self.alpha)
        for name in ("sigma_sq_mu_prior", "sigma_sq_n_prior"):
            prior = getattr(self, name)
            if not isinstance(prior, InverseGamma) or prior.batch_shape != ():
                reject("IsotropicMixture", name, "be an InverseGamma(shape, scale=...) of one variable", prior)

    # The conditional of every block, given all the others and the data.

    def cond_pi(self, state: State, data: Data) -> Dirichlet:
        """Return the conditional of the mixture probabilities."""
        return Dirichlet(self.alpha + self.cluster_sizes(state))

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

    def cond_sigma_sq_mu(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variance between clusters."""
        shape, scale = self.sigma_sq_mu_prior.parameters["shape"], self.sigma_sq_mu_prior.parameters["scale"]
        mu = state["mu"]
        return InverseGamma(shape + 0.5 * mu.size, scale=scale + 0.5 * np.sum(mu**2))

    def cond_sigma_sq_n(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variance within clusters."""
        shape, scale = self.sigma_sq_n_prior.parameters["shape"], self.sigma_sq_n_prior.parameters["scale"]
        residuals = data - self.means(state)
        return InverseGamma(shape + 0.5 * data.size, scale=scale + 0.5 * np.sum(residuals**2))

    def cond_x(self, state: State) -> Normal:
        """Return the conditional of the data given the state."""
        return Normal(self.means(state), variance=state["sigma_sq_n"])

    # What the conditionals are made of.

    def cluster_sizes(self, state: State) -> IntArray:
        """Count the data points of every cluster."""
        return np.bincount(state["z"], minlength=self.clusters)

    def cluster_sums(self, state: State, data: Data) -> FloatArray:
        """Add up the data points of every cluster: shape (K, D)."""
        cells = state["z"][:, np.newaxis] * self.dimensions + np.arange(self.dimensions)
        sums = np.asarray(np.bincount(cells.ravel(), data.ravel(), self.clusters * self.dimensions), np.float64)
        return sums.reshape(self.clusters, self.dimensions)

    def means(self, state: State) -> FloatArray:
        """Return the mean of every data point, that of its cluster: shape (N, D)."""
        means: FloatArray = np.take(state["mu"], state["z"], axis=0)
        return means

    @cached_property
    def _pi_prior(self) -> Dirichlet:
        return Dirichlet(np.full(self.clusters, self.alpha))

    # The joint distribution: drawn from, and its log density.

    def prior(self, rng: Generator) -> State:
        """Draw a state."""
        pi = self._pi_prior.sample(rng)
        z = Categorical.from_probabilities(pi).sample(rng, size=self.points)
        sigma_sq_mu = self.sigma_sq_mu_prior.sample(rng)
        sigma_sq_n = self.sigma_sq_n_prior.sample(rng)
        mu = Normal(0.0, variance=sigma_sq_mu).sample(rng, size=(self.clusters, self.dimensions))
        return {"pi": pi, "z": z, "mu": mu, "sigma_sq_mu": sigma_sq_mu, "sigma_sq_n": sigma_sq_n}

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        data: FloatArray = self.cond_x(state).sample(rng)
        return data

    def log_joint(self, state: State, data: Data) -> float:
        """Return the log density of state and data."""
        log_p = self._pi_prior.log_p(state["pi"])
        log_p += self.sigma_sq_mu_prior.log_p(state["sigma_sq_mu"])
        log_p += self.sigma_sq_n_prior.log_p(state["sigma_sq_n"])
        if log_p > -math.inf:
            log_p += np.sum(Categorical.from_probabilities(state["pi"]).log_p(state["z"]))
        if log_p == -math.inf:  # outside the support, where the rest is not defined
            return -math.inf
        log_p += np.sum(Normal(0.0, variance=state["sigma_sq_mu"]).log_p(state["mu"]))
        log_p += np.sum(self.cond_x(state).log_p(data))
        return float(log_p)

    # The sampler, and the subject that the checks take.

    def gibbs(self, **conditionals: Conditional) -> Gibbs:
        """Return the Gibbs sampler; ``block=conditional`` puts another conditional in the place of the model's own."""
        own: dict[str, Conditional] = {
            "pi": self.cond_pi,
            "z": self.cond_z,
            "mu": self.cond_mu,
            "sigma_sq_mu": self.cond_sigma_sq_mu,
            "sigma_sq_n": self.cond_sigma_sq_n,
        }
        for block in conditionals:
            if block not in own:
                reject("IsotropicMixture.gibbs", "every name", f"be one of {', '.join(own)}", block)
        return Gibbs({block: conditionals.get(block, conditional) for block, conditional in own.items()})

    def subject(self, **conditionals: Conditional) -> Subject:
        """Return the model and its Gibbs sampler as a subject, with other conditionals where given as for ``gibbs``."""
        return Subject(
            self.prior,
            self.simulate,
            self.gibbs(**conditionals),
            log_joint=self.log_joint,
            resize=partial(_resized, self, conditionals),
            name="mixture",
        )


def _resized(model: IsotropicMixture, conditionals: dict[str, Conditional], points: int) -> Subject:
    return replace(model, points=points).subject(**conditionals)


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
