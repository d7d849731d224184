"""The smallest run that still fails: how few data points and sweeps show the bug."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from mcassay.checks import conditionals
from mcassay.checks.base import Context
from mcassay.checks.betting import limit
from mcassay.checks.invariance import watch_sweep
from mcassay.engine.bench import Bench
from mcassay.engine.budget import Budget
from mcassay.errors import InputError
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.state import blocks
from mcassay.subject import Subject

# Reruns with fewer data points reject at this share of the error budget, all of them together.
WEIGHT = 0.02
_MOST_RERUNS = 6
_PATIENCE = 2
_FEW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)


def smallest(subject: Subject, results: Sequence[CheckResult], context: Context) -> dict[str, int] | None:
    """Return the fewest data points and sweeps that were seen to fail."""
    exact = any(r.check == conditionals.NAME and r.verdict is Verdict.FAIL for r in results)
    sweep = next((r for r in results if r.check == "invariance" and r.target == SWEEP and r.verdict is Verdict.FAIL), None)
    if not exact and sweep is None:
        return None
    found: dict[str, int] = {}
    points = _fewest_points(subject, sweep, context, exact=exact)
    if points is not None:
        found["data points"] = points
    return {**found, "sweeps": 1 if exact or sweep is None else _fewest_sweeps(sweep)}


def _fewest_sweeps(sweep: CheckResult) -> int:
    """Return the shortest run length that has the evidence by itself, or else the one with the most."""
    by_length: dict[int, float] = {int(length): value for length, value in sweep.details["by_length"].items()}
    enough = [length for length, value in by_length.items() if value >= sweep.details["log10_limit"]]
    return min(enough, default=max(by_length, key=lambda length: by_length[length]))


def _fewest_points(subject: Subject, sweep: CheckResult | None, context: Context, *, exact: bool) -> int | None:
    if subject.resize is None or subject.simulate is None:
        return None
    if exact:
        return next((n for n in _FEW if _fails(_exactly, subject, n, context)), None)
    assert sweep is not None
    budget = Budget(_PATIENCE * max(sweep.sweeps, 1))
    own = replace(context, budget=budget, alpha=context.alpha * WEIGHT / _MOST_RERUNS)
    last = None
    for n in _halves(_data_points(subject, context)):
        if not _fails(_statistically, subject, n, own):
            break
        last = n
    return last


def _fails(check: Callable[[Subject, Context], bool], subject: Subject, points: int, context: Context) -> bool:
    """Try a number of data points; one that the user's model can not take does not count."""
    assert subject.resize is not None
    try:
        return check(subject.resize(points), context)
    except (InputError, ValueError, IndexError, ZeroDivisionError, np.linalg.LinAlgError):
        return False


def _exactly(subject: Subject, context: Context) -> bool:
    return any(result.verdict is Verdict.FAIL for result in conditionals.CHECK.apply(subject, context))


def _statistically(subject: Subject, context: Context) -> bool:
    own = replace(context, bench=Bench(subject, context.seed))
    session = own.session(subject, ("shrink", SWEEP), context.budget)
    enough = limit(context.alpha)
    return watch_sweep(subject, session, own, enough).log10_evidence >= enough


def _halves(points: int) -> Iterator[int]:
    for _ in range(_MOST_RERUNS):
        points //= 2
        if points < 1:
            return
        yield points


def _data_points(subject: Subject, context: Context) -> int:
    """Return the length of the longest part of the data."""
    _, data = subject.draw(context.rng("shrink"))
    return max((np.shape(part)[0] for part in blocks(data).values() if np.ndim(part)), default=1)
