"""Random-walk Metropolis-Hastings by hand: a mean on its own scale, a variance on the logarithmic one."""

import numpy as np

from mcassay import Cycle, Subject


def prior(rng):
    return {"mu": rng.normal(0.0, 2.0), "variance": 1.5 / rng.gamma(3.0)}


def simulate(state, rng):
    return rng.normal(state["mu"], np.sqrt(state["variance"]), size=8)


def log_joint(state, data):
    mu, variance = state["mu"], state["variance"]
    log_prior = -0.5 * (mu / 2.0) ** 2 - 4.0 * np.log(variance) - 1.5 / variance
    return log_prior - 0.5 * data.size * np.log(variance) - 0.5 * np.sum((data - mu) ** 2) / variance


def step_mu(state, data, rng):
    new = {**state, "mu": state["mu"] + 0.8 * rng.normal()}
    log_ratio = log_joint(new, data) - log_joint(state, data)
    return new if np.log(rng.random()) < log_ratio else state


def step_variance(state, data, rng):
    new = {**state, "variance": state["variance"] * np.exp(0.7 * rng.normal())}
    jacobian = np.log(new["variance"]) - np.log(state["variance"])
    log_ratio = log_joint(new, data) - log_joint(state, data) + jacobian
    return new if np.log(rng.random()) < log_ratio else state


subject = Subject(
    prior, simulate, Cycle({"mu": step_mu, "variance": step_variance}), log_joint=log_joint, name="Metropolis-Hastings"
)
