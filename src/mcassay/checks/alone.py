"""Each named update alone, from the joint: which of them does not leave it invariant."""

import itertools
import math
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
from mcassay.kernels import ConditionalUpdate
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

# An update that makes up for others is looked at in so many times the runs that convicted the sweep, before one of those
# others is blamed; evidence, as log10 of odds, that speaks against it where the budget ends before that.
_AS_MANY = 2.0
_SPEAKS = 1.5


def run_alone(
    subject: Subject, context: Context, check: str, budget: Budget, limit: float, clears: Clears, convicted: int = 0
) -> list[Alone]:
    """Run every update alone, in turns, until one of them is convicted and not cleared, or the budget is spent.

    All of them get as many replicates, so that a culprit stands out against the others and not against a shorter look. An
    update is part of a sweep: one sweep's worth of budget runs every one of them once. ``convicted`` is how many replicates
    convicted the sweep, if it failed: what is wrong shows alone in about as many.
    """
    alone = [_begin(subject, context, check, name, budget) for name in subject.updates]
    turns = [one.session.blocks(_slots(one.name, one.watch.instrument.largest_block)) for one in alone]
    try:
        _take_turns(alone, turns, context, limit, Judge(subject, clears, math.ceil(_AS_MANY * convicted)))
    except KeyboardInterrupt:
        alone[0].session.interrupted = True
    finally:
        for turn in turns:
            turn.close()
    interrupted = any(one.session.interrupted for one in alone)
    for one in alone:
        one.session.interrupted = interrupted
    return alone


@dataclass(frozen=True)
class Judge:
    """Decides which of the updates that were convicted alone are to blame."""

    subject: Subject
    clears: Clears
    enough: int

    def wrong(self, convicted: list[Alone]) -> list[Alone]:
        """Return those that are not cleared; what is last in the sweep is looked at first, since nothing makes up for that."""
        wrong: list[Alone] = []
        order = list(self.subject.ordered_updates or self.subject.updates)
        for one in sorted(convicted, key=lambda one: -order.index(one.name)):
            if not self.clears(one, wrong):
                wrong.append(one)
        return wrong

    def waits_for(self, wrong: list[Alone], others: list[Alone]) -> list[Alone]:
        """Return those that have to be looked at longer: one that was to make up for a suspect may be what is wrong."""
        names = list(self.subject.ordered_updates)
        suspects = [names.index(one.name) for one in wrong if one.name in names and not self._stands_alone(one)]
        later = [one for one in others if suspects and one.name in names and names.index(one.name) > min(suspects)]
        return [one for one in later if one.watch.replicates < self.enough]

    def _stands_alone(self, one: Alone) -> bool:
        """Say whether an update has to be right alone: a conditional, or the last of the sweep."""
        return isinstance(self.subject.updates[one.name], ConditionalUpdate) or one.after is None


def _begin(subject: Subject, context: Context, check: str, name: str, budget: Budget) -> Alone:
    session = context.session(subject, (check, f"update:{name}"), budget)
    return Alone(name, session, Watch.over(session.instrument, {1: context.tolerance}))


def _slots(name: str, largest: int) -> Iterator[Slot]:
    course = Course(update=name, forward=FORWARD)
    for size in itertools.chain(_SIZES, itertools.repeat(_SIZE)):
        yield Slot(course, min(size, largest))


def _take_turns(
    alone: list[Alone], turns: list[Blocks[BlockResult, None, None]], context: Context, limit: float, judge: Judge
) -> None:
    """See a block of each in turn; one that can not be run, or is convicted, is left out, and the others go on."""
    going = list(zip(alone, turns, strict=True))
    convicted: list[Alone] = []
    while going:
        for one, turn in list(going):
            block = next(turn, None)
            if block is None and one.session.failure is None:
                _spare(judge.wrong(convicted), [other for other, _ in going])
                return
            if block is None:
                going.remove((one, turn))
                continue
            one.watch.see(block)
            one.watch.note(one.session, context, f"update:{one.name}", limit)
        convicted += [one for one, _ in going if one.watch.log10_evidence >= limit]
        going = [(one, turn) for one, turn in going if one not in convicted]
        wrong = judge.wrong(convicted)
        if wrong and not judge.waits_for(wrong, [one for one, _ in going]):
            return


def _spare(wrong: list[Alone], others: list[Alone]) -> None:
    """Leave open who is to blame where the budget ended while something spoke against one that was to make up for another."""
    speaks = [one for one in others if one.watch.log10_evidence >= _SPEAKS]
    for one in wrong if speaks else []:
        if one.after is not None and set(one.after.updates) & {other.name for other in speaks}:
            one.before = speaks[0].name
