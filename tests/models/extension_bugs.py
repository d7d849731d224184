"""Named bugs in the conditionals of the untied and the full covariance mixtures, as people write them.

Each is a function ``(model, state, data) -> distribution`` and changes the distribution of its own block alone.
"""

import numpy as np

from mcassay import Categorical, InverseGamma, InverseWishart, MultivariateNormal, Normal

COVARIANCE_PRIOR = InverseWishart(5.5, scale=[[2.0, 0.5, 0.2], [0.5, 1.5, -0.3], [0.2, -0.3, 1.0]])


def log_odds(model, state, data, determinant=0.5, power=0.5, swap=False):
    spread = np.broadcast_to(covariances(model, state), (model.clusters, model.dimensions, model.dimensions))
    squares = [np.einsum("nd,de,ne->n", data - m, np.linalg.inv(s), data - m) for m, s in zip(state["mu"], spread, strict=True)]
    logs = np.linalg.slogdet(spread)[1]
    return (np.log(state["pi"]) - determinant * (logs[::-1] if swap else logs))[:, np.newaxis] - power * np.stack(squares)


def covariances(model, state):
    if model.spread == "covariance":
        return state["covariance"]
    return state["sigma_sq_n"][:, np.newaxis, np.newaxis] * np.eye(model.dimensions)


def z_determinant_missing(model, state, data):
    return Categorical.from_log_odds(log_odds(model, state, data, determinant=0.0).T)


def z_half_missing_at_the_determinant(model, state, data):
    return Categorical.from_log_odds(log_odds(model, state, data, determinant=1.0).T)


def z_determinants_of_other_clusters(model, state, data):
    return Categorical.from_log_odds(log_odds(model, state, data, swap=True).T)


def z_half_missing_at_the_distance(model, state, data):
    return Categorical.from_log_odds(log_odds(model, state, data, power=1.0).T)


def z_covariance_for_its_inverse(model, state, data):
    inverse = np.linalg.inv(covariances(model, state))
    turned = {**state, "covariance": inverse}
    return Categorical.from_log_odds(log_odds(model, turned, data).T)


def z_diagonal_alone(model, state, data):
    diagonal = {**state, "covariance": state["covariance"] * np.eye(model.dimensions)}
    return Categorical.from_log_odds(log_odds(model, diagonal, data).T)


def z_whitened_by_the_transposed_factor(model, state, data):
    lower = np.linalg.cholesky(state["covariance"])
    turned = {**state, "covariance": lower.mT @ lower}
    return Categorical.from_log_odds(log_odds(model, turned, data).T)


def z_first_covariance_for_all(model, state, data):
    first = np.broadcast_to(covariances(model, state)[0], covariances(model, state).shape)
    if model.spread == "covariance":
        return Categorical.from_log_odds(log_odds(model, {**state, "covariance": first}, data).T)
    return Categorical.from_log_odds(log_odds(model, {**state, "sigma_sq_n": first[:, 0, 0]}, data).T)


def _mu(model, state, data, inverse, prior=1.0, scale=1.0):
    precision = (
        model.cluster_sizes(state)[:, np.newaxis, np.newaxis] * inverse + prior * np.eye(model.dimensions) / state["sigma_sq_mu"]
    )
    pull = (inverse @ model.cluster_sums(state, data)[..., np.newaxis]) * scale
    return MultivariateNormal(np.linalg.solve(precision, pull)[..., 0], precision=precision)


def mu_covariance_for_its_inverse(model, state, data):
    return _mu(model, state, data, state["covariance"])


def mu_prior_counted_twice(model, state, data):
    return _mu(model, state, data, np.linalg.inv(state["covariance"]), prior=2.0)


def mu_diagonal_alone(model, state, data):
    return _mu(model, state, data, np.linalg.inv(state["covariance"] * np.eye(model.dimensions)))


def mu_precision_for_covariance(model, state, data):
    right = model.cond_mu(state, data)
    return MultivariateNormal(right.mean, covariance=right.parameters["precision"])


def mu_not_shrunk(model, state, data):
    sizes = np.maximum(model.cluster_sizes(state), 1)[:, np.newaxis]
    return MultivariateNormal(
        model.cluster_sums(state, data) / sizes, precision=model.cond_mu(state, data).parameters["precision"]
    )


def mu_first_covariance_for_all(model, state, data):
    return _mu(model, state, data, np.linalg.inv(state["covariance"][:1]))


def mu_first_variance_for_all(model, state, data):
    return model.cond_mu({**state, "sigma_sq_n": np.full(model.clusters, state["sigma_sq_n"][0])}, data)


def mu_own_variance_missing_in_the_pull(model, state, data):
    right = model.cond_mu(state, data)
    return Normal(right.mean * state["sigma_sq_n"][:, np.newaxis], variance=right.variance)


def mu_prior_variance_missing(model, state, data):
    sizes = np.maximum(model.cluster_sizes(state), 1)[:, np.newaxis]
    variance = state["sigma_sq_n"][:, np.newaxis] / sizes
    return Normal(model.cluster_sums(state, data) / sizes, variance=variance)


def variance_counts_points_not_entries(model, state, data):
    right = model.cond_sigma_sq_n(state, data).parameters
    shape = model.sigma_sq_n_prior.parameters["shape"] + 0.5 * model.cluster_sizes(state)
    return InverseGamma(shape, scale=right["scale"])


def variance_of_all_points_for_each(model, state, data):
    squares = np.sum((data - model.means(state)) ** 2)
    shape = model.sigma_sq_n_prior.parameters["shape"] + 0.5 * model.dimensions * model.cluster_sizes(state)
    return InverseGamma(shape, scale=model.sigma_sq_n_prior.parameters["scale"] + 0.5 * squares)


def variance_half_missing(model, state, data):
    right, prior = model.cond_sigma_sq_n(state, data).parameters, model.sigma_sq_n_prior.parameters["scale"]
    return InverseGamma(right["shape"], scale=2 * right["scale"] - prior)


def variance_prior_forgotten_for_full_clusters(model, state, data):
    right, sizes = model.cond_sigma_sq_n(state, data).parameters, model.cluster_sizes(state)
    return InverseGamma(right["shape"] - np.where(sizes > 0, 1.0, 0.0), scale=right["scale"])


def covariance_degrees_not_raised(model, state, data):
    right = model.cond_covariance(state, data).parameters
    return InverseWishart(right["degrees_of_freedom"] * 0 + 5.5, scale=right["scale"])


def covariance_degrees_count_entries(model, state, data):
    right = model.cond_covariance(state, data).parameters
    degrees = 5.5 + model.dimensions * (right["degrees_of_freedom"] - 5.5)
    return InverseWishart(degrees, scale=right["scale"])


def covariance_prior_scale_missing(model, state, data):
    right = model.cond_covariance(state, data).parameters
    return InverseWishart(right["degrees_of_freedom"], scale=right["scale"] - 0.9 * COVARIANCE_PRIOR.parameters["scale"])


def covariance_scale_inverted(model, state, data):
    right = model.cond_covariance(state, data).parameters
    return InverseWishart(right["degrees_of_freedom"], scale=np.linalg.inv(right["scale"]))


def covariance_without_products(model, state, data):
    right = model.cond_covariance(state, data).parameters
    return InverseWishart(right["degrees_of_freedom"], scale=right["scale"] * np.eye(model.dimensions))


def covariance_about_the_sample_means(model, state, data):
    sizes = np.maximum(model.cluster_sizes(state), 1)[:, np.newaxis]
    means = np.where(model.cluster_sizes(state)[:, np.newaxis] > 0, model.cluster_sums(state, data) / sizes, state["mu"])
    return model.cond_covariance({**state, "mu": means}, data)


def covariance_of_all_points_for_each(model, state, data):
    residuals = data - model.means(state)
    right = model.cond_covariance(state, data).parameters
    scale = COVARIANCE_PRIOR.parameters["scale"] + residuals.T @ residuals
    return InverseWishart(right["degrees_of_freedom"], scale=np.broadcast_to(scale, right["scale"].shape))


def named(*functions):
    return {function.__name__: function for function in functions}


FULL_Z = (z_half_missing_at_the_distance, z_covariance_for_its_inverse, z_diagonal_alone, z_whitened_by_the_transposed_factor)
UNTIED_Z = (
    z_determinant_missing,
    z_half_missing_at_the_determinant,
    z_determinants_of_other_clusters,
    z_half_missing_at_the_distance,
    z_first_covariance_for_all,
)
FULL_MU = (mu_covariance_for_its_inverse, mu_prior_counted_twice, mu_diagonal_alone, mu_precision_for_covariance, mu_not_shrunk)
COVARIANCE = (
    covariance_degrees_not_raised,
    covariance_degrees_count_entries,
    covariance_prior_scale_missing,
    covariance_scale_inverted,
    covariance_without_products,
    covariance_about_the_sample_means,
)
BUGS = {
    "untied": {
        "z": named(*UNTIED_Z),
        "mu": named(mu_first_variance_for_all, mu_own_variance_missing_in_the_pull, mu_prior_variance_missing),
        "sigma_sq_n": named(
            variance_counts_points_not_entries,
            variance_of_all_points_for_each,
            variance_half_missing,
            variance_prior_forgotten_for_full_clusters,
        ),
    },
    "full": {"z": named(*FULL_Z), "mu": named(*FULL_MU), "covariance": named(*COVARIANCE)},
    "untied full": {
        "z": named(*UNTIED_Z, *FULL_Z),
        "mu": named(*FULL_MU, mu_first_covariance_for_all),
        "covariance": named(*COVARIANCE, covariance_of_all_points_for_each),
    },
}


def cases():
    return [(name, block, bug) for name, table in BUGS.items() for block, bugs in table.items() for bug in bugs]
