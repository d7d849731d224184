"""A mixture of as many Gaussians as the data want: the Chinese restaurant process in place of the finite Dirichlet.

::

    alpha         ~ Gamma                     the concentration, unless it is given
    z             ~ ChineseRestaurant(alpha)
    mu_k, Sigma_k ~ NormalInverseWishart      integrated out
    x_i           ~ MultivariateNormal(mu_{z_i}, Sigma_{z_i})

A state holds the labels ``z``, numbered in the order of first points, and, where the concentration has a prior, the block
``alpha`` with its auxiliary blocks ``eta`` and ``branch``.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.kernels.compose import Cycle
from mcassay.models.arguments import require_concentration, require_counts, require_family, with_replaced
from mcassay.models.clusters import Cluster, GaussianCluster
from mcassay.models.label_gibbs import RestaurantGibbs
from mcassay.models.partitions import RestaurantProcess
from mcassay.models.seating import Seating
from mcassay.models.split_merge import SplitMerge
from mcassay.models.subjects import subject_of
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, State, Step


def _wide_prior() -> NormalInverseWishart:
    return NormalInverseWishart(np.zeros(2), mean_count=0.2, degrees_of_freedom=5.0, scale=2.0 * np.eye(2))


@dataclass(frozen=True, kw_only=True)
class RestaurantMixture:
    """A Chinese restaurant process mixture of Gaussians, means and covariances integrated out.

    Parameters
    ----------
    points
        The number of data points that a prior draw makes room for.
    concentration
        A Gamma prior of the concentration, or the concentration itself.
    cluster_prior
        The NormalInverseWishart prior of the mean and the covariance of every cluster.

    Examples
    --------
    >>> import numpy as np
    >>> model = RestaurantMixture(points=6)
    >>> rng = np.random.default_rng(1)
    >>> state = model.prior(rng)
    >>> data = model.simulate(state, rng)
    >>> state = model.sampler()(state, data, rng)
    >>> model.subject()
    <Subject "restaurant": updates z, split_merge, concentration.eta, concentration.branch, concentration.alpha>
    """

    points: int = 12
    concentration: Gamma | float = field(default_factory=lambda: Gamma(2.0, rate=2.0))
    cluster_prior: NormalInverseWishart = field(default_factory=_wide_prior)

    def __post_init__(self) -> None:
        require_counts(self, "points")
        require_family(self, "cluster_prior", NormalInverseWishart)
        require_concentration(self)

    @property
    def dimensions(self) -> int:
        """The number of entries of a point."""
        return int(self.cluster_prior.event_shape[0])

    @cached_property
    def process(self) -> RestaurantProcess:
        """The law of the labels."""
        return RestaurantProcess(self.points, self.concentration)

    def empty_cluster(self, state: State) -> GaussianCluster:
        """Return a cluster without points."""
        return GaussianCluster(self.cluster_prior)

    # The joint distribution: drawn from, and its log density.

    def prior(self, rng: Generator) -> State:
        """Draw a state."""
        return self.process.draw(rng)

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        mean, covariance = self.cluster_prior.sample(rng, size=int(state["z"].max()) + 1)
        data: FloatArray = MultivariateNormal(mean[state["z"]], covariance=covariance[state["z"]]).sample(rng)
        return data

    def log_joint(self, state: State, data: Data) -> float:
        """Return the log density of state and data, the parameters of clusters integrated out."""
        log_p = self.process.log_p(state)
        if log_p == -math.inf:
            return log_p
        return log_p + sum(cluster.log_marginal() for cluster in self.filled_clusters(state, data))

    def filled_clusters(self, state: State, data: Data) -> Iterable[Cluster]:
        """Return the clusters that have points."""
        return Seating(state["z"], data, partial(self.empty_cluster, state)).clusters.values()

    # The sampler, and the subject that the checks take.

    def label_gibbs(self) -> RestaurantGibbs:
        """Return the Gibbs sampler of the labels, algorithm 3 of Neal."""
        return RestaurantGibbs(self.empty_cluster, self.process.concentration_of)

    def split_merge(self, scans: int = 5) -> SplitMerge:
        """Return the split-merge sampler of Jain and Neal."""
        return SplitMerge(self.empty_cluster, self.process.concentration_of, scans=scans)

    def sampler(self, **updates: Step) -> Cycle:
        """Return the whole sampler; ``name=step`` puts another step in the place of one of its own."""
        own: dict[str, Step] = {"z": self.label_gibbs(), "split_merge": self.split_merge()}
        own |= self.process.updates()
        return Cycle(with_replaced(f"{type(self).__name__}.sampler", own, updates))

    def subject(self, **updates: Step) -> Subject:
        """Return the model and its sampler as a subject, with other steps where given as for ``sampler``."""
        return subject_of(self, self.sampler(**updates), updates, "restaurant")
