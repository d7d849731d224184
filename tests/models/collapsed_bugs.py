"""Mistakes in what collapsed samplers remember of their clusters, and in the weights of collapsed finite mixtures.

Each is a function of the right sampler and returns the wrong one.
"""

import math
from dataclasses import dataclass, fields
from functools import partial

from mcassay.models.clusters import GaussianCluster
from mcassay.models.label_gibbs import FiniteGibbs, choose
from mcassay.models.seating import Seating


def made(kind):
    """Return a function that makes the wrong sampler with the arguments of the right one."""

    def from_right(right):
        given = {field.name: getattr(right, field.name) for field in fields(right) if field.init}
        return dataclass(frozen=True)(kind)(**given)

    from_right.__name__ = kind.__name__
    return from_right


# Collapsed: what clusters remember. Each is put in the place of a model's own cluster.


class WrongDegrees(GaussianCluster):
    """The predictive Student t has the degrees of freedom of the covariance, too many by one less than the dimension."""

    @property
    def predictive_degrees(self):
        return self.degrees_of_freedom


class DegreesNotRaised(GaussianCluster):
    """The degrees of freedom stay those of the prior."""

    @property
    def predictive_degrees(self):
        return self.prior_degrees - self.dimension + 1


class StaleFactor(GaussianCluster):
    """A point that leaves takes its count and its part of the mean with it, and leaves the Cholesky factor as it was."""

    def remove(self, x, /):
        factor = self.factor.copy()
        done = super().remove(x)
        if self.count:
            self.factor = factor
        return done


class NotDowndated(GaussianCluster):
    """A point that leaves is taken from the count alone."""

    def remove(self, x, /):
        if self.count == 1:
            return super().remove(x)
        self.count -= 1
        return True


class NoWidening(GaussianCluster):
    """The predictive leaves out that the mean is not known."""

    def log_predictive(self, x, /):
        hidden = self.prior_count
        self.prior_count = 1e12
        value = super().log_predictive(x)
        self.prior_count = hidden
        return value


class UpdateAboutTheNewMean(GaussianCluster):
    """The scale takes in a point by its distance from the new mean, where that from the old one belongs."""

    def add(self, x, /):
        before = self.mean_count
        toward = (x - self.mean) / (before + 1)
        super().add(x)
        super().remove(x)
        super().add(x - toward)
        self.mean += toward / self.mean_count


def with_clusters(kind):
    """Return a function that gives a sampler other clusters."""

    def from_right(right):
        given = {field.name: getattr(right, field.name) for field in fields(right) if field.init}
        return type(right)(**{**given, "empty_cluster": partial(_made_like, kind, right.empty_cluster)})

    from_right.__name__ = kind.__name__
    return from_right


def _made_like(kind, make, state):
    return kind(make(state).prior)


# Collapsed finite mixtures.


@made
class concentration_counted_once(FiniteGibbs):
    """The concentration of one cluster is divided among all of them."""

    def log_prior_weight(self, cluster, state):
        return math.log(cluster.count + self.concentration(state) / self.clusters)


@made
class probabilities_not_integrated(FiniteGibbs):
    """Clusters are weighed by their counts alone, so that an empty one stays empty."""

    def log_prior_weight(self, cluster, state):
        return math.log(cluster.count) if cluster.count else -math.inf


@made
class finite_point_not_removed(FiniteGibbs):
    """The point stays in its cluster while the weights are computed."""

    def move(self, seating: Seating, point, state, rng):
        labels = self.choices(seating)
        log_weights = [self.log_weight(seating, label, seating.data[point], state) for label in labels]
        seating.leave(point)
        seating.join(point, labels[choose(log_weights, rng)])


CLUSTERS = (WrongDegrees, DegreesNotRaised, StaleFactor, NotDowndated, NoWidening, UpdateAboutTheNewMean)

COLLAPSED = (
    concentration_counted_once,
    probabilities_not_integrated,
    finite_point_not_removed,
    *map(with_clusters, CLUSTERS),
)
