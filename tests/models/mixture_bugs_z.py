"""Wrong conditionals of z, as people write them."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from mcassay.distributions.categorical import Categorical


def squared_distances(state, data):
    return cdist(data, state["mu"], "sqeuclidean")


def evidence(state, data):
    return -0.5 * squared_distances(state, data) / state["sigma_sq_n"]


def log_pi_missing(model, state, data):
    return Categorical.from_log_odds(evidence(state, data))


def pi_for_log_pi(model, state, data):
    return Categorical.from_log_odds(state["pi"] + evidence(state, data))


def log_pi_counted_twice(model, state, data):
    return Categorical.from_log_odds(2 * np.log(state["pi"]) + evidence(state, data))


def constant_051_for_05(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.51 * squared_distances(state, data) / state["sigma_sq_n"])


def half_missing(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - squared_distances(state, data) / state["sigma_sq_n"])


def variance_for_sd(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squared_distances(state, data) / state["sigma_sq_n"] ** 2)


def sd_for_variance(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squared_distances(state, data) / np.sqrt(state["sigma_sq_n"]))


def precision_for_variance(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squared_distances(state, data) * state["sigma_sq_n"])


def variance_between_clusters(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squared_distances(state, data) / state["sigma_sq_mu"])


def sign_of_the_evidence(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - evidence(state, data))


def distance_not_squared(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * cdist(data, state["mu"]) / state["sigma_sq_n"])


def first_dimension_forgotten(model, state, data):
    squares = sum((data[:, d, np.newaxis] - state["mu"][:, d]) ** 2 for d in range(1, model.dimensions))
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squares / state["sigma_sq_n"])


def mean_over_dimensions(model, state, data):
    squares = ((data[:, np.newaxis] - state["mu"]) ** 2).mean(axis=2)
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squares / state["sigma_sq_n"])


def summed_before_squaring(model, state, data):
    squares = (data[:, np.newaxis] - state["mu"]).sum(axis=2) ** 2
    return Categorical.from_log_odds(np.log(state["pi"]) - 0.5 * squares / state["sigma_sq_n"])


def means_transposed(model, state, data):
    transposed = {**state, "mu": state["mu"].reshape(model.dimensions, model.clusters).T}
    return Categorical.from_log_odds(np.log(state["pi"]) + evidence(transposed, data))


def normalised_over_points(model, state, data):
    log_odds = np.log(state["pi"]) + evidence(state, data)
    return Categorical.from_probabilities(row_shares(np.exp(log_odds - logsumexp(log_odds, axis=0))))


def row_shares(weights):
    weights = weights + np.finfo(float).tiny
    return weights / weights.sum(axis=1, keepdims=True)


def last_cluster_forgotten(model, state, data):
    log_odds = np.log(state["pi"]) + evidence(state, data)
    return Categorical.from_log_odds(log_odds[:, : model.clusters - 1])


def empty_clusters_never_joined(model, state, data):
    occupied = model.cluster_sizes(state) > 0
    return Categorical.from_log_odds(np.where(occupied, np.log(state["pi"]) + evidence(state, data), -np.inf))


def sizes_for_pi(model, state, data):
    weights = model.alpha + model.cluster_sizes(state)
    return Categorical.from_log_odds(np.log(weights) + evidence(state, data))


def data_of_the_next_point(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) + evidence(state, np.roll(data, -1, axis=0)))


def only_data_centred(model, state, data):
    return Categorical.from_log_odds(np.log(state["pi"]) + evidence(state, data - data.mean(axis=0)))


BUGS = (
    log_pi_missing,
    pi_for_log_pi,
    log_pi_counted_twice,
    constant_051_for_05,
    half_missing,
    variance_for_sd,
    sd_for_variance,
    precision_for_variance,
    variance_between_clusters,
    sign_of_the_evidence,
    distance_not_squared,
    first_dimension_forgotten,
    mean_over_dimensions,
    summed_before_squaring,
    means_transposed,
    normalised_over_points,
    last_cluster_forgotten,
    empty_clusters_never_joined,
    sizes_for_pi,
    data_of_the_next_point,
    only_data_centred,
)
