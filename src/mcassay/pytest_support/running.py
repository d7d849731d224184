"""Runs the check of one test: with its part of the budget and of the error probability, as in an assay of all checks."""

import os
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING

from mcassay.assayer import assay
from mcassay.checks.catalogue import select
from mcassay.checks.shares import share_of
from mcassay.engine.budget import read_budget, written_budget
from mcassay.errors import reject
from mcassay.loading.sources import source_in
from mcassay.pytest_support.outcome import conclude, verdict_of
from mcassay.pytest_support.parametrise import AskedCheck
from mcassay.pytest_support.settings import TestSettings
from mcassay.report.report import Report
from mcassay.results import CheckResult, Verdict
from mcassay.subject import Subject

if TYPE_CHECKING:
    import pytest


@dataclass
class BoundCheck:
    """What a test calls: runs the check, keeps the report for the plugin, and ends the test as the verdict says."""

    __test__ = False

    asked: AskedCheck
    settings: TestSettings
    item: "pytest.Function"
    reports: list[Report] = field(default_factory=list)
    parts: list[int | str | None] = field(default_factory=list)

    def __call__(self, subject: Subject) -> tuple[CheckResult, ...]:
        """Run the check on a subject; its results, where the test goes on."""
        __tracebackhide__ = True
        if not isinstance(subject, Subject):
            reject("check(subject)", "subject", "be a Subject", subject)
        part = _part(subject, self.asked, self.settings)
        report = run_one(subject, self.asked, self.settings, part)
        notes = (*report.notes, *_expected(self.asked, report))
        report = replace(report, source=_source(self.item, subject), notes=notes)
        self.reports.append(report)
        self.parts.append(part)
        conclude(report, self.asked, self.settings)
        return report.results


def run_one(subject: Subject, asked: AskedCheck, settings: TestSettings, part: int | str | None) -> Report:
    """Run one check of a subject with its part of the budget.

    It gets the seed, the sweeps and the part of alpha that it would have in an assay of all checks that were asked for, so
    that all tests of a subject are together one assay of it. Where a statistical check fails, that assay is run, for its
    diagnosis needs what the other checks found.
    """
    report = _assayed(subject, settings, settings.budget if part is None else part, (asked.name,))
    if part is None or asked.expected is not None or report.verdict is not Verdict.FAIL:
        return report
    whole = _assayed(subject, settings, settings.budget, asked.chosen)
    return replace(whole, results=tuple(result for result in whole.results if result.check == asked.name))


def _expected(asked: AskedCheck, report: Report) -> tuple[str, ...]:
    """Say on a report that a failure was expected, for those who see it on a page."""
    failed = asked.expected is not None and verdict_of(report) is Verdict.FAIL
    return (f'"{asked.name}" was expected to fail: {asked.expected}',) if failed else ()


def _part(subject: Subject, asked: AskedCheck, settings: TestSettings) -> int | str | None:
    """Return the part of the budget that a check has beside all that were asked for; None for one that needs none."""
    checks = select(asked.chosen)
    share = share_of(next(check for check in checks if check.name == asked.name), checks, subject)
    return written_budget(read_budget(settings.budget).share(share)) if share > 0 else None


def _assayed(subject: Subject, settings: TestSettings, budget: int | str, checks: tuple[str, ...] | None) -> Report:
    return assay(subject, alpha=settings.alpha, tolerance=settings.tolerance, budget=budget, seed=settings.seed, checks=checks)


def _source(item: "pytest.Function", subject: Subject) -> str | None:
    """Return where the subject is written, if it is a name of the test's own module."""
    where = os.path.relpath(item.path, item.config.invocation_params.dir)
    module = item.module
    return source_in(module, where, subject) if isinstance(module, ModuleType) else None
