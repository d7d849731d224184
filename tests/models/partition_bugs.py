"""Well-known mistakes in samplers of partitions: split-merge, Gibbs sampling of a restaurant process, algorithm 8.

Each is a function of the right sampler and returns the wrong one. Nearly all of them keep moving and give sensible clusters.
"""

import math

import numpy as np

from mcassay.models.auxiliary_gibbs import AuxiliaryGibbs
from mcassay.models.label_gibbs import RestaurantGibbs, choose
from mcassay.models.seating import canonical
from mcassay.models.split_merge import FIRST, SECOND, Anchors, SplitMerge
from tests.models.collapsed_bugs import CLUSTERS, made, with_clusters

# Split-merge.


@made
class launch_state_of_present_labels(SplitMerge):
    """The launch state begins at the present labels, so that the way back begins elsewhere."""

    def launch(self, state, data, anchors, rng):
        seating, labels = self.sides(state, data, anchors), state[self.block]
        for point in anchors.others:
            seating.join(int(point), FIRST if labels[point] == labels[anchors.first] else SECOND)
        return seating


@made
class launch_state_favours_the_earlier_anchor(SplitMerge):
    """Where a split is proposed, three of four points begin with the anchor that comes first; where a merge is, half of them."""

    def launch(self, state, data, anchors, rng):
        seating, labels = self.sides(state, data, anchors), state[self.block]
        together = labels[anchors.first] == labels[anchors.second]
        share = 0.5 if not together else 0.75 if anchors.first < anchors.second else 0.25
        for point in anchors.others:
            seating.join(int(point), FIRST if rng.random() < share else SECOND)
        return seating


@made
class restricted_scan_not_counted(SplitMerge):
    """The probability of the restricted scan is missing from the ratio."""

    def scan(self, *arguments, **options):
        super().scan(*arguments, **options)
        return 0.0


@made
class last_point_of_the_scan_not_counted(SplitMerge):
    """The probability of the restricted scan lacks one of its points."""

    def scan(self, seating, anchors, state, rng, towards=None):
        fewer = Anchors(anchors.first, anchors.second, anchors.others[:-1])
        total = super().scan(seating, fewer, state, rng, towards)
        last = Anchors(anchors.first, anchors.second, anchors.others[-1:])
        super().scan(seating, last, state, rng, towards)
        return total


@made
class merge_proposal_density_missing(SplitMerge):
    """A merge does not ask how likely the split that undoes it would be."""

    def scan(self, seating, anchors, state, rng, towards=None):
        total = super().scan(seating, anchors, state, rng, towards)
        return total if towards is None else 0.0


@made
class way_back_of_a_merge_is_drawn(SplitMerge):
    """A merge weighs a split that it draws, not the one that would undo it."""

    def scan(self, seating, anchors, state, rng, towards=None):
        return super().scan(seating, anchors, state, rng)


@made
class prior_ratio_without_factorials(SplitMerge):
    """The prior ratio knows of the number of clusters, and not of their sizes."""

    def log_prior_ratio(self, split, state):
        return math.log(self.concentration(state))


@made
class prior_ratio_without_concentration(SplitMerge):
    """A new cluster costs nothing."""

    def log_prior_ratio(self, split, state):
        return super().log_prior_ratio(split, state) - math.log(self.concentration(state))


@made
class factorials_of_sizes(SplitMerge):
    """The factorial of the size in the place of that of the size less one."""

    def log_prior_ratio(self, split, state):
        first, second = split.clusters[FIRST].count, split.clusters[SECOND].count
        beta = math.lgamma(first + 1) + math.lgamma(second + 1) - math.lgamma(first + second + 1)
        return math.log(self.concentration(state)) + beta


@made
class anchors_not_counted(SplitMerge):
    """The anchors are missing from the sizes in the prior ratio."""

    def log_prior_ratio(self, split, state):
        first, second = max(split.clusters[FIRST].count - 1, 1), max(split.clusters[SECOND].count - 1, 1)
        beta = math.lgamma(first) + math.lgamma(second) - math.lgamma(first + second)
        return math.log(self.concentration(state)) + beta


@made
class likelihood_of_one_side_missing(SplitMerge):
    """The likelihood of the second side is left out."""

    def log_likelihood_ratio(self, split, anchors):
        return super().log_likelihood_ratio(split, anchors) - split.clusters[SECOND].log_marginal()


@made
class anchors_of_the_same_cluster_favoured(SplitMerge):
    """Points of one cluster are chosen as anchors more often, which the ratio does not know."""

    def anchors(self, labels, rng):
        first = int(rng.integers(len(labels)))
        weights = np.where(labels == labels[first], 2.0, 1.0)
        weights[first] = 0.0
        second = int(rng.choice(len(labels), p=weights / weights.sum()))
        taking_part = (labels == labels[first]) | (labels == labels[second])
        taking_part[[first, second]] = False
        return Anchors(first, second, np.flatnonzero(taking_part))


@made
class ratio_upside_down(SplitMerge):
    """A proposal is accepted by the inverse of its ratio."""

    def accepts(self, log_ratio, rng):
        return super().accepts(-log_ratio, rng)


@made
class split_moves_the_second_anchor_too(SplitMerge):
    """Points are moved by the side that the first anchor is not on, but the anchor stays where it is."""

    def split(self, labels, anchors, launch):
        moved = anchors.others[launch.labels[anchors.others] == SECOND]
        new = labels.copy()
        new[np.append(moved, anchors.first)] = labels.max() + 1
        return canonical(new)


# Gibbs sampling of a Chinese restaurant process.


@made
class point_not_removed(RestaurantGibbs):
    """The point stays in its cluster, which it then likes too much."""

    def move(self, seating, point, state, rng):
        labels = self.choices(seating)
        log_weights = [self.log_weight(seating, label, seating.data[point], state) for label in labels]
        seating.leave(point)
        seating.join(point, labels[choose(log_weights, rng)])


@made
class point_counted_in_its_own_cluster(RestaurantGibbs):
    """The statistics are right, but the count of a point's cluster still has the point."""

    def move(self, seating, point, state, rng):
        mine = int(seating.labels[point])
        seating.leave(point)
        labels, x = self.choices(seating), seating.data[point]
        log_weights = [self.log_weight(seating, label, x, state) for label in labels]
        if mine in seating.clusters:
            place, count = labels.index(mine), seating.clusters[mine].count
            log_weights[place] += math.log((count + 1) / count)
        seating.join(point, labels[choose(log_weights, rng)])


@made
class empty_cluster_kept(RestaurantGibbs):
    """The cluster that a point leaves empty is offered to it beside a new one."""

    def move(self, seating, point, state, rng):
        alone = len(seating.members(int(seating.labels[point]))) == 1
        seating.leave(point)
        labels, x = self.choices(seating), seating.data[point]
        log_weights = [self.log_weight(seating, label, x, state) for label in labels]
        log_weights[-1] += math.log(2) if alone else 0.0
        seating.join(point, labels[choose(log_weights, rng)])


@made
class concentration_missing(RestaurantGibbs):
    """A new cluster has the weight of one point."""

    def log_prior_weight(self, cluster, state):
        return 0.0 if cluster is None else super().log_prior_weight(cluster, state)


@made
class concentration_shared_among_clusters(RestaurantGibbs):
    """A new cluster gets a share of the concentration, as in a finite mixture."""

    def log_weight(self, seating, label, x, state):
        weight = super().log_weight(seating, label, x, state)
        return weight if label in seating.clusters else weight - math.log(len(seating.clusters) + 1)


@made
class clusters_of_the_same_weight(RestaurantGibbs):
    """The sizes of the clusters do not count."""

    def log_prior_weight(self, cluster, state):
        return super().log_prior_weight(cluster, state) if cluster is None else 0.0


@made
class new_cluster_at_the_prior_mean(RestaurantGibbs):
    """A new cluster is weighed by the density at its prior mean, not by the prior predictive."""

    def log_predictive(self, cluster, x):
        return super().log_predictive(cluster, x if cluster.count else np.zeros_like(x))


@made
class sizes_of_the_old_sweep(RestaurantGibbs):
    """Counts are taken once at the beginning of the sweep."""

    def sweep(self, state, data, rng, points):
        before = self.seating(state, data)
        sizes = {label: cluster.count for label, cluster in before.clusters.items()}
        seating = self.seating(state, data)
        for point in points:
            mine = int(seating.labels[point])
            seating.leave(point)
            labels = self.choices(seating)
            log_weights = [self.log_weight(seating, label, seating.data[point], state) for label in labels]
            for place, label in enumerate(labels[:-1]):
                size = sizes.get(label, 1) - (label == mine)
                log_weights[place] += math.log(max(size, 1) / seating.clusters[label].count)
            seating.join(point, labels[choose(log_weights, rng)])
        return {**state, self.block: self.relabelled(seating.labels)}


# Algorithm 8.


@made
class own_cluster_redrawn(AuxiliaryGibbs):
    """A point that was alone gets new auxiliary clusters throughout, and loses the parameters of its own."""

    def auxiliary_clusters(self, state, point, rng):
        return [self.draw_parameters(state, rng) for _ in range(self.auxiliary)]


@made
class one_auxiliary_cluster_too_many(AuxiliaryGibbs):
    """The own cluster of a point that was alone is offered beside as many new ones as ever."""

    def auxiliary_clusters(self, state, point, rng):
        kept = super().auxiliary_clusters(state, point, rng)
        alone = int(np.sum(state[self.block] == state[self.block][point])) == 1
        return [*kept, self.draw_parameters(state, rng)] if alone else kept


@made
class concentration_not_shared(AuxiliaryGibbs):
    """Every auxiliary cluster has the whole concentration."""

    def share(self, labels, cluster, state):
        return labels.count(cluster) or self.concentration(state)


@made
class auxiliary_clusters_all_alike(AuxiliaryGibbs):
    """One draw serves for all auxiliary clusters, the kept one included."""

    def auxiliary_clusters(self, state, point, rng):
        first = super().auxiliary_clusters(state, point, rng)
        return [self.draw_parameters(state, rng)] * len(first)


@made
class emptied_cluster_keeps_its_place(AuxiliaryGibbs):
    """The own cluster of a point that was alone weighs as much as a cluster of one point."""

    def share(self, labels, cluster, state):
        occupied = max(labels) + 1
        alone = int(np.sum(state[self.block] == state[self.block][labels.index(-1)])) == 1
        return 1 if alone and cluster == occupied else super().share(labels, cluster, state)


SPLIT_MERGE = (
    launch_state_of_present_labels,
    launch_state_favours_the_earlier_anchor,
    restricted_scan_not_counted,
    last_point_of_the_scan_not_counted,
    merge_proposal_density_missing,
    way_back_of_a_merge_is_drawn,
    prior_ratio_without_factorials,
    prior_ratio_without_concentration,
    factorials_of_sizes,
    anchors_not_counted,
    likelihood_of_one_side_missing,
    anchors_of_the_same_cluster_favoured,
    ratio_upside_down,
    split_moves_the_second_anchor_too,
)
RESTAURANT = (
    point_not_removed,
    point_counted_in_its_own_cluster,
    empty_cluster_kept,
    concentration_missing,
    concentration_shared_among_clusters,
    clusters_of_the_same_weight,
    new_cluster_at_the_prior_mean,
    sizes_of_the_old_sweep,
    *map(with_clusters, CLUSTERS),
)
AUXILIARY = (
    own_cluster_redrawn,
    one_auxiliary_cluster_too_many,
    concentration_not_shared,
    auxiliary_clusters_all_alike,
    emptied_cluster_keeps_its_place,
)
