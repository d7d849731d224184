"""Each named update alone, from the joint: which of them does not leave it invariant."""

import itertools
from collections.abc import Callable, Iterator
from collections.abc import Generator as Blocks
from dataclasses import dataclass

from mcassay.checks.base import Context
from mcassay.checks.company import Trial
from mcassay.checks.watch import Watch
from mcassay.engine.block import BlockResult
from mcassay.engine.budget import Budget
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD, Slot
from mcassay.engine.session import Session
from mcassay.subject import Subject

_SIZES = (16, 16, 32, 64, 128)
_SIZE = 256


@dataclass(eq=False)
class Alone:
    """One update run alone from the joint, and what was seen of it.

    Attributes
    ----------
    after
        What was seen of it with all that follows it in the sweep.
    turned
        What was seen of it with the rest of the sweep behind it.
    before
        A wrong update that follows it in the sweep, which so can not make up for it.
    """

    name: str
    session: Session
    watch: Watch
    after: Trial | None = None
    turned: Trial | None = None
    before: str | None = None

    @property
    def cleared(self) -> bool:
        """Whether what follows it in the sweep makes up for it."""
        return self.after is not None and self.after.holds

    @property
    def sweeps(self) -> int:
        """How many runs it took, in the company of others included."""
        return self.session.sweeps + sum(trial.replicates for trial in (self.after, self.turned) if trial is not None)


# Says whether an update that was convicted alone is not to blame, given those that are, from the last one on.
Clears = Callable[[Alone, list[Alone]], bool]


def run_alone(subject: Subject, context: Context, check: str, budget: Budget, limit: float, clears: Clears) -> list[Alone]:
    """Run every update alone, in turns, until one of them is convicted and not cleared, or the budget is spent.

    All of them get as many replicates, so that a culprit stands out against the others and not against a shorter look. An
    update is part of a sweep: one sweep's worth of budget runs every one of them once.
    """
    alone = [_begin(subject, context, check, name, budget) for name in subject.updates]
    turns = [one.session.blocks(_slots(one.name, one.watch.instrument.largest_block)) for one in alone]
    try:
        _take_turns(alone, turns, context, limit, clears)
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


def _take_turns(
    alone: list[Alone],
    turns: list[Blocks[BlockResult, None, None]],
    context: Context,
    limit: float,
    clears: Clears,
) -> None:
    """See a block of each in turn; one that can not be run, or is cleared, is left out, and the others go on."""
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
        convicted = [one for one, _ in going if one.watch.log10_evidence >= limit]
        if _wrong(convicted, clears):
            return
        going = [(one, turn) for one, turn in going if one not in convicted]


def _wrong(convicted: list[Alone], clears: Clears) -> list[Alone]:
    """Return those that are not cleared; what is last in the sweep is looked at first, since nothing makes up for that."""
    wrong: list[Alone] = []
    for one in reversed(convicted):
        if not clears(one, wrong):
            wrong.append(one)
    return wrong
