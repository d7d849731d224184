"""Model targets of regression: logistic, and linear with an unknown variance."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

# Covariates with a column of ones: a slope and an intercept that depend on each other.
COVARIATES = np.array([[1.0, -1.0], [1.0, -0.3], [1.0, 0.2], [1.0, 0.9], [1.0, 1.6], [1.0, 2.5]])
WEIGHT_SPREAD = 1.5
VARIANCE_SHAPE, VARIANCE_SCALE = 3.0, 2.0


def logistic_regression() -> Target:
    """Return a logistic regression: two weights, and six answers of yes or no."""

    def log_density(state: State, data: Data, xp: Any) -> Any:
        weights = state["weights"]
        score = xp.asarray(COVARIATES) @ weights
        return -0.5 * xp.sum((weights / WEIGHT_SPREAD) ** 2) + xp.sum(data * score - xp.logaddexp(0.0, score))

    def gradient(state: State, data: Data) -> State:
        weights = state["weights"]
        chance = 1 / (1 + np.exp(-COVARIATES @ weights))
        return {"weights": -weights / WEIGHT_SPREAD**2 + COVARIATES.T @ (data - chance)}

    def simulate(state: State, rng: Generator) -> Data:
        return rng.binomial(1, 1 / (1 + np.exp(-COVARIATES @ state["weights"])))

    return Target(
        "logistic regression",
        {"weights": Space("real", (2,))},
        prior=lambda rng: {"weights": rng.normal(0.0, WEIGHT_SPREAD, size=2)},
        simulate=simulate,
        log_density=log_density,
        gradient=gradient,
    )


def linear_regression() -> Target:
    """Return a linear regression with an unknown variance: two weights, and an inverse gamma variance."""
    count = len(COVARIATES)

    def prior(rng: Generator) -> State:
        variance = VARIANCE_SCALE / rng.gamma(VARIANCE_SHAPE)
        return {"weights": rng.normal(0.0, WEIGHT_SPREAD, size=2), "variance": variance}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        weights, variance = state["weights"], state["variance"]
        safe = xp.where(variance > 0, variance, 1.0)
        squares = xp.sum((data - xp.asarray(COVARIATES) @ weights) ** 2)
        power = VARIANCE_SHAPE + 1 + count / 2
        value = -0.5 * xp.sum((weights / WEIGHT_SPREAD) ** 2) - power * xp.log(safe) - (VARIANCE_SCALE + squares / 2) / safe
        return xp.where(variance > 0, value, -xp.inf)

    def gradient(state: State, data: Data) -> State:
        weights, variance = state["weights"], state["variance"]
        away = data - COVARIATES @ weights
        power = VARIANCE_SHAPE + 1 + count / 2
        slope = -power / variance + (VARIANCE_SCALE + np.sum(away**2) / 2) / variance**2
        return {"weights": -weights / WEIGHT_SPREAD**2 + COVARIATES.T @ away / variance, "variance": slope}

    return Target(
        "linear regression",
        {"weights": Space("real", (2,)), "variance": Space("positive")},
        prior=prior,
        simulate=lambda state, rng: rng.normal(COVARIATES @ state["weights"], np.sqrt(state["variance"])),
        log_density=log_density,
        gradient=gradient,
    )
