"""One replicate: an independent draw from the joint, followed by sweeps, with samples taken on the way.

The replicates of a vectorised subject go the same way together: every array then has a leading axis of replicates.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.engine.numbers import Sample
from mcassay.errors import InputError, shown
from mcassay.kernels import apply
from mcassay.kernels.structure import Compiled
from mcassay.state import blocks, copy_state, replace_block
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State, Step

_MOST_REDRAWS = 1000


@dataclass(frozen=True)
class Course:
    """What every replicate of a block does.

    Attributes
    ----------
    length
        How many sweeps it runs.
    times
        After which sweeps samples are taken.
    prefixes
        Whether samples are taken after every update of the first sweep as well.
    update
        The one update to run in the place of the whole sweep.
    forward
        How many fresh draws from the joint go with each replicate.
    from_prior
        Whether it starts from a prior draw that is independent of the data, rather than from the joint.
    repeats
        How often its one sweep or update is run anew from the same start; each repeat gives one of the ends.
    """

    length: int = 1
    times: tuple[int, ...] = (1,)
    prefixes: bool = False
    update: str | None = None
    forward: int = 0
    from_prior: bool = False
    repeats: int = 1


@dataclass(frozen=True)
class Trace:
    """The samples of one replicate."""

    start: Sample
    prefixes: tuple[Sample, ...]
    ends: tuple[Sample, ...]
    forward: tuple[Sample, ...]


class UnusableStart(Exception):
    """A step raised from a start that the target need not support; such a start proves nothing."""


def run(subject: Subject, course: Course, rng: Generator, size: int | None = None) -> Trace:
    """Run one replicate; of a vectorised subject so many at once, with a leading axis of replicates in every sample."""
    state, data = subject.draw(rng, size)
    if course.from_prior:
        state = _independent_start(subject, data, rng) if size is None else _independent_starts(subject, data, rng, size)
    start = Sample(state, data)
    if course.repeats > 1:
        return Trace(start, (), _repeats(subject, course, start, rng), ())
    chain = _Chain(subject, start, rng)
    prefixes = chain.first_sweep_by_updates() if course.prefixes else chain.sweep(course.update)
    ends = [chain.sample()] if 1 in course.times else []
    for earlier, time in itertools.pairwise(sorted({1, *course.times, course.length})):
        chain.go_on(time - earlier, course.update, redraw=not course.from_prior)
        if time in course.times:
            ends.append(chain.sample())
    forward = tuple(Sample(*subject.draw(rng, size)) for _ in range(course.forward))
    return Trace(start, prefixes, tuple(ends), forward)


def _repeats(subject: Subject, course: Course, start: Sample, rng: Generator) -> tuple[Sample, ...]:
    """Apply the sweep or update to fresh copies of the start."""
    chains = [_Chain(subject, start, rng) for _ in range(course.repeats)]
    for chain in chains:
        chain.sweep(course.update)
    return tuple(chain.sample() for chain in chains)


def _independent_start(subject: Subject, data: Data, rng: Generator) -> State:
    """Draw a start from the prior, again and again while its joint with the data is not finite."""
    for _ in range(_MOST_REDRAWS):
        state = subject.prior(rng)
        with np.errstate(all="ignore"):
            if subject.log_joint is None or math.isfinite(float(subject.log_joint(state, data))):
                return state
    raise UnusableStart(f"none of {_MOST_REDRAWS} prior draws has a finite joint with data of another draw")


def _independent_starts(subject: Subject, data: Data, rng: Generator, size: int) -> State:
    """Draw many starts from the prior; those whose joint with their data is not finite are drawn again."""
    state = subject.draw_state(rng, size)
    for _ in range(_MOST_REDRAWS):
        with np.errstate(all="ignore"):
            found = np.ones(size) if subject.log_joint is None else np.asarray(subject.log_joint(state, data))
        bad = ~np.isfinite(found.reshape(size))
        if not bad.any():
            return state
        state = _with_rows(state, bad, subject.draw_state(rng, size))
    raise UnusableStart(f"none of {_MOST_REDRAWS} prior draws has a finite joint with data of another draw")


def _with_rows(state: State, rows: Any, other: State) -> State:
    """Return a state with some of the replicates taken from another one."""
    leaves = blocks(other)
    for name, leaf in blocks(state).items():
        mask = rows.reshape(-1, *[1] * (np.ndim(leaf) - 1))
        state = replace_block(state, name, np.where(mask, leaves[name], leaf))
    return state


def begin_carry(subject: Subject, state: State, data: Data, rng: Generator) -> Any:
    """Return what the kernel works on: a copy of the state, or what init makes of one."""
    own = copy_state(state)
    if subject.init is None:
        return own
    carry = subject.init(own, data, rng)
    if carry is None:
        raise InputError("init(state, data, rng) returned None; it must return a carry")
    return carry


def position_of(subject: Subject, carry: Any) -> State:
    """Return the state in what the kernel works on."""
    if subject.position is None:
        return carry
    state = subject.position(carry)
    if state is None:
        raise InputError(f"position(carry) returned None for the carry {shown(carry)}; it must return a state")
    return state


def refreshed(subject: Subject, carry: Any, data: Data, rng: Generator) -> Any:
    """Bring a carry up to date after the data were redrawn; a refresh that returns None did so in place."""
    new = None if subject.refresh is None else subject.refresh(carry, data, rng)
    return carry if new is None else new


class _Chain:
    """A chain under way: what the kernel works on, and the data; both are its own, so that the start stays as it was."""

    def __init__(self, subject: Subject, start: Sample, rng: Generator) -> None:
        self.subject, self.data, self.rng = subject, copy_state(start.data), rng
        self.carry: Any = begin_carry(subject, start.state, self.data, rng)

    def state(self) -> State:
        return position_of(self.subject, self.carry)

    def sample(self) -> Sample:
        """Take a sample: a copy, since the chain goes on, and a kernel may hand out the same array in every replicate."""
        return Sample(copy_state(self.state()), self.data)

    def sweep(self, update: str | None) -> tuple[Sample, ...]:
        if update is None and isinstance(self.subject.step, Compiled):
            self.carry, self.data = self.subject.step.advance(self.carry, self.data, self.rng, 1, False)
            return ()
        step: Step = self.subject.step if update is None else self.subject.updates[update]
        self.carry = apply(step, self.carry, self.data, self.rng)
        return ()

    def go_on(self, sweeps: int, update: str | None, *, redraw: bool) -> None:
        """Run further sweeps, each after a redraw of the data if asked for."""
        redraw = redraw and self.can_redraw()
        if update is None and isinstance(self.subject.step, Compiled):
            self.carry, self.data = self.subject.step.advance(self.carry, self.data, self.rng, sweeps, redraw)
            return
        for _ in range(sweeps):
            if redraw:
                self.redraw_data()
            self.sweep(update)

    def first_sweep_by_updates(self) -> tuple[Sample, ...]:
        """Apply the updates of the first sweep one by one; the last of them ends the sweep and is not sampled here."""
        updates: Mapping[str, Step] = self.subject.ordered_updates
        samples = []
        for update in updates.values():
            self.carry = apply(update, self.carry, self.data, self.rng)
            samples.append(self.sample())
        return tuple(samples[:-1])

    def can_redraw(self) -> bool:
        """Say whether the data can be redrawn given the state, so that nothing that the kernel carries goes stale."""
        return self.subject.simulate is not None and (self.subject.init is None or self.subject.refresh is not None)

    def redraw_data(self) -> None:
        """Redraw the data given the state, and bring what the kernel carries up to date."""
        self.data = self.subject.redraw(self.state(), self.rng)
        self.carry = refreshed(self.subject, self.carry, self.data, self.rng)
