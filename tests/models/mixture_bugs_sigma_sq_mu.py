"""Wrong conditionals of sigma_sq_mu, as people write them."""

import numpy as np

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma


def prior(model):
    parameters = model.sigma_sq_mu_prior.parameters
    return parameters["shape"], parameters["scale"]


def with_scale(model, state, scale):
    """The right shape with the scale that a bug makes of it."""
    shape, _ = prior(model)
    return InverseGamma(shape + 0.5 * state["mu"].size, scale=scale)


def with_shape(model, state, shape):
    """The right scale with the shape that a bug makes of it."""
    _, scale = prior(model)
    return InverseGamma(shape, scale=scale + 0.5 * np.sum(state["mu"] ** 2))


def constant_051_for_05_in_scale(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.51 * np.sum(state["mu"] ** 2))


def constant_051_for_05_in_shape(model, state, data):
    return with_shape(model, state, prior(model)[0] + 0.51 * state["mu"].size)


def half_missing_in_scale(model, state, data):
    return with_scale(model, state, prior(model)[1] + np.sum(state["mu"] ** 2))


def half_missing_in_shape(model, state, data):
    return with_shape(model, state, prior(model)[0] + state["mu"].size)


def dimensions_missing(model, state, data):
    return with_shape(model, state, prior(model)[0] + 0.5 * model.clusters)


def clusters_missing(model, state, data):
    return with_shape(model, state, prior(model)[0] + 0.5 * model.dimensions)


def degrees_of_freedom_less_one(model, state, data):
    return with_shape(model, state, prior(model)[0] + 0.5 * (state["mu"].size - 1))


def exponent_taken_for_shape(model, state, data):
    return with_shape(model, state, prior(model)[0] + 0.5 * state["mu"].size + 1)


def prior_shape_missing(model, state, data):
    return with_shape(model, state, 0.5 * state["mu"].size)


def prior_scale_missing(model, state, data):
    return with_scale(model, state, 0.5 * np.sum(state["mu"] ** 2))


def prior_of_the_other_variance(model, state, data):
    parameters = model.sigma_sq_n_prior.parameters
    return InverseGamma(parameters["shape"] + 0.5 * state["mu"].size, scale=parameters["scale"] + 0.5 * np.sum(state["mu"] ** 2))


def only_occupied_clusters(model, state, data):
    mu = state["mu"][np.unique(state["z"])]
    return InverseGamma(prior(model)[0] + 0.5 * mu.size, scale=prior(model)[1] + 0.5 * np.sum(mu**2))


def last_cluster_forgotten(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * sum(np.sum(mu**2) for mu in state["mu"][:-1]))


def one_mean_a_point(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.sum(state["mu"][state["z"]] ** 2))


def spread_about_the_average(model, state, data):
    mu = state["mu"]
    return with_scale(model, state, prior(model)[1] + 0.5 * np.sum((mu - mu.mean(axis=0)) ** 2))


def summed_before_squaring(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.sum(state["mu"].sum(axis=0) ** 2))


def absolute_values_for_squares(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.sum(np.abs(state["mu"])))


def mean_for_sum(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.mean(state["mu"] ** 2))


def norm_not_squared(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.linalg.norm(state["mu"]))


def data_for_means(model, state, data):
    return with_scale(model, state, prior(model)[1] + 0.5 * np.sum(data**2))


def rate_given_as_scale(model, state, data):
    return with_scale(model, state, 1 / (prior(model)[1] + 0.5 * np.sum(state["mu"] ** 2)))


def law_of_the_precision(model, state, data):
    shape, scale = prior(model)
    return Gamma(shape + 0.5 * state["mu"].size, rate=scale + 0.5 * np.sum(state["mu"] ** 2))


BUGS = (
    constant_051_for_05_in_scale,
    constant_051_for_05_in_shape,
    half_missing_in_scale,
    half_missing_in_shape,
    dimensions_missing,
    clusters_missing,
    degrees_of_freedom_less_one,
    exponent_taken_for_shape,
    prior_shape_missing,
    prior_scale_missing,
    prior_of_the_other_variance,
    only_occupied_clusters,
    last_cluster_forgotten,
    one_mean_a_point,
    spread_about_the_average,
    summed_before_squaring,
    absolute_values_for_squares,
    mean_for_sum,
    norm_not_squared,
    data_for_means,
    rate_given_as_scale,
    law_of_the_precision,
)
