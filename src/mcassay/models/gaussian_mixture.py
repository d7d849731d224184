"""What finite mixtures of Gaussians share, whatever the spread within their clusters is.

::

    pi          ~ Dirichlet(alpha, ..., alpha)
    z_i         ~ Categorical(pi)
    sigma_sq_mu ~ InverseGamma        the variance between clusters
    mu_kd       ~ Normal(0, sigma_sq_mu)

One more block says how points spread within clusters; a model of this kind gives its prior and its conditional, and those of
z, mu and the data, which depend on it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.kernels.gibbs import Conditional, Gibbs
from mcassay.models.arguments import require_counts, require_family, require_positive, with_replaced
from mcassay.models.subjects import subject_of
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State


@dataclass(frozen=True, kw_only=True)
class GaussianMixture:
    """The common part of finite mixtures of Gaussians; see ``IsotropicMixture`` for the parameters."""

    clusters: int = 3
    dimensions: int = 2
    points: int = 20
    alpha: float = 1.0
    sigma_sq_mu_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))

    # The block of the spread within clusters, and what reports call the model.
    spread: ClassVar[str]
    title: ClassVar[str]

    def __post_init__(self) -> None:
        require_counts(self, "clusters", "dimensions", "points")
        require_positive(self, "alpha")
        require_family(self, "sigma_sq_mu_prior", InverseGamma)

    # What a model of this kind gives.

    @property
    def spread_prior(self) -> Any:
        """The prior of the spread within clusters."""
        raise NotImplementedError

    def own_conditionals(self) -> Mapping[str, Conditional]:
        """Return the conditionals of z, mu and the spread."""
        raise NotImplementedError

    def cond_x(self, state: State) -> Any:
        """Return the conditional of the data given the state."""
        raise NotImplementedError

    # The conditionals that do not depend on the spread.

    def cond_pi(self, state: State, data: Data) -> Dirichlet:
        """Return the conditional of the mixture probabilities."""
        return Dirichlet(self.alpha + self.cluster_sizes(state))

    def cond_sigma_sq_mu(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variance between clusters."""
        shape, scale = self.sigma_sq_mu_prior.parameters["shape"], self.sigma_sq_mu_prior.parameters["scale"]
        mu = state["mu"]
        return InverseGamma(shape + 0.5 * mu.size, scale=scale + 0.5 * np.sum(mu**2))

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
        spread = self.spread_prior.sample(rng)
        mu = Normal(0.0, variance=sigma_sq_mu).sample(rng, size=(self.clusters, self.dimensions))
        return {"pi": pi, "z": z, "mu": mu, "sigma_sq_mu": sigma_sq_mu, self.spread: spread}

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        data: FloatArray = self.cond_x(state).sample(rng)
        return data

    def log_joint(self, state: State, data: Data) -> float:
        """Return the log density of state and data."""
        log_p = self._pi_prior.log_p(state["pi"])
        log_p += self.sigma_sq_mu_prior.log_p(state["sigma_sq_mu"])
        log_p += np.sum(self.spread_prior.log_p(state[self.spread]))
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
        mine = self.own_conditionals()
        own: dict[str, Conditional] = {
            "pi": self.cond_pi,
            "z": mine["z"],
            "mu": mine["mu"],
            "sigma_sq_mu": self.cond_sigma_sq_mu,
            self.spread: mine[self.spread],
        }
        return Gibbs(dict(with_replaced(f"{type(self).__name__}.gibbs", own, conditionals).items()))

    def subject(self, **conditionals: Conditional) -> Subject:
        """Return the model and its Gibbs sampler as a subject, with other conditionals where given as for ``gibbs``."""
        return subject_of(self, self.gibbs(**conditionals), conditionals, self.title)
