"""What a watch saw, as results and in words: which statistics end too high or too low, and by how much."""

import math

import numpy as np

from mcassay.checks import betting
from mcassay.checks.alone import Alone
from mcassay.checks.base import Context
from mcassay.checks.gaps import curves
from mcassay.checks.watch import Watch
from mcassay.engine.session import Session
from mcassay.kernels import ConditionalUpdate
from mcassay.results import SWEEP, CheckResult, StatisticResult, Verdict, update_target
from mcassay.subject import Subject

_SIDES = {
    "location": ("ends too low", "ends too high"),
    "spread": ("is too little spread", "is too much spread"),
    "periodic": ("is shifted in its middle", "is shifted in its middle"),
    "product": ("go together too little", "go together too much"),
    "given": ("is too low", "is too high"),
}
_ONE = betting.group_name(1)
# Evidence, as log10 of odds, that is no conviction and yet would make a PASS sound hollow; right subjects reach it once in 1000.
STRIKING = 3.0
HALF_CONVICTED = "too much for a PASS, too little for a FAIL; a larger budget settles it"
# A bound on P-P gaps above this size is next to none.
_SAYS_SOMETHING = 0.5


def sweep_result(check: str, session: Session, watch: Watch, limit: float, context: Context) -> CheckResult:
    """Decide about the whole sweep."""
    if watch.log10_evidence >= limit:
        verdict, message = Verdict.FAIL, _against(watch, session.sweeps, "sweeps", limit)
    elif session.broken_off:
        verdict, message = Verdict.UNCLEAR, f"interrupted after {session.sweeps:,} sweeps; so far {_for(watch, limit)}"
    else:
        verdict, message = _nothing_found(session, watch, limit, context)
    return CheckResult(
        check,
        SWEEP,
        verdict,
        message,
        log10_evidence=watch.log10_evidence,
        sweeps=session.sweeps,
        statistics=statistics(watch),
        details={**details(session, watch, limit), "samples": watch.samples.by_name(watch.instrument.reference.names)},
    )


def _nothing_found(session: Session, watch: Watch, limit: float, context: Context) -> tuple[Verdict, str]:
    reached = resolution(watch)
    found = f"nothing found in {session.sweeps:,} sweeps: {_for(watch, limit)}"
    ruled_out = f"{found}; {_ruled_out(reached)}"
    if reached[_ONE] <= context.tolerance:
        return Verdict.PASS, ruled_out
    return Verdict.UNCLEAR, f"{ruled_out}. {_what_settles(session, reached[_ONE], context)}"


def _what_settles(session: Session, reached: float, context: Context) -> str:
    """Say how large a budget would rule out gaps beyond the tolerance; bounds shrink with the root of the sweeps."""
    # Bounds that have just begun to shrink say little about how far there is to go; few sweeps settle no tolerance anyway.
    factor = max((min(reached, 3 / math.sqrt(max(session.sweeps, 1))) / context.tolerance) ** 2, 1.1)
    if session.budget.sweeps is None:
        return f"About {factor:.2g} times as much time would settle the tolerance of {context.tolerance:g}"
    whole = context.budget.sweeps / context.share if context.budget.sweeps is not None else session.sweeps
    return (
        f"A budget of about {math.ceil(factor * whole / 1000) * 1000:,} sweeps in all would settle the tolerance of "
        f"{context.tolerance:g}, and so would a tolerance of {_rounded_up(reached)}"
    )


def _rounded_up(value: float) -> str:
    """Write a number with two digits, not below itself."""
    quantum = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / quantum) * quantum:.2g}"


def _ruled_out(reached: dict[str, float]) -> str:
    """Say above which size P-P gaps are ruled out, where that says something."""
    said = [f"{value:.2g} after {group}" for group, value in reached.items() if value <= _SAYS_SOMETHING]
    if not said:
        return "that is too few to rule anything out"
    longer = f" ({', '.join(said[1:])})" if said[1:] else ""
    return f"P-P gaps above {said[0]} are ruled out{longer}"


def update_results(
    check: str, subject: Subject, alone: list[Alone], limit: float, context: Context, *, sweep_failed: bool
) -> list[CheckResult]:
    """Decide about every update alone."""
    return [_update_result(check, subject, one, limit, len(alone), sweep_failed=sweep_failed) for one in alone]


def _update_result(check: str, subject: Subject, one: Alone, limit: float, updates: int, *, sweep_failed: bool) -> CheckResult:
    verdict, message = _judge_update(subject, one, limit, sweep_failed=sweep_failed)
    return CheckResult(
        check,
        update_target(one.name),
        verdict,
        message,
        log10_evidence=one.watch.log10_evidence,
        sweeps=math.ceil(one.sweeps / updates),
        statistics=statistics(one.watch),
        details={**details(one.session, one.watch, limit), **_company(one)},
    )


def _company(one: Alone) -> dict[str, object]:
    """Return what was seen of an update in other company."""
    tried = {"after": one.after, "turned": one.turned}
    return {name: {**trial.to_dict(), "holds": trial.holds} for name, trial in tried.items() if trial is not None}


def _judge_update(subject: Subject, one: Alone, limit: float, *, sweep_failed: bool) -> tuple[Verdict, str]:
    runs = one.session.sweeps
    if one.watch.log10_evidence < limit and one.session.broken_off:
        return Verdict.UNCLEAR, f"alone, broken off after {runs:,} runs; so far {_for(one.watch, limit)}"
    if one.watch.log10_evidence < limit:
        verdict, ruled_out = passed(one.watch)
        return verdict, f"alone, nothing found in {runs:,} runs; {ruled_out}"
    against = f"alone, {_against(one.watch, runs, 'runs', limit)}"
    if one.after is not None and one.cleared:
        return Verdict.UNCLEAR, (
            f"{against}. Together with what follows it in the sweep it holds ({one.after.replicates:,} runs), so it is not what "
            "is wrong: an update need not leave the joint invariant by itself (partially collapsed Gibbs)"
        )
    if one.before is not None:
        return Verdict.UNCLEAR, (
            f"{against}. It may be right all the same, if what follows it in the sweep is meant to make up for it; that shows "
            f'only once "{one.before}" is right'
        )
    if sweep_failed or isinstance(subject.updates[one.name], ConditionalUpdate):
        return Verdict.FAIL, against
    return Verdict.UNCLEAR, (
        f"{against}. The whole sweep holds, so this may be meant: an update need not leave the joint invariant by itself "
        "(partially collapsed Gibbs, deterministic flips) as long as the others make up for it"
    )


def passed(watch: Watch) -> tuple[Verdict, str]:
    """Say above which size P-P gaps are ruled out where nothing was found; where that says next to nothing, it is no PASS."""
    reached = max(resolution(watch).values(), default=1.0)
    if reached <= _SAYS_SOMETHING:
        return Verdict.PASS, f"P-P gaps above {reached:.2g} are ruled out"
    return Verdict.UNCLEAR, "that is too few to rule anything out; a larger budget would"


def leading(watch: Watch, count: int = 2, *, without: str = "") -> list[str]:
    """Write the statistics with the most evidence, preferably without one that is no news."""
    directions = watch.instrument.directions
    kinds = dict(zip(directions.names, directions.kinds, strict=True))
    said: dict[str, str] = {}
    leaders = watch.wager.leaders(names=directions.names, count=12)
    others = [leader for leader in leaders if not without or without not in leader.direction]
    for leader in others or leaders:
        about = _plain(leader.direction, kinds[leader.direction])
        if leader.drift and about not in said and len(said) < count:
            side = _SIDES.get(kinds[leader.direction], _SIDES["given"])[leader.drift > 0]
            said[about] = f"{about} {side}{'' if leader.group == _ONE else f' after {leader.group}'}{_gap_of(watch, about)}"
    return list(said.values())


def _plain(direction: str, kind: str) -> str:
    if kind in ("spread", "periodic"):
        return direction.removeprefix(f"{kind} of ")
    return direction.replace(" with ", " and ") if kind == "product" else direction


def _gap_of(watch: Watch, statistic: str) -> str:
    names = watch.instrument.reference.names
    return f" (P-P gap {watch.gaps[watch.main].gap[names.index(statistic)]:.2g})" if statistic in names else ""


def statistics(watch: Watch) -> tuple[StatisticResult, ...]:
    """Return gap, band and evidence of every statistic after one sweep."""
    names, gaps = watch.instrument.reference.names, watch.gaps[watch.main]
    evidence = np.max([purse.by_direction for purse in watch.wager.purses], axis=0)
    own = evidence[: 3 * len(names)].reshape(3, len(names)).max(axis=0)
    rows = zip(names, gaps.gap, gaps.band, own, strict=True)
    return tuple(StatisticResult(name, float(gap), float(band), float(e)) for name, gap, band, e in rows)


def resolution(watch: Watch) -> dict[str, float]:
    """Return, for every run length, above which size P-P gaps are ruled out."""
    return {group: gaps.ruled_out for group, gaps in watch.gaps.items() if gaps.replicates}


def details(session: Session, watch: Watch, limit: float) -> dict[str, object]:
    """Return the figures behind a verdict, and what is needed to draw them."""
    return {
        "log10_limit": limit,
        "replicates": watch.replicates,
        "resolution": resolution(watch),
        "pp": curves(watch.gaps[watch.main], watch.instrument.reference.names),
        "history": [list(point) for point in watch.history.points],
        "prefixes": {name: float(wager.log10_evidence) for name, wager in watch.prefixes.items()},
        "leading": leading(watch),
        "by_length": by_length(watch),
        "moved": dict(watch.moved),
        "interrupted": session.interrupted,
        "notes": list(session.notes),
    }


def by_length(watch: Watch) -> dict[int, float]:
    """Return the evidence of every run length by itself."""
    purses = zip(watch.wager.groups, watch.wager.purses, strict=True)
    return {int(group.split()[0]): float(purse.log_wealth) / math.log(10) for group, purse in purses}


def _against(watch: Watch, count: int, unit: str, limit: float) -> str:
    return (
        f"{betting.odds(watch.log10_evidence)} against, after {count:,} {unit} (limit {betting.odds(limit)}); "
        f"{'; '.join(leading(watch))}"
    )


def _for(watch: Watch, limit: float) -> str:
    return f"evidence {betting.odds(watch.log10_evidence)} (limit {betting.odds(limit)})"
