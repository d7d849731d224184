"""A Chinese restaurant process mixture whose clusters' parameters can not be integrated out.

::

    alpha       ~ Gamma                     the concentration, unless it is given
    z           ~ ChineseRestaurant(alpha)
    mu_kd       ~ Normal(0, sigma_sq_mu)
    sigma_sq_k  ~ InverseGamma
    x_id        ~ Normal(mu_{z_i, d}, sigma_sq_{z_i})

Mean and variance of a cluster are independent in the prior, so they have no joint conjugate form. A state holds the labels
``z``, numbered in the order of first points, ``mu`` and ``sigma_sq_n`` with one row a cluster, and the concentration's blocks.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.kernels.compose import Cycle
from mcassay.kernels.gibbs import Gibbs
from mcassay.models.arguments import require_concentration, require_counts, require_family, require_positive, with_replaced
from mcassay.models.auxiliary_gibbs import AuxiliaryGibbs, Parameters
from mcassay.models.partitions import RestaurantProcess
from mcassay.models.seating import canonical
from mcassay.models.subjects import subject_of
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, State, Step


@dataclass(frozen=True, kw_only=True)
class AuxiliaryRestaurantMixture:
    """A Chinese restaurant process mixture of isotropic Gaussians with independent priors of mean and variance.

    Parameters
    ----------
    points, dimensions
        The number of data points that a prior draw makes room for, and of their dimensions.
    concentration
        A Gamma prior of the concentration, or the concentration itself.
    sigma_sq_mu
        The variance of the means of the clusters.
    sigma_sq_n_prior
        The InverseGamma prior of the variance within each cluster.
    auxiliary
        How many auxiliary clusters algorithm 8 offers to each point.

    Examples
    --------
    >>> import numpy as np
    >>> model = AuxiliaryRestaurantMixture(points=6, concentration=1.0)
    >>> rng = np.random.default_rng(1)
    >>> state = model.prior(rng)
    >>> state = model.sampler()(state, model.simulate(state, rng), rng)
    >>> bool(len(state["mu"]) == state["z"].max() + 1)
    True
    """

    points: int = 12
    dimensions: int = 2
    concentration: Gamma | float = field(default_factory=lambda: Gamma(2.0, rate=2.0))
    sigma_sq_mu: float = 4.0
    sigma_sq_n_prior: InverseGamma = field(default_factory=lambda: InverseGamma(3, scale=3))
    auxiliary: int = 3

    def __post_init__(self) -> None:
        require_counts(self, "points", "dimensions", "auxiliary")
        require_positive(self, "sigma_sq_mu")
        require_family(self, "sigma_sq_n_prior", InverseGamma)
        require_concentration(self)

    @cached_property
    def process(self) -> RestaurantProcess:
        """The law of the labels."""
        return RestaurantProcess(self.points, self.concentration)

    # The base measure and the density of a point: what algorithm 8 asks for.

    def draw_parameters(self, state: State, rng: Generator) -> Parameters:
        """Draw mean and variance of a new cluster."""
        mean = Normal(0.0, variance=self.sigma_sq_mu).sample(rng, size=self.dimensions)
        return mean, self.sigma_sq_n_prior.sample(rng)

    def log_density(self, x: FloatArray, parameters: Parameters, state: State) -> float:
        """Return the log density of a point in a cluster."""
        mean, variance = parameters
        squares, variance = float(np.sum((x - mean) ** 2)), float(variance)
        return -0.5 * (self.dimensions * math.log(2 * math.pi * variance) + squares / variance)

    # The conditionals of the parameters.

    def cond_mu(self, state: State, data: Data) -> Normal:
        """Return the conditional of the means."""
        sizes, sums = self._sizes_and_sums(state, data)
        within = state["sigma_sq_n"]
        variance = 1 / (sizes / within + 1 / self.sigma_sq_mu)[:, np.newaxis]
        return Normal(variance * sums / within[:, np.newaxis], variance=variance)

    def cond_sigma_sq_n(self, state: State, data: Data) -> InverseGamma:
        """Return the conditional of the variances."""
        shape, scale = self.sigma_sq_n_prior.parameters["shape"], self.sigma_sq_n_prior.parameters["scale"]
        squares = np.sum((data - state["mu"][state["z"]]) ** 2, axis=1)
        sizes = np.bincount(state["z"])
        return InverseGamma(shape + 0.5 * self.dimensions * sizes, scale=scale + 0.5 * np.bincount(state["z"], squares))

    def _sizes_and_sums(self, state: State, data: Data) -> tuple[FloatArray, FloatArray]:
        sums = np.stack([np.bincount(state["z"], column) for column in data.T], axis=1)
        return np.bincount(state["z"]).astype(np.float64), sums.astype(np.float64)

    # The joint distribution: drawn from, and its log density.

    def prior(self, rng: Generator) -> State:
        """Draw a state."""
        labels = self.process.draw(rng)
        clusters = int(labels["z"].max()) + 1
        mu = Normal(0.0, variance=self.sigma_sq_mu).sample(rng, size=(clusters, self.dimensions))
        return {**labels, "mu": mu, "sigma_sq_n": self.sigma_sq_n_prior.sample(rng, size=clusters)}

    def simulate(self, state: State, rng: Generator) -> FloatArray:
        """Draw data given the state."""
        data: FloatArray = self._points(state).sample(rng)
        return data

    def _points(self, state: State) -> Normal:
        return Normal(state["mu"][state["z"]], variance=state["sigma_sq_n"][state["z"]][:, np.newaxis])

    def log_joint(self, state: State, data: Data) -> float:
        """Return the log density of state and data."""
        z, mu, variance = state["z"], state["mu"], state["sigma_sq_n"]
        fits = len(mu) == len(variance) == z.max() + 1 and np.array_equal(z, canonical(z))
        if not fits or not np.all(variance > 0) or (log_p := self.process.log_p(state)) == -math.inf:
            return -math.inf
        log_p += float(np.sum(Normal(0.0, variance=self.sigma_sq_mu).log_p(mu)))
        log_p += float(np.sum(self.sigma_sq_n_prior.log_p(variance)))
        return log_p + float(np.sum(self._points(state).log_p(data)))

    # The sampler, and the subject that the checks take.

    def label_gibbs(self) -> AuxiliaryGibbs:
        """Return the Gibbs sampler of the labels, algorithm 8 of Neal."""
        return AuxiliaryGibbs(
            self.draw_parameters, self.log_density, self.process.concentration_of, ("mu", "sigma_sq_n"), auxiliary=self.auxiliary
        )

    def sampler(self, **updates: Step) -> Cycle:
        """Return the whole sampler; ``name=step`` puts another step in the place of one of its own."""
        parameters = Gibbs({"mu": self.cond_mu, "sigma_sq_n": self.cond_sigma_sq_n})
        own: dict[str, Step] = {"z": self.label_gibbs(), "parameters": parameters}
        own |= self.process.updates()
        return Cycle(with_replaced(f"{type(self).__name__}.sampler", own, updates))

    def subject(self, **updates: Step) -> Subject:
        """Return the model and its sampler as a subject, with other steps where given as for ``sampler``."""
        return subject_of(self, self.sampler(**updates), updates, "restaurant, algorithm 8")
