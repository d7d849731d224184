"""The models whose clusters' parameters are integrated out, with compiled updates of the labels."""

from collections.abc import Iterable

import numpy as np

from mcassay.models.clusters import Cluster
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled.labels import CompiledFiniteGibbs, CompiledRestaurantGibbs, CompiledSplitMerge, gaussian_clusters
from mcassay.models.compiled.mixtures import CompiledIsotropicMixture
from mcassay.models.compiled.sums import sum_points, sum_squares
from mcassay.models.restaurant import RestaurantMixture
from mcassay.vocabulary import Data, State


class CompiledCollapsedGaussianMixture(CollapsedGaussianMixture):
    """The collapsed full mixture, compiled."""

    def filled_clusters(self, state: State, data: Data) -> Iterable[Cluster]:
        """Return the clusters that have points."""
        return gaussian_clusters(self.empty_cluster(state), data, state["z"])

    def label_gibbs(self) -> CompiledFiniteGibbs:
        """Return the Gibbs sampler of the labels."""
        return CompiledFiniteGibbs(self.empty_cluster, lambda state: self.alpha, clusters=self.clusters)


class CompiledCollapsedIsotropicMixture(CollapsedIsotropicMixture):
    """The collapsed isotropic mixture, compiled."""

    _mixture = CompiledIsotropicMixture

    def filled_clusters(self, state: State, data: Data) -> Iterable[Cluster]:
        """Return the clusters that have points."""
        data, labels = np.ascontiguousarray(data, np.float64), np.asarray(state["z"])
        sizes = np.bincount(labels, minlength=self.clusters)
        means = sum_points(data, labels, self.clusters) / np.maximum(sizes, 1)[:, np.newaxis]
        squares = sum_squares(data, labels, means)
        for k in np.flatnonzero(sizes):
            cluster = self.empty_cluster(state)
            cluster.count, cluster.mean, cluster.squares = int(sizes[k]), means[k], float(squares[k])
            yield cluster

    def label_gibbs(self) -> CompiledFiniteGibbs:
        """Return the Gibbs sampler of the labels."""
        return CompiledFiniteGibbs(self.empty_cluster, lambda state: self.alpha, clusters=self.clusters)


class CompiledRestaurantMixture(RestaurantMixture):
    """The restaurant mixture, compiled."""

    def filled_clusters(self, state: State, data: Data) -> Iterable[Cluster]:
        """Return the clusters that have points."""
        return gaussian_clusters(self.empty_cluster(state), data, state["z"])

    def label_gibbs(self) -> CompiledRestaurantGibbs:
        """Return the Gibbs sampler of the labels, algorithm 3 of Neal."""
        return CompiledRestaurantGibbs(self.empty_cluster, self.process.concentration_of)

    def split_merge(self, scans: int = 5) -> CompiledSplitMerge:
        """Return the split-merge sampler of Jain and Neal."""
        return CompiledSplitMerge(self.empty_cluster, self.process.concentration_of, scans=scans)
