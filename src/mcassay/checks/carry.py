"""Where the law of the carry matters, init draws it as the kernel keeps it.

A persistent momentum, say, is part of what the kernel leaves invariant. If init does not draw it from the law that it has under
the kernel, positions go wrong though no update is. So the law of such parts after init is bet against their law one
sweep later; and where they differ, positions with the carry of init are compared with positions whose carry has settled.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcassay.checks import betting, findings
from mcassay.checks.base import Check, Context
from mcassay.checks.carry_parts import CarryParts, carry_parts
from mcassay.checks.carry_views import SWEEPS_TO_LEARN, Settled, parts_view, position_view, sweeps_to_settle
from mcassay.checks.gaps import sharpest
from mcassay.checks.watch import Watch
from mcassay.engine.block import fresh
from mcassay.engine.executors import Workers
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD, Slot
from mcassay.engine.session import Session
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject

NAME = "carry"
INIT, KERNEL = "init", "kernel"

_SIZES = (16, 16, 32, 64, 128)
_SIZE = 256
# Blocks are short where settled replicates, which are dear, have to be as many as it takes.
_SHORT = 32
# Finding out who is to blame happens only after something was found; what it may cost is a multiple of the check's own share,
# the larger one where the invariance check has failed and so left most of its own.
_BLAME_BUDGET, _SMALL_BLAME_BUDGET = 24, 3
# Evidence, as log10 of odds, that positions go wrong, and of which nothing can be concluded against them.
_CLEAR, _NOTHING = 3.0, 1.0
# A settled carry has to show nothing in so many times the replicates that convict the carry of init.
_AS_MANY = 1.5
_FEWEST_SETTLED, _MOST_SETTLED = 64, 1024


def _missing(subject: Subject) -> str | None:
    return None if subject.init is not None else "the kernel carries nothing besides the state (init and position)"


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    context = replace(context, bench=context.bench_for(subject))
    parts = carry_parts(subject, context.rng(NAME, "parts"))
    if not parts.free:
        return [_nothing_free(parts)]
    limit = betting.limit(context.alpha)
    session = context.session(parts_view(subject, parts.free), (NAME, SWEEP), context.budget)
    watch = _watch(session, context, limit, _slots(session))
    if watch.log10_evidence < limit:
        return [_kept(parts, session, watch, limit)]
    blame = _blame(subject, parts, context)
    return [_changed(parts, session, watch, limit, blame)]


def _watch(session: Session, context: Context, limit: float, slots: Iterable[Slot]) -> Watch:
    """Watch single sweeps until the evidence suffices, the budget is spent, or there are no more slots."""
    watch = Watch.over(session.instrument, {1: sharpest(context.tolerance, session.budget.sweeps)})
    watch.run(session, slots, context, session.target, limit)
    return watch


def _slots(session: Session) -> Iterator[Slot]:
    for size in itertools.chain(_SIZES, itertools.repeat(_SIZE)):
        yield Slot(Course(forward=FORWARD), min(size, session.instrument.largest_block))


def _short_slots(session: Session, forward: int, most: int | None) -> Iterator[Slot]:
    size = min(_SHORT, session.instrument.largest_block)
    numbers = itertools.count() if most is None else range(math.ceil(most / size))
    yield from (Slot(Course(forward=forward), size) for _ in numbers)


@dataclass(frozen=True)
class _Blame:
    """Who is to blame, and what positions showed with the carry of init and with a settled one."""

    who: str | None
    own: float = 0.0
    settled: float | None = None
    sweeps: int = 0


def _blame(subject: Subject, parts: CarryParts, context: Context) -> _Blame:
    """Compare positions after a sweep: with the carry that init draws, and with parts that come from a long run."""
    sweeps = sweeps_to_settle(fresh(subject), parts.free, context.rng(NAME, "settle"))
    most = _settled_replicates(context, sweeps)
    session = context.session(position_view(subject), (NAME, "positions"), context.budget)
    own = _watch(session, context, _CLEAR, _short_slots(session, FORWARD, None))
    spent = SWEEPS_TO_LEARN + session.sweeps
    if sweeps is None or most < _FEWEST_SETTLED:
        return _Blame(None, own.log10_evidence, None, spent)
    enough = min(most, max(_FEWEST_SETTLED, math.ceil(_AS_MANY * own.replicates)))
    beside = position_view(subject, Settled(subject, parts.free, sweeps))
    other = replace(session, workers=Workers.of(beside, None), path=(NAME, "settled"), sweeps=0, seconds=0.0, notes={})
    context.sessions.append(other)
    settled = _watch(other, context, _CLEAR, _short_slots(other, 0, enough))
    spent += other.sweeps * (sweeps + 1)
    return _Blame(_who(own, settled), own.log10_evidence, settled.log10_evidence, spent)


def _who(own: Watch, settled: Watch) -> str | None:
    """Blame init only where a settled carry shows nothing in more replicates than convict the carry of init."""
    if settled.log10_evidence >= _CLEAR:
        return KERNEL
    enough = settled.replicates >= _AS_MANY * own.replicates
    return INIT if enough and own.log10_evidence >= _CLEAR and settled.log10_evidence < _NOTHING else None


def _settled_replicates(context: Context, sweeps: int | None) -> int:
    if sweeps is None or context.budget.sweeps is None:
        return 0 if sweeps is None else _MOST_SETTLED
    held = any(r.check == "invariance" and r.target == SWEEP and r.verdict is not Verdict.FAIL for r in context.earlier)
    multiple = _SMALL_BLAME_BUDGET if held else _BLAME_BUDGET
    return min(_MOST_SETTLED, multiple * context.budget.sweeps // (sweeps + 1))


def _named(paths: tuple[str, ...]) -> str:
    names = ", ".join(f'"{path}"' if path else "the carry" for path in paths)
    return f"part {names}" if len(paths) == 1 else f"parts {names}"


def _nothing_free(parts: CarryParts) -> CheckResult:
    if not parts.stale:
        return CheckResult(NAME, SWEEP, Verdict.PASS, "the carry holds nothing that matters and does not follow from the state")
    message = (
        f"{_named(parts.stale)} of the carry follows from the state after init and no longer after a sweep, and it matters where "
        "the chain goes: a cache that has gone stale? Declare it in caches={name: recompute(state, data)} to learn after which "
        "update"
    )
    return CheckResult(NAME, SWEEP, Verdict.UNCLEAR, message, details={"stale": list(parts.stale)})


def _kept(parts: CarryParts, session: Session, watch: Watch, limit: float) -> CheckResult:
    verdict, ruled_out = findings.passed(watch)
    message = (
        f"init draws {_named(parts.free)} of the carry as a sweep leaves it: nothing found in {session.sweeps:,} sweeps, "
        f"evidence {betting.odds(watch.log10_evidence)} (limit {betting.odds(limit)}); {ruled_out}"
    )
    return _result(verdict, message, None, session, watch, limit)


def _changed(parts: CarryParts, session: Session, watch: Watch, limit: float, blame: _Blame) -> CheckResult:
    against = (
        f"{betting.odds(watch.log10_evidence)} against, after {session.sweeps:,} sweeps (limit {betting.odds(limit)}); "
        f"after a sweep {'; '.join(findings.leading(watch))}"
    )
    cause = f"init does not draw {_named(parts.free)} of the carry from its own stationary law"
    verdict, said = _judge(parts, blame, cause)
    failed = cause if verdict is Verdict.FAIL else None
    result = _result(verdict, f"{said} ({against})", failed, session, watch, limit)
    details: dict[str, Any] = {**result.details, "blame": blame.who, "own": blame.own, "settled": blame.settled}
    return replace(result, sweeps=result.sweeps + blame.sweeps, details=details)


def _judge(parts: CarryParts, blame: _Blame, cause: str) -> tuple[Verdict, str]:
    if blame.who == KERNEL:
        return Verdict.UNCLEAR, (
            f"a sweep changes the law of {_named(parts.free)} of the carry; but positions go wrong with a carry that has settled "
            "too, so that it is the kernel that is wrong, whatever init draws"
        )
    if blame.who == INIT:
        return Verdict.FAIL, f"{cause}, and positions go wrong by that alone: with a carry that has settled they do not"
    if not parts.drawn:
        return Verdict.UNCLEAR, (
            f"init sets {_named(parts.fixed)} of the carry to a fixed value, a sweep changes it, and it matters where the chain "
            "goes. A schedule may do so; adaptation has to be frozen; a momentum has to be drawn"
        )
    return Verdict.FAIL, f"{cause}; either init has to draw it so, or the kernel is wrong about it"


def _result(verdict: Verdict, message: str, cause: str | None, session: Session, watch: Watch, limit: float) -> CheckResult:
    return CheckResult(
        NAME,
        SWEEP,
        verdict,
        message,
        log10_evidence=watch.log10_evidence,
        sweeps=session.sweeps,
        statistics=findings.statistics(watch),
        cause=cause,
        details=findings.details(session, watch, limit),
    )


CHECK = Check(
    name=NAME,
    title="init draws what the kernel carries as the kernel keeps it",
    requires="init and position",
    failure="the law of a part of the carry (a persistent momentum, say) changes from init to after a sweep: positions go wrong "
    "by it although the kernel may be right",
    kind="statistical",
    missing=_missing,
    run=_run,
    weight=0.01,
    share=0.03,
)
