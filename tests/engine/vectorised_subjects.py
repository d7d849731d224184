"""Vectorised subjects for the tests of the engine, importable by name: every array has a leading axis of replicates."""

import numpy as np

from mcassay import Cycle, Gibbs, InverseGamma, Normal, Subject

POINTS = 10


def prior(rng, size):
    return {"mu": rng.normal(size=size), "variance": 1 / rng.gamma(3.0, size=size)}


def simulate(state, rng):
    sd = np.sqrt(state["variance"])[:, np.newaxis]
    return state["mu"][:, np.newaxis] + sd * rng.normal(size=(len(sd), POINTS))


def log_joint(state, data):
    likelihood = Normal(state["mu"][:, np.newaxis], variance=state["variance"][:, np.newaxis]).log_p(data).sum(axis=1)
    return Normal(0, sd=1).log_p(state["mu"]) + InverseGamma(3, scale=1).log_p(state["variance"]) + likelihood


def conditional_mu(state, data):
    precision = 1 + POINTS / state["variance"]
    return Normal(data.sum(axis=1) / state["variance"] / precision, precision=precision)


def conditional_variance(state, data):
    return InverseGamma(3 + POINTS / 2, scale=1 + 0.5 * np.square(data - state["mu"][:, np.newaxis]).sum(axis=1))


def wrong_variance(state, data):
    """Write 0.55 for 0.5."""
    return InverseGamma(3 + POINTS / 2, scale=1 + 0.55 * np.square(data - state["mu"][:, np.newaxis]).sum(axis=1))


def gibbs(variance=conditional_variance):
    return Gibbs({"mu": conditional_mu, "variance": variance})


def walk(width):
    """Random walk Metropolis on mu, in place, that accepts for every replicate by itself."""

    def step(state, data, rng):
        new = {**state, "mu": state["mu"] + width * rng.normal(size=state["mu"].shape)}
        accepted = np.log(rng.random(len(new["mu"]))) < log_joint(new, data) - log_joint(state, data)
        state["mu"][accepted] = new["mu"][accepted]

    return step


def subject(step=None, **changes):
    return Subject(prior, simulate, step or gibbs(), **{"vectorised": True, "name": "many", "log_joint": log_joint, **changes})


# A kernel that carries its log density, with the leading axis that everything has.
def init(state, data, rng):
    return {"state": state, "log_p": log_joint(state, data)}


def position(carry):
    return carry["state"]


def refresh(carry, data, rng):
    return {**carry, "log_p": log_joint(carry["state"], data)}


def carried(carry, data, rng):
    state = carry["state"]
    new = {**state, "mu": state["mu"] + 0.5 * rng.normal(size=state["mu"].shape)}
    log_p = log_joint(new, data)
    accepted = np.log(rng.random(len(log_p))) < log_p - carry["log_p"]
    return {
        "state": {**state, "mu": np.where(accepted, new["mu"], state["mu"])},
        "log_p": np.where(accepted, log_p, carry["log_p"]),
    }


def redraw_variance(carry, data, rng):
    state = {**carry["state"], "variance": conditional_variance(carry["state"], data).sample(rng)}
    return {"state": state, "log_p": log_joint(state, data)}


def stale(carry, data, rng):
    """Forget that the log density depends on the variance too."""
    return {**redraw_variance(carry, data, rng), "log_p": carry["log_p"]}


def with_carry(variance=redraw_variance, **changes):
    given = {"init": init, "position": position, "refresh": refresh, "caches": {"log_p": log_joint}, **changes}
    return subject(Cycle({"mu": carried, "variance": variance}), **given)
