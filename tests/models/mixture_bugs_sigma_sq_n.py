"""Wrong conditionals of sigma_sq_n, as people write them."""

import numpy as np

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma


def prior(model):
    parameters = model.sigma_sq_n_prior.parameters
    return parameters["shape"], parameters["scale"]


def residuals(state, data):
    return data - state["mu"][state["z"]]


def with_scale(model, data, scale):
    """The right shape with the scale that a bug makes of it."""
    return InverseGamma(prior(model)[0] + 0.5 * data.size, scale=scale)


def with_shape(model, state, data, shape):
    """The right scale with the shape that a bug makes of it."""
    return InverseGamma(shape, scale=prior(model)[1] + 0.5 * np.sum(residuals(state, data) ** 2))


def constant_051_for_05_in_scale(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.51 * np.sum(residuals(state, data) ** 2))


def constant_051_for_05_in_shape(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.51 * data.size)


def half_missing_in_scale(model, state, data):
    return with_scale(model, data, prior(model)[1] + np.sum(residuals(state, data) ** 2))


def half_missing_in_shape(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + data.size)


def dimensions_missing(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.5 * len(data))


def points_missing(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.5 * model.dimensions)


def clusters_for_points(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.5 * state["mu"].size)


def degrees_of_freedom_less_one(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.5 * (data.size - 1))


def degrees_of_freedom_less_the_means(model, state, data):
    occupied = len(np.unique(state["z"]))
    return with_shape(model, state, data, prior(model)[0] + 0.5 * (len(data) - occupied) * model.dimensions)


def exponent_taken_for_shape(model, state, data):
    return with_shape(model, state, data, prior(model)[0] + 0.5 * data.size + 1)


def prior_shape_missing(model, state, data):
    return with_shape(model, state, data, 0.5 * data.size)


def prior_scale_missing(model, state, data):
    return with_scale(model, data, 0.5 * np.sum(residuals(state, data) ** 2))


def prior_of_the_other_variance(model, state, data):
    parameters = model.sigma_sq_mu_prior.parameters
    return InverseGamma(
        parameters["shape"] + 0.5 * data.size, scale=parameters["scale"] + 0.5 * np.sum(residuals(state, data) ** 2)
    )


def residuals_from_cluster_averages(model, state, data):
    averages = model.cluster_sums(state, data) / np.maximum(model.cluster_sizes(state), 1)[:, np.newaxis]
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum((data - averages[state["z"]]) ** 2))


def residuals_from_the_overall_mean(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum((data - data.mean(axis=0)) ** 2))


def residuals_from_the_expected_mean(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum((data - state["pi"] @ state["mu"]) ** 2))


def residuals_from_zero(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum(data**2))


def labels_from_one(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum((data - state["mu"][state["z"] - 1]) ** 2))


def means_transposed(model, state, data):
    mu = state["mu"].reshape(model.dimensions, model.clusters).T
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum((data - mu[state["z"]]) ** 2))


def last_point_forgotten(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum(residuals(state, data)[:-1] ** 2))


def last_cluster_forgotten(model, state, data):
    squares = sum(np.sum((data[state["z"] == k] - state["mu"][k]) ** 2) for k in range(model.clusters - 1))
    return with_scale(model, data, prior(model)[1] + 0.5 * squares)


def summed_before_squaring(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum(residuals(state, data).sum(axis=0) ** 2))


def absolute_values_for_squares(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.sum(np.abs(residuals(state, data))))


def mean_for_sum(model, state, data):
    return with_scale(model, data, prior(model)[1] + 0.5 * np.mean(residuals(state, data) ** 2))


def rate_given_as_scale(model, state, data):
    return with_scale(model, data, 1 / (prior(model)[1] + 0.5 * np.sum(residuals(state, data) ** 2)))


def law_of_the_precision(model, state, data):
    shape, scale = prior(model)
    return Gamma(shape + 0.5 * data.size, rate=scale + 0.5 * np.sum(residuals(state, data) ** 2))


BUGS = (
    constant_051_for_05_in_scale,
    constant_051_for_05_in_shape,
    half_missing_in_scale,
    half_missing_in_shape,
    dimensions_missing,
    points_missing,
    clusters_for_points,
    degrees_of_freedom_less_one,
    degrees_of_freedom_less_the_means,
    exponent_taken_for_shape,
    prior_shape_missing,
    prior_scale_missing,
    prior_of_the_other_variance,
    residuals_from_cluster_averages,
    residuals_from_the_overall_mean,
    residuals_from_the_expected_mean,
    residuals_from_zero,
    labels_from_one,
    means_transposed,
    last_point_forgotten,
    last_cluster_forgotten,
    summed_before_squaring,
    absolute_values_for_squares,
    mean_for_sum,
    rate_given_as_scale,
    law_of_the_precision,
)
