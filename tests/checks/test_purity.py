"""State rules: named kernels that break them, which must be caught, and right ones of all manners that must not fail."""

import functools
import math
import random
import re
import types
from dataclasses import dataclass, field
from random import gauss
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import normal

from mcassay import Cycle, Gibbs, HamiltonianMonteCarlo, InputError, MetropolisHastings, Normal, RandomScan, Slice, Subject, assay
from mcassay.checks import Context
from mcassay.checks.purity import CHECK
from mcassay.results import Verdict

SEEDS = range(3)


def prior(rng):
    return {"x": rng.normal(size=3), "y": rng.normal(size=3), "k": int(rng.integers(5))}


def simulate(state, rng):
    return {"seen": rng.normal(state["x"] + state["y"]), "size": 3}


def log_joint(state, data):
    return -0.5 * float(state["x"] @ state["x"] + state["y"] @ state["y"] + np.sum((data["seen"] - state["x"] - state["y"]) ** 2))


def subject(step, **changed):
    functions = {"prior": prior, "simulate": simulate} | {k: changed.pop(k) for k in ("prior", "simulate") if k in changed}
    return Subject(functions["prior"], functions["simulate"], step, **changed)


def check(checked, seed=0):
    return CHECK.apply(checked, Context(seed))


# Right kernels, in all manners.


def copying(state, data, rng):
    new = {**state, "x": state["x"] + 0.3 * rng.normal(size=3)}
    return new if math.log(rng.random()) < log_joint(new, data) - log_joint(state, data) else state


def in_place(state, data, rng):
    new = {**state, "x": state["x"] + 0.3 * rng.normal(size=3)}
    if math.log(rng.random()) < log_joint(new, data) - log_joint(state, data):
        state["x"][:] = new["x"]


def in_place_returned(state, data, rng):
    in_place(state, data, rng)
    return state


def element_in_place(state, data, rng):
    place = rng.integers(3)
    old, before = state["y"][place], log_joint(state, data)
    state["y"][place] += rng.normal()
    if math.log(rng.random()) >= log_joint(state, data) - before:
        state["y"][place] = old


def legacy(state, data, rng):
    new = {**state, "x": state["x"] + 0.3 * np.random.normal(size=3)}
    return new if math.log(random.random()) < log_joint(new, data) - log_joint(state, data) else state


class Counting:
    """A kernel with counters, which change nothing."""

    def __init__(self):
        self.steps, self.history = 0, []

    def __call__(self, state, data, rng):
        self.steps += 1
        new = copying(state, data, rng)
        self.history.append(new["x"].sum())
        return new


def split(state, data, rng):
    """A state whose size changes."""
    values = state["values"]
    if rng.random() < 0.5:
        return {"values": np.append(values, rng.normal()), "size": state["size"] + 1}
    return {"values": values[:-1], "size": state["size"] - 1} if len(values) > 1 else state


class Pair(NamedTuple):
    a: np.ndarray
    b: float


@dataclass
class Cell:
    value: float
    parts: list = field(default_factory=list)


def move_cell(state, data, rng):
    state.value = rng.normal()
    state.parts[0][:] = rng.normal(size=2)
    return state


def carried(step, *, in_place=False):
    """Carry the log density and a momentum along, beside the state."""

    def update(carry, data, rng):
        state, log_p, momentum = carry if isinstance(carry, tuple) else carry.values()
        momentum = 0.9 * momentum + math.sqrt(1 - 0.81) * rng.normal(size=3)
        new = {**state, "x": state["x"] + 0.1 * momentum}
        accept = math.log(rng.random()) < log_joint(new, data) - log_p
        new, log_p = (new, log_joint(new, data)) if accept else (state, log_p)
        if in_place:
            carry.update(state=new, log_p=log_p, momentum=momentum)
            return None
        return (new, log_p, momentum)

    return update


def with_carry(step, form, **changed):
    def init(state, data, rng):
        parts = {"state": state, "log_p": log_joint(state, data), "momentum": rng.normal(size=3)}
        return parts if form is dict else tuple(parts.values())

    def position(carry):
        return carry["state"] if form is dict else carry[0]

    return subject(step, **{"init": init, "position": position, **changed})


def tuple_in_place(carry, data, rng):
    """A tuple is a new one every time, though the state in it is updated in place."""
    state, _, momentum = carry
    element_in_place(state, data, rng)
    return state, log_joint(state, data), momentum


COUNTED = []


def logged(state, data, rng):
    COUNTED.append(state["k"])
    del COUNTED[:-5]
    return copying(state, data, rng)


RIGHT = {
    "copying": subject(copying),
    "in place": subject(in_place),
    "in place and returned": subject(in_place_returned),
    "elements in place": subject(element_in_place),
    "mixed manners in a cycle": subject(Cycle({"x": copying, "y": element_in_place, "again": in_place_returned})),
    "random scan": subject(RandomScan({"x": copying, "y": element_in_place})),
    "global generators": subject(legacy),
    "counters in the kernel": subject(Counting()),
    "a global log": subject(logged),
    "trans-dimensional": Subject(
        lambda rng: {"values": rng.normal(size=(size := 1 + rng.poisson(2.0))), "size": size}, None, split
    ),
    "named tuple": Subject(
        lambda rng: Pair(rng.normal(size=2), 0.0), None, lambda state, data, rng: state._replace(b=rng.normal())
    ),
    "object in place": Subject(lambda rng: Cell(rng.normal(), [rng.normal(size=2)]), None, move_cell),
    "an array": Subject(lambda rng: rng.normal(size=3), None, lambda state, data, rng: 0.5 * state + rng.normal(size=3)),
    "a number": Subject(lambda rng: rng.normal(), None, lambda state, data, rng: -state),
    "carry as a tuple": with_carry(carried(copying), tuple),
    "carry in place": with_carry(carried(copying, in_place=True), dict),
    "carry as a tuple, state in place": with_carry(tuple_in_place, tuple),
    "gibbs": subject(Gibbs({"x": lambda state, data: Normal(0.5 * (data["seen"] - state["y"]), variance=0.5)})),
    "ready-made kernels": subject(
        Cycle(
            {
                "walk": MetropolisHastings(lambda state, data: Normal(state["x"], sd=0.5), blocks="x"),
                "slice": Slice("y"),
                "hmc": HamiltonianMonteCarlo("x", gradient=lambda s, d: d["seen"] - s["y"] - 2 * s["x"], step_size=0.2, steps=3),
            }
        ),
        log_joint=log_joint,
        statistics={"sum": lambda state, data: state["x"].sum()},
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_of_all_manners_pass(name, seed):
    (result,) = check(RIGHT[name], seed)
    assert result.verdict is Verdict.PASS, result.message


def test_global_generators_are_noted():
    (result,) = check(RIGHT["global generators"])
    assert "the code draws from the global generator of numpy.random" in result.message
    assert "the global generator of random" in result.message


# Broken kernels.


def corrupts_input(state, data, rng):
    state["x"] += 0.3 * rng.normal(size=3)
    return dict(state)


def adds_block(state, data, rng):
    new = copying(state, data, rng)
    state["log_p"] = 0.0
    return {**new}


def centres_data(state, data, rng):
    data["seen"] -= data["seen"].mean()
    return copying(state, data, rng)


def swap_by_alias(state, data, rng):
    state["x"] = state["y"]
    state["y"][:] = rng.normal(size=3)


class OwnGenerator:
    def __init__(self):
        self.rng = np.random.default_rng(5)

    def __call__(self, state, data, rng):
        return copying(state, data, self.rng)


OWN = np.random.default_rng(7)


def unseeded(state, data, rng):
    return copying(state, data, np.random.default_rng())


def returns_too_much(state, data, rng):
    return {**copying(state, data, rng), "log_p": 0.0}


def impure_log_joint(state, data):
    state["x"] -= state["x"].mean()
    return log_joint(state, data)


def noisy_log_joint(state, data):
    return log_joint(state, data) + 0.1 * random.gauss(0, 1)


BUFFER = np.empty(3)


def buffered_prior(rng):
    BUFFER[:] = rng.normal(size=3)
    return {**prior(rng), "x": BUFFER}


DATA = {"seen": np.zeros(3), "size": 3}


def buffered_simulate(state, rng):
    DATA["seen"][:] = rng.normal(state["x"] + state["y"])
    return DATA


def proposes_in_place(state, data, rng):
    state["x"] += 0.3 * rng.normal(size=3)
    return state, 0.0


def conditional_in_place(state, data):
    state["y"] *= 0.5
    return Normal(state["y"], variance=1.0)


def data_alias(state, data, rng):
    return {**state, "x": data["seen"]}


def written_alias(state, data, rng):
    new = {**state, "x": data["seen"]}
    new["x"][0] = rng.normal()
    return new


BROKEN = {
    "returns a copy of what it changed": (
        subject(corrupts_input),
        "sweep",
        r'the step returns another object, but has changed block "x" .*Return the same object or None',
    ),
    "leaves a block behind": (subject(adds_block), "sweep", 'has changed block "log_p"'),
    "changes its input in a cycle": (
        subject(Cycle({"right": copying, "wrong": corrupts_input})),
        "update:wrong",
        'update "wrong" returns another object',
    ),
    "changes its input in a random scan": (
        subject(RandomScan({"right": copying, "wrong": corrupts_input})),
        "update:wrong",
        'update "wrong" returns another object',
    ),
    "changes the data": (subject(centres_data), "sweep", 'the step changes the data at "seen"'),
    "changes the data through an alias": (subject(written_alias), "sweep", 'the step changes the data at "seen"'),
    "changes the data in a carry": (
        with_carry(lambda carry, data, rng: (centres_data(carry[0], data, rng), *carry[1:]), tuple),
        "sweep",
        "changes the data",
    ),
    "alias": (subject(swap_by_alias), "sweep", r'after the step the blocks "x" and "y" share memory \(alias\)'),
    "alias and another update in place": (
        subject(Cycle({"alias": lambda s, d, r: {**s, "x": s["y"]}, "write": element_in_place})),
        "update:alias",
        r'after update "alias" the blocks "x" and "y" share memory',
    ),
    "generator of the kernel": (subject(OwnGenerator()), "sweep", r"a random generator of its own \(rng\): hidden randomness"),
    "generator of the module": (subject(lambda s, d, r: copying(s, d, OWN)), "sweep", r"generator of its own \(OWN\)"),
    "generator without a seed": (subject(unseeded), "sweep", r"hidden randomness \(it uses default_rng\)"),
    "other blocks": (
        subject(returns_too_much),
        "sweep",
        "returns a state with the blocks x, y, k, log_p; the prior draws k, x, y",
    ),
    "log_joint changes the state": (subject(copying, log_joint=impure_log_joint), "sweep", 'log_joint changes the state .*"x"'),
    "log_joint is random": (subject(copying, log_joint=noisy_log_joint), "sweep", "log_joint gives another value when"),
    "statistic changes the data": (
        subject(copying, statistics={"largest": lambda state, data: data["seen"].sort() or data["seen"][-1]}),
        "sweep",
        'statistic "largest" changes the data',
    ),
    "simulate changes the state": (
        subject(copying, simulate=lambda state, rng: simulate(state, rng) | {"size": state["x"].sort() or 3}),
        "sweep",
        "simulate changes the state",
    ),
    "prior reuses its memory": (
        subject(copying, prior=buffered_prior),
        "sweep",
        r'prior writes every draw into the same memory \("x"\)',
    ),
    "simulate reuses its memory": (
        subject(copying, simulate=buffered_simulate),
        "sweep",
        "simulate writes every draw into the same",
    ),
    "prior has a generator of its own": (
        subject(copying, prior=lambda rng: prior(OWN)),
        "sweep",
        "prior draws something else from a generator in the same state",
    ),
    "proposal in place": (
        subject(Cycle({"move": MetropolisHastings(proposes_in_place, blocks="x")}), log_joint=log_joint),
        "update:move",
        'propose of update "move" changes the state',
    ),
    "conditional in place": (
        subject(Gibbs({"x": conditional_in_place})),
        "update:x",
        'conditional of update "x" changes the state .*at "y"',
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_rules_fail_and_are_named(name, seed):
    broken, target, said = BROKEN[name]
    failed = [result for result in check(broken, seed) if result.verdict is Verdict.FAIL]
    assert [result.target for result in failed] == [target]
    assert re.search(said, failed[0].message), failed[0].message


class Adapting:
    def __init__(self):
        self.scale = 1.0

    def __call__(self, state, data, rng):
        self.scale *= 0.99
        return {**state, "x": state["x"] + self.scale * rng.normal(size=3)}


class Remembering:
    """Keeps the log density of the last state, which is another chain's when a new one begins."""

    def __init__(self):
        self.log_p = None

    def __call__(self, state, data, rng):
        old = log_joint(state, data) if self.log_p is None else self.log_p
        new = {**state, "x": state["x"] + 0.3 * rng.normal(size=3)}
        accept = math.log(rng.random()) < log_joint(new, data) - old
        self.log_p = log_joint(new, data) if accept else old
        return new if accept else state


def closed_over():
    memory = {"scale": 1.0}

    def step(state, data, rng):
        memory["scale"] *= 0.99
        return {**state, "x": state["x"] + memory["scale"] * rng.normal(size=3)}

    return step


DOUBTFUL = {
    "adapts": (subject(Adapting()), r"depends on what the kernel object remembers .*\(scale\).*Adaptation has to be frozen"),
    "adapts in a cycle": (subject(Cycle({"walk": copying, "adapt": Adapting()})), r'update "adapt" depends on what'),
    "remembers a density": (subject(Remembering()), r"\(log_p\).* belongs into a carry \(init and position\)"),
    "closed-over memory": (subject(closed_over()), r"outside the kernel object \(memory.scale\)"),
    "whole numbers become floating": (
        subject(lambda s, d, r: {**s, "k": float(s["k"])}),
        r'block "k" holds whole numbers when the prior draws it, and floating',
    ),
    "another type": (
        Subject(lambda rng: Cell(rng.normal()), None, lambda s, d, r: {"value": r.normal(), "parts": []}),
        "returns a dict; the prior",
    ),
    "shares memory with the data": (subject(data_alias), r'after the step block "x" shares memory with the data at "seen"'),
    "the same start every time": (
        subject(copying, prior=lambda rng: prior(np.random.default_rng(1))),
        "prior draws the same state",
    ),
    "names in another order": (
        subject(copying, simulate=lambda rng, state: simulate(rng, state)),
        r"simulate takes \(rng, state\); the order is \(state, rng\)",
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_may_be_meant_is_unclear(name, seed):
    doubtful, said = DOUBTFUL[name]
    (result,) = check(doubtful, seed)
    assert result.verdict is Verdict.UNCLEAR, result.message
    assert re.search(said, result.message), result.message


def test_a_harmless_alias_is_noted():
    (result,) = check(subject(lambda state, data, rng: {**state, "x": rng.normal(size=3)} | {"y": state["x"]}))
    assert result.verdict is Verdict.PASS
    (result,) = check(subject(lambda state, data, rng: {**state, "x": (new := rng.normal(size=3)), "y": new}))
    assert result.verdict is Verdict.PASS
    assert 'the blocks "x" and "y" share memory (alias), which is harmless' in result.message


def test_arguments_in_another_order_are_an_error_that_says_so():
    wrong = subject(lambda state, rng, data: copying(state, data, rng))
    with pytest.raises(InputError, match=r"step takes \(state, rng, data\); the order is \(state, data, rng\)"):
        check(wrong)


def test_a_state_with_more_is_an_error_that_points_to_position():
    with pytest.raises(InputError, match="`init` and `position`"):
        check(subject(lambda state, data, rng: (copying(state, data, rng), True)))


def test_init_and_position_that_return_nothing_are_errors():
    with pytest.raises(InputError, match=r"init.* returned None; it must return a carry"):
        check(subject(copying, init=lambda state, data, rng: None, position=lambda carry: carry))
    with pytest.raises(InputError, match=r"position.* returned None.*; it must return a state"):
        check(subject(copying, init=lambda state, data, rng: state, position=lambda carry: None))


def test_a_step_that_returns_no_state_fails_in_words_whatever_others_make_of_it():
    subject = Subject(
        lambda rng: {"x": rng.normal()}, lambda state, rng: state["x"] + rng.normal(), lambda state, data, rng: True
    )
    (result,) = assay(subject, checks=["purity"], seed=1).results
    assert result.verdict is Verdict.FAIL
    assert "the step returns True; the prior draws x" in result.message


def test_a_kernel_that_uses_functions_of_global_generators_passes():
    def step(state, data, rng):
        return {"x": normal() + gauss(0, 1)}

    (result,) = assay(Subject(lambda rng: {"x": rng.normal()}, None, step), checks=["purity"], seed=1).results
    assert result.verdict is Verdict.PASS


class HoldsABoundPartial:
    """A kernel that holds a method made of a partial, which has no name of its own."""

    def __init__(self):
        self.add = types.MethodType(functools.partial(lambda owner, x: x), self)

    def __call__(self, state, data, rng):
        return {**state, "x": self.add(rng.normal(size=3))}


def test_a_kernel_that_holds_a_method_without_a_name_passes():
    (result,) = check(subject(HoldsABoundPartial()))
    assert result.verdict is Verdict.PASS
