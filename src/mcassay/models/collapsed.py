"""Finite mixtures of Gaussians of which only the labels are left: mixture probabilities and centres are integrated out.

::

    z             ~ DirichletMultinomial(alpha, ..., alpha)

    isotropic:  sigma_sq_mu, sigma_sq_n ~ InverseGamma
                x_i ~ Normal(mu_{z_i}, sigma_sq_n),  mu_kd ~ Normal(0, sigma_sq_mu) integrated out
    full:       x_i ~ MultivariateNormal(mu_{z_i}, Sigma_{z_i}),  (mu_k, Sigma_k) ~ NormalInverseWishart integrated out

Every point's label has a conditional of its own given all other labels. ``sampler`` draws them one after another and keeps the
clusters' sufficient statistics up to date; ``pointwise`` makes each of them a block, so that it can be compared with the joint.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.normal import Normal
from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.kernels.compose import Cycle
from mcassay.kernels.gibbs import Gibbs
from mcassay.models.arguments import require_counts, require_family, require_positive, with_replaced
from mcassay.models.clusters import CentredCluster, Cluster, GaussianCluster
from mcassay.models.label_gibbs import FiniteGibbs
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.seating import Seating
from mcassay.models.subjects import subject_of
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State, Step


@dataclass(frozen=True, kw_only=True)
class CollapsedMixture:
    """What collapsed mixtures share, whatever their clusters are."""

    clusters: int = 3
    points: int = 12
    alpha: float = 1.0

    def __post_init__(self) -> None:
        require_counts(self, "clusters", "points")
        require_positive(self, "alpha")

    # What a model of this kind gives.

    @property
    def title(self) -> str:
        """What reports call the model."""
        raise NotImplementedError

    def empty_cluster(self, state: State) -> Cluster:
        """Return a cluster without points."""
        raise NotImplementedError

    def draw_hyperparameters(self, rng: Generator) -> State:
        """Draw the blocks that the clusters depend on."""
        return {}

    def log_hyperparameters(self, state: State) -> float:
        """Return the log density of the blocks that the clusters depend on."""
        return 0.0

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        raise NotImplementedError

    def hyperparameter_updates(self) -> dict[str, Step]:
        """Return the updates of the blocks that the clusters depend on."""
        return {}

    # The joint distribution: drawn from, and its log density.

    def prior(self, rng: Generator) -> State:
        """Draw a state."""
        pi = Dirichlet(np.full(self.clusters, self.alpha)).sample(rng)
        return {"z": Categorical.from_probabilities(pi).sample(rng, size=self.points), **self.draw_hyperparameters(rng)}

    def log_labels(self, labels: IntArray) -> float:
        """Return the log probability of labels, the mixture probabilities integrated out.

        Examples
        --------
        >>> round(math.exp(CollapsedMixture(clusters=2).log_labels(np.array([0, 0]))), 6)
        0.333333
        """
        if not np.all((labels >= 0) & (labels < self.clusters)):
            return -math.inf
        sizes = np.bincount(labels, minlength=self.clusters)
        total = self.clusters * self.alpha
        chosen = np.sum(gammaln(self.alpha + sizes) - math.lgamma(self.alpha))
        return float(chosen + math.lgamma(total) - math.lgamma(total + len(labels)))

    def log_joint(self, state: State, data: Data) -> float:
        """Return the log density of state and data, mixture probabilities and centres integrated out."""
        log_p = self.log_labels(state["z"]) + self.log_hyperparameters(state)
        if log_p == -math.inf:
            return log_p
        return log_p + sum(cluster.log_marginal() for cluster in self.filled_clusters(state, data))

    def filled_clusters(self, state: State, data: Data) -> Iterable[Cluster]:
        """Return the clusters that have points."""
        return Seating(state["z"], data, partial(self.empty_cluster, state)).clusters.values()

    # The sampler, and the subjects that the checks take.

    def label_gibbs(self) -> FiniteGibbs:
        """Return the Gibbs sampler of the labels."""
        return FiniteGibbs(self.empty_cluster, lambda state: self.alpha, clusters=self.clusters)

    def sampler(self, **updates: Step) -> Cycle:
        """Return the whole sampler; ``name=step`` puts another step in the place of one of its own."""
        own: dict[str, Step] = {"z": self.label_gibbs(), **self.hyperparameter_updates()}
        return Cycle(with_replaced(f"{type(self).__name__}.sampler", own, updates))

    def subject(self, **updates: Step) -> Subject:
        """Return the model and its sampler as a subject, with other steps where given as for ``sampler``."""
        return subject_of(self, self.sampler(**updates), updates, self.title)

    # The same with a block for every label.

    def cond_label(self, state: State, data: Data, point: int) -> Categorical:
        """Return the conditional of the label of one point given all other labels."""
        gibbs = self.label_gibbs()
        seating = gibbs.seating(state, data)
        seating.leave(point)
        return Categorical.from_log_odds([gibbs.log_weight(seating, k, data[point], state) for k in gibbs.choices(seating)])

    def pointwise(self) -> Subject:
        """Return the same model with a block for every label, ``z0``, ``z1`` and so on, whose conditionals can be checked."""
        labels = Gibbs({_block(point): partial(_cond_block, self, point) for point in range(self.points)})
        updates = {name: partial(_on_whole, self, step) for name, step in self.hyperparameter_updates().items()}
        return Subject(
            lambda rng: self.apart(self.prior(rng)),
            lambda state, rng: self.simulate(self.whole(state), rng),
            Cycle({"labels": labels, **updates}),
            log_joint=lambda state, data: self.log_joint(self.whole(state), data),
            name=f"{self.title}, pointwise",
        )

    def apart(self, state: State) -> State:
        """Return a state with a block for every label."""
        labels = {_block(point): int(label) for point, label in enumerate(state["z"])}
        return {**labels, **{name: value for name, value in state.items() if name != "z"}}

    def whole(self, state: State) -> State:
        """Return a state with one block for all labels."""
        labels = [_block(point) for point in range(self.points)]
        z = np.array([state[name] for name in labels], np.int64)
        return {"z": z, **{name: value for name, value in state.items() if name not in labels}}


def _block(point: int) -> str:
    return f"z{point}"


def _cond_block(model: CollapsedMixture, point: int, state: State, data: Data) -> Categorical:
    return model.cond_label(model.whole(state), data, point)


def _on_whole(model: CollapsedMixture, step: Step, state: State, data: Data, rng: Generator) -> State:
    return model.apart(step(model.whole(state), data, rng))


@dataclass(frozen=True, kw_only=True)
class CollapsedGaussianMixture(CollapsedMixture):
    """A mixture of Gaussians, each with a mean and a covariance of its own, both integrated out.

    Parameters
    ----------
    clusters, points
        The number of clusters, and of data points that a prior draw makes room for.
    alpha
        The concentration of the symmetric Dirichlet prior of the mixture probabilities.
    cluster_prior
        The NormalInverseWishart prior of the mean and the covariance of every cluster.

    Examples
    --------
    >>> CollapsedGaussianMixture(clusters=2).subject()
    <Subject "collapsed full": updates z>
    """

    cluster_prior: NormalInverseWishart = field(
        default_factory=lambda: NormalInverseWishart(np.zeros(2), mean_count=0.2, degrees_of_freedom=5.0, scale=2.0 * np.eye(2))
    )

    title = "collapsed full"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_family(self, "cluster_prior", NormalInverseWishart)

    @property
    def dimensions(self) -> int:
        """The number of entries of a point."""
        return int(self.cluster_prior.event_shape[0])

    def empty_cluster(self, state: State) -> GaussianCluster:
        """Return a cluster without points."""
        return GaussianCluster(self.cluster_prior)

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        mean, covariance = self.cluster_prior.sample(rng, size=self.clusters)
        data: FloatArray = MultivariateNormal(mean[state["z"]], covariance=covariance[state["z"]]).sample(rng)
        return data


@dataclass(frozen=True, kw_only=True)
class CollapsedIsotropicMixture(CollapsedMixture):
    """The isotropic mixture of the paper, its mixture probabilities and centres integrated out.

    The variances have no conditional of a known form once the centres are gone. So the centres are drawn for the occasion from
    their own conditional, the variances given them, and the centres forgotten.

    Parameters
    ----------
    clusters, dimensions, points, alpha
        As for ``IsotropicMixture``.
    sigma_sq_mu_prior, sigma_sq_n_prior
        The priors of the variance between clusters and of the variance within clusters.

    Examples
    --------
    >>> CollapsedIsotropicMixture(clusters=2).subject()
    <Subject "collapsed mixture": updates z, variances>
    """

    dimensions: int = 2
    sigma_sq_mu_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))
    sigma_sq_n_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))

    title = "collapsed mixture"
    _mixture: ClassVar[type[IsotropicMixture]] = IsotropicMixture

    def __post_init__(self) -> None:
        super().__post_init__()
        require_counts(self, "dimensions")
        require_family(self, "sigma_sq_mu_prior", InverseGamma)
        require_family(self, "sigma_sq_n_prior", InverseGamma)

    @property
    def mixture(self) -> IsotropicMixture:
        """The same model with nothing integrated out."""
        return self._mixture(
            clusters=self.clusters,
            dimensions=self.dimensions,
            points=self.points,
            alpha=self.alpha,
            sigma_sq_mu_prior=self.sigma_sq_mu_prior,
            sigma_sq_n_prior=self.sigma_sq_n_prior,
        )

    def empty_cluster(self, state: State) -> CentredCluster:
        """Return a cluster without points."""
        return CentredCluster(self.dimensions, between=state["sigma_sq_mu"], within=state["sigma_sq_n"])

    def draw_hyperparameters(self, rng: Generator) -> State:
        """Draw the variances."""
        return {"sigma_sq_mu": self.sigma_sq_mu_prior.sample(rng), "sigma_sq_n": self.sigma_sq_n_prior.sample(rng)}

    def log_hyperparameters(self, state: State) -> float:
        """Return the log density of the variances."""
        between = self.sigma_sq_mu_prior.log_p(state["sigma_sq_mu"])
        return float(between + self.sigma_sq_n_prior.log_p(state["sigma_sq_n"]))

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        mu = Normal(0.0, variance=state["sigma_sq_mu"]).sample(rng, size=(self.clusters, self.dimensions))
        data: FloatArray = Normal(mu[state["z"]], variance=state["sigma_sq_n"]).sample(rng)
        return data

    def hyperparameter_updates(self) -> dict[str, Step]:
        """Return the update of both variances."""
        return {"variances": self.draw_variances}

    def draw_variances(self, state: State, data: Data, rng: Generator) -> State:
        """Draw the centres, the variances given the centres, and forget the centres."""
        model = self.mixture
        state = {**state, "mu": model.cond_mu(state, data).sample(rng)}
        state["sigma_sq_mu"] = model.cond_sigma_sq_mu(state, data).sample(rng)
        state["sigma_sq_n"] = model.cond_sigma_sq_n(state, data).sample(rng)
        return {name: value for name, value in state.items() if name != "mu"}
