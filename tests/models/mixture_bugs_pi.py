"""Wrong conditionals of pi, as people write them."""

import numpy as np
from scipy.spatial.distance import cdist

from mcassay.distributions.dirichlet import Dirichlet


def flat_prior_assumed(model, state, data):
    return Dirichlet(1.0 + model.cluster_sizes(state))


def alpha_shared_among_clusters(model, state, data):
    return Dirichlet(model.alpha / model.clusters + model.cluster_sizes(state))


def alpha_counted_twice(model, state, data):
    return Dirichlet(2 * model.alpha + model.cluster_sizes(state))


def alpha_times_099(model, state, data):
    return Dirichlet(0.99 * model.alpha + model.cluster_sizes(state))


def prior_instead_of_conditional(model, state, data):
    return Dirichlet(np.full(model.clusters, model.alpha))


def exponents_off_by_one(model, state, data):
    return Dirichlet(model.alpha + model.cluster_sizes(state) + 1)


def sizes_halved(model, state, data):
    return Dirichlet(model.alpha + 0.5 * model.cluster_sizes(state))


def shares_instead_of_sizes(model, state, data):
    sizes = model.cluster_sizes(state)
    return Dirichlet(model.alpha + sizes / sizes.sum())


def occupied_counted_once(model, state, data):
    return Dirichlet(model.alpha + (model.cluster_sizes(state) > 0))


def empty_clusters_counted_once(model, state, data):
    return Dirichlet(model.alpha + np.maximum(model.cluster_sizes(state), 1))


def single_members_forgotten(model, state, data):
    sizes = model.cluster_sizes(state)
    return Dirichlet(model.alpha + np.where(sizes == 1, 0, sizes))


def empty_clusters_moved_to_the_end(model, state, data):
    _, sizes = np.unique(state["z"], return_counts=True)
    return Dirichlet(model.alpha + np.pad(sizes, (0, model.clusters - len(sizes))))


def last_point_forgotten(model, state, data):
    return Dirichlet(model.alpha + np.bincount(state["z"][:-1], minlength=model.clusters))


def labels_from_one(model, state, data):
    sizes = [np.sum(state["z"] == k + 1) for k in range(model.clusters)]
    return Dirichlet(model.alpha + np.array(sizes))


def last_cluster_forgotten(model, state, data):
    sizes = np.zeros(model.clusters)
    for k in range(model.clusters - 1):
        sizes[k] = np.sum(state["z"] == k)
    return Dirichlet(model.alpha + sizes)


def nearest_cluster_instead_of_z(model, state, data):
    nearest = cdist(data, state["mu"]).argmin(axis=1)
    return Dirichlet(model.alpha + np.bincount(nearest, minlength=model.clusters))


def expected_sizes_instead_of_sizes(model, state, data):
    return Dirichlet(model.alpha + len(data) * state["pi"])


BUGS = (
    flat_prior_assumed,
    alpha_shared_among_clusters,
    alpha_counted_twice,
    alpha_times_099,
    prior_instead_of_conditional,
    exponents_off_by_one,
    sizes_halved,
    shares_instead_of_sizes,
    occupied_counted_once,
    empty_clusters_counted_once,
    single_members_forgotten,
    empty_clusters_moved_to_the_end,
    last_point_forgotten,
    labels_from_one,
    last_cluster_forgotten,
    nearest_cluster_instead_of_z,
    expected_sizes_instead_of_sizes,
)
