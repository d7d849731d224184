"""log_joint describes the model that prior and simulate draw from.

A Metropolis kernel of ours moves elements of the state of joint draws, accepting by log_joint. If log_joint is the log density
of what prior and simulate draw, up to a term of the data alone, the joint stays invariant; the wager bets that it does not.
Such a term (a factorial, say) is often left out and does no harm, so that moves of the data convict nobody: they only tell, once
moves of the state have, which side of the model to look at.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from mcassay.checks import betting, findings
from mcassay.checks.base import Check, Context
from mcassay.checks.block_kinds import Movable, Unmoved, kind_of
from mcassay.checks.company import AS_MANY
from mcassay.checks.conditionals import NAME as CONDITIONALS
from mcassay.checks.dispute import Dispute, settle_dispute
from mcassay.checks.element_walk import ElementWalk, orders_between
from mcassay.checks.gaps import sharpest
from mcassay.checks.invariance import NAME as INVARIANCE
from mcassay.checks.joint_draws import JointDraw, subject_of_joint_draws
from mcassay.checks.tied_blocks import tied_blocks
from mcassay.checks.watch import Watch
from mcassay.engine.block import reference_samples
from mcassay.engine.budget import Budget
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import schedule
from mcassay.engine.session import Session
from mcassay.kernels import Cycle
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject

NAME = "model"
_DATA, _STATE = "data", "state"
_DRAWS, _FEWEST_DRAWS, _MEMORY = 2048, 64, 2**27
_FORWARD = 2
_EXCLUDED_AMONG = 256
# Evidence, as log10 of odds, that is worth following up.
_PROMISING = 1.0


@dataclass(frozen=True)
class Plan:
    """What is moved, what is not, and the walks over data and state."""

    walks: dict[str, ElementWalk]
    unmoved: tuple[Unmoved, ...]
    ignored: tuple[str, ...]
    excluded: str | None

    @property
    def left_out(self) -> str:
        """The blocks that are not moved, with the reasons."""
        said = [f'"{block.name}" ({block.reason})' for block in self.unmoved if block.reason != _CONSTANT]
        return f"; not moved: {', '.join(said)}" if said else ""


@dataclass(frozen=True)
class Part:
    """What was seen of the moves of the data, or of the state."""

    name: str
    session: Session
    watch: Watch


_CONSTANT = "it never varies"
_CLEAR = 3.0
_UNLESS = "unless log_joint leaves out a term of the data alone"
_TIED = "it follows from other blocks, or others from it"


def _missing(subject: Subject) -> str | None:
    return "the subject has no log_joint to compare with" if subject.log_joint is None else None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    plan = planned(subject, context)
    if plan.excluded is not None:
        return [CheckResult(NAME, SWEEP, Verdict.FAIL, plan.excluded, cause=plan.excluded)]
    if not plan.walks:
        return [_without_moves(plan)]
    disputed = [
        r.target.removeprefix("update:") for r in context.earlier if r.check == CONDITIONALS and r.verdict is Verdict.FAIL
    ]
    limit = betting.limit(context.alpha / (1 + len(disputed)))
    disputes = [settle_dispute(subject, name, context, limit) for name in disputed]
    own = subject_of_joint_draws(subject, Cycle(dict(plan.walks)))
    enough, most = _runs(context)
    wider = replace(context, bench=context.bench_for(own), budget=most)
    parts = list(_parts(own, wider, plan, limit, enough))
    return [_with_disputes(_result(plan, parts, limit), disputes, limit)]


def _runs(context: Context) -> tuple[float, Budget]:
    """Return how many runs are enough where they show nothing, and what all of them may take.

    Where the sweep was convicted, the model could be what is wrong: so it gets more runs than convicted the sweep, and as long
    as something shows, all that the sweep has left of the budget.
    """
    failed = [r for r in context.earlier if r.check == INVARIANCE and r.target == SWEEP and r.verdict is Verdict.FAIL]
    own = context.budget.sweeps
    if own is None or not failed:
        return math.inf, context.budget
    left = int(own / context.share) - sum(result.sweeps for result in context.earlier)
    return max(own, AS_MANY * failed[0].details["replicates"]), Budget(max(own, left))


def _with_disputes(result: CheckResult, disputes: list[Dispute], limit: float) -> CheckResult:
    """Add what draws from prior and simulate say of conditionals that contradict log_joint."""
    if not disputes:
        return result
    result = replace(result, details={**result.details, "disputed": {d.name: d.to_dict() for d in disputes}})
    worst = max(disputes, key=lambda dispute: dispute.log_joint)
    if result.verdict is Verdict.FAIL or worst.log_joint < limit:
        return result
    cause = (
        f'log_joint and prior with simulate disagree about "{worst.name}": a Metropolis step by log_joint changes the law of '
        f"what they draw{'' if worst.wrong is None else ', and the conditional does not'}"
    )
    message = f"{betting.odds(worst.log_joint)} against (limit {betting.odds(limit)}), after {worst.draws:,} draws; {cause}"
    return replace(result, verdict=Verdict.FAIL, message=message, log10_evidence=worst.log_joint, cause=cause)


def planned(subject: Subject, context: Context) -> Plan:
    """Draw a batch from the joint, and fit moves to it."""
    draws = _draws(subject, context.seed)
    batches, movable, unmoved = _kinds(draws)
    assert subject.log_joint is not None
    everything = ElementWalk(tuple(movable), orders_between(batches), subject.log_joint)
    walk, ignored = everything.tuned(draws, context.rng(NAME, "tune"))
    data = {block.name for block in walk.blocks if draws[0].is_data(block.name)}
    sides = {
        _DATA: tuple(block for block in walk.blocks if block.name in data),
        _STATE: tuple(block for block in walk.blocks if block.name not in data),
    }
    walks = {side: replace(walk, blocks=blocks) for side, blocks in sides.items() if blocks}
    return Plan(walks, tuple(unmoved), ignored, _excluded(everything, draws[:_EXCLUDED_AMONG], batches))


def _draws(subject: Subject, seed: int) -> list[JointDraw]:
    (first,) = reference_samples(subject, seed, (NAME, "size"), 1)
    size = sum(np.asarray(value).nbytes for value in JointDraw(*first).values())
    count = int(np.clip(_MEMORY // max(size, 1), _FEWEST_DRAWS, _DRAWS))
    return [JointDraw(*sample) for sample in reference_samples(subject, seed, (NAME,), count)]


def _kinds(draws: list[JointDraw]) -> tuple[dict[str, Any], list[Movable], list[Unmoved]]:
    """Sort the blocks into those that can be moved and those that can not."""
    values = {name: [draw[name] for draw in draws] for name in draws[0]}
    kinds = [kind_of(name, batch) for name, batch in values.items()]
    batches = {kind.name: np.asarray(values[kind.name]) for kind in kinds if isinstance(kind, Movable)}
    tied = tied_blocks(batches)
    movable = [kind for kind in kinds if isinstance(kind, Movable) and kind.name not in tied]
    unmoved = [kind for kind in kinds if isinstance(kind, Unmoved)]
    return batches, movable, [*unmoved, *(Unmoved(name, _TIED) for name in batches if name in tied)]


def _excluded(walk: ElementWalk, draws: list[JointDraw], batches: dict[str, Any]) -> str | None:
    """Say whether log_joint calls a draw from the joint impossible; one with a number that underflowed does not count."""
    for place, draw in enumerate(draws):
        if walk.height(draw) == -np.inf and not any(_at_an_edge(np.asarray(draw[name])) for name in batches):
            return (
                f"log_joint is -inf at draw {place} of prior and simulate: what they can draw, log_joint calls impossible "
                "(the state's support, or the data's, differs)"
            )
    return None


def _at_an_edge(value: Any) -> bool:
    return bool(value.dtype.kind == "f" and (np.isin(value, [0.0, 1.0]) | (np.abs(value) < np.finfo(float).tiny)).any())


def _without_moves(plan: Plan) -> CheckResult:
    if plan.ignored:
        return CheckResult(NAME, SWEEP, Verdict.UNCLEAR, _about_ignored(plan) + plan.left_out)
    return CheckResult(NAME, SWEEP, Verdict.SKIPPED, f"no block can be moved by log_joint alone{plan.left_out}")


def _parts(own: Subject, context: Context, plan: Plan, limit: float, enough: float) -> Iterator[Part]:
    """Move the state until the evidence suffices or the budget is spent; then the data, where that is left to tell.

    Moves of the data that show nothing in more runs than convicted those of the state have told what they can.
    """
    for name in (side for side in (_STATE, _DATA) if side in plan.walks):
        session = context.session(own, (NAME, SWEEP, name), context.budget)
        watch = Watch.over(session.instrument, {1: sharpest(context.tolerance, context.budget.sweeps)})
        slots = schedule({1: Course(update=name, forward=_FORWARD)}, session.instrument.largest_block)
        watch.run(session, slots, context, SWEEP, limit, bored=partial(_shows_nothing, enough))
        yield Part(name, session, watch)
        if watch.log10_evidence < limit or session.broken_off:
            return
        enough = AS_MANY * watch.replicates


def _shows_nothing(enough: float, watch: Watch) -> bool:
    return watch.replicates >= enough and watch.log10_evidence < _PROMISING


def _result(plan: Plan, parts: list[Part], limit: float) -> CheckResult:
    leader = parts[0]
    verdict, message, cause = _judge(plan, parts, leader, limit)
    return CheckResult(
        NAME,
        SWEEP,
        verdict,
        message,
        log10_evidence=leader.watch.log10_evidence,
        sweeps=sum(part.session.sweeps for part in parts),
        statistics=findings.statistics(leader.watch),
        cause=cause,
        details={
            **findings.details(leader.session, leader.watch, limit),
            "evidence": {part.name: part.watch.log10_evidence for part in parts},
            "kinds": {block.name: block.kind for walk in plan.walks.values() for block in walk.blocks},
            "unmoved": {block.name: block.reason for block in plan.unmoved},
            "ignored": list(plan.ignored),
        },
    )


def _judge(plan: Plan, parts: list[Part], leader: Part, limit: float) -> tuple[Verdict, str, str | None]:
    runs = sum(part.session.sweeps for part in parts)
    evidence = f"{betting.odds(leader.watch.log10_evidence)} against (limit {betting.odds(limit)})"
    if leader.watch.log10_evidence >= limit:
        cause = _cause(parts, leader)
        verdict = Verdict.FAIL if leader.name == _STATE else Verdict.UNCLEAR
        return verdict, f"{evidence}, after {runs:,} runs of a kernel built from log_joint; {cause}", cause
    if any(part.session.broken_off for part in parts):
        return Verdict.UNCLEAR, f"broken off after {runs:,} runs of a kernel built from log_joint; {evidence} so far", None
    if leader.watch.log10_evidence >= findings.STRIKING:
        return (
            Verdict.UNCLEAR,
            f"{evidence}, after {runs:,} runs of a kernel built from log_joint: {findings.HALF_CONVICTED}",
            None,
        )
    verdict, ruled_out = findings.passed(leader.watch)
    found = f"nothing found in {runs:,} runs of a kernel built from log_joint: {evidence}; {ruled_out}{plan.left_out}"
    if plan.ignored:
        return Verdict.UNCLEAR, f"{_about_ignored(plan)}; otherwise {found}", None
    return verdict, found, None


def _cause(parts: list[Part], leader: Part) -> str:
    """Say which side of the model disagrees, as far as the moves tell."""
    leading = "; ".join(findings.leading(leader.watch, without="log_joint"))
    if leader.name == _DATA:
        return f"log_joint and simulate disagree about the data given the state, {_UNLESS}: under log_joint, {leading}"
    data = next((part for part in parts if part.name == _DATA), None)
    if data is None:
        return f"log_joint and prior (or simulate) disagree: under log_joint, {leading}"
    disagree = f"log_joint and prior with simulate disagree: under log_joint, {leading}"
    if data.watch.log10_evidence >= _CLEAR:
        about_data = "; ".join(findings.leading(data.watch, without="log_joint"))
        return f"{disagree}. They disagree about the data given the state as well, {_UNLESS}: {about_data}"
    return (
        f"{disagree}. Moves of the data alone show {betting.odds(data.watch.log10_evidence)}, so first look for a term of the "
        "state alone (a prior, a Jacobian, a normaliser that depends on the state)"
    )


def _about_ignored(plan: Plan) -> str:
    names = ", ".join(f'"{name}"' for name in plan.ignored)
    return f"log_joint does not depend on {names}: a term is missing, unless the law is uniform or follows from other blocks"


CHECK = Check(
    name=NAME,
    title="log_joint describes the model that prior and simulate draw from",
    requires="log_joint, and blocks of numbers that can be moved one element at a time",
    failure="log_joint and prior with simulate describe different models: a kernel that is right for the one is wrong for the "
    "other",
    kind="statistical",
    missing=_missing,
    run=_run,
    weight=0.08,
    share=0.06,
)
