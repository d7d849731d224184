"""The Chinese restaurant process: a law of partitions, and the conditionals of its concentration."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.bernoulli import Bernoulli
from mcassay.distributions.beta import Beta
from mcassay.distributions.gamma import Gamma
from mcassay.kernels.gibbs import Conditional, Gibbs
from mcassay.models.seating import sizes_of
from mcassay.vocabulary import Data, Generator, IntArray, State, Step


def draw_partition(points: int, concentration: float, rng: Generator) -> IntArray:
    """Draw the labels of points from a Chinese restaurant process, numbered in the order of first points.

    Examples
    --------
    >>> draw_partition(5, 1e-9, np.random.default_rng(1))
    array([0, 0, 0, 0, 0])
    """
    labels, sizes = np.zeros(points, np.int64), [1]
    for point in range(1, points):
        heights = np.cumsum([*sizes, concentration])
        labels[point] = label = int(np.searchsorted(heights, rng.random() * heights[-1], side="right"))
        sizes += [0] * (label + 1 - len(sizes))
        sizes[label] += 1
    return labels


def log_partition(labels: ArrayLike, concentration: float) -> float:
    """Return the log probability of the partition that labels stand for.

    Examples
    --------
    >>> round(math.exp(log_partition([0, 0, 1], 1.0)), 6)
    0.166667
    """
    sizes = sizes_of(labels)
    seated = sum(math.lgamma(size) for size in sizes.tolist())
    everybody = math.lgamma(concentration) - math.lgamma(concentration + int(sizes.sum()))
    return len(sizes) * math.log(concentration) + seated + everybody


@dataclass(frozen=True)
class RestaurantProcess:
    """A Chinese restaurant process of labels ``z``, its concentration given or with a gamma prior.

    Where the concentration is sampled, two auxiliary blocks give it a gamma conditional, after Escobar and West (1995), with
    the component of their mixture of two gammas as a block of its own::

        alpha   ~ Gamma
        eta     ~ Beta(alpha + 1, N)
        branch  ~ Bernoulli(N / (N + alpha))

    Parameters
    ----------
    points
        How many points there are, N.
    concentration
        The concentration, or its prior.
    """

    points: int
    concentration: Gamma | float

    @property
    def sampled(self) -> bool:
        """Whether the concentration is a block of the state."""
        return isinstance(self.concentration, Gamma)

    def concentration_of(self, state: State) -> float:
        """Return the concentration: a block of the state, or the given number."""
        return float(state["alpha"] if isinstance(self.concentration, Gamma) else self.concentration)

    def draw(self, rng: Generator) -> State:
        """Draw the labels, with the blocks of the concentration."""
        rest = self._draw_concentration(rng)
        return {"z": draw_partition(self.points, self.concentration_of(rest), rng), **rest}

    def _draw_concentration(self, rng: Generator) -> State:
        if not isinstance(self.concentration, Gamma):
            return {}
        state = {"alpha": self.concentration.sample(rng)}
        state["eta"] = self.cond_eta(state, None).sample(rng)
        return {**state, "branch": self.cond_branch(state, None).sample(rng)}

    def cond_eta(self, state: State, data: Data) -> Beta:
        """Return the conditional of the first auxiliary block."""
        return Beta(state["alpha"] + 1, self.points)

    def cond_branch(self, state: State, data: Data) -> Bernoulli:
        """Return the conditional of the second auxiliary block."""
        return Bernoulli(self.points / (self.points + state["alpha"]))

    def cond_alpha(self, state: State, data: Data) -> Gamma:
        """Return the conditional of the concentration."""
        assert isinstance(self.concentration, Gamma)
        shape, rate = self.concentration.parameters["shape"], -self.concentration.natural_parameters[..., 1]
        clusters = len(sizes_of(state["z"]))
        return Gamma(shape + clusters - state["branch"], rate=rate - np.log(state["eta"]))

    def log_p(self, state: State) -> float:
        """Return the log density of the labels and of the blocks of the concentration."""
        log_p = self._log_p_concentration(state) if isinstance(self.concentration, Gamma) else 0.0
        return log_p if log_p == -math.inf else log_p + log_partition(state["z"], self.concentration_of(state))

    def _log_p_concentration(self, state: State) -> float:
        assert isinstance(self.concentration, Gamma)
        log_p = float(self.concentration.log_p(state["alpha"])) if state["alpha"] > 0 else -math.inf
        if log_p == -math.inf:
            return log_p
        return float(
            log_p + self.cond_eta(state, None).log_p(state["eta"]) + self.cond_branch(state, None).log_p(state["branch"])
        )

    def updates(self) -> dict[str, Step]:
        """Return the updates of the concentration, under one name; none where it is given."""
        gibbs: dict[str | tuple[str, ...], Conditional] = {
            "eta": self.cond_eta,
            "branch": self.cond_branch,
            "alpha": self.cond_alpha,
        }
        return {"concentration": Gibbs(gibbs)} if self.sampled else {}
