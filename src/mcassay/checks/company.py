"""Updates in other company: what shows whether an update is wrong, or only wrong where it stands.

An update need not leave the joint invariant by itself. A partially collapsed draw, or the first half of a move, leaves the
joint for a while, and what follows in the sweep brings it back. So an update that was convicted alone is run again with all
that follows it: where that holds, it is not what is wrong. Where it holds only with the rest of the sweep moved behind
it, the order is wrong. And a sweep of updates that are right alone is run with everything made anew before each of them:
where that holds, what they hand on to each other has gone stale.
"""

import copy
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mcassay.checks.base import Context
from mcassay.checks.watch import Watch
from mcassay.engine.executors import Workers
from mcassay.engine.replicate import Course, begin_carry, position_of
from mcassay.engine.schedule import FORWARD, Slot
from mcassay.engine.session import Session
from mcassay.kernels import Cycle, apply
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, Step

# What shows nothing of a bug is tried in so many times the replicates that convicted it; evidence, as log10 of odds, beyond
# which something shows. A right group is so taken for a wrong one with a probability of at most one in a thousand.
AS_MANY = 2.0
SHOWS = 3.0
_SIZES = (16, 16, 32, 64, 128)
_SIZE = 256


@dataclass(frozen=True)
class Trial:
    """What was seen of some updates one after another, from the joint."""

    updates: tuple[str, ...]
    log10_evidence: float
    replicates: int
    finished: bool

    @property
    def holds(self) -> bool:
        """Whether nothing showed in as many replicates as it takes."""
        return self.finished and self.log10_evidence < SHOWS

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for a report."""
        return {"updates": list(self.updates), "log10_evidence": self.log10_evidence, "replicates": self.replicates}


def with_those_after(subject: Subject, name: str, session: Session, context: Context, convicted: int) -> Trial | None:
    """Try an update with all that follows it in the sweep; None where nothing does."""
    steps = subject.ordered_updates
    group = list(steps)[list(steps).index(name) :] if name in steps else []
    return _tried(subject, {each: steps[each] for each in group}, session, context, convicted) if len(group) > 1 else None


def in_another_order(subject: Subject, name: str, session: Session, context: Context, convicted: int) -> Trial | None:
    """Try the sweep with an update moved to its beginning, and what comes before it to the end; None where it begins there."""
    names = list(subject.ordered_updates)
    place = names.index(name) if name in names else 0
    turned = {each: subject.ordered_updates[each] for each in [*names[place:], *names[:place]]}
    return _tried(subject, turned, session, context, convicted) if place else None


def made_anew(subject: Subject, session: Session, context: Context, convicted: int) -> Trial | None:
    """Try the sweep with a new carry, and a new copy of the update, before every update."""
    if len(subject.ordered_updates) < 2:
        return None
    steps = {name: Anew(subject, step) for name, step in subject.ordered_updates.items()}
    return _tried(subject, steps, session, context, convicted)


def twice(subject: Subject, name: str, session: Session, context: Context, convicted: int) -> Trial:
    """Try an update after itself: what it leaves behind is then its own."""
    step = subject.updates[name]
    return _tried(subject, {name: step, f"{name} again": step}, session, context, convicted)


@dataclass(frozen=True)
class HandOver:
    """Whether what updates hand on to each other is wrong.

    Attributes
    ----------
    anew
        What was seen of the sweep with everything begun anew before every update.
    again
        What was seen of updates that go wrong after themselves: what they hand on is wrong for themselves already.
    """

    anew: Trial | None = None
    again: dict[str, Trial] = field(default_factory=dict)

    @property
    def sweeps(self) -> int:
        """How many sweeps it took."""
        trials = [self.anew, *self.again.values()]
        return sum(trial.replicates for trial in trials if trial is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for a report."""
        if self.anew is None:
            return {}
        wrong = [name for name, trial in self.again.items() if trial.log10_evidence >= SHOWS]
        return {"anew": {**self.anew.to_dict(), "holds": self.anew.holds}, "wrong again": wrong}


def hand_over(subject: Subject, session: Session, context: Context, convicted: int) -> HandOver:
    """Find out whether a sweep that fails holds where nothing is handed on, and if so which update fails itself."""
    anew = made_anew(subject, session, context, convicted)
    if anew is None or not anew.holds or subject.init is None:
        return HandOver(anew)
    return HandOver(anew, {name: twice(subject, name, session, context, convicted) for name in subject.ordered_updates})


@dataclass(frozen=True)
class Anew:
    """An update that begins with a fresh carry and a fresh copy of its own."""

    subject: Subject
    step: Step

    def __call__(self, carry: Any, data: Data, rng: Generator) -> Any:
        """Return the next carry."""
        begun = begin_carry(self.subject, position_of(self.subject, carry), data, rng)
        return apply(copy.deepcopy(self.step), begun, data, rng)


def _tried(subject: Subject, steps: Mapping[str, Step], like: Session, context: Context, convicted: int) -> Trial:
    own = replace(subject, step=Cycle(steps))
    workers = Workers.of(own, like.workers.pool)
    path = (*like.path[:2], "company", *steps)
    session = replace(like, workers=workers, path=path, sweeps=0, seconds=0.0, log10_evidence=None, notes={})
    context.sessions.append(session)
    most = math.ceil(AS_MANY * max(convicted, _SIZE))
    watch = Watch.over(session.instrument, {1: context.tolerance})
    watch.run(session, _slots(session.instrument.largest_block, most), context, session.target, SHOWS)
    finished = watch.replicates >= most or watch.log10_evidence >= SHOWS
    return Trial(tuple(steps), watch.log10_evidence, watch.replicates, finished)


def _slots(largest: int, most: int) -> Iterator[Slot]:
    course, planned, number = Course(forward=FORWARD), 0, 0
    while planned < most:
        size = min(_SIZES[number] if number < len(_SIZES) else _SIZE, largest)
        yield Slot(course, size)
        planned, number = planned + size, number + 1
