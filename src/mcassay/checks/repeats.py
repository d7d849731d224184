"""The same state, data and random numbers give the same next state: no hidden randomness, and no hidden memory."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.hidden import Watched
from mcassay.checks.parts import Snapshot
from mcassay.checks.rules import Findings
from mcassay.checks.walk import called, target_of
from mcassay.engine.block import fresh
from mcassay.engine.legacy import global_randomness
from mcassay.engine.replicate import begin_carry
from mcassay.kernels import apply
from mcassay.results import SWEEP
from mcassay.state import copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, Step

_TRIALS = 4
_SWEEPS_BEFORE = 3
_SWEEPS_ELSEWHERE = 8


@dataclass(frozen=True)
class _Trial:
    """What a step is given, time and again."""

    name: str
    carry: Any
    data: Data
    seed: int

    def step_of(self, subject: Subject) -> Step:
        return subject.updates[self.name] if self.name else subject.step

    def outcome(self, subject: Subject, findings: Findings) -> Any:
        carry, data = copy_state(self.carry), copy_state(self.data)
        with global_randomness(self.seed) as noticed:
            new = apply(self.step_of(subject), carry, data, np.random.default_rng(self.seed))
        for name in noticed.used:
            findings.note(f"the code draws from the global generator of {name}; it is seeded for each block of replicates")
        return new


def check_repeats(subject: Subject, rng: Generator, findings: Findings) -> int:
    """Apply every update again and again to the same input; return how many sweeps that took."""
    _check_prior(subject, int(rng.integers(2**32)), findings)
    for _ in range(_TRIALS):
        carry, data = _somewhere(fresh(subject), rng, _SWEEPS_BEFORE)
        used = fresh(subject)
        remembers = Watched.of(used.step)
        _somewhere(used, rng, _SWEEPS_ELSEWHERE)
        for name in [*subject.updates, ""]:
            trial = _Trial(name, carry, data, int(rng.integers(2**32)))
            _check(trial, subject, used, remembers.changed(), findings)
    return _TRIALS * (_SWEEPS_BEFORE + _SWEEPS_ELSEWHERE + 3)


def _somewhere(subject: Subject, rng: Generator, sweeps: int) -> tuple[Any, Data]:
    """Return where a chain is after some sweeps."""
    with global_randomness(int(rng.integers(2**32))):
        state, data = subject.draw(rng)
        data = copy_state(data)
        carry = begin_carry(subject, state, data, rng)
        for _ in range(sweeps):
            carry = apply(subject.step, carry, data, rng)
    return copy_state(carry), data


def _check(trial: _Trial, subject: Subject, used: Subject, remembered: tuple[str, ...], findings: Findings) -> None:
    one = fresh(subject)
    watched = Watched.of(trial.step_of(one))
    first = trial.outcome(one, findings)
    drawn = watched.drawn_from()
    if drawn:
        _own_generator(trial.name, drawn, findings)
    elif _differ(first, trial.outcome(fresh(subject), findings)):
        _irreproducible(trial.name, watched, findings)
    elif _differ(first, trial.outcome(used, findings)):
        _remembers(trial.name, remembered, findings)


def _differ(first: Any, second: Any) -> bool:
    return bool(Snapshot.of(first).changed(second))


def _own_generator(name: str, drawn: tuple[str, ...], findings: Findings) -> None:
    what = f"{called(name)} draws from a random generator of its own ({', '.join(drawn)}): hidden randomness"
    advice = "Use the rng that it is given: otherwise nothing can be repeated, and copies of the kernel use the same numbers"
    findings.fail(target_of(name), "repeatable", what, advice)


def _irreproducible(name: str, watched: Watched, findings: Findings) -> None:
    """Say why a fresh copy of the kernel gives something else for the same input."""
    target, changed, makes = target_of(name), watched.changed(), watched.before.makes_generators
    what = f"{called(name)} gives another state for the same state, data and random numbers"
    if changed:
        also = f", or draws from {makes[0]}" if makes else ""
        memory = f"{what}: it remembers something outside the kernel object ({', '.join(changed[:3])}){also}"
        findings.doubt(target, "memory", memory, _FREEZE)
    elif makes:
        advice = "Use the rng that it is given"
        findings.fail(target, "repeatable", f"{what}: hidden randomness (it uses {', '.join(makes)})", advice)
    else:
        advice = "Use the rng that it is given; a compiled function has random numbers of its own, which no seed reaches"
        findings.fail(target, "repeatable", f"{what}: hidden randomness, or memory that was not found", advice)


_FREEZE = (
    "Adaptation has to be frozen while a kernel is assayed; what it carries from sweep to sweep belongs into a carry "
    "(init and position)"
)


def _remembers(name: str, remembered: tuple[str, ...], findings: Findings) -> None:
    where = f" ({', '.join(remembered[:3])})" if remembered else ""
    what = f"{called(name)} depends on what the kernel object remembers of earlier sweeps{where}"
    findings.doubt(target_of(name), "memory", what, _FREEZE)


def _check_prior(subject: Subject, seed: int, findings: Findings) -> None:
    """Draws of the joint must repeat too, or no seed brings a failure back."""
    draws = []
    for _ in range(2):
        with global_randomness(seed):
            draws.append(subject.draw(np.random.default_rng(seed)))
    for name, first, second in zip(("prior", "simulate"), *draws, strict=True):
        if _differ(first, second):
            what = f"{name} draws something else from a generator in the same state: hidden randomness"
            findings.fail(SWEEP, "repeatable draws", what, "Use the rng that it is given")
            return
