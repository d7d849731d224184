"""``assay(subject)``: run every check that applies and report what they found."""

import platform
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

import numpy as np

from mcassay.checks import Check, Context, select
from mcassay.checks.failures import run_check
from mcassay.diagnosis import diagnose, smallest
from mcassay.engine.bench import Bench
from mcassay.engine.budget import read_budget
from mcassay.engine.events import ignore
from mcassay.errors import reject
from mcassay.report import Report
from mcassay.results import CheckResult
from mcassay.rng import root_seed
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
        "quick", "ci" or "nightly", or a number of sweeps.
    seed
        A whole number, or its hexadecimal form as printed in reports; None takes a fresh one. The same seed gives the same
        report.
    checks
        Names of checks of the catalogue; None runs all of them.
    executor
        Any ``concurrent.futures.Executor``; None runs in this process.
    progress
        Called with every event.

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
    _check_arguments(subject, alpha, tolerance, executor, progress)
    chosen, limits, root = select(checks), read_budget(budget), root_seed(seed)
    bench = Bench(subject, root, executor)
    context = Context(root, alpha, tolerance, limits, executor, progress or ignore, bench=bench)
    started = time.perf_counter()
    try:
        results = _run_checks(subject, chosen, context)
        diagnosis = replace(diagnose(results), smallest=smallest(subject, results, context))
    finally:
        bench.close()
    seconds = time.perf_counter() - started
    return Report(str(subject.name), results, diagnosis, context.seed, alpha, seconds, versions())


def _run_checks(subject: Subject, checks: Sequence[Check], context: Context) -> tuple[CheckResult, ...]:
    """Run the checks in order, each with its share of the error budget and of the sweeps.

    Shares of the sweeps are relative to the checks that apply; those of the error budget are fixed.
    """
    results: tuple[CheckResult, ...] = ()
    total = sum(check.share for check in checks if check.missing(subject) is None) or 1.0
    for check in checks:
        alpha, budget = context.alpha * check.weight, context.budget.share(check.share / total)
        own = replace(context, alpha=alpha, budget=budget, earlier=results)
        results += run_check(check, subject, own)
    return results


def _check_arguments(subject: Any, alpha: Any, tolerance: Any, executor: Any, progress: Any) -> None:
    if not isinstance(subject, Subject):
        reject("assay", "subject", "be a Subject(prior, simulate, step)", subject)
    for name, value, highest in (("alpha", alpha, 0.5), ("tolerance", tolerance, 1.0)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= highest:
            reject("assay", name, f"be a number above 0 and at most {highest}", value)
    processes = isinstance(executor, int) and not isinstance(executor, bool) and executor >= 1
    if executor is not None and not processes and not callable(getattr(executor, "submit", None)):
        reject("assay", "executor", "be a concurrent.futures.Executor, a number of processes or None", executor)
    if progress is not None and not callable(progress):
        reject("assay", "progress", "be a function that takes every event, or None", progress)


def versions() -> dict[str, str]:
    """Return the versions that a report needs to be reproduced."""
    return {
        "mcassay": metadata.version("mcassay"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": metadata.version("scipy"),
    }
