"""Gibbs sampling of labels where parameters can not be integrated out: algorithm 8 of Neal (2000).

A point that may start a cluster of its own chooses among auxiliary clusters, whose parameters are drawn for the occasion
from their prior, the base measure.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mcassay.kernels.compose import Cycle
from mcassay.models.label_gibbs import choose
from mcassay.vocabulary import Data, Generator, State

# The parameters of one cluster, one of each block.
Parameters = tuple[Any, ...]


@dataclass(frozen=True)
class AuxiliaryGibbs:
    """Redraw the label of every point given all other labels and the parameters of the clusters.

    The state holds the labels, numbered in the order of first points, and blocks of parameters with one row a cluster.
    Every method may be replaced by one of your own, in a subclass.

    Parameters
    ----------
    draw_parameters
        ``draw_parameters(state, rng)``: the parameters of a new cluster from the base measure, a tuple with one of each block.
    log_density
        ``log_density(x, parameters, state)``: the log density of a point.
    concentration
        ``concentration(state)``, the concentration of the process.
    blocks
        The names of the blocks of parameters.
    auxiliary
        How many auxiliary clusters there are for each point.
    block
        The name of the block of labels.
    """

    draw_parameters: Callable[[State, Generator], Parameters]
    log_density: Callable[[Any, Parameters, State], float]
    concentration: Callable[[State], float]
    blocks: tuple[str, ...]
    auxiliary: int = 3
    block: str = "z"

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Redraw all labels, one after another."""
        for point in range(len(data)):
            state = self.move(state, data, rng, point)
        return state

    def of_each_point(self, points: int) -> Cycle:
        """Return the same sweep with the update of every point under a name of its own."""
        return Cycle({f"{self.block}[{i}]": partial(self.move, point=i) for i in range(points)})

    def move(self, state: State, data: Data, rng: Generator, point: int) -> State:
        """Redraw the label of one point."""
        labels, clusters = self.without(state, point)
        offered = self.auxiliary_clusters(state, point, rng)
        log_weights = [
            math.log(self.share(labels, cluster, state)) + self.log_density(data[point], parameters, state)
            for cluster, parameters in enumerate([*clusters, *offered])
        ]
        labels[point] = choose(log_weights, rng)
        return self.relabelled(state, labels, [*clusters, *offered])

    def without(self, state: State, point: int) -> tuple[list[int], list[Parameters]]:
        """Return the labels and the clusters that are left when a point, which gets the label -1, is away."""
        labels = [int(label) for label in state[self.block]]
        mine, labels[point] = labels[point], -1
        clusters = self.parameters(state)
        if mine in labels:
            return labels, clusters
        del clusters[mine]
        return [label - (label > mine) for label in labels], clusters

    def auxiliary_clusters(self, state: State, point: int, rng: Generator) -> list[Parameters]:
        """Return the clusters that nobody is in: one that the point was alone in is the first of them."""
        mine = int(state[self.block][point])
        alone = int(np.sum(np.asarray(state[self.block]) == mine)) == 1
        kept = [self.parameters(state)[mine]] if alone else []
        return kept + [self.draw_parameters(state, rng) for _ in range(self.auxiliary - len(kept))]

    def share(self, labels: list[int], cluster: int, state: State) -> float:
        """Return a cluster's share before the data: its points, or a part of the concentration."""
        return labels.count(cluster) or self.concentration(state) / self.auxiliary

    def parameters(self, state: State) -> list[Parameters]:
        """Return the parameters of every cluster."""
        return list(zip(*(state[name] for name in self.blocks), strict=True))

    def relabelled(self, state: State, labels: list[int], clusters: list[Parameters]) -> State:
        """Return the state with the clusters in the order of their first points, and none without points."""
        order = list(dict.fromkeys(labels))
        columns = zip(*(clusters[label] for label in order), strict=True)
        parameters = {name: np.array(column) for name, column in zip(self.blocks, columns, strict=True)}
        return {**state, self.block: np.array([order.index(label) for label in labels]), **parameters}
