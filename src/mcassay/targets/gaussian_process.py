"""A model target: a Gaussian process with an unknown length scale, seen through noise."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, FloatArray, Generator, State

PLACES = np.array([0.0, 0.7, 1.5, 2.6])
NOISE, JITTER = 0.5, 1e-2
LENGTH_SPREAD = 0.5
_SQUARES = np.subtract.outer(PLACES, PLACES) ** 2


def covariance(log_length: Any, xp: Any) -> Any:
    """Return the covariance of the process at its places: squared exponential, and a little of its own at each place."""
    return xp.exp(-0.5 * xp.asarray(_SQUARES) * xp.exp(-2 * log_length)) + JITTER * xp.eye(len(PLACES))


def gaussian_process() -> Target:
    """Return the process at four places, and the logarithm of its length scale."""

    def prior(rng: Generator) -> State:
        log_length = rng.normal(0.0, LENGTH_SPREAD)
        factor = np.linalg.cholesky(covariance(log_length, np))
        return {"log_length": log_length, "f": factor @ rng.standard_normal(len(PLACES))}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        log_length, f = state["log_length"], state["f"]
        matrix = covariance(log_length, xp)
        height = -0.5 * (log_length / LENGTH_SPREAD) ** 2 - 0.5 * xp.linalg.slogdet(matrix)[1]
        return height - 0.5 * f @ xp.linalg.solve(matrix, f) - 0.5 * xp.sum(((data - f) / NOISE) ** 2)

    return Target(
        "gaussian process",
        {"log_length": Space("real"), "f": Space("real", (len(PLACES),))},
        prior=prior,
        simulate=lambda state, rng: rng.normal(state["f"], NOISE),
        log_density=log_density,
        gradient=_gradient,
    )


def _gradient(state: State, data: Data) -> dict[str, float | FloatArray]:
    log_length, f = state["log_length"], state["f"]
    matrix = covariance(log_length, np)
    solved = np.linalg.solve(matrix, f)
    # how the covariance changes with the logarithm of the length scale
    slope = _SQUARES * np.exp(-2 * log_length) * np.exp(-0.5 * _SQUARES * np.exp(-2 * log_length))
    trace = np.trace(np.linalg.solve(matrix, slope))
    return {
        "log_length": float(-log_length / LENGTH_SPREAD**2 + 0.5 * solved @ slope @ solved - 0.5 * trace),
        "f": -solved + (data - f) / NOISE**2,
    }
