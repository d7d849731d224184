"""Which point sits in which cluster, with the sufficient statistics of every cluster kept up to date."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mcassay.models.clusters import Cluster, MakeCluster
from mcassay.vocabulary import FloatArray, IntArray

NOWHERE = -1


def canonical(labels: ArrayLike) -> IntArray:
    """Return labels numbered in the order of first points: two labellings of one partition become the same.

    Examples
    --------
    >>> canonical([7, 2, 7, 0])
    array([0, 1, 0, 2])
    """
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.int64)
    numbers[np.argsort(first)] = np.arange(len(first))
    return numbers[inverse]


def sizes_of(labels: ArrayLike) -> IntArray:
    """Count the points of every cluster that has any."""
    return np.unique(np.asarray(labels), return_counts=True)[1]


class Seating:
    """Points in clusters: any point may leave, and join any cluster or a new one.

    Parameters
    ----------
    labels
        The cluster of every point.
    data
        The points, one a row.
    make
        Makes an empty cluster.
    kept
        Labels whose clusters exist even while they are empty.
    """

    def __init__(self, labels: IntArray, data: FloatArray, make: MakeCluster, kept: Sequence[int] = ()) -> None:
        self.labels = np.full(len(labels), NOWHERE)
        self.data, self.make, self.kept = data, make, kept
        self.clusters: dict[int, Cluster] = {label: make() for label in kept}
        for point, label in enumerate(labels):
            self.join(point, int(label))

    def leave(self, point: int) -> None:
        """Take a point out of its cluster; a cluster without points goes as well."""
        label, self.labels[point] = int(self.labels[point]), NOWHERE
        if not self.clusters[label].remove(self.data[point]):
            self.clusters[label] = self.made_from(self.members(label))
        if self.clusters[label].count == 0 and label not in self.kept:
            del self.clusters[label]

    def join(self, point: int, label: int) -> None:
        """Put a point that is nowhere into a cluster, a new one if there is none of this label."""
        if label not in self.clusters:
            self.clusters[label] = self.make()
        self.clusters[label].add(self.data[point])
        self.labels[point] = label

    def members(self, label: int) -> IntArray:
        """Return the points of a cluster."""
        return np.flatnonzero(self.labels == label)

    def made_from(self, points: IntArray) -> Cluster:
        """Make a cluster of some points."""
        cluster = self.make()
        for point in points:
            cluster.add(self.data[point])
        return cluster

    def unused_label(self) -> int:
        """Return the smallest label without a cluster."""
        return next(label for label in range(len(self.clusters) + 1) if label not in self.clusters)
