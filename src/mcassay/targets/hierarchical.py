"""A model target in the form of the eight schools: group means round a common mean, seen with known errors."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

ERRORS = np.array([1.5, 1.0, 1.6, 1.1, 0.9, 1.1, 1.0, 1.8])
MEAN_SPREAD, GROUP_SPREAD = 2.0, 1.5


def hierarchical_normal() -> Target:
    """Return the hierarchical normal: a mean, a spread that is half normal, and eight group means."""
    groups = len(ERRORS)

    def prior(rng: Generator) -> State:
        mu, tau = rng.normal(0.0, MEAN_SPREAD), abs(rng.normal(0.0, GROUP_SPREAD))
        return {"mu": mu, "tau": tau, "theta": rng.normal(mu, tau, size=groups)}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        mu, tau, theta = state["mu"], state["tau"], state["theta"]
        safe = xp.where(tau > 0, tau, 1.0)
        above = -0.5 * (mu / MEAN_SPREAD) ** 2 - 0.5 * (tau / GROUP_SPREAD) ** 2 - groups * xp.log(safe)
        value = above - 0.5 * xp.sum(((theta - mu) / safe) ** 2) - 0.5 * xp.sum(((data - theta) / ERRORS) ** 2)
        return xp.where(tau > 0, value, -xp.inf)

    def gradient(state: State, data: Data) -> State:
        mu, tau, theta = state["mu"], state["tau"], state["theta"]
        away = theta - mu
        return {
            "mu": -mu / MEAN_SPREAD**2 + np.sum(away) / tau**2,
            "tau": -tau / GROUP_SPREAD**2 - groups / tau + np.sum(away**2) / tau**3,
            "theta": -away / tau**2 + (data - theta) / ERRORS**2,
        }

    return Target(
        "hierarchical normal",
        {"mu": Space("real"), "tau": Space("positive"), "theta": Space("real", (groups,))},
        prior=prior,
        simulate=lambda state, rng: rng.normal(state["theta"], ERRORS),
        log_density=log_density,
        gradient=gradient,
    )
