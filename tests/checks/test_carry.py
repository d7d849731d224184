"""Carries: a momentum that init draws wrongly is told apart from a kernel that is wrong, and from what may be as it likes."""

import math

import numpy as np
import pytest

from mcassay import Cycle, Subject
from mcassay.checks import Context
from mcassay.checks.carry import CHECK
from mcassay.engine.budget import Budget
from mcassay.results import Verdict

SEEDS = range(2)
KEEP = 0.7


def prior(rng):
    return {"x": rng.normal(size=2)}


def simulate(state, rng):
    return rng.normal(state["x"].sum(), 1.0, size=2)


def potential(state, data):
    return 0.5 * float(state["x"] @ state["x"] + np.sum((data - state["x"].sum()) ** 2))


def log_joint(state, data):
    return -potential(state, data)


def slope(x, data):
    return x - np.sum(data - x.sum())


def hamiltonian(*, keep=KEEP, noise=None, mass=1.0, flip=True, kinetic=True, size=0.5):
    """Hamiltonian Monte Carlo with a momentum that persists in part from sweep to sweep (Horowitz 1991)."""
    noise = math.sqrt(1 - keep**2) if noise is None else noise

    def step(carry, data, rng):
        x, p = carry["state"]["x"], keep * carry["momentum"] + noise * rng.normal(size=2) * math.sqrt(mass)
        new, q = x, p
        for _ in range(2):
            q = q - 0.5 * size * slope(new, data)
            new = new + size * q / mass
            q = q - 0.5 * size * slope(new, data)
        change = log_joint({"x": new}, data) - log_joint({"x": x}, data)
        change += 0.5 * (p @ p - q @ q) / mass if kinetic else 0.0
        if math.log(rng.random()) < change:
            return {**carry, "state": {"x": new}, "momentum": q}
        return {**carry, "momentum": -p if flip else p}

    return step


def starting(momentum):
    return lambda state, data, rng: {"state": state, "momentum": momentum(rng)}


def standard(rng):
    return rng.normal(size=2)


def subject(step, momentum=standard, **changed):
    settings = {"init": starting(momentum), "position": lambda carry: carry["state"], "log_joint": log_joint} | changed
    return Subject(prior, simulate, step, **settings)


def as_tuple(step):
    def update(carry, data, rng):
        new = step({"state": carry[0], "momentum": carry[1]}, data, rng)
        return new["state"], new["momentum"]

    return update


def walk(carry, data, rng):
    """A walk with a cached log density, a counter and a running mean, none of which has a law that matters."""
    new = {"x": carry["state"]["x"] + 0.5 * rng.normal(size=2)}
    log_p = log_joint(new, data)
    if math.log(rng.random()) >= log_p - carry["log_p"]:
        new, log_p = carry["state"], carry["log_p"]
    steps = carry["steps"] + 1
    return {"state": new, "log_p": log_p, "steps": steps, "mean": carry["mean"] + (new["x"] - carry["mean"]) / steps}


def start_walk(state, data, rng):
    return {"state": state, "log_p": log_joint(state, data), "steps": 1, "mean": state["x"]}


def guided(carry, data, rng):
    """A walk that keeps its direction until it is rejected (Gustafson 1998)."""
    x, direction = carry["state"]["x"], carry["direction"]
    new = {"x": x + direction * np.abs(rng.normal(size=2))}
    if math.log(rng.random()) < log_joint(new, data) - log_joint(carry["state"], data):
        return {"state": new, "direction": direction}
    return {"state": carry["state"], "direction": -direction}


def start_guided(direction):
    return lambda state, data, rng: {"state": state, "direction": direction(rng)}


def alternating(carry, data, rng):
    """Two updates in turns: a schedule that is never from its stationary law, and right."""
    x, place = carry["state"]["x"].copy(), carry["turn"] % 2
    rest = data - x[1 - place]
    x[place] = rng.normal(rest.sum() / 3, math.sqrt(1 / 3))
    return {"state": {"x": x}, "turn": carry["turn"] + 1}


RIGHT = {
    "momentum": subject(hamiltonian()),
    "momentum with a mass": subject(hamiltonian(mass=4.0), lambda rng: 2 * rng.normal(size=2)),
    "momentum in a tuple": subject(
        as_tuple(hamiltonian()), init=lambda s, d, rng: (s, rng.normal(size=2)), position=lambda carry: carry[0]
    ),
    "momentum that is refreshed": subject(hamiltonian(keep=0.0), lambda rng: np.zeros(2)),
    "momentum in a cycle": subject(Cycle({"once": hamiltonian(), "twice": hamiltonian(keep=0.5)})),
    "cache, counter and running mean": subject(walk, init=start_walk),
    "direction": subject(guided, init=start_guided(lambda rng: rng.choice([-1, 1]))),
    "nothing but the state": subject(
        lambda state, data, rng: {"x": -state["x"]}, init=lambda state, data, rng: state, position=lambda carry: carry
    ),
}


def check(checked, seed, sweeps=1500):
    (result,) = CHECK.apply(checked, Context(seed, alpha=1e-6 * CHECK.weight, budget=Budget(sweeps)))
    return result


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_carry_that_is_drawn_right_or_does_not_matter_passes(name, seed):
    result = check(RIGHT[name], seed, sweeps=600)
    assert result.verdict is Verdict.PASS, result.message


WRONG_INIT = {
    "momentum at rest": subject(hamiltonian(), lambda rng: np.zeros(2)),
    "momentum twice too large": subject(hamiltonian(), lambda rng: 2 * rng.normal(size=2)),
    "momentum to one side": subject(hamiltonian(), lambda rng: np.abs(rng.normal(size=2))),
    "mass forgotten": subject(hamiltonian(mass=4.0)),
    "momentum in a tuple": subject(
        as_tuple(hamiltonian()), init=lambda s, d, rng: (s, np.zeros(2)), position=lambda carry: carry[0]
    ),
    "one direction": subject(guided, init=start_guided(lambda rng: 1)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG_INIT)
def test_init_is_blamed_where_it_draws_the_carry_wrongly(name, seed):
    result = check(WRONG_INIT[name], seed)
    assert result.verdict is Verdict.FAIL, result.message
    assert result.cause.startswith("init does not draw part")
    assert result.details["blame"] != "kernel"


WRONG_KERNEL = {
    "noise too large": subject(hamiltonian(noise=1.0)),
    "kinetic energy forgotten": subject(hamiltonian(kinetic=False, size=0.9)),
    "no flip": subject(hamiltonian(flip=False, size=0.9)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG_KERNEL)
def test_init_is_not_blamed_for_a_wrong_kernel(name, seed):
    result = check(WRONG_KERNEL[name], seed)
    assert result.details.get("blame") != "init", result.message


def adapting(carry, data, rng):
    new = {"x": carry["state"]["x"] + carry["scale"] * rng.normal(size=2)}
    accept = math.log(rng.random()) < log_joint(new, data) - log_joint(carry["state"], data)
    return {"state": new if accept else carry["state"], "scale": carry["scale"] * (1.1 if accept else 0.95)}


def stale(carry, data, rng):
    new = walk(carry, data, rng)
    return {**new, "log_p": carry["log_p"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_be_meant_is_unclear(seed):
    adapts = check(subject(adapting, init=lambda state, data, rng: {"state": state, "scale": 1.0}), seed)
    assert adapts.verdict is Verdict.UNCLEAR
    assert "adaptation has to be frozen" in adapts.message
    turns = check(subject(alternating, init=lambda state, data, rng: {"state": state, "turn": 0}), seed)
    assert turns.verdict is Verdict.UNCLEAR
    assert "A schedule may do so" in turns.message
    forgets = check(subject(stale, init=start_walk), seed)
    assert forgets.verdict is Verdict.UNCLEAR
    assert 'part "log_p" of the carry follows from the state after init and no longer after a sweep' in forgets.message


def test_it_is_skipped_without_a_carry():
    result = check(Subject(prior, simulate, lambda state, data, rng: state), 0)
    assert result.verdict is Verdict.SKIPPED
