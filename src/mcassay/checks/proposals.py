"""Every Metropolis-Hastings update accepts by the ratio that its proposal and the log joint imply.

The log acceptance ratio of a move from x to x' must be ``log_joint(x') - log_joint(x) + log q(x | x') - log q(x' | x)``, whoever
computed it, and where the way back is impossible the kernel must reject: no sampling, no p-value, only rounding.
"""

import math
from collections.abc import Sequence
from typing import Any

from mcassay.checks.base import Check, Context
from mcassay.checks.drawn_moves import check_drawn
from mcassay.checks.identity import FEWEST_PAIRS, Outcome
from mcassay.checks.moves import Move, Scales, Weighed, described, moves
from mcassay.checks.named_updates import each, named_updates
from mcassay.checks.ratio_causes import likely_cause
from mcassay.checks.situations import Situation, has_derived_blocks
from mcassay.kernels import MetropolisHastings
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State

NAME = "proposals"


def metropolis_updates(subject: Subject) -> dict[str, MetropolisHastings]:
    """Return the updates that propose new values, and accept or reject them."""
    return {name: update for name, update in named_updates(subject).items() if isinstance(update, MetropolisHastings)}


def _missing(subject: Subject) -> str | None:
    if subject.init is not None:
        return "the kernel carries more than the state (init and position), so its moves can not be set up one by one"
    if not metropolis_updates(subject):
        return "no update is a MetropolisHastings"
    if subject.log_joint is None:
        return "the subject has no log_joint to compare with"
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    return each(NAME, metropolis_updates(subject), context, lambda name, update: _check_update(subject, name, update, context))


def _check_update(subject: Subject, name: str, update: MetropolisHastings, context: Context) -> CheckResult:
    assert subject.log_joint is not None
    rng, scales = context.rng(NAME, name), Scales.of(subject.log_joint, update)
    if not update.gives_density:
        return check_drawn(NAME, name, subject, scales, rng)
    weighed = [w for w in (scales.weigh(move) for move in moves(subject, update, rng)) if w is not None]
    for suspect in (w for w in weighed if _disagrees(w, update)):
        careful = scales.weigh_with_care(suspect.move, rng)
        if careful is not None and _disagrees(careful, update) and _counts(subject, scales, careful, rng):
            return _failure(name, careful, weighed, suspect.tolerance)
    return _agreement(name, weighed)


def _disagrees(weighed: Weighed, update: MetropolisHastings) -> bool:
    # A ratio that is cut off at 1 accepts no differently under the Metropolis rule.
    cut = update.accept == "metropolis" and weighed.ratio == 0.0 and weighed.expected >= 0.0
    return not cut and weighed.outcome is Outcome.DISAGREES


def _counts(subject: Subject, scales: Scales, weighed: Weighed, rng: Generator) -> bool:
    """Say whether a disagreement counts: in a state that was put together, blocks that follow from others do not fit."""
    move = weighed.move

    def behaviour(state: State, data: Data) -> tuple[float, float] | None:
        found = scales.weigh(Move(Situation(move.situation.source, state, data), move.new, move.index))
        return None if found is None else (found.ratio, found.proposals)

    return move.situation.genuine or not has_derived_blocks(subject, behaviour, rng)


def _failure(name: str, careful: Weighed, weighed: list[Weighed], usual: float) -> CheckResult:
    found = likely_cause(weighed, careful.tolerance / usual)
    cause = f'the acceptance ratio of update "{name}" is wrong'
    if careful.expected == -math.inf:
        why = "the joint of the new state is zero" if careful.joint == -math.inf else "there is no way back, q(old | new) = 0"
        cause = f'update "{name}" may accept a move that it must reject: {why}'
    elif found is not None:
        cause = f"{cause}: {found}"
    shown = described(careful.old, careful.move)
    place = f"{shown} the log ratio is {careful.ratio:.6g} and should be {careful.expected:.6g}"
    message = f"{cause} ({place}, {careful.move.situation.source})"
    figures = {"ratio": careful.ratio, "expected": careful.expected, "gap": careful.gap, "tolerance": careful.tolerance}
    return _result(name, Verdict.FAIL, message, cause, **figures)


def _agreement(name: str, weighed: list[Weighed]) -> CheckResult:
    agreeing = [w for w in weighed if w.outcome is Outcome.AGREES]
    hidden = [w for w in weighed if w.outcome is Outcome.HIDDEN]
    rejected = sum(w.expected == w.ratio == -math.inf for w in weighed)
    if len(agreeing) >= FEWEST_PAIRS:
        return _pass(name, agreeing, rejected)
    if hidden:
        bound = min(w.tolerance for w in hidden)
        message = (
            f'update "{name}": rounding hides it; the log joint is only good to {bound:.1g}. '
            "Compute it in double precision, or try the check on fewer data points"
        )
        return _result(name, Verdict.UNCLEAR, message)
    found = "no move" if not agreeing else f"only {len(agreeing)} moves"
    message = (
        f'update "{name}": {found} between states with a finite joint and a way back {"was" if len(agreeing) < 2 else "were"} '
        f"found; {FEWEST_PAIRS} are needed"
    )
    return _result(name, Verdict.SKIPPED, message, rejected=rejected)


def _pass(name: str, agreeing: list[Weighed], rejected: int) -> CheckResult:
    gap, bound = max(abs(w.gap) for w in agreeing), max(w.tolerance for w in agreeing)
    also = f", and rejects {rejected} moves that have no way back or no density" if rejected else ""
    message = (
        f'update "{name}" accepts by the ratio that its proposal and the joint imply '
        f"on {len(agreeing)} moves, both ways (gap {gap:.1g}, rounding allows {bound:.1g}){also}"
    )
    return _result(name, Verdict.PASS, message, moves=len(agreeing), rejected=rejected, gap=gap, tolerance=bound)


def _result(name: str, verdict: Verdict, message: str, cause: str | None = None, **details: Any) -> CheckResult:
    return CheckResult(NAME, update_target(name), verdict, message, cause=cause, details=details)


CHECK = Check(
    name=NAME,
    title="every acceptance ratio is the one that the proposal and the log joint imply",
    requires="log_joint, and MetropolisHastings updates whose proposal returns a distribution, or that have a log_ratio",
    failure="the update accepts with the wrong probability: the log ratio lacks a term, has the wrong sign or comes from another "
    "joint; where one simple mistake explains every move, the message names it",
    kind="exact",
    missing=_missing,
    run=_run,
)
