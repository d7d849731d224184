"""What a subject can be asked to do, function by function: to see which code runs where, and what it gives.

Every context takes an input, a draw from the joint of the right subject with a seed, and returns all that came of it: what
was returned, and what became of the arguments, for a mistake may be that they change.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.engine.replicate import begin_carry, position_of, refreshed
from mcassay.kernels.structure import apply
from mcassay.results import SWEEP, update_target
from mcassay.state import copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State, Step

Ask = Callable[["Input"], Any]
_SWEEPS = 3


@dataclass(frozen=True)
class Input:
    """A state, data and a seed; whoever uses it works on copies."""

    state: State
    data: Data
    seed: int

    def own(self) -> tuple[State, Data, Generator]:
        """Return copies, and a generator of its own."""
        return copy_state(self.state), copy_state(self.data), np.random.default_rng(self.seed)


def contexts(subject: Subject) -> dict[str, Ask]:
    """Return everything that a subject can be asked, by name; updates go by the targets of results."""
    found: dict[str, Ask] = {"prior": lambda given: subject.prior(given.own()[2])}
    if subject.simulate is not None:
        found["simulate"] = lambda given: subject.redraw(given.own()[0], given.own()[2])
    if subject.log_joint is not None:
        found["log_joint"] = _density(subject.log_joint)
    for name, function in {**subject.statistics, **subject.caches}.items():
        found[f"statistic:{name}"] = _density(function)
    if subject.init is not None:
        found["init"] = lambda given: begin_carry(subject, *given.own())
    for name, update in subject.updates.items():
        found[update_target(name)] = _applied(subject, update)
    found[SWEEP] = lambda given: _sweeps(subject, given)
    return found


def _density(function: Callable[[State, Data], Any]) -> Ask:
    def ask(given: Input) -> Any:
        state, data, _ = given.own()
        with np.errstate(all="ignore"):
            return function(state, data), state, data

    return ask


def _applied(subject: Subject, update: Step) -> Ask:
    def ask(given: Input) -> Any:
        state, data, rng = given.own()
        carry = begin_carry(subject, state, data, rng)
        return apply(update, carry, data, rng), carry, data

    return ask


def _sweeps(subject: Subject, given: Input) -> list[Any]:
    """Do a few sweeps, with new data in between where that is allowed; what came of each is copied, for it may change later."""
    state, data, rng = given.own()
    carry = begin_carry(subject, state, data, rng)
    seen = []
    for _ in range(_SWEEPS):
        before = carry
        carry = apply(subject.step, carry, data, rng)
        seen.append(copy_state([carry, before, data]))
        if subject.simulate is not None and (subject.init is None or subject.refresh is not None):
            data = subject.simulate(position_of(subject, carry), rng)
            carry = refreshed(subject, carry, data, rng)
    return seen


def draw_inputs(subject: Subject, count: int, seed: int) -> list[Input]:
    """Draw inputs from the joint; every fourth has the data of another draw, for the arguments need not fit each other."""
    rng = np.random.default_rng(seed)
    draws = [subject.draw(rng) for _ in range(count)]
    data = [draws[place - 1 if place % 4 == 3 else place][1] for place in range(count)]
    return [Input(state, own, seed + place) for place, ((state, _), own) in enumerate(zip(draws, data, strict=True))]
