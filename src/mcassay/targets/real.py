"""Targets on all of R^n: normal, funnel, banana, two modes, heavy tails, kinks."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, FloatArray, Generator, State

_FUNNEL_SPREAD = 1.5
_BEND, _BENDING_SPREAD = 0.5, 1.5
_MODE, _MODE_WEIGHT = 2.5, 0.3
_DEGREES = 3.0


def correlated_normal(dimensions: int) -> Target:
    """Return a normal with correlation 0.7 ** distance, a mean that is not zero, and scales from 0.5 to 2."""
    scales, mean = np.geomspace(0.5, 2.0, dimensions), np.linspace(-1.0, 1.0, dimensions) + 0.5
    distance = np.abs(np.subtract.outer(np.arange(dimensions), np.arange(dimensions)))
    covariance = np.outer(scales, scales) * 0.7**distance
    factor, precision = np.linalg.cholesky(covariance), np.linalg.inv(covariance)

    def log_density(state: State, data: Data, xp: Any) -> Any:
        away = state["x"] - mean
        return -0.5 * xp.sum(away * (xp.asarray(precision) @ away))

    return Target(
        f"normal in {dimensions}",
        {"x": Space("real", (dimensions,))},
        prior=lambda rng: {"x": mean + factor @ rng.standard_normal(dimensions)},
        log_density=log_density,
        gradient=lambda state, data: {"x": -precision @ (state["x"] - mean)},
    )


def funnel(members: int = 3) -> Target:
    """Return Neal's funnel, centred: the logarithm of a variance, and numbers that have it."""

    def prior(rng: Generator) -> State:
        v = rng.normal(0.0, _FUNNEL_SPREAD)
        return {"v": v, "x": np.exp(v / 2) * rng.standard_normal(members)}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        v, x = state["v"], state["x"]
        return -0.5 * (v / _FUNNEL_SPREAD) ** 2 - 0.5 * members * v - 0.5 * xp.exp(-v) * xp.sum(x**2)

    def gradient(state: State, data: Data) -> State:
        v, x = state["v"], state["x"]
        return {"v": -v / _FUNNEL_SPREAD**2 - members / 2 + 0.5 * np.exp(-v) * np.sum(x**2), "x": -np.exp(-v) * x}

    spaces = {"v": Space("real"), "x": Space("real", (members,))}
    return Target("funnel", spaces, prior=prior, log_density=log_density, gradient=gradient)


def non_centred_funnel(members: int = 3) -> Target:
    """Return the funnel in standardised numbers, seen through noisy data; without data it would be a plain normal."""

    def prior(rng: Generator) -> State:
        return {"v": rng.normal(0.0, _FUNNEL_SPREAD), "z": rng.standard_normal(members)}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        v, z = state["v"], state["z"]
        return -0.5 * (v / _FUNNEL_SPREAD) ** 2 - 0.5 * xp.sum(z**2) - 0.5 * xp.sum((data - xp.exp(v / 2) * z) ** 2)

    def gradient(state: State, data: Data) -> State:
        v, z = state["v"], state["z"]
        x = np.exp(v / 2) * z
        return {"v": -v / _FUNNEL_SPREAD**2 + 0.5 * np.sum((data - x) * x), "z": -z + (data - x) * np.exp(v / 2)}

    return Target(
        "non-centred funnel",
        {"v": Space("real"), "z": Space("real", (members,))},
        prior=prior,
        simulate=lambda state, rng: rng.normal(np.exp(state["v"] / 2) * state["z"], 1.0),
        log_density=log_density,
        gradient=gradient,
    )


def banana() -> Target:
    """Return a normal in two dimensions that was bent: the second number is about a parabola of the first."""

    def prior(rng: Generator) -> State:
        first, second = rng.standard_normal(2)
        first *= _BENDING_SPREAD
        return {"x": np.array([first, second + _BEND * (first**2 - _BENDING_SPREAD**2)])}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        first, second = state["x"][0], state["x"][1]
        above = second - _BEND * (first**2 - _BENDING_SPREAD**2)
        return -0.5 * (first / _BENDING_SPREAD) ** 2 - 0.5 * above**2

    def gradient(state: State, data: Data) -> State:
        first, second = state["x"]
        above = second - _BEND * (first**2 - _BENDING_SPREAD**2)
        return {"x": np.array([-first / _BENDING_SPREAD**2 + 2 * _BEND * first * above, -above])}

    return Target("banana", {"x": Space("real", (2,))}, prior=prior, log_density=log_density, gradient=gradient)


def two_modes() -> Target:
    """Return a mixture of two normals in two dimensions, of different weights and spreads."""
    centres, spreads = np.array([[_MODE, 1.0], [-_MODE, -1.0]]), np.array([0.6, 1.2])
    log_weights = np.log([_MODE_WEIGHT, 1 - _MODE_WEIGHT]) - 2 * np.log(spreads)

    def prior(rng: Generator) -> State:
        mode = int(rng.random() >= _MODE_WEIGHT)
        return {"x": centres[mode] + spreads[mode] * rng.standard_normal(2)}

    def log_terms(x: Any, xp: Any) -> Any:
        return log_weights - 0.5 * xp.sum((x - centres) ** 2, axis=1) / spreads**2

    def log_density(state: State, data: Data, xp: Any) -> Any:
        terms = log_terms(state["x"], xp)
        return xp.logaddexp(terms[0], terms[1])

    def gradient(state: State, data: Data) -> State:
        terms = log_terms(state["x"], np)
        shares = np.exp(terms - np.logaddexp(*terms))
        return {"x": np.sum((shares / spreads**2)[:, np.newaxis] * (centres - state["x"]), axis=0)}

    return Target("two modes", {"x": Space("real", (2,))}, prior=prior, log_density=log_density, gradient=gradient)


def student_t(dimensions: int = 2) -> Target:
    """Return Student's t with 3 degrees of freedom in several dimensions, of which the components depend on each other."""
    power = (_DEGREES + dimensions) / 2

    def prior(rng: Generator) -> State:
        return {"x": rng.standard_normal(dimensions) / np.sqrt(rng.chisquare(_DEGREES) / _DEGREES)}

    def gradient(state: State, data: Data) -> State:
        x = state["x"]
        return {"x": -2 * power * x / (_DEGREES + np.sum(x**2))}

    return Target(
        "student t",
        {"x": Space("real", (dimensions,))},
        prior=prior,
        log_density=lambda state, data, xp: -power * xp.log1p(xp.sum(state["x"] ** 2) / _DEGREES),
        gradient=gradient,
    )


def laplace() -> Target:
    """Return independent Laplace distributions: the gradient jumps where a number passes its median."""
    scales = np.array([0.5, 2.0])
    return Target(
        "laplace",
        {"x": Space("real", (2,))},
        prior=lambda rng: {"x": rng.laplace(1.0, scales)},
        log_density=lambda state, data, xp: -xp.sum(xp.abs(state["x"] - 1.0) / scales),
        gradient=lambda state, data: {"x": -np.sign(state["x"] - 1.0) / scales},
        kinks=True,
    )


def kinked() -> Target:
    """Return a density that falls at one rate to the left of 0, at another to the right, and at a third beyond 1.

    It is exp(x), exp(-x / 2) and exp(1/2 - x) there, so that the pieces hold 1, 2 (1 - e^-1/2) and e^-1/2 of the mass.
    """
    masses = np.array([1.0, 2 * (1 - np.exp(-0.5)), np.exp(-0.5)])
    shares = masses / masses.sum()

    def draw(rng: Generator) -> float:
        piece = rng.choice(3, p=shares)
        if piece == 1:  # the inverse of the distribution function on [0, 1]
            return float(-2 * np.log1p(-rng.random() * (1 - np.exp(-0.5))))
        return float(-rng.standard_exponential() if piece == 0 else 1 + rng.standard_exponential())

    def log_density(state: State, data: Data, xp: Any) -> Any:
        return xp.sum(_kinked_log(state["x"], xp))

    return Target(
        "kinked",
        {"x": Space("real", (2,))},
        prior=lambda rng: {"x": np.array([draw(rng), draw(rng)])},
        log_density=log_density,
        gradient=lambda state, data: {"x": _kinked_slope(state["x"])},
        kinks=True,
    )


def _kinked_log(x: Any, xp: Any) -> Any:
    return xp.where(x < 0, x, xp.where(x < 1, -x / 2, 0.5 - x))


def _kinked_slope(x: FloatArray) -> FloatArray:
    return np.where(x < 0, 1.0, np.where(x < 1, -0.5, -1.0))
