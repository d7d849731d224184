"""The log densities of the standard targets, written a second time with scipy.stats."""

import itertools

import numpy as np
from scipy import stats

from mcassay.targets import gaussian_process, hierarchical, latent, regression


def normal(state, data):
    n = len(state["x"])
    scales, places = np.geomspace(0.5, 2.0, n), np.arange(n)
    correlation = 0.7 ** np.abs(places[:, None] - places)
    covariance = np.diag(scales) @ correlation @ np.diag(scales)
    return stats.multivariate_normal(np.linspace(-0.5, 1.5, n) if n > 1 else [-0.5], covariance).logpdf(state["x"])


def funnel(state, data):
    return stats.norm(0, 1.5).logpdf(state["v"]) + stats.norm(0, np.exp(state["v"] / 2)).logpdf(state["x"]).sum()


def non_centred_funnel(state, data):
    x = np.exp(state["v"] / 2) * state["z"]
    return stats.norm(0, 1.5).logpdf(state["v"]) + stats.norm.logpdf(state["z"]).sum() + stats.norm(x, 1).logpdf(data).sum()


def banana(state, data):
    a, b = state["x"]
    return stats.norm(0, 1.5).logpdf(a) + stats.norm(0.5 * (a**2 - 2.25), 1).logpdf(b)


def two_modes(state, data):
    first = stats.multivariate_normal([2.5, 1.0], 0.36 * np.eye(2)).pdf(state["x"])
    return np.log(0.3 * first + 0.7 * stats.multivariate_normal([-2.5, -1.0], 1.44 * np.eye(2)).pdf(state["x"]))


def student_t(state, data):
    return stats.multivariate_t([0, 0], np.eye(2), df=3).logpdf(state["x"])


def laplace(state, data):
    return stats.laplace(1.0, [0.5, 2.0]).logpdf(state["x"]).sum()


def kinked(state, data):
    x = state["x"]
    return np.piecewise(x, [x < 0, (x >= 0) & (x < 1), x >= 1], [lambda v: v, lambda v: -v / 2, lambda v: 0.5 - v]).sum()


def gamma(state, data):
    return stats.gamma(2.5, scale=1 / 1.5).logpdf(state["x"]).sum()


def beta(state, data):
    return stats.beta(1.5, 3.0).logpdf(state["x"]).sum()


def simplex(state, data):
    return stats.dirichlet([1.5, 2.0, 4.0]).logpdf(state["x"])


def truncated_normal(state, data):
    return stats.truncnorm(0.5 / 1.5, 3.0 / 1.5, 0.0, 1.5).logpdf(state["x"]).sum()


def von_mises(state, data):
    return stats.vonmises(2.0, loc=1.0).logpdf(state["x"]).sum()


def discrete_uniform(state, data):
    return stats.randint(-3, 5).logpmf(state["x"]).sum()


def poisson(state, data):
    return stats.poisson([0.7, 6.0]).logpmf(state["x"]).sum()


def categorical(state, data):
    a, b, c = state["x"]
    tables = [0.5, 0.5], [0.1, 0.2, 0.7], [0.1, 0.05, 0.25, 0.3, 0.3]
    return np.log(tables[0][a] * tables[1][b] * tables[2][c]) + (0.8 if a == b else 0.0)


def binary(state, data):
    x = state["x"]
    return 0.5 * x[0] - 0.5 * x[1] + x[3] + 0.7 * sum(x[i] == x[i + 1] for i in range(3))


def _grid(state, data):
    x = state["x"]
    pairs = [(x[i, j], x[k, m]) for i, j in np.ndindex(x.shape) for k, m in ((i + 1, j), (i, j + 1)) if k < len(x) and m < 3]
    return 0.8 * sum(a == b for a, b in pairs) + 0.15 * np.count_nonzero(x == 0)


ising = potts = _grid


def mixed(state, data):
    label, value = state["label"], state["value"]
    normal_part = stats.norm([-1.0, 0.5, 2.0][label], [0.5, 1.0, 1.5][label]).logpdf(value)
    return np.log([0.2, 0.5, 0.3][label]) + normal_part + stats.binom(4, 1 / (1 + np.exp(-value))).logpmf(state["heads"])


def logistic_regression(state, data):
    chance = 1 / (1 + np.exp(-regression.COVARIATES @ state["weights"]))
    return stats.norm(0, 1.5).logpdf(state["weights"]).sum() + stats.bernoulli(chance).logpmf(data).sum()


def linear_regression(state, data):
    weights, variance = state["weights"], state["variance"]
    above = stats.norm(0, 1.5).logpdf(weights).sum() + stats.invgamma(3.0, scale=2.0).logpdf(variance)
    return above + stats.norm(regression.COVARIATES @ weights, np.sqrt(variance)).logpdf(data).sum()


def hierarchical_normal(state, data):
    above = stats.norm(0, 2.0).logpdf(state["mu"]) + stats.halfnorm(scale=1.5).logpdf(state["tau"])
    groups = stats.norm(state["mu"], state["tau"]).logpdf(state["theta"]).sum()
    return above + groups + stats.norm(state["theta"], hierarchical.ERRORS).logpdf(data).sum()


def gaussian_mixture(state, data):
    means, labels = state["means"], state["labels"]
    above = stats.norm(0, 2.0).logpdf(means).sum() + np.log([0.3, 0.7])[labels].sum()
    return above + stats.norm(means[labels], 0.8).logpdf(data).sum()


def hidden_markov(state, data):
    levels, path = state["levels"], state["path"]
    walked = np.log([0.6, 0.4][path[0]]) + sum(np.log(latent.MOVES[a, b]) for a, b in itertools.pairwise(path))
    return stats.norm(0, 2.0).logpdf(levels).sum() + walked + stats.norm(levels[path], 0.8).logpdf(data).sum()


def gaussian_process_density(state, data):
    places = gaussian_process.PLACES
    away = (places[:, None] - places) / np.exp(state["log_length"])
    matrix = np.exp(-0.5 * away**2) + 0.01 * np.eye(4)
    above = stats.norm(0, 0.5).logpdf(state["log_length"]) + stats.multivariate_normal(np.zeros(4), matrix).logpdf(state["f"])
    return above + stats.norm(state["f"], 0.5).logpdf(data).sum()


def density_of(name):
    """Return the density of a standard target by its name."""
    if name.startswith("normal in"):
        return normal
    found = {"gaussian process": gaussian_process_density}
    return found.get(name) or globals()[name.replace(" ", "_").replace("-", "_")]
