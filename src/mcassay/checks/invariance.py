"""The kernel leaves the joint invariant: the whole sweep, then each named update alone.

A draw from the joint that was moved by a right kernel is again a draw from the joint, however slowly the kernel mixes. The
wager bets that it is not; a right kernel makes its wealth a martingale, which ever reaches 1/alpha with probability alpha.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from mcassay.checks import betting
from mcassay.checks.alone import Alone, run_alone
from mcassay.checks.base import Check, Context
from mcassay.checks.company import HandOver, hand_over, in_another_order, with_those_after
from mcassay.checks.findings import sweep_result, update_results
from mcassay.checks.gaps import sharpest
from mcassay.checks.watch import Watch
from mcassay.engine.budget import Budget
from mcassay.engine.schedule import LENGTHS, SHARES, courses, schedule
from mcassay.engine.session import Session
from mcassay.kernels import ConditionalUpdate
from mcassay.results import SWEEP, CheckResult, Verdict, update_target
from mcassay.subject import Subject

NAME = "invariance"
# Two thirds of the error budget of the check go to the whole sweep, one third to its updates in equal shares.
_SWEEP_WEIGHT = 2 / 3
_SWEEP_SHARE = 0.92


def _missing(subject: Subject) -> str | None:
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    limit = betting.limit(context.alpha * _SWEEP_WEIGHT)
    session = context.session(subject, (NAME, SWEEP), context.budget.share(_SWEEP_SHARE if len(subject.updates) > 1 else 1.0))
    watch = watch_sweep(subject, session, context, limit)
    results = [sweep_result(NAME, session, watch, limit, context)]
    if len(subject.updates) == 1:
        (name,) = subject.updates
        results.append(replace(results[0], target=update_target(name), sweeps=0))
    elif subject.updates and not session.broken_off:
        results = _with_updates(subject, context, session, watch, results[0])
    return results


def _with_updates(subject: Subject, context: Context, session: Session, watch: Watch, sweep: CheckResult) -> list[CheckResult]:
    """Look at the updates too; where the sweep failed, find out whether they are wrong, or only wrong together."""
    failed = sweep.verdict is Verdict.FAIL
    together = hand_over(subject, session, context, watch.replicates) if failed and subject.init is not None else HandOver()
    alone = _updates(subject, context, session, together, watch.replicates if failed else None)
    if failed and subject.init is None and not any(result.verdict is Verdict.FAIL for result in alone):
        together = hand_over(subject, session, context, watch.replicates)
    return [replace(sweep, details={**sweep.details, **together.to_dict()}, sweeps=sweep.sweeps + together.sweeps), *alone]


def watch_sweep(subject: Subject, session: Session, context: Context, limit: float) -> Watch:
    """Watch whole sweeps of every run length until the evidence suffices or the budget is spent."""
    prefixes = list(subject.ordered_updates)[:-1]
    watch = Watch.over(session.instrument, _tolerances(context.tolerance, session.budget), prefixes)
    slots = schedule(courses(prefixes=bool(prefixes)), session.instrument.largest_block)
    watch.run(session, slots, context, SWEEP, limit)
    return watch


def _tolerances(tolerance: float, budget: Budget) -> dict[int, float]:
    """Return the size of gap that can be bounded for each run length."""
    sweeps = budget.sweeps
    return {n: tolerance if sweeps is None else sharpest(tolerance, sweeps * SHARES[n] / n) for n in LENGTHS}


def _updates(subject: Subject, context: Context, sweep: Session, together: HandOver, convicted: int | None) -> list[CheckResult]:
    """Run the updates alone; where so many replicates convicted the sweep, with all that is left of the budget."""
    failed = convicted is not None
    share = context.budget.share(1 - _SWEEP_SHARE)
    left = _left(context.budget, sweep, together.sweeps) if failed else share
    limit = betting.limit(context.alpha * (1 - _SWEEP_WEIGHT) / len(subject.updates))
    alone = run_alone(
        subject, context, NAME, left, limit, partial(_clears, subject, context) if failed else _convicts, convicted or 0
    )
    return update_results(NAME, subject, alone, limit, context, sweep_failed=failed)


def _convicts(one: Alone, wrong: list[Alone]) -> bool:
    return False


def _clears(subject: Subject, context: Context, one: Alone, wrong: list[Alone]) -> bool:
    """Say whether an update that was convicted alone is right in its place: what follows it in the sweep makes up for it.

    That can not be told where a wrong one follows; then only the latter is blamed.
    """
    exact = any(r.verdict is Verdict.FAIL and r.target == update_target(one.name) for r in context.earlier)
    if exact or isinstance(subject.updates[one.name], ConditionalUpdate):
        return False
    if wrong and one.name in subject.ordered_updates:
        one.before = wrong[0].name
        return True
    if one.after is None:
        one.after = with_those_after(subject, one.name, one.session, context, one.watch.replicates)
    if not one.cleared and one.turned is None:
        one.turned = in_another_order(subject, one.name, one.session, context, one.watch.replicates)
    return one.cleared


def _left(budget: Budget, session: Session, spent: int) -> Budget:
    if budget.sweeps is not None:
        return Budget(max(1, budget.sweeps - session.sweeps - spent))
    assert budget.seconds is not None
    return Budget(None, max(1.0, budget.seconds - session.seconds))


CHECK = Check(
    name=NAME,
    title="the kernel leaves the joint invariant",
    requires="prior, simulate and step",
    failure="a sweep changes the law of a draw from the joint: the kernel is wrong, or it is right for another model than "
    "the one that prior and simulate draw from",
    kind="statistical",
    missing=_missing,
    run=_run,
    weight=0.75,
    share=0.82,
    together=True,
)
