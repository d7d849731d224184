"""Split-merge moves for clusters whose parameters are integrated out.

Jain and Neal, "A split-merge Markov chain Monte Carlo procedure for the Dirichlet process mixture model" (2004). Two points
are chosen, the anchors. If they share a cluster, a split of it is proposed, or else a merge of their two clusters. A split is
drawn by a Gibbs scan that is restricted to the two clusters and starts from a launch state, which knows nothing of the present
labels but which points take part.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from mcassay.models.clusters import Cluster
from mcassay.models.seating import Seating, canonical
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State

# The labels of the two sides of a split: that of the first anchor, and that of the second.
FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class Anchors:
    """Two different points, and the others that are in a cluster with either of them."""

    first: int
    second: int
    others: IntArray


@dataclass(frozen=True)
class SplitMerge:
    """Propose to split a cluster or to merge two, under a Chinese restaurant process.

    Every method may be replaced by one of your own, in a subclass.

    Parameters
    ----------
    empty_cluster
        ``empty_cluster(state)`` makes a cluster without points.
    concentration
        ``concentration(state)``, the concentration of the process.
    scans
        How many restricted scans the launch state goes through.
    block
        The name of the block of labels.
    """

    empty_cluster: Callable[[State], Cluster]
    concentration: Callable[[State], float]
    scans: int = 5
    block: str = "z"
    reversible: bool = field(default=True, init=False, repr=False)

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Propose one split or merge, and accept or reject it."""
        labels = np.asarray(state[self.block])
        if len(labels) < 2:
            return state
        anchors = self.anchors(labels, rng)
        together = labels[anchors.first] == labels[anchors.second]
        launch = self.launch(state, data, anchors, rng)
        if together:
            log_proposal = self.scan(launch, anchors, state, rng)
            log_ratio = self.log_split_ratio(launch, anchors, state) - log_proposal
        else:
            present = np.where(labels == labels[anchors.first], FIRST, SECOND)
            log_proposal = self.scan(launch, anchors, state, rng, towards=present)
            log_ratio = log_proposal - self.log_split_ratio(launch, anchors, state)
        if not self.accepts(log_ratio, rng):
            return state
        return {**state, self.block: self.split(labels, anchors, launch) if together else self.merged(labels, anchors)}

    def anchors(self, labels: IntArray, rng: Generator) -> Anchors:
        """Choose two different points, each pair with the same probability."""
        first, second = int(rng.integers(len(labels))), int(rng.integers(len(labels) - 1))
        second += second >= first
        taking_part = (labels == labels[first]) | (labels == labels[second])
        taking_part[[first, second]] = False
        return Anchors(first, second, np.flatnonzero(taking_part))

    def launch(self, state: State, data: Data, anchors: Anchors, rng: Generator) -> Seating:
        """Return the two sides of a split as the last scan finds them: put together at random, then scanned."""
        seating = self.sides(state, data, anchors)
        for point in anchors.others:
            seating.join(int(point), FIRST if rng.random() < 0.5 else SECOND)
        for _ in range(self.scans):
            self.scan(seating, anchors, state, rng)
        return seating

    def sides(self, state: State, data: Data, anchors: Anchors) -> Seating:
        """Return the two sides with the anchors in them and nobody else."""
        seating = Seating(np.empty(0, np.int64), data, partial(self.empty_cluster, state))
        seating.labels = np.full(len(data), -1)
        seating.join(anchors.first, FIRST)
        seating.join(anchors.second, SECOND)
        return seating

    def scan(self, seating: Seating, anchors: Anchors, state: State, rng: Generator, towards: IntArray | None = None) -> float:
        """Let every point but the anchors choose its side again, and return the log probability of all the choices.

        With ``towards``, nothing is drawn, and the choices are those that lead there.
        """
        total = 0.0
        for point in anchors.others:
            seating.leave(int(point))
            log_odds = self.log_odds(seating, seating.data[point])
            if towards is None:
                side = FIRST if rng.random() < math.exp(log_probability(log_odds)) else SECOND
            else:
                side = int(towards[point])
            total += log_probability(log_odds if side == FIRST else -log_odds)
            seating.join(int(point), side)
        return total

    def log_odds(self, seating: Seating, x: FloatArray) -> float:
        """Return the log odds of the first side for a point that has left."""
        first, second = seating.clusters[FIRST], seating.clusters[SECOND]
        return math.log(first.count / second.count) + first.log_predictive(x) - second.log_predictive(x)

    def log_split_ratio(self, split: Seating, anchors: Anchors, state: State) -> float:
        """Return the log ratio of the joint of the split state to that of the merged one."""
        return self.log_prior_ratio(split, state) + self.log_likelihood_ratio(split, anchors)

    def log_prior_ratio(self, split: Seating, state: State) -> float:
        """Return the log ratio of the probabilities of the two partitions."""
        first, second = split.clusters[FIRST].count, split.clusters[SECOND].count
        return math.log(self.concentration(state)) + math.lgamma(first) + math.lgamma(second) - math.lgamma(first + second)

    def log_likelihood_ratio(self, split: Seating, anchors: Anchors) -> float:
        """Return the log ratio of the densities of the data, parameters integrated out."""
        everybody = np.array([anchors.first, anchors.second, *anchors.others])
        apart = split.clusters[FIRST].log_marginal() + split.clusters[SECOND].log_marginal()
        return apart - split.made_from(everybody).log_marginal()

    def accepts(self, log_ratio: float, rng: Generator) -> bool:
        """Say whether the proposal is accepted."""
        return bool(rng.random() < math.exp(min(0.0, log_ratio)))

    def split(self, labels: IntArray, anchors: Anchors, launch: Seating) -> IntArray:
        """Return the labels after the split."""
        moved = np.append(anchors.others[launch.labels[anchors.others] == FIRST], anchors.first)
        new = labels.copy()
        new[moved] = labels.max() + 1
        return canonical(new)

    def merged(self, labels: IntArray, anchors: Anchors) -> IntArray:
        """Return the labels after the merge."""
        return canonical(np.where(labels == labels[anchors.first], labels[anchors.second], labels))


def log_probability(log_odds: float) -> float:
    """Return the log of the probability that belongs to log odds, without overflow.

    Examples
    --------
    >>> round(math.exp(log_probability(math.log(3.0))), 6), log_probability(-1e4)
    (0.75, -10000.0)
    """
    return -max(0.0, -log_odds) - math.log1p(math.exp(-abs(log_odds)))
