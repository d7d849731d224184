"""The paper's test in its own form: forward draws against the chain in which sweeps and new data alternate.

Geweke (2004), and Grosse and Duvenaud (2014), compare one such chain with forward draws on a P-P plot, and judge by eye. That
chain is run and kept, to be drawn. But a right kernel that is slow leaves every band, so nothing is concluded from it: the
verdict comes from independent runs of the same kind, each from its own draw of the joint, by the wager.
"""

from collections.abc import Sequence
from typing import Any

from mcassay.checks import betting, findings
from mcassay.checks.base import Check, Context
from mcassay.checks.gaps import Gaps, sharpest
from mcassay.checks.geweke_chain import aside, chain_details, run_chain, with_data_redrawn
from mcassay.checks.geweke_plan import FEWEST, Plan
from mcassay.checks.watch import Watch
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD, schedule
from mcassay.engine.session import Session
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject

NAME = "geweke"
# Runs are bet on half way, on a scale that multiplies, as well: a bug may show there and be gone at the end.
_HALF_WAY = 4
_END_SHARE = 0.75
# What bounds are tuned to where nobody knows how many runs a time buys.
_RUNS_IN_A_TIME = 400
# A chain that breaks down is run again up to an earlier sweep, so that it can be seen where it was heading.
_SHORTER = 8


def _missing(subject: Subject) -> str | None:
    if with_data_redrawn(subject):
        return None
    return (
        "the kernel carries more than the state, and would have to be told of new data between sweeps: "
        "give the subject refresh(carry, data, rng)"
    )


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    plan = Plan.of(context.budget)
    if plan.length is None:
        return [_too_few(subject, context, plan)]
    limit = betting.limit(context.alpha)
    session = context.session(subject, (NAME, SWEEP), plan.runs)
    watch = _watch_runs(session, context, plan.length, limit)
    if session.broken_off:
        return [_result(session, watch, plan.length, limit, {}, session.sweeps)]
    convicted = watch.log10_evidence >= limit
    sweeps = plan.left_for_chain(context.budget, session.sweeps, session.seconds)
    spent, chain = _chain(subject, aside(context) if convicted else context, sweeps)
    return [_result(session, watch, plan.length, limit, chain, session.sweeps + spent)]


def _watch_runs(session: Session, context: Context, length: int, limit: float) -> Watch:
    """Bet on independent runs until the evidence suffices or the budget is spent."""
    half = length // _HALF_WAY
    shares = {betting.group_name(length): _END_SHARE, betting.group_name(half): 1 - _END_SHARE}
    runs = _RUNS_IN_A_TIME if session.budget.sweeps is None else session.budget.sweeps / length
    statistics = len(session.instrument.reference.names)
    gaps = {name: Gaps.begin(statistics, sharpest(context.tolerance, runs)) for name in shares}
    watch = Watch(session.instrument, betting.begin(session.instrument, shares), gaps)
    course = Course(length, (half, length), forward=FORWARD)
    slots = schedule({length: course}, session.instrument.largest_block, shares={length: 1.0})
    watch.run(session, slots, context, SWEEP, limit)
    return watch


def _chain(subject: Subject, context: Context, sweeps: int) -> tuple[int, dict[str, Any]]:
    """Run the chain; return what it took, and what is kept of it."""
    session, block = run_chain(subject, context, (NAME, SWEEP, "chain"), sweeps)
    kept: dict[str, Any] = {}
    if session.failure is not None:
        kept["broke_down"] = session.failure.message
        session, block = run_chain(subject, aside(context), (NAME, SWEEP, "chain"), max(1, sweeps // _SHORTER))
    if block is not None:
        kept |= chain_details(session, block, context.rng(NAME, "ties"))
    return session.sweeps, kept


def _too_few(subject: Subject, context: Context, plan: Plan) -> CheckResult:
    """Run the chain alone, where the budget could not convict anything."""
    assert plan.chain is not None
    spent, chain = _chain(subject, context, plan.chain)
    message = (
        f"its part of the budget is {context.budget.sweeps:,} sweeps, and with fewer than {plan.needed:,} no kernel could be "
        f"convicted; a chain of {spent:,} sweeps was run to be drawn"
    )
    return CheckResult(NAME, SWEEP, Verdict.SKIPPED, message, sweeps=spent, details={"chain": chain})


def _result(session: Session, watch: Watch, length: int, limit: float, chain: dict[str, Any], sweeps: int) -> CheckResult:
    verdict, message = _judge(session, watch, length, limit)
    return CheckResult(
        NAME,
        SWEEP,
        verdict,
        f"{message}{_about(chain)}",
        log10_evidence=watch.log10_evidence,
        sweeps=sweeps,
        statistics=findings.statistics(watch),
        details={**findings.details(session, watch, limit), "length": length, "chain": chain},
    )


def _judge(session: Session, watch: Watch, length: int, limit: float) -> tuple[Verdict, str]:
    runs = f"{watch.replicates:,} independent runs of {length} sweeps with new data between them"
    evidence = f"{betting.odds(watch.log10_evidence)} against (limit {betting.odds(limit)})"
    if watch.log10_evidence >= limit:
        return Verdict.FAIL, f"{evidence}, after {runs}; {'; '.join(findings.leading(watch))}"
    if session.broken_off:
        return Verdict.UNCLEAR, f"broken off after {runs}; {evidence} so far"
    if watch.log10_evidence >= findings.STRIKING:
        return (
            Verdict.UNCLEAR,
            f"{evidence}, after {runs}: {findings.HALF_CONVICTED}",
        )
    if watch.replicates < FEWEST:
        return (
            Verdict.SKIPPED,
            f"its part of the time was enough for {runs}, and with fewer than {FEWEST} nothing could be convicted",
        )
    verdict, ruled_out = findings.passed(watch)
    return verdict, f"nothing found in {runs}: {evidence}; {ruled_out}"


def _about(chain: dict[str, Any]) -> str:
    if "broke_down" in chain:
        return f". One chain, run to be drawn, broke down: {chain['broke_down']}"
    return f". One chain of {chain['sweeps']:,} sweeps is there to be drawn; nothing is concluded from it" if chain else ""


CHECK = Check(
    name=NAME,
    title="a chain in which sweeps and new data alternate shows the joint",
    requires="prior, simulate and step; refresh, where the kernel carries more than the state",
    failure="many sweeps with new data between them change the law of a draw from the joint: errors that one sweep hardly shows "
    "add up; the one chain that is drawn beside forward draws is not judged, since a right kernel may be slow",
    kind="statistical",
    missing=_missing,
    run=_run,
    weight=0.04,
    share=0.1,
    together=True,
)
