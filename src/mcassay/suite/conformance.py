"""``conformance(kernels)``: assay every kernel on every target that it can take."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from mcassay.assayer import assay, versions
from mcassay.errors import InputError, reject
from mcassay.results import Verdict
from mcassay.rng import root_seed, seed_sequence
from mcassay.suite.combinations import Grid, Planned, planned
from mcassay.suite.result import Combination, Conformance, first_message
from mcassay.targets import Skip
from mcassay.targets.standard import read_targets

# All that are about the kernel; the others are about the target, which has been tested by itself.
KERNEL_CHECKS = (
    "conditionals", "proposals", "gradients", "purity", "caches", "constants",
    "invariance", "conditional draws", "carry", "forgetting",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What every assay of a suite is run with."""

    budget: Any
    seed: int
    alpha: float
    tolerance: float
    checks: tuple[str, ...]
    executor: Any = None


def conformance(
    kernels: Mapping[str, Callable[..., Any] | Grid],
    *,
    targets: Any = "standard",
    expected_failures: Mapping[str, str] | None = None,
    budget: Any = "quick",
    alpha: float = 1e-6,
    tolerance: float = 0.02,
    seed: int | str | None = None,
    checks: Iterable[str] = KERNEL_CHECKS,
    executor: Any = None,
    progress: Callable[[Combination], None] | None = None,
) -> Conformance:
    """Assay every kernel on every target that it can take.

    Parameters
    ----------
    kernels
        ``{name: make}``, where ``make(target)`` returns the subject of the kernel on a target, or ``Skip(reason)`` where it can
        not take it. A ``Grid(make, {parameter: values})`` is tried with every combination of the values.
    targets
        "standard" for all standard targets, or a list of their names and of targets of your own.
    expected_failures
        What is known to fail, and why: ``{"KERNEL/TARGET": reason}``; a name may hold ``*``. It does not count as a failure, and
        an unexpected pass is said.
    budget, tolerance, executor
        As ``assay`` takes them, for every combination.
    alpha
        The bound on the probability of any false alarm, over all combinations together.
    seed
        As ``assay`` takes it; every combination has its own, made of this one and of its name.
    checks
        Names of checks; by default all that are about the kernel.
    progress
        A function that is called with every combination once it is done.

    Returns
    -------
    Conformance

    Examples
    --------
    >>> from mcassay import Slice, conformance
    >>> suite = conformance(
    ...     {"slice": lambda target: target.subject(Slice("x"))},
    ...     targets=["normal in 1", "laplace"],
    ...     budget=300,
    ...     seed=1,
    ...     checks=["invariance"],
    ... )
    >>> [(one.name, one.verdict.value) for one in suite.combinations]
    [('slice/normal in 1', 'UNCLEAR'), ('slice/laplace', 'UNCLEAR')]
    """
    began = time.perf_counter()
    plan = planned(kernels, read_targets("conformance", targets))
    expected = read_expected(expected_failures, plan)
    if progress is not None and not callable(progress):
        reject("conformance", "progress", "be a function that takes every Combination, or None", progress)
    settings = Settings(budget, root_seed(seed), alpha / max(1, count_run(plan)), tolerance, tuple(checks), executor)
    combinations = []
    for one in run_all(plan, expected, settings):
        combinations.append(one)
        if progress is not None:
            progress(one)
    return Conformance(tuple(combinations), settings.seed, alpha, time.perf_counter() - began, versions())


def count_run(plan: Sequence[Planned]) -> int:
    """Return how many combinations there is a subject for: they share the error probability."""
    return sum(not isinstance(one.made, Skip) for one in plan)


def run_all(plan: Iterable[Planned], expected: Mapping[str, str], settings: Settings) -> Iterator[Combination]:
    """Run combinations one after another."""
    for one in plan:
        yield run_one(one, expected.get(one.name), settings)


def run_one(one: Planned, expected: str | None, settings: Settings) -> Combination:
    """Assay one combination with a seed of its own, so that it can be repeated without the others."""
    if isinstance(one.made, Skip):
        return Combination(one.kernel, one.parameters, one.target.name, Verdict.SKIPPED, one.made.reason, expected=expected)
    report = assay(
        one.made,
        alpha=settings.alpha,
        tolerance=settings.tolerance,
        budget=settings.budget,
        seed=seed_of(settings.seed, one.name),
        checks=settings.checks,
        executor=settings.executor,
    )
    said = first_message(report)
    return Combination(one.kernel, one.parameters, one.target.name, report.verdict, said, report, expected)


def seed_of(root: int, name: str) -> int:
    """Return the seed of the combination of a name."""
    return int(seed_sequence(root, "conformance", name).generate_state(1)[0])


def read_expected(expected: Any, plan: Sequence[Planned]) -> dict[str, str]:
    """Return the reason for every combination that is expected to fail; refuse a name that no combination has."""
    if expected is None:
        return {}
    if not isinstance(expected, Mapping):
        reject("conformance", "expected_failures", 'be a dict {"KERNEL/TARGET": reason}', expected)
    found: dict[str, str] = {}
    for pattern, reason in expected.items():
        if not isinstance(reason, str) or not reason.strip():
            reject("conformance", f'expected_failures["{pattern}"]', "be the reason, a string that is not empty", reason)
        names = [one.name for one in plan if one.name == pattern or fnmatchcase(one.name, str(pattern))]
        if not names:
            known = f'; write it as "{plan[0].name}"' if plan else ""
            raise InputError(f'conformance: expected_failures has "{pattern}", and there is no such combination{known}')
        found |= dict.fromkeys(names, reason)
    return found
