"""``assay(subject)``: run every check that applies and report what they found."""

import math
import platform
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

import numpy as np

from mcassay.checks import Check, Context, select
from mcassay.checks.failures import run_check, was_interrupted
from mcassay.checks.shares import budget_of, share_of
from mcassay.diagnosis import diagnose, smallest
from mcassay.engine.bench import Bench
from mcassay.engine.budget import read_budget, written_budget
from mcassay.engine.pools import Pool
from mcassay.errors import reject
from mcassay.report import Report
from mcassay.report.following import followed
from mcassay.results import SWEEP, CheckResult, Diagnosis, Verdict
from mcassay.rng import root_seed, written_seed
from mcassay.subject import Subject


def assay(
    subject: Subject,
    *,
    alpha: float = 1e-6,
    tolerance: float = 0.02,
    budget: Any = "ci",
    seed: int | str | None = None,
    checks: Iterable[str] | None = None,
    executor: Any = None,
    progress: Any = None,
    time_limit: float | None = 300.0,
) -> Report:
    """Assay a subject: run every check that applies to it.

    Parameters
    ----------
    subject
        What is under test.
    alpha
        The bound on the probability of a false alarm, over the whole assay.
    tolerance
        How large a P-P gap a PASS has to rule out.
    budget
        "quick" (5,000 sweeps), "ci" (50,000), "nightly" (5 million), a number of sweeps, or a time such as "5min". With a
        number of sweeps, the same seed gives the same report wherever blocks run; a time ends it sooner or later. Exact
        checks take what they need, a few hundred sweeps, and so does what is rerun to find out about a failure.
    seed
        A whole number, or its hexadecimal form as printed in reports; None takes a fresh one. The same seed gives the same
        report.
    checks
        Names of checks of the catalogue; None runs all of them.
    executor
        Where blocks of replicates run: None for this process, a number of processes, or any ``concurrent.futures.Executor``,
        such as a Dask client's ``get_executor()``.
    progress
        True shows progress on a terminal or in a notebook; or a function that is called with every event; or None.
    time_limit
        How many seconds a block of replicates, or an exact check, may take before it counts as hanging; None for no limit.

    Returns
    -------
    Report

    Examples
    --------
    >>> from mcassay import Gibbs, Normal, Subject, assay
    >>> subject = Subject(
    ...     lambda rng: {"mu": rng.normal()},
    ...     lambda state, rng: rng.normal(state["mu"], 1.0),
    ...     Gibbs({"mu": lambda state, data: Normal(data / 2, variance=1 / 3)}),
    ...     log_joint=lambda state, data: Normal(0, sd=1).log_p(state["mu"]) + Normal(state["mu"], sd=1).log_p(data),
    ... )
    >>> report = assay(subject, seed=1, checks=["conditionals"])
    >>> report.verdict
    <Verdict.FAIL: 'FAIL'>
    >>> print(report.diagnosis.cause)
    conditional "mu" is Normal(mean=..., variance=0.3333333); the joint says Normal(mean=..., variance=0.5):
    variance is 1.5 times too small here
    """
    _check_arguments(subject, alpha, tolerance, progress, time_limit)
    chosen, limits, root = select(checks), read_budget(budget), root_seed(seed)
    bench = Bench(subject, root, None if executor is None else Pool.of(executor))
    started = time.perf_counter()
    try:
        with followed(progress, str(subject.name), limits) as emit:
            context = Context(root, alpha, tolerance, limits, executor, emit, time_limit, bench=bench)
            results = _run_checks(subject, chosen, context)
            diagnosis, remarks = _diagnosis(subject, results, context)
        notes = _notes(results, remarks, bench, root)
    finally:
        bench.close()
    seconds = time.perf_counter() - started
    return Report(
        str(subject.name),
        results,
        diagnosis,
        root,
        alpha,
        seconds,
        versions(),
        notes,
        budget=written_budget(budget),
        tolerance=tolerance,
        chosen=None if checks is None else tuple(check.name for check in chosen),
    )


def _run_checks(subject: Subject, checks: Sequence[Check], context: Context) -> tuple[CheckResult, ...]:
    """Run the checks in order, each with its share of the error budget and of the sweeps.

    Shares of the sweeps are relative to the checks that apply; those of the error budget are fixed.
    """
    results: tuple[CheckResult, ...] = ()
    began = time.perf_counter()
    for check in checks:
        if was_interrupted(results):
            results += (CheckResult(check.name, SWEEP, Verdict.SKIPPED, "interrupted before it began"),)
            continue
        alpha, share = context.alpha * check.weight, share_of(check, checks, subject)
        budget = budget_of(check, checks, subject, context.budget, time.perf_counter() - began)
        own = replace(context, alpha=alpha, budget=budget, share=share, whole=context.budget, earlier=results)
        results += run_check(check, subject, own)
    return results


def _diagnosis(subject: Subject, results: Sequence[CheckResult], context: Context) -> tuple[Diagnosis, tuple[str, ...]]:
    """Localise what failed, and look for a smaller run that still fails."""
    diagnosis = diagnose(results)
    if was_interrupted(results):
        return diagnosis, ()
    try:
        found, remarks = smallest(subject, results, context)
        return replace(diagnosis, smallest=found), remarks
    except KeyboardInterrupt:
        return diagnosis, ()


def _notes(results: Sequence[CheckResult], remarks: Sequence[str], bench: Bench, seed: int) -> tuple[str, ...]:
    """Return what a reader should know, each thing once."""
    notes = [note for result in results for note in result.details.get("notes", [])]
    if was_interrupted(results):
        notes.append(
            f'interrupted; with seed="{written_seed(seed)}" the same blocks are repeated, and those that are left follow'
        )
    return tuple(dict.fromkeys([*notes, *remarks, *bench.notes]))


def _check_arguments(subject: Any, alpha: Any, tolerance: Any, progress: Any, time_limit: Any) -> None:
    if not isinstance(subject, Subject):
        reject("assay", "subject", "be a Subject(prior, simulate, step)", subject)
    for name, value, highest in (("alpha", alpha, 0.5), ("tolerance", tolerance, 1.0)):
        if not _is_number(value) or not 0 < value <= highest:
            reject("assay", name, f"be a number above 0 and at most {highest}", value)
    if progress is not None and progress is not True and not callable(progress):
        reject("assay", "progress", "be True, a function that takes every event, or None", progress)
    if time_limit is not None and (not _is_number(time_limit) or not 0 < time_limit < math.inf):
        reject("assay", "time_limit", "be a positive number of seconds, or None", time_limit)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def versions() -> dict[str, str]:
    """Return the versions that a report needs to be reproduced."""
    return {
        "mcassay": metadata.version("mcassay"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": metadata.version("scipy"),
    }
