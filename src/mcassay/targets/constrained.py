"""Targets on constrained supports: positive numbers, intervals, the simplex, the circle."""

import math
from typing import Any

import numpy as np
from scipy import special

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

_SHAPE, _RATE = 2.5, 1.5
_A, _B = 1.5, 3.0
_CONCENTRATION = np.array([1.5, 2.0, 4.0])
_LOW, _HIGH, _MEAN, _SPREAD = 0.5, 3.0, 0.0, 1.5
_DIRECTION, _FOCUS = 1.0, 2.0


def gamma() -> Target:
    """Return Gamma(2.5, rate 1.5) twice, independent."""
    return Target(
        "gamma",
        {"x": Space("positive", (2,))},
        prior=lambda rng: {"x": rng.gamma(_SHAPE, 1 / _RATE, size=2)},
        log_density=lambda state, data, xp: _inside(
            state["x"] > 0, xp.sum((_SHAPE - 1) * xp.log(xp.abs(state["x"])) - _RATE * state["x"]), xp
        ),
        gradient=lambda state, data: {"x": (_SHAPE - 1) / state["x"] - _RATE},
    )


def beta() -> Target:
    """Return Beta(1.5, 3) twice, independent."""

    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        value = xp.sum((_A - 1) * xp.log(xp.abs(x)) + (_B - 1) * xp.log(xp.abs(1 - x)))
        return _inside((x > 0) & (x < 1), value, xp)

    return Target(
        "beta",
        {"x": Space("interval", (2,), 0.0, 1.0)},
        prior=lambda rng: {"x": rng.beta(_A, _B, size=2)},
        log_density=log_density,
        gradient=lambda state, data: {"x": (_A - 1) / state["x"] - (_B - 1) / (1 - state["x"])},
    )


def simplex() -> Target:
    """Return Dirichlet(1.5, 2, 4); the density is with respect to all elements but one, and the gradient to each as if free."""
    return Target(
        "simplex",
        {"x": Space("simplex", (3,))},
        prior=lambda rng: {"x": rng.dirichlet(_CONCENTRATION)},
        log_density=lambda state, data, xp: _inside(
            state["x"] > 0, xp.sum((_CONCENTRATION - 1) * xp.log(xp.abs(state["x"]))), xp
        ),
        gradient=lambda state, data: {"x": (_CONCENTRATION - 1) / state["x"]},
    )


def truncated_normal() -> Target:
    """Return two independent normals of mean 0 and spread 1.5 between 0.5 and 3."""
    low, high = special.ndtr((np.array([_LOW, _HIGH]) - _MEAN) / _SPREAD)

    def prior(rng: Generator) -> State:
        return {"x": _MEAN + _SPREAD * special.ndtri(rng.uniform(low, high, size=2))}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        return _inside((x > _LOW) & (x < _HIGH), -0.5 * xp.sum(((x - _MEAN) / _SPREAD) ** 2), xp)

    return Target(
        "truncated normal",
        {"x": Space("interval", (2,), _LOW, _HIGH)},
        prior=prior,
        log_density=log_density,
        gradient=lambda state, data: {"x": -(state["x"] - _MEAN) / _SPREAD**2},
    )


def von_mises() -> Target:
    """Return a von Mises distribution: an angle from -pi to pi."""

    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        return _inside((x >= -math.pi) & (x <= math.pi), _FOCUS * xp.sum(xp.cos(x - _DIRECTION)), xp)

    return Target(
        "von mises",
        {"x": Space("angle", (1,), -math.pi, math.pi)},
        prior=lambda rng: {"x": rng.vonmises(_DIRECTION, _FOCUS, size=1)},
        log_density=log_density,
        gradient=lambda state, data: {"x": -_FOCUS * np.sin(state["x"] - _DIRECTION)},
    )


def _inside(where: Any, value: Any, xp: Any) -> Any:
    """Return the value where all elements are inside, and else -inf."""
    return xp.where(xp.all(where), value, -xp.inf)
