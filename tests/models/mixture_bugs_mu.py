"""Wrong conditionals of mu, as people write them."""

import numpy as np

from mcassay.distributions.normal import Normal


def posterior(sizes, sums, sigma_sq_n, sigma_sq_mu):
    """Mean and variance of the cluster means: the right formula, for bugs that put the wrong things in."""
    variance = 1 / (np.reshape(sizes, (-1, 1)) / sigma_sq_n + 1 / sigma_sq_mu)
    return variance * sums / sigma_sq_n, variance


def parts(model, state, data):
    return model.cluster_sizes(state), model.cluster_sums(state, data), state["sigma_sq_n"], state["sigma_sq_mu"]


def right(model, state, data):
    return posterior(*parts(model, state, data))


def prior_precision_missing(model, state, data):
    sizes, sums, sigma_sq_n, _ = parts(model, state, data)
    variance = sigma_sq_n / np.maximum(sizes, 1)[:, np.newaxis]
    return Normal(variance * sums / sigma_sq_n, variance=variance)


def prior_precision_halved(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    variance = 1 / (sizes / sigma_sq_n + 0.5 / sigma_sq_mu)[:, np.newaxis]
    return Normal(variance * sums / sigma_sq_n, variance=variance)


def variances_exchanged(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(sizes, sums, sigma_sq_mu, sigma_sq_n)
    return Normal(mean, variance=variance)


def variance_given_as_sd(model, state, data):
    mean, variance = right(model, state, data)
    return Normal(mean, sd=variance)


def precision_given_as_variance(model, state, data):
    mean, variance = right(model, state, data)
    return Normal(mean, variance=1 / variance)


def variance_times_101(model, state, data):
    mean, variance = right(model, state, data)
    return Normal(mean, variance=1.01 * variance)


def mean_not_shrunk(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    _, variance = posterior(sizes, sums, sigma_sq_n, sigma_sq_mu)
    return Normal(sums / np.maximum(sizes, 1)[:, np.newaxis], variance=variance)


def average_instead_of_sum(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    averages = sums / np.maximum(sizes, 1)[:, np.newaxis]
    mean, variance = posterior(sizes, averages, sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def sum_not_divided_by_variance(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    _, variance = posterior(sizes, sums, sigma_sq_n, sigma_sq_mu)
    return Normal(variance * sums, variance=variance)


def sign_of_the_mean(model, state, data):
    mean, variance = right(model, state, data)
    return Normal(-mean, variance=variance)


def sizes_missing(model, state, data):
    _, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(np.ones(model.clusters), sums, sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def every_size_is_n(model, state, data):
    _, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(np.full(model.clusters, len(data)), sums, sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def sizes_off_by_one(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(np.maximum(sizes - 1, 0), sums, sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def expected_sizes_instead_of_sizes(model, state, data):
    _, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(len(data) * state["pi"], sums, sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def variances_added(model, state, data):
    sizes, _, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, _ = right(model, state, data)
    return Normal(mean, variance=sigma_sq_n / np.maximum(sizes, 1)[:, np.newaxis] + sigma_sq_mu)


def empty_clusters_get_the_noise_variance(model, state, data):
    mean, variance = right(model, state, data)
    empty = model.cluster_sizes(state)[:, np.newaxis] == 0
    return Normal(mean, variance=np.where(empty, state["sigma_sq_n"], variance))


def single_members_get_the_noise_variance(model, state, data):
    mean, variance = right(model, state, data)
    single = model.cluster_sizes(state)[:, np.newaxis] == 1
    return Normal(mean, variance=np.where(single, state["sigma_sq_n"], variance))


def empty_clusters_at_the_mean_of_the_data(model, state, data):
    mean, variance = right(model, state, data)
    empty = model.cluster_sizes(state)[:, np.newaxis] == 0
    return Normal(np.where(empty, data.mean(axis=0), mean), variance=variance)


def empty_clusters_moved_to_the_end(model, state, data):
    labels, sizes = np.unique(state["z"], return_counts=True)
    sizes = np.pad(sizes, (0, model.clusters - len(labels)))
    mean, variance = posterior(sizes, model.cluster_sums(state, data), state["sigma_sq_n"], state["sigma_sq_mu"])
    return Normal(mean, variance=variance)


def last_cluster_forgotten(model, state, data):
    sizes, sums = np.zeros(model.clusters), np.zeros((model.clusters, model.dimensions))
    for k in range(model.clusters - 1):
        sizes[k], sums[k] = np.sum(state["z"] == k), data[state["z"] == k].sum(axis=0)
    mean, variance = posterior(sizes, sums, state["sigma_sq_n"], state["sigma_sq_mu"])
    return Normal(mean, variance=variance)


def summed_over_dimensions(model, state, data):
    sizes, _, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    sums = np.bincount(state["z"], data.sum(axis=1), model.clusters)[:, np.newaxis]
    mean, variance = posterior(sizes, sums, sigma_sq_n, sigma_sq_mu)
    return Normal(np.tile(mean, model.dimensions), variance=variance)


def sum_of_all_data(model, state, data):
    sizes, _, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(sizes, data.sum(axis=0), sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


def sums_transposed(model, state, data):
    sizes, sums, sigma_sq_n, sigma_sq_mu = parts(model, state, data)
    mean, variance = posterior(sizes, sums.T.reshape(sums.shape), sigma_sq_n, sigma_sq_mu)
    return Normal(mean, variance=variance)


BUGS = (
    prior_precision_missing,
    prior_precision_halved,
    variances_exchanged,
    variance_given_as_sd,
    precision_given_as_variance,
    variance_times_101,
    mean_not_shrunk,
    average_instead_of_sum,
    sum_not_divided_by_variance,
    sign_of_the_mean,
    sizes_missing,
    every_size_is_n,
    sizes_off_by_one,
    expected_sizes_instead_of_sizes,
    variances_added,
    empty_clusters_get_the_noise_variance,
    single_members_get_the_noise_variance,
    empty_clusters_at_the_mean_of_the_data,
    empty_clusters_moved_to_the_end,
    last_cluster_forgotten,
    summed_over_dimensions,
    sum_of_all_data,
    sums_transposed,
)
