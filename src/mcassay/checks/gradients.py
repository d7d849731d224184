"""Every gradient that a kernel follows is that of the log joint, by numerical differentiation.

A wrong gradient is not seen in the draws of a kernel that accepts or rejects its end point by the log joint: it moves badly, but
stays right as long as the gradient depends on the position alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.gradient_causes import explain
from mcassay.checks.gradient_points import GradientFault, Point, directions
from mcassay.checks.joint import Joint
from mcassay.checks.named_updates import each, named_updates
from mcassay.checks.situations import has_derived_blocks, situations
from mcassay.checks.slopes import Slope, SlopeOutcome, compare
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.state import get_blocks
from mcassay.subject import Subject
from mcassay.vocabulary import Generator

NAME = "gradients"


@dataclass(frozen=True)
class _Tried:
    outcome: SlopeOutcome
    claimed: float
    found: Slope | None
    size: float


def gradient_updates(subject: Subject) -> dict[str, Any]:
    """Return the updates that have a gradient."""
    return {
        name: update
        for name, update in named_updates(subject).items()
        if callable(getattr(update, "gradient", None)) and getattr(update, "blocks", None)
    }


def _missing(subject: Subject) -> str | None:
    if subject.init is not None:
        return "the kernel carries more than the state (init and position), so its gradient can not be asked at a state"
    if not gradient_updates(subject):
        return "no update has a gradient (see HamiltonianMonteCarlo)"
    return "the subject has no log_joint to compare with" if subject.log_joint is None else None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    return each(NAME, gradient_updates(subject), context, lambda name, update: _check_update(subject, name, update, context))


def _check_update(subject: Subject, name: str, update: Any, context: Context) -> CheckResult:
    rng = context.rng(NAME, name)
    tried: list[_Tried] = []
    try:
        for point in _points(subject, update, rng):
            for block, direction in directions(point, rng):
                one = _try(point, block, direction)
                if one.outcome is SlopeOutcome.DISAGREES and _counts(subject, update, point, rng):
                    return _failure(name, point, block, one, rng)
                tried.append(one)
    except GradientFault as fault:
        cause = f'the gradient of update "{name}" {fault}'
        return _result(name, Verdict.FAIL, cause, cause)
    return _agreement(name, tried)


def _points(subject: Subject, update: Any, rng: Generator) -> Iterator[Point]:
    assert subject.log_joint is not None
    joint = Joint(subject.log_joint)
    names = (update.blocks,) if isinstance(update.blocks, str) else tuple(update.blocks)
    for situation in situations(subject, rng):
        other = get_blocks(subject.prior(rng), names)
        point = Point.at(update, joint, situation, names, other)
        if point is not None:
            yield point


def _try(point: Point, block: int, direction: Any) -> _Tried:
    claimed = float(np.sum(point.gradient[block] * direction))
    size = float(np.abs(point.gradient[block] * direction).sum())
    outcome, found = compare(claimed, size, point.line(block, direction), point.precision * size)
    return _Tried(outcome, claimed, found, size)


def _counts(subject: Subject, update: Any, point: Point, rng: Generator) -> bool:
    return point.situation.genuine or not has_derived_blocks(subject, update.gradient, rng)


def _failure(name: str, point: Point, block: int, tried: _Tried, rng: Generator) -> CheckResult:
    assert tried.found is not None
    said, where, details = explain(point, block, rng)
    cause = f'the gradient of update "{name}" is not that of log_joint: {said}'
    slopes = (
        f"along a line it says {tried.claimed:.6g}, differences say {tried.found.value:.6g} to within {tried.found.error:.1g}"
    )
    message = f"{cause} ({where or slopes}, {point.situation.source})"
    return _result(name, Verdict.FAIL, message, cause, claimed=tried.claimed, slope=tried.found.value, **details)


def _agreement(name: str, tried: list[_Tried]) -> CheckResult:
    agreeing = [t for t in tried if t.outcome is SlopeOutcome.AGREES and t.found is not None]
    if not tried:
        message = f'update "{name}": no state with a finite joint and real-valued blocks was found'
        return _result(name, Verdict.SKIPPED, message)
    if not agreeing:
        message = (
            f'the gradient of update "{name}" could not be compared: rounding of log_joint hides its slopes, '
            "or it has none (kinks, or the edge of its support all around)"
        )
        return _result(name, Verdict.UNCLEAR, message)
    gap = max(_relative(abs(t.claimed - t.found.value), t) for t in agreeing if t.found is not None)
    bound = max(_relative(t.found.error, t) for t in agreeing if t.found is not None)
    message = (
        f'the gradient of update "{name}" is that of log_joint along {len(agreeing)} directions '
        f"(relative gap {gap:.1g}, numerical differentiation is good to {bound:.1g})"
    )
    return _result(name, Verdict.PASS, message, directions=len(agreeing), hidden=len(tried) - len(agreeing), gap=gap)


def _relative(gap: float, tried: _Tried) -> float:
    assert tried.found is not None
    size = max(tried.size, abs(tried.found.value))
    return gap / size if size > 0 else 0.0


def _result(name: str, verdict: Verdict, message: str, cause: str | None = None, **details: Any) -> CheckResult:
    return CheckResult(NAME, update_target(name), verdict, message, cause=cause, details=details)


CHECK = Check(
    name=NAME,
    title="every gradient is that of the log joint",
    requires="log_joint, and updates with a gradient (HamiltonianMonteCarlo)",
    failure="the gradient is not that of the log joint. Where the end of a trajectory is accepted or rejected by the log joint, "
    "the draws stay right, but many are rejected; the message names the coordinate, and the mistake if a simple one explains it",
    kind="exact",
    missing=_missing,
    run=_run,
)
