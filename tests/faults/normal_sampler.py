"""The sampler of the README, to make mistakes in."""

import numpy as np

from mcassay import Gibbs, InverseGamma, Normal, Subject


def prior(rng):
    return {"mu": rng.normal(), "variance": 1 / rng.gamma(3.0)}


def simulate(state, rng):
    return rng.normal(state["mu"], np.sqrt(state["variance"]), size=10)


def log_joint(state, data):
    likelihood = Normal(state["mu"], variance=state["variance"]).log_p(data).sum()
    return Normal(0, sd=1).log_p(state["mu"]) + InverseGamma(3, scale=1).log_p(state["variance"]) + likelihood


def cond_mu(state, data):
    precision = 1 + data.size / state["variance"]
    return Normal(data.sum() / state["variance"] / precision, precision=precision)


def cond_variance(state, data):
    return InverseGamma(3 + data.size / 2, scale=1 + 0.5 * np.sum((data - state["mu"]) ** 2))


subject = Subject(prior, simulate, Gibbs({"mu": cond_mu, "variance": cond_variance}), log_joint=log_joint, name="normal")


def wrong():
    def cond_mu_of_others(state, data):
        return Normal(0.0, precision=1.0)

    return Subject(prior, simulate, Gibbs({"mu": cond_mu_of_others, "variance": cond_variance}), log_joint=log_joint)
