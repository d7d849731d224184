"""Other ways to write the conditionals of the mixture that leave every distribution what it is."""

import numpy as np
import scipy.stats

from mcassay.distributions.categorical import Categorical
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal

# pi


def sizes_by_one_hot(model, state, data):
    one_hot = state["z"][:, np.newaxis] == np.arange(model.clusters)
    return Dirichlet(model.alpha + one_hot.sum(axis=0))


def sizes_one_point_at_a_time(model, state, data):
    concentration = np.full(model.clusters, model.alpha)
    for label in state["z"]:
        concentration[label] += 1
    return Dirichlet(concentration)


def sizes_one_cluster_at_a_time(model, state, data):
    return Dirichlet([model.alpha + np.sum(state["z"] == k) for k in range(model.clusters)])


def sizes_in_another_order(model, state, data):
    return Dirichlet(model.alpha + np.bincount(np.sort(state["z"])[::-1], minlength=model.clusters))


def dirichlet_of_scipy(model, state, data):
    return scipy.stats.dirichlet(model.alpha + model.cluster_sizes(state))


# z


def log_odds(state, data):
    squares = ((data[:, np.newaxis] - state["mu"]) ** 2).sum(axis=2)
    return np.log(state["pi"]) - 0.5 * squares / state["sigma_sq_n"]


def log_odds_shifted(model, state, data):
    return Categorical.from_log_odds(log_odds(state, data) + 7.0)


def log_odds_shifted_by_row(model, state, data):
    return Categorical.from_log_odds(log_odds(state, data) - np.linspace(0.0, 5.0, len(data))[:, np.newaxis])


def normalised_by_hand(model, state, data):
    weights = np.exp(log_odds(state, data) - log_odds(state, data).max(axis=1, keepdims=True))
    return Categorical.from_probabilities(weights / weights.sum(axis=1, keepdims=True))


def square_expanded(model, state, data):
    products = data @ state["mu"].T - 0.5 * np.sum(state["mu"] ** 2, axis=1)
    return Categorical.from_log_odds(np.log(state["pi"]) + products / state["sigma_sq_n"])


def sum_of_normal_log_densities(model, state, data):
    evidence = Normal(state["mu"], variance=state["sigma_sq_n"]).log_p(data[:, np.newaxis]).sum(axis=2)
    return Categorical.from_log_odds(np.log(state["pi"]) + evidence)


def pi_not_normalised(model, state, data):
    return Categorical.from_log_odds(log_odds({**state, "pi": 3.0 * state["pi"]}, data))


# mu


def loop_over_clusters(model, state, data):
    mean, variance = np.empty((model.clusters, model.dimensions)), np.empty((model.clusters, 1))
    for k in range(model.clusters):
        members = data[state["z"] == k]
        variance[k] = 1 / (len(members) / state["sigma_sq_n"] + 1 / state["sigma_sq_mu"])
        mean[k] = variance[k] * members.sum(axis=0) / state["sigma_sq_n"]
    return Normal(mean, variance=variance)


def one_point_after_another(model, state, data):
    mean = np.zeros((model.clusters, model.dimensions))
    variance = np.full(model.clusters, state["sigma_sq_mu"])
    for label, x in zip(state["z"], data, strict=True):
        gain = variance[label] / (variance[label] + state["sigma_sq_n"])
        mean[label] += gain * (x - mean[label])
        variance[label] *= 1 - gain
    return Normal(mean, variance=variance[:, np.newaxis])


def by_sd(model, state, data):
    normal = model.cond_mu(state, data)
    return Normal(normal.mean, sd=np.sqrt(normal.variance))


def by_precision(model, state, data):
    precision = (model.cluster_sizes(state) / state["sigma_sq_n"] + 1 / state["sigma_sq_mu"])[:, np.newaxis]
    return Normal(model.cluster_sums(state, data) / state["sigma_sq_n"] / precision, precision=precision)


def weighted_average(model, state, data):
    sizes = model.cluster_sizes(state)[:, np.newaxis]
    share = sizes * state["sigma_sq_mu"] / (sizes * state["sigma_sq_mu"] + state["sigma_sq_n"])
    average = model.cluster_sums(state, data) / np.maximum(sizes, 1)
    return Normal(share * average, variance=(1 - share) * state["sigma_sq_mu"])


def normal_of_scipy(model, state, data):
    normal = model.cond_mu(state, data)
    return scipy.stats.norm(normal.mean, normal.sd)


# sigma_sq_mu


def prior(family):
    return family.parameters["shape"], family.parameters["scale"]


def squares_one_cluster_at_a_time(model, state, data):
    shape, scale = prior(model.sigma_sq_mu_prior)
    for mu in state["mu"]:
        shape, scale = shape + 0.5 * model.dimensions, scale + 0.5 * mu @ mu
    return InverseGamma(shape, scale=scale)


def norm_squared(model, state, data):
    shape, scale = prior(model.sigma_sq_mu_prior)
    return InverseGamma(shape + model.clusters * model.dimensions / 2, scale=scale + np.linalg.norm(state["mu"]) ** 2 / 2)


def trace_of_the_gram_matrix(model, state, data):
    shape, scale = prior(model.sigma_sq_mu_prior)
    return InverseGamma(shape + 0.5 * state["mu"].size, scale=scale + 0.5 * np.trace(state["mu"] @ state["mu"].T))


def spread_and_average(model, state, data):
    shape, scale = prior(model.sigma_sq_mu_prior)
    average = state["mu"].mean(axis=0)
    squares = np.sum((state["mu"] - average) ** 2) + model.clusters * average @ average
    return InverseGamma(shape + 0.5 * state["mu"].size, scale=scale + 0.5 * squares)


def inverse_gamma_of_scipy(model, state, data):
    shape, scale = prior(model.sigma_sq_mu_prior)
    return scipy.stats.invgamma(shape + 0.5 * state["mu"].size, scale=scale + 0.5 * np.sum(state["mu"] ** 2))


# sigma_sq_n


def residuals_one_cluster_at_a_time(model, state, data):
    shape, scale = prior(model.sigma_sq_n_prior)
    for k in range(model.clusters):
        members = data[state["z"] == k]
        shape, scale = shape + 0.5 * members.size, scale + 0.5 * np.sum((members - state["mu"][k]) ** 2)
    return InverseGamma(shape, scale=scale)


def residuals_expanded(model, state, data):
    shape, scale = prior(model.sigma_sq_n_prior)
    means = state["mu"][state["z"]]
    squares = np.sum(data**2) - 2 * np.sum(data * means) + np.sum(means**2)
    return InverseGamma(shape + 0.5 * data.size, scale=scale + 0.5 * squares)


def residuals_by_one_hot(model, state, data):
    shape, scale = prior(model.sigma_sq_n_prior)
    residuals = data - np.eye(model.clusters)[state["z"]] @ state["mu"]
    return InverseGamma(shape + 0.5 * data.size, scale=scale + 0.5 * np.einsum("nd,nd->", residuals, residuals))


def within_and_between(model, state, data):
    shape, scale = prior(model.sigma_sq_n_prior)
    sizes = model.cluster_sizes(state)[:, np.newaxis]
    averages = model.cluster_sums(state, data) / np.maximum(sizes, 1)
    squares = np.sum((data - averages[state["z"]]) ** 2) + np.sum(sizes * (averages - state["mu"]) ** 2)
    return InverseGamma(shape + 0.5 * data.size, scale=scale + 0.5 * squares)


def law_of_scipy(model, state, data):
    shape, scale = prior(model.sigma_sq_n_prior)
    squares = np.sum((data - state["mu"][state["z"]]) ** 2)
    return scipy.stats.invgamma(shape + 0.5 * data.size, scale=scale + 0.5 * squares)


PI = (
    sizes_by_one_hot,
    sizes_one_point_at_a_time,
    sizes_one_cluster_at_a_time,
    sizes_in_another_order,
    dirichlet_of_scipy,
)
Z = (
    log_odds_shifted,
    log_odds_shifted_by_row,
    normalised_by_hand,
    square_expanded,
    sum_of_normal_log_densities,
    pi_not_normalised,
)
MU = (loop_over_clusters, one_point_after_another, by_sd, by_precision, weighted_average, normal_of_scipy)
SIGMA_SQ_MU = (
    squares_one_cluster_at_a_time,
    norm_squared,
    trace_of_the_gram_matrix,
    spread_and_average,
    inverse_gamma_of_scipy,
)
SIGMA_SQ_N = (
    residuals_one_cluster_at_a_time,
    residuals_expanded,
    residuals_by_one_hot,
    within_and_between,
    law_of_scipy,
)
