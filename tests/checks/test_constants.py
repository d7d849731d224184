"""Constants of the log joint: named kernels that use them, which must be caught, and right ones that must not fail."""

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, HamiltonianMonteCarlo, MetropolisHastings, Normal, RandomScan, Slice, Subject
from mcassay.checks import Context
from mcassay.checks.constants import CHECK
from mcassay.results import Verdict

SEEDS = range(3)


def prior(rng):
    return {"x": rng.normal(size=2), "k": rng.integers(4)}


def simulate(state, rng):
    return rng.normal(state["x"].sum() + state["k"], 1.0, size=4)


def log_joint(state, data):
    if not 0 <= state["k"] < 4:
        return -math.inf
    return -0.5 * float(state["x"] @ state["x"] + np.sum((data - state["x"].sum() - state["k"]) ** 2))


def gradient(state, data):
    return -state["x"] + np.sum(data - state["x"].sum() - state["k"])


def subject(step, **changed):
    return Subject(prior, simulate, step, **{"log_joint": log_joint, **changed})


def walk(**changed):
    return MetropolisHastings(lambda state, data: Normal(state["x"], sd=0.7), blocks="x", **changed)


def hop(state, data, rng):
    """Move to a neighbour; ties of the log joint are common with whole numbers."""
    return {**state, "k": state["k"] + rng.choice([-1, 1])}, 0.0


@dataclass(frozen=True)
class Own:
    """A user's kernel that takes the log joint from the subject."""

    move: Any
    log_joint: Any = None
    log_p: list[float] = field(default_factory=list)

    def bound_to(self, log_joint):
        return replace(self, log_joint=log_joint)

    def __call__(self, state, data, rng):
        return self.move(self, state, data, rng)


def propose(state, rng):
    return {**state, "x": state["x"] + 0.5 * rng.normal(size=2)}


def accept_by(probability):
    def move(kernel, state, data, rng):
        new = propose(state, rng)
        chance = probability(kernel.log_joint(new, data), kernel.log_joint(state, data))
        return new if rng.random() < chance else state

    return Own(move)


def log_ratio(new, old):
    return math.exp(min(0.0, new - old))


def numerical(kernel, state, data, rng):
    """Drift along a gradient of finite differences: the last digits of the state follow those of the log joint."""
    steps = 1e-4 * np.eye(2)
    slope = [kernel.log_joint({**state, "x": state["x"] + h}, data) - kernel.log_joint(state, data) for h in steps]
    return {**state, "x": state["x"] + 0.01 * np.array(slope) / 1e-4 + 0.1 * rng.normal(size=2)}


def mirror(kernel, state, data, rng):
    """Take the mirror image where it is at least as likely; on a symmetric target it always is, but for rounding."""
    new = {**state, "x": -state["x"]}
    return new if kernel.log_joint(new, None) >= kernel.log_joint(state, None) else state


def uneven(state, data):
    """Two values that are equal but for the order of summation."""
    return -0.5 * float(sum(np.exp(state["x"])) + sum(np.exp(-state["x"])))


RIGHT = {
    "walk": subject(walk()),
    "barker": subject(walk(accept="barker")),
    "elementwise": subject(walk(elementwise=True)),
    "whole numbers": subject(MetropolisHastings(hop, blocks="k")),
    "slice": subject(Slice("x")),
    "hamiltonian": subject(HamiltonianMonteCarlo("x", gradient=gradient, step_size=0.2, steps=4)),
    "cycle": subject(Cycle({"x": walk(), "k": MetropolisHastings(hop, blocks="k")})),
    "random scan": subject(RandomScan({"x": walk(), "k": MetropolisHastings(hop, blocks="k")})),
    "own kernel": subject(accept_by(log_ratio)),
    "numerical gradient": subject(Own(numerical)),
    "ties": Subject(lambda rng: {"x": rng.normal(size=2)}, None, Own(mirror), log_joint=uneven),
    "large log joint": subject(walk(), log_joint=lambda state, data: log_joint(state, data) + 1e9),
    "single evaluations remembered": subject(
        Own(lambda kernel, *args: kernel.log_p.append(0.0) or accept_by(log_ratio).move(kernel, *args))
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_kernels_that_use_differences_pass(name, seed):
    (result,) = CHECK.apply(RIGHT[name], Context(seed))
    assert result.verdict is Verdict.PASS, result.message


BROKEN = {
    "not normalised": accept_by(lambda new, old: math.exp(min(0.0, new))),
    "threshold": accept_by(lambda new, old: 0.0 if new < -6 else log_ratio(new, old)),
    "ratio of logarithms": accept_by(lambda new, old: old / new),
    "tempered twice": accept_by(lambda new, old: math.exp(min(0.0, 0.5 * new - old))),
    "slice below zero": Own(
        lambda kernel, state, data, rng: (
            ((new := propose(state, rng)) and kernel.log_joint(new, data) > kernel.log_joint(state, data) * rng.random() and new)
            or state
        )
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_kernels_that_use_the_density_itself_fail(name, seed):
    (result,) = CHECK.apply(subject(BROKEN[name]), Context(seed))
    assert result.verdict is Verdict.FAIL, result.message
    assert result.cause == "the step changes its outcome when a constant is added to the log joint"
    assert re.search(r"first in sweep \d+ of replicate \d, with .*: block \"x\" becomes", result.message)


def test_the_update_is_named():
    step = Cycle({"right": walk(), "wrong": BROKEN["not normalised"]})
    (result,) = CHECK.apply(subject(step), Context(1))
    assert (result.verdict, result.target) == (Verdict.FAIL, "update:wrong")


@pytest.mark.parametrize(
    "probability", [lambda new, old: math.exp(new) / math.exp(old), lambda new, old: 0.0 if new < -700 else log_ratio(new, old)]
)
def test_densities_that_over_or_underflow_are_unclear(probability):
    (result,) = CHECK.apply(subject(accept_by(probability)), Context(1))
    assert result.verdict is Verdict.UNCLEAR
    assert "over- or underflows" in result.message


def test_it_is_skipped_where_it_does_not_apply():
    single = lambda state, data: np.float32(log_joint(state, data))  # noqa: E731
    cases = {
        "no log_joint": subject(walk(log_joint=log_joint), log_joint=None),
        "does not take log_joint from the subject": subject(Gibbs({"x": lambda state, data: Normal(np.zeros(2), sd=1.0)})),
        "single precision": subject(walk(), log_joint=single),
        "carries more than the state": subject(walk(), init=lambda state, data, rng: state, position=lambda carry: carry),
    }
    for reason, skipped in cases.items():
        (result,) = CHECK.apply(skipped, Context(1))
        assert result.verdict is Verdict.SKIPPED
        assert reason in result.message
