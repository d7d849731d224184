"""What every conditional draws is what the joint says: the draws themselves, where the exact identity sees the density alone.

Take a draw from the joint and redraw one block from its conditional given the rest. Under a right conditional the pair of
states is exchangeable, so any g of the joint draw less the mean of g over several redraws has mean zero, with or without
a log joint; and the joint draw has no place of its own among its redraws. The wager bets against both.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mcassay.checks import betting, findings
from mcassay.checks.base import Check, Context
from mcassay.checks.conditionals import NAME as CONDITIONALS
from mcassay.checks.conditionals import conditional_updates
from mcassay.checks.gaps import sharpest
from mcassay.checks.redraws import Redraws
from mcassay.engine.budget import Budget
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import Slot
from mcassay.engine.session import Session
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.subject import Subject

NAME = "conditional draws"
REPEATS = 4
# Where a log joint is there to compare the density with, draws have less to show.
_SHARE_BESIDE_LOG_JOINT = 1 / 3
_SIZES = (16, 16, 32, 64, 128)
_SIZE = 256


def _missing(subject: Subject) -> str | None:
    return None if conditional_updates(subject) else "no update is a conditional that returns a distribution (see Gibbs)"


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    context = replace(context, bench=context.bench_for(subject))
    names = list(conditional_updates(subject))
    limit = betting.limit(context.alpha / len(names))
    budget = replicates(subject, context.budget, len(names))
    results: list[CheckResult] = []
    for name in names:
        session = context.session(subject, (NAME, update_target(name)), budget)
        redraws = Redraws.begin(session.instrument, sharpest(context.tolerance, budget.sweeps))
        redraws.run(session, _slots(name, session.instrument.largest_block), context, update_target(name), limit)
        results.append(_result(name, session, redraws, limit, context))
        if session.interrupted:
            break
    return results


def replicates(subject: Subject, budget: Budget, updates: int) -> Budget:
    """Return how many replicates every update gets: as many draws as the sweeps of this budget would make.

    Examples
    --------
    >>> from mcassay.models.mixture import IsotropicMixture
    >>> replicates(IsotropicMixture().subject(), Budget(6_000), updates=5)
    Budget(sweeps=500, seconds=None)
    """
    own = budget if subject.log_joint is None else budget.share(_SHARE_BESIDE_LOG_JOINT)
    return own.share(1 / REPEATS) if own.sweeps is not None else own.share(1 / updates)


def _slots(name: str, largest: int) -> Iterator[Slot]:
    course = Course(update=name, repeats=REPEATS)
    for size in itertools.chain(_SIZES, itertools.repeat(_SIZE)):
        yield Slot(course, min(size, max(1, largest // REPEATS)))


def _result(name: str, session: Session, redraws: Redraws, limit: float, context: Context) -> CheckResult:
    failed = redraws.log10_evidence >= limit
    verdict, message = _judge(name, session, redraws, limit)
    details = findings.details(session, redraws, limit)
    return CheckResult(
        NAME,
        update_target(name),
        verdict,
        message,
        log10_evidence=redraws.log10_evidence,
        statistics=findings.statistics(redraws),
        cause=_cause(name, context.earlier) if failed else None,
        details={**details, "leading": redraws.leading, "draws": redraws.replicates * REPEATS},
    )


def _judge(name: str, session: Session, redraws: Redraws, limit: float) -> tuple[Verdict, str]:
    replicates = redraws.replicates
    draws = f"{replicates * REPEATS:,} draws beside {replicates:,} draws from the joint"
    evidence = f"{betting.odds(redraws.log10_evidence)} against (limit {betting.odds(limit)})"
    if redraws.log10_evidence >= limit:
        return Verdict.FAIL, f'conditional "{name}": {evidence}, after {draws}; {"; ".join(redraws.leading)}'
    if session.broken_off:
        return Verdict.UNCLEAR, f'conditional "{name}": broken off after {draws}; {evidence} so far'
    verdict, ruled_out = findings.passed(redraws)
    return verdict, f'conditional "{name}": nothing found in {draws}: {evidence}; {ruled_out}'


def _cause(name: str, earlier: Sequence[CheckResult]) -> str | None:
    """Say what is left to be wrong where the density was found to agree with the log joint."""
    verdicts: Mapping[str, Verdict] = {r.target: r.verdict for r in earlier if r.check == CONDITIONALS}
    if verdicts.get(update_target(name)) is not Verdict.PASS:
        return None
    return (
        f'the density of conditional "{name}" agrees with log_joint, and yet its draws are not those of the model: either '
        "sample() does not draw from that density, or log_joint describes another model than prior and simulate"
    )


CHECK = Check(
    name=NAME,
    title="every conditional draws what the joint says",
    requires="updates whose conditionals return distributions (Gibbs)",
    failure="redrawing the block from its conditional changes the law of a draw from the joint: the conditional, or the sample() "
    "of its distribution, is wrong, or it is right for another model than the one that prior and simulate draw from",
    kind="statistical",
    missing=_missing,
    run=_run,
    weight=0.04,
    share=0.12,
)
