"""Collapsed Gibbs sampling of the labels: every point in turn leaves its cluster and joins one again.

With a finite number of clusters, and with as many as the points want: the Chinese restaurant process, algorithm 3 of Neal,
"Markov chain sampling methods for Dirichlet process mixture models" (2000).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

from mcassay.kernels.compose import Cycle
from mcassay.models.clusters import Cluster
from mcassay.models.seating import Seating, canonical
from mcassay.vocabulary import Data, FloatArray, Generator, State


def choose(log_weights: Sequence[float], rng: Generator) -> int:
    """Draw a place with probability proportional to the exponentials of log weights, by one uniform number.

    Examples
    --------
    >>> import numpy as np
    >>> choose([0.0, -math.inf], np.random.default_rng(1))
    0
    """
    largest = max(log_weights)
    heights = list(accumulate(math.exp(weight - largest) for weight in log_weights))
    level = rng.random() * heights[-1]
    # The level is below the last height even after rounding, so that a place of weight 0 at the end is never chosen.
    return next(place for place, height in enumerate(heights) if level < height)


@dataclass(frozen=True)
class RestaurantGibbs:
    """Redraw the label of every point from its conditional given all other labels, under a Chinese restaurant process.

    Every method may be replaced by one of your own, in a subclass.

    Parameters
    ----------
    empty_cluster
        ``empty_cluster(state)`` makes a cluster without points; the state holds what hyperparameters it needs.
    concentration
        ``concentration(state)``, the concentration of the process.
    block
        The name of the block of labels.
    """

    empty_cluster: Callable[[State], Cluster]
    concentration: Callable[[State], float]
    block: str = "z"

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Redraw all labels, one after another."""
        return self.sweep(state, data, rng, range(len(data)))

    def of_each_point(self, points: int) -> Cycle:
        """Return the same sweep with the update of every point under a name of its own."""
        return Cycle({f"{self.block}[{i}]": partial(self.sweep, points=(i,)) for i in range(points)})

    def sweep(self, state: State, data: Data, rng: Generator, points: Sequence[int]) -> State:
        """Redraw the labels of some points, one after another."""
        seating = self.seating(state, data)
        for point in points:
            self.move(seating, point, state, rng)
        return {**state, self.block: self.relabelled(seating.labels)}

    def move(self, seating: Seating, point: int, state: State, rng: Generator) -> None:
        """Redraw the label of one point."""
        seating.leave(point)
        labels = self.choices(seating)
        log_weights = [self.log_weight(seating, label, seating.data[point], state) for label in labels]
        seating.join(point, labels[choose(log_weights, rng)])

    def seating(self, state: State, data: Data) -> Seating:
        """Return the points in their clusters."""
        return Seating(state[self.block], data, partial(self.empty_cluster, state))

    def choices(self, seating: Seating) -> list[int]:
        """Return the labels that a point may join: those of all clusters, and a new one."""
        return [*sorted(seating.clusters), seating.unused_label()]

    def log_weight(self, seating: Seating, label: int, x: FloatArray, state: State) -> float:
        """Return the log probability, up to a constant, that a point which left joins a cluster."""
        cluster = seating.clusters.get(label)
        joined = self.empty_cluster(state) if cluster is None else cluster
        return self.log_prior_weight(cluster, state) + self.log_predictive(joined, x)

    def log_prior_weight(self, cluster: Cluster | None, state: State) -> float:
        """Return the log of a cluster's share before the data: its points, or the concentration for a new one."""
        return math.log(self.concentration(state) if cluster is None else cluster.count)

    def log_predictive(self, cluster: Cluster, x: FloatArray) -> float:
        """Return the log density of a point in a cluster."""
        return cluster.log_predictive(x)

    def relabelled(self, labels: Any) -> Any:
        """Return the labels in the order of first points: only the partition means anything."""
        return canonical(labels)


@dataclass(frozen=True)
class FiniteGibbs(RestaurantGibbs):
    """The same for a fixed number of clusters, their probabilities (symmetric Dirichlet) integrated out.

    The concentration is that of one cluster, and labels stay as they are.
    """

    clusters: int = 2

    def seating(self, state: State, data: Data) -> Seating:
        """Return the points in their clusters, empty ones included."""
        return Seating(state[self.block], data, partial(self.empty_cluster, state), kept=range(self.clusters))

    def choices(self, seating: Seating) -> list[int]:
        """Return the labels that a point may join."""
        return list(range(self.clusters))

    def log_prior_weight(self, cluster: Cluster | None, state: State) -> float:
        """Return the log of a cluster's share before the data."""
        assert cluster is not None
        return math.log(cluster.count + self.concentration(state))

    def relabelled(self, labels: Any) -> Any:
        """Return the labels as they are."""
        return labels
