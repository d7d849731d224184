"""Gibbs sampling and split-merge moves of labels with compiled scans over the points.

They use the same random numbers in the same order as the samplers that they stand for, and draw the same labels from them.
"""

from dataclasses import dataclass

import numpy as np

from mcassay.models.clusters import Cluster, GaussianCluster
from mcassay.models.compiled.scans import canonical, scans_of
from mcassay.models.compiled.tables import Prior, Table, empty_table
from mcassay.models.label_gibbs import FiniteGibbs, RestaurantGibbs
from mcassay.models.seating import NOWHERE, Seating
from mcassay.models.split_merge import FIRST, SECOND, Anchors, SplitMerge
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State

_SPARE_ROWS = 8


class CompiledFiniteGibbs(FiniteGibbs):
    """The labels of a finite mixture one after another, compiled."""

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Redraw all labels, one after another."""
        data, cluster = np.ascontiguousarray(data, np.float64), self.empty_cluster(state)
        scans, labels = scans_of(cluster), np.array(state[self.block], np.int64)
        prior = scans.prior(cluster, len(data), np.log(np.arange(len(data) + 1) + self.concentration(state)))
        table = empty_table(self.clusters, data.shape[1])
        scans.fill(table, prior, data, labels)
        rows = np.arange(self.clusters)
        scans.redraw(data, labels, rng.random(len(data)), 0, table, prior, rows, self.clusters, False)
        return {**state, self.block: labels}


class CompiledRestaurantGibbs(RestaurantGibbs):
    """The labels of a restaurant mixture one after another, compiled."""

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Redraw all labels, one after another."""
        data, cluster = np.ascontiguousarray(data, np.float64), self.empty_cluster(state)
        scans, labels = scans_of(cluster), np.array(state[self.block], np.int64)
        prior = scans.prior(cluster, len(data), _log_shares(len(data), self.concentration(state)))
        uniforms, begin, clusters = rng.random(len(data)), 0, int(labels.max()) + 1
        rows = np.arange(clusters + _SPARE_ROWS)
        while begin < len(data):  # more than once only where clusters outgrow the table
            table = empty_table(len(rows) + 1, data.shape[1])
            scans.fill(table, prior, data, labels)
            begin, clusters = scans.redraw(data, labels, uniforms, begin, table, prior, rows, clusters, True)
            rows = np.concatenate([rows, np.arange(len(rows), 2 * len(rows))])
        return {**state, self.block: canonical(labels, len(rows))}


def _log_shares(points: int, concentration: float) -> FloatArray:
    """Return the logs of the shares of clusters by their size, a new one first."""
    return np.asarray(np.log(np.concatenate([[concentration], np.arange(1, points + 1)])), np.float64)


def gaussian_clusters(empty: GaussianCluster, data: Data, labels: IntArray) -> list[Cluster]:
    """Return the clusters that have points."""
    data, scans = np.ascontiguousarray(data, np.float64), scans_of(empty)
    table, prior = empty_table(int(labels.max()) + 1, data.shape[1]), scans.prior(empty, len(data), np.zeros(len(data) + 1))
    scans.fill(table, prior, data, np.asarray(labels, np.int64))
    return [cluster_of_row(empty, table, row) for row in range(len(table.sizes)) if table.sizes[row]]


def cluster_of_row(empty: GaussianCluster, table: Table, row: int) -> GaussianCluster:
    """Return the cluster that a row of a table stands for."""
    cluster = empty.copy()
    cluster.count, cluster.mean, cluster.factor = int(table.sizes[row]), table.mean[row].copy(), table.factor[row].copy()
    return cluster


@dataclass
class CompiledSides(Seating):
    """The two sides of a split as rows of a table; the third row is for all their points together."""

    labels: IntArray
    data: FloatArray
    empty: GaussianCluster
    table: Table
    prior: Prior

    def __init__(self, data: FloatArray, empty: GaussianCluster, anchors: Anchors) -> None:
        self.data, self.empty = np.ascontiguousarray(data, np.float64), empty
        self.scans = scans_of(empty)
        taking_part = len(anchors.others) + 2
        self.prior = self.scans.prior(empty, taking_part, _log_shares(taking_part, 1.0))
        self.table, self.labels = empty_table(3, self.data.shape[1]), np.full(len(data), NOWHERE)
        self.labels[anchors.first], self.labels[anchors.second] = FIRST, SECOND

    def fill(self) -> None:
        """Make both sides anew from the labels."""
        self.scans.fill(self.table, self.prior, self.data, self.labels)

    @property
    def clusters(self) -> dict[int, Cluster]:  # type: ignore[override]
        """The clusters of both sides."""
        return {side: cluster_of_row(self.empty, self.table, side) for side in (FIRST, SECOND)}

    def made_from(self, points: IntArray) -> GaussianCluster:
        """Make a cluster of some points."""
        self.scans.fill(self.table, self.prior, self.data[points], np.full(len(points), 2))
        together = cluster_of_row(self.empty, self.table, 2)
        self.fill()
        return together


class CompiledSplitMerge(SplitMerge):
    """Split-merge moves with compiled scans."""

    def launch(self, state: State, data: Data, anchors: Anchors, rng: Generator) -> Seating:
        """Return the two sides of a split as the last scan finds them: put together at random, then scanned."""
        empty = self.empty_cluster(state)
        assert isinstance(empty, GaussianCluster)
        sides = CompiledSides(data, empty, anchors)
        sides.labels[anchors.others] = np.where(rng.random(len(anchors.others)) < 0.5, FIRST, SECOND)
        sides.fill()
        for _ in range(self.scans):
            self.scan(sides, anchors, state, rng)
        return sides

    def scan(self, seating: Seating, anchors: Anchors, state: State, rng: Generator, towards: IntArray | None = None) -> float:
        """Let every point but the anchors choose its side again, and return the log probability of all the choices."""
        assert isinstance(seating, CompiledSides)
        uniforms = rng.random(len(anchors.others)) if towards is None else np.empty(0)
        aim = np.empty(0, np.int64) if towards is None else np.asarray(towards, np.int64)
        return seating.scans.restricted(seating.data, seating.labels, anchors.others, uniforms, aim, seating.table, seating.prior)
