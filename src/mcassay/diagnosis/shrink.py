"""The smallest run that still fails: how few data points and sweeps show the bug.

An exact check needs no sweep, and is tried on a few numbers of data points from one on. A sweep that the wager convicts is
tried on half as many again and again, with four times the sweeps that convicted it (half the data may show a quarter), until
it does not fail any more, or until half the budget of the assay is spent on it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mcassay.checks import conditionals
from mcassay.checks.base import Context
from mcassay.checks.betting import limit
from mcassay.checks.invariance import watch_sweep
from mcassay.engine.bench import Bench
from mcassay.engine.budget import Budget
from mcassay.engine.limits import TimeLimitReached, time_limit
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.single import one_replicate
from mcassay.state import blocks
from mcassay.subject import Subject

# Reruns with fewer data points reject at this share of the error budget, all of them together.
WEIGHT = 0.02
_MOST_RERUNS = 6
_PATIENCE = 4
_SHARE = 0.5
_FEW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)


@dataclass
class Shrinking:
    """What was found so far, what it cost, and which numbers of data points could not be tried."""

    subject: Subject
    context: Context
    spent: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def fails(self, check: Callable[["Shrinking", Subject], bool], points: int) -> bool:
        """Try a number of data points; one that the user's model can not take does not count."""
        assert self.subject.resize is not None
        try:
            return check(self, self.subject.resize(points))
        except (TimeLimitReached, Exception) as error:
            self.notes.append(f"resize({points}) could not be tried: {type(error).__name__}: {error}")
            return False


def smallest(subject: Subject, results: Sequence[CheckResult], context: Context) -> tuple[dict[str, int] | None, tuple[str, ...]]:
    """Return the fewest data points and sweeps that were seen to fail, and what a reader should know."""
    exact = any(r.check == conditionals.NAME and r.verdict is Verdict.FAIL for r in results)
    sweep = next((r for r in results if r.check == "invariance" and r.target == SWEEP and r.verdict is Verdict.FAIL), None)
    if not exact and sweep is None:
        return None, ()
    shrinking = Shrinking(subject, context)
    points = _fewest_points(shrinking, sweep, exact=exact)
    found = {} if points is None else {"data points": points}
    return {**found, "sweeps": 0 if exact or sweep is None else _fewest_sweeps(sweep)}, tuple(shrinking.notes)


def _fewest_sweeps(sweep: CheckResult) -> int:
    """Return the shortest run length that has the evidence by itself, or else the one with the most."""
    by_length: dict[int, float] = {int(length): value for length, value in sweep.details["by_length"].items()}
    enough = [length for length, value in by_length.items() if value >= sweep.details["log10_limit"]]
    return min(enough, default=max(by_length, key=lambda length: by_length[length]))


def _fewest_points(shrinking: Shrinking, sweep: CheckResult | None, *, exact: bool) -> int | None:
    if shrinking.subject.resize is None or shrinking.subject.simulate is None:
        return None
    if exact:
        return next((n for n in _FEW if shrinking.fails(_exactly, n)), None)
    assert sweep is not None
    last = None
    for n in _halves(_data_points(shrinking)):
        budget = _budget(shrinking, sweep)
        if budget is None or not shrinking.fails(_within(budget), n):
            return last
        last = n
    return last


def _budget(shrinking: Shrinking, sweep: CheckResult) -> Budget | None:
    """Return what the next rerun may cost; None where there is not enough left to convict anything."""
    whole = shrinking.context.budget.share(_SHARE)
    if whole.sweeps is None:
        assert whole.seconds is not None
        left = whole.seconds - shrinking.seconds
        return Budget(None, left) if left > 0 else None
    left_sweeps = whole.sweeps - shrinking.spent
    return Budget(min(_PATIENCE * max(sweep.sweeps, 1), left_sweeps)) if left_sweeps >= sweep.sweeps else None


def _exactly(shrinking: Shrinking, subject: Subject) -> bool:
    with time_limit(shrinking.context.time_limit):
        return any(result.verdict is Verdict.FAIL for result in conditionals.CHECK.apply(subject, shrinking.context))


def _within(budget: Budget) -> Callable[[Shrinking, Subject], bool]:
    def fails(shrinking: Shrinking, subject: Subject) -> bool:
        context = shrinking.context
        pool = None if context.bench is None else context.bench.pool
        own = replace(
            context, bench=Bench(subject, context.seed, pool), budget=budget, alpha=context.alpha * WEIGHT / _MOST_RERUNS
        )
        session = own.session(subject, ("shrink", SWEEP), budget)
        enough = limit(own.alpha)
        watch = watch_sweep(subject, session, own, enough)
        shrinking.spent, shrinking.seconds = shrinking.spent + session.sweeps, shrinking.seconds + session.seconds
        if session.failure is not None:
            raise RuntimeError(session.failure.message)
        return watch.log10_evidence >= enough

    return fails


def _halves(points: int) -> Iterator[int]:
    for _ in range(_MOST_RERUNS):
        points //= 2
        if points < 1:
            return
        yield points


def _data_points(shrinking: Shrinking) -> int:
    """Return the length of the longest part of the data."""
    _, data = one_replicate(shrinking.subject).draw(shrinking.context.rng("shrink"))
    return max((np.shape(part)[0] for part in blocks(data).values() if np.ndim(part)), default=1)
