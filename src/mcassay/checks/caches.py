"""What the subject declares as caches equals a recomputation after every update, rejections and swaps included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcassay.checks.base import Check, Context
from mcassay.checks.gauges import Gauge, Reading, gap
from mcassay.checks.walk import called, sweep, target_of, units
from mcassay.engine.block import fresh
from mcassay.engine.legacy import global_randomness
from mcassay.engine.replicate import begin_carry, position_of, refreshed
from mcassay.errors import shown
from mcassay.kernels import apply
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.state import copy_state, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator

NAME = "caches"

_REPLICATES = 10
_SWEEPS = 15
_SWEEPS_AFTER_REFRESH = 5


def _missing(subject: Subject) -> str | None:
    return None if subject.caches else "the subject declares no caches={name: recompute(state, data)}"


@dataclass
class _Ledger:
    """What was found so far: how often each cache was read, and the first stale reading of each after each update."""

    stale: dict[tuple[str, str], str] = field(default_factory=dict)
    readings: dict[str, list[Reading]] = field(default_factory=dict)
    stayed: int = 0
    moved: int = 0
    sweeps: int = 0

    def note(self, name: str, reading: Reading) -> None:
        self.readings.setdefault(name, []).append(reading)


@dataclass
class _Replicate:
    """One chain with its caches; a cache that was found stale once is not read again, for what follows is a consequence."""

    subject: Subject
    carry: Any
    data: Data
    rng: Generator
    gauges: dict[str, Gauge]
    ledger: _Ledger
    last: dict[str, Any] = field(default_factory=dict)

    def read(self, target: str, when: str, moved: bool | None = None) -> None:
        """Read every cache, after something happened to the carry."""
        for name, gauge in list(self.gauges.items()):
            reading = gauge.read(self.carry, self.data, self.rng)
            self.ledger.note(name, reading)
            if reading.stale:
                why = self._why(name, reading, moved)
                self.ledger.stale.setdefault((target, name), _stale(name, when, reading, why))
                del self.gauges[name]
            self.last[name] = reading.fresh

    def _why(self, name: str, reading: Reading, moved: bool | None) -> str:
        """Say where a stale value comes from, as far as can be told."""
        if moved is None:
            return ""
        if not moved:
            return "; the state stayed as it was: what belongs to a rejected proposal was kept in the cache"
        if gap(reading.cached, self.last.get(name)) <= reading.tolerance:
            return "; it is still the value of the state before: the update moves the state and not the cache"
        return "; it is the value of neither the state before nor the state after"

    def sweep(self, *, by_updates: bool) -> None:
        """Apply a sweep, update by update or as a whole."""
        self.ledger.sweeps += 1
        if not by_updates:
            self.carry = sweep(self.subject, self.carry, self.data, self.rng)
            self.read(SWEEP, "after a sweep")
            return
        for name, unit in units(self.subject.step, self.rng):
            before = copy_state(position_of(self.subject, self.carry))
            self.carry = apply(unit, self.carry, self.data, self.rng)
            moved = not same_state(before, position_of(self.subject, self.carry))
            self.ledger.moved += moved
            self.ledger.stayed += not moved
            self.read(target_of(name), f"after {called(name)}", moved)

    def redraw(self) -> bool:
        """Redraw the data where the engine does so, and bring the carry up to date by refresh."""
        subject = self.subject
        if subject.simulate is None or (subject.init is not None and subject.refresh is None):
            return False
        self.data = subject.simulate(position_of(subject, self.carry), self.rng)
        self.carry = refreshed(subject, self.carry, self.data, self.rng)
        self.read(SWEEP, "after refresh" if subject.refresh else "after the data were redrawn")
        return True


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    ledger = _Ledger()
    with global_randomness(int(context.rng(NAME, "global").integers(2**32))):
        for number in range(_REPLICATES):
            _run_replicate(fresh(subject), ledger, context.rng(NAME, number), by_updates=number % 4 != 3)
    if ledger.stale:
        return _failures(ledger)
    return [_agreement(subject.caches, ledger)]


def _run_replicate(subject: Subject, ledger: _Ledger, rng: Generator, *, by_updates: bool) -> None:
    state, data = subject.draw(rng)
    data = copy_state(data)
    gauges = {name: Gauge(subject, name, recompute) for name, recompute in subject.caches.items()}
    replicate = _Replicate(subject, begin_carry(subject, state, data, rng), data, rng, gauges, ledger)
    replicate.read(SWEEP, "after init" if subject.init else "in a draw of the prior")
    for _ in range(_SWEEPS):
        replicate.sweep(by_updates=by_updates)
    if replicate.redraw():
        for _ in range(_SWEEPS_AFTER_REFRESH):
            replicate.sweep(by_updates=by_updates)


def _stale(name: str, when: str, reading: Reading, why: str) -> str:
    compared = f"{shown(reading.cached)}, where a recomputation gives {shown(reading.fresh)}"
    apart = f" (apart by {reading.gap:.3g}, rounding allows {reading.tolerance:.1g})"
    return f'the cache "{name}" is stale {when}: {compared}{apart}{why}'


def _failures(ledger: _Ledger) -> list[CheckResult]:
    """Return one result a target; that a whole sweep leaves a cache stale says nothing new where an update was found to."""
    named = {target for target, _ in ledger.stale if target != SWEEP}
    told = {key: said for key, said in ledger.stale.items() if key[0] != SWEEP or not named or "after a sweep" not in said}
    targets = dict.fromkeys(target for target, _ in told)
    return [_failure(target, [said for (where, _), said in told.items() if where == target], ledger) for target in targets]


def _failure(target: str, said: list[str], ledger: _Ledger) -> CheckResult:
    message, cause = ". ".join(said), said[0].partition(":")[0]
    return CheckResult(NAME, target, Verdict.FAIL, message, sweeps=ledger.sweeps, cause=cause)


def _agreement(caches: Mapping[str, Any], ledger: _Ledger) -> CheckResult:
    hidden = [name for name, readings in ledger.readings.items() if all(reading.hidden for reading in readings)]
    if hidden:
        names = ", ".join(f'"{name}"' for name in hidden)
        message = f"caches {names}: rounding hides it; compute them in double precision, or try the check on fewer data points"
        return CheckResult(NAME, SWEEP, Verdict.UNCLEAR, message, sweeps=ledger.sweeps)
    largest = max(reading.gap for readings in ledger.readings.values() for reading in readings)
    seen = f"{ledger.moved} updates that moved the state and {ledger.stayed} that left it as it was"
    names = ", ".join(f'"{name}"' for name in caches)
    message = f"caches {names} equal a recomputation after {seen} (largest difference {largest:.1g})"
    details = {"updates that moved": ledger.moved, "updates that stayed": ledger.stayed, "gap": largest}
    return CheckResult(NAME, SWEEP, Verdict.PASS, message, sweeps=ledger.sweeps, details=details)


CHECK = Check(
    name=NAME,
    title="every cache equals a recomputation after every update",
    requires="caches={name: recompute(state, data)}, where a name is a path in the carry (or in the state)",
    failure="what the kernel carries along does not belong to the state that it has moved to: later updates use the wrong "
    "numbers. Bring the cache up to date where the message says, and keep the old one when a proposal is rejected",
    kind="exact",
    missing=_missing,
    run=_run,
)
