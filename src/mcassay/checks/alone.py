"""Each named update alone, from the joint: which of them does not leave it invariant."""

import itertools
from collections.abc import Generator as Blocks
from collections.abc import Iterator
from dataclasses import dataclass

from mcassay.checks.base import Context
from mcassay.checks.watch import Watch
from mcassay.engine.block import BlockResult
from mcassay.engine.budget import Budget
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD, Slot
from mcassay.engine.session import Session
from mcassay.subject import Subject

_SIZES = (16, 16, 32, 64, 128)
_SIZE = 256


@dataclass
class Alone:
    """One update run alone from the joint, and what was seen of it."""

    name: str
    session: Session
    watch: Watch


def run_alone(subject: Subject, context: Context, check: str, budget: Budget, limit: float) -> list[Alone]:
    """Run every update alone, in turns, until one of them is convicted or the budget is spent.

    All of them get as many replicates, so that a culprit stands out against the others and not against a shorter look. An
    update is part of a sweep: one sweep's worth of budget runs every one of them once.
    """
    alone = [_begin(subject, context, check, name, budget) for name in subject.updates]
    turns = [one.session.blocks(_slots(one.name, one.watch.instrument.largest_block)) for one in alone]
    try:
        _take_turns(alone, turns, context, limit)
    except KeyboardInterrupt:
        alone[0].session.interrupted = True
    finally:
        for turn in turns:
            turn.close()
    interrupted = any(one.session.interrupted for one in alone)
    for one in alone:
        one.session.interrupted = interrupted
    return alone


def _begin(subject: Subject, context: Context, check: str, name: str, budget: Budget) -> Alone:
    session = context.session(subject, (check, f"update:{name}"), budget)
    return Alone(name, session, Watch.over(session.instrument, {1: context.tolerance}))


def _slots(name: str, largest: int) -> Iterator[Slot]:
    course = Course(update=name, forward=FORWARD)
    for size in itertools.chain(_SIZES, itertools.repeat(_SIZE)):
        yield Slot(course, min(size, largest))


def _take_turns(alone: list[Alone], turns: list[Blocks[BlockResult, None, None]], context: Context, limit: float) -> None:
    """See a block of each in turn; one that fails is left out, and the others go on."""
    going = list(zip(alone, turns, strict=True))
    while going:
        for one, turn in list(going):
            block = next(turn, None)
            if block is None and one.session.failure is None:
                return
            if block is None:
                going.remove((one, turn))
                continue
            one.watch.see(block)
            one.watch.note(one.session, context, f"update:{one.name}", limit)
        if any(one.watch.log10_evidence >= limit for one in alone):
            return
