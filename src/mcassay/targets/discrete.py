"""Discrete targets: integers with bounds of their own, labels with unequal numbers of values, counts, grids of spins."""

import itertools
from importlib import import_module
from typing import Any

import numpy as np
from scipy import special

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State

_LOWEST, _HIGHEST = -3, 4
_RATES = np.array([0.7, 6.0])
_COUPLING, _FIELD = 0.4, 0.15
_TABLES = (np.array([0.5, 0.5]), np.array([0.1, 0.2, 0.7]), np.array([0.1, 0.05, 0.25, 0.3, 0.3]))


def discrete_uniform() -> Target:
    """Return whole numbers from -3 to 4, all as likely: the lowest is not zero."""
    return Target(
        "discrete uniform",
        {"x": Space("integers", (2,), _LOWEST, _HIGHEST)},
        prior=lambda rng: {"x": rng.integers(_LOWEST, _HIGHEST + 1, size=2)},
        log_density=lambda state, data, xp: xp.where(xp.all((state["x"] >= _LOWEST) & (state["x"] <= _HIGHEST)), 0.0, -xp.inf),
    )


def poisson() -> Target:
    """Return two Poisson counts, one of a small rate and one of a larger."""
    return Target(
        "poisson",
        {"x": Space("integers", (2,), 0)},
        prior=lambda rng: {"x": rng.poisson(_RATES)},
        log_density=_log_poisson,
    )


def _log_poisson(state: State, data: Data, xp: Any) -> Any:
    x = state["x"]
    inside = xp.maximum(x, 0)
    value = xp.sum(inside * np.log(_RATES) - _special(xp).gammaln(inside + 1.0))
    return xp.where(xp.all(x >= 0), value, -xp.inf)


def _special(xp: Any) -> Any:
    """Return the special functions that go with an array namespace, which may have them itself."""
    if xp is np or hasattr(xp, "gammaln"):
        return special if xp is np else xp
    return import_module("jax.scipy.special")


def categorical() -> Target:
    """Return three labels of 2, 3 and 5 values that depend on each other: the first two agree more often than not."""
    sizes = tuple(len(table) for table in _TABLES)
    padded = np.stack([np.pad(np.log(table), (0, max(sizes) - len(table)), constant_values=-np.inf) for table in _TABLES])

    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        inside = xp.all((x >= 0) & (x < xp.asarray(sizes)))
        value = xp.sum(xp.asarray(padded)[xp.arange(3), xp.clip(x, 0, max(sizes) - 1)]) + 0.8 * xp.equal(x[0], x[1])
        return xp.where(inside, value, -xp.inf)

    states = np.array(list(itertools.product(*map(range, sizes))))
    return _enumerated("categorical", Space("labels", (3,), sizes=sizes), states, log_density)


def binary() -> Target:
    """Return four bits, of which neighbours attract each other and the last is often 1."""
    strength = np.array([0.5, -0.5, 0.0, 1.0])

    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        inside = xp.all((x >= 0) & (x <= 1))
        return xp.where(inside, xp.sum(strength * x) + 0.7 * xp.sum(xp.equal(x[1:], x[:-1])), -xp.inf)

    states = np.array(list(itertools.product((0, 1), repeat=4)))
    return _enumerated("binary", Space("binary", (4,)), states, log_density)


def ising() -> Target:
    """Return an Ising model on a grid of 3 by 3 with a field: spins 0 and 1."""
    return _grid("ising", 2, (3, 3), Space("binary", (3, 3)))


def potts() -> Target:
    """Return a Potts model with three colours on a grid of 2 by 3, of which the first is preferred."""
    return _grid("potts", 3, (2, 3), Space("labels", (2, 3), sizes=(3,) * 6))


def _grid(name: str, colours: int, shape: tuple[int, int], space: Space) -> Target:
    def log_density(state: State, data: Data, xp: Any) -> Any:
        x = state["x"]
        equal = xp.sum(xp.equal(x[1:, :], x[:-1, :])) + xp.sum(xp.equal(x[:, 1:], x[:, :-1]))
        inside = xp.all((x >= 0) & (x < colours))
        return xp.where(inside, 2 * _COUPLING * equal + _FIELD * xp.sum(xp.equal(x, 0)), -xp.inf)

    states = np.array(list(itertools.product(range(colours), repeat=shape[0] * shape[1]))).reshape(-1, *shape)
    return _enumerated(name, space, states, log_density)


def _enumerated(name: str, space: Space, states: IntArray, log_density: Any) -> Target:
    """Return a target whose states can be listed: it is drawn from by looking a uniform number up in the table."""
    heights = np.array([float(log_density({"x": state}, None, np)) for state in states])
    cumulative: FloatArray = np.cumsum(np.exp(heights - heights.max()))

    def prior(rng: Generator) -> State:
        place = np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")
        return {"x": states[min(int(place), len(states) - 1)].copy()}

    return Target(name, {"x": space}, prior=prior, log_density=log_density)
