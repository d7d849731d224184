"""What a carry is made of: parts that follow from the state, parts that change nothing, and parts whose law matters.

Momentum that persists from sweep to sweep is of the last kind: init has to draw it from the law that the kernel keeps. A
cached log density follows from the state, and a counter has no effect; init may set both as it likes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.parts import close, distance, is_numeric, leaves, with_part
from mcassay.engine.block import fresh
from mcassay.engine.legacy import global_randomness
from mcassay.engine.replicate import begin_carry, position_of
from mcassay.kernels import apply
from mcassay.state import copy_state, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator

_TRIALS = 6
_SWEEPS = 3
_SWEEPS_TO_SHOW = 8
_TRANSPLANTS = 3
_RELATIVE = 1e-6


@dataclass(frozen=True)
class CarryParts:
    """Paths of numeric parts of a carry that have an effect on where the chain goes and do not follow from the state.

    Attributes
    ----------
    drawn
        Those that init draws at random.
    fixed
        Those that init sets to a fixed value, and a sweep changes.
    stale
        Those that follow from the state after init and no longer after a sweep.
    """

    drawn: tuple[str, ...]
    fixed: tuple[str, ...]
    stale: tuple[str, ...]

    @property
    def free(self) -> tuple[str, ...]:
        """The parts whose law matters."""
        return self.drawn + self.fixed


@dataclass(frozen=True)
class _Trial:
    """Numeric parts after init, after init again, after some sweeps, and after init from the state then."""

    first: dict[str, Any]
    again: dict[str, Any]
    later: dict[str, Any]
    anew: dict[str, Any]
    carry: Any
    data: Data


def carry_parts(subject: Subject, rng: Generator) -> CarryParts:
    """Find out what each part of the carry is, by trying."""
    trials = [_try(fresh(subject), rng) for _ in range(_TRIALS)]
    paths = [path for path in trials[0].first if all(path in t.later and path in t.again and path in t.anew for t in trials)]
    drawn: list[str] = []
    fixed: list[str] = []
    stale: list[str] = []
    for path in paths:
        if any(_differ(t.first[path], t.again[path]) for t in trials):
            drawn.append(path)
        elif not all(close(t.later[path], t.anew[path], _RELATIVE) for t in trials):
            depends = any(_differ(t.first[path], trials[0].first[path]) for t in trials)
            (stale if depends else fixed).append(path)
    return CarryParts(*(tuple(p for p in found if _matters(subject, p, trials, rng)) for found in (drawn, fixed, stale)))


def _differ(first: Any, second: Any) -> bool:
    return not same_state(np.asarray(first), np.asarray(second))


def _try(subject: Subject, rng: Generator) -> _Trial:
    state, data = subject.draw(rng)
    data = copy_state(data)
    first, again = (numbers(begin_carry(subject, state, data, rng)) for _ in range(2))
    carry = begin_carry(subject, state, data, rng)
    for _ in range(_SWEEPS):
        carry = apply(subject.step, carry, data, rng)
    anew = numbers(begin_carry(subject, position_of(subject, carry), data, rng))
    return _Trial(first, again, numbers(carry), anew, copy_state(carry), data)


def numbers(carry: Any) -> dict[str, Any]:
    """Return copies of the numeric parts of a carry."""
    return {path: copy_state(leaf) for path, leaf in leaves(carry).items() if is_numeric(leaf)}


def _matters(subject: Subject, path: str, trials: list[_Trial], rng: Generator) -> bool:
    """Say whether the chain goes elsewhere, with the same random numbers, when a part has the value of another chain."""
    for trial, value in _transplants(path, trials):
        seed = int(rng.integers(2**32))
        plain = _positions(subject, copy_state(trial.carry), trial.data, seed)
        other = _positions(subject, with_part(copy_state(trial.carry), path, copy_state(value)), trial.data, seed)
        if distance(plain, other) > 0:
            return True
    return False


def _transplants(path: str, trials: list[_Trial]) -> Iterator[tuple[_Trial, Any]]:
    for trial in trials:
        own = trial.later[path]
        theirs = [other.later[path] for other in trials] + [other.first[path] for other in trials]
        others = [value for value in theirs if np.shape(value) == np.shape(own) and _differ(value, own)]
        yield from ((trial, value) for value in others[:_TRANSPLANTS])


def _positions(subject: Subject, carry: Any, data: Data, seed: int) -> list[Any]:
    own, given, rng = fresh(subject), copy_state(data), np.random.default_rng(seed)
    positions = []
    with global_randomness(seed):
        for _ in range(_SWEEPS_TO_SHOW):
            carry = apply(own.step, carry, given, rng)
            positions.append(copy_state(position_of(own, carry)))
    return positions
