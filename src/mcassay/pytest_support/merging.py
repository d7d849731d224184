"""Puts the reports of single checks together: all checks of a subject in one test function are one assay of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mcassay.checks.catalogue import CATALOGUE
from mcassay.diagnosis import diagnose
from mcassay.engine.budget import Budget, read_budget, written_budget
from mcassay.report.report import Report
from mcassay.results import Diagnosis

_ORDER = {check.name: place for place, check in enumerate(CATALOGUE)}


@dataclass(frozen=True)
class OneCheck:
    """The report of one check, and the assay that it is a part of.

    Attributes
    ----------
    family
        The test function.
    budget, asked
        Those of the whole assay.
    part
        The part of the budget that the check had; None for one that needs none.
    """

    family: str
    report: Report
    budget: int | str
    asked: tuple[str, ...] | None = None
    part: int | str | None = None

    @property
    def check(self) -> str:
        """The name of the check."""
        return self.report.results[0].check

    @property
    def assay(self) -> tuple[object, ...]:
        """What all checks of one assay have in common."""
        report = self.report
        return self.family, report.subject, report.seed, report.alpha, report.tolerance, self.budget, self.asked


def merged(checks: Iterable[OneCheck]) -> list[Report]:
    """Return one report for each test function and subject."""
    groups: dict[tuple[object, ...], dict[str, OneCheck]] = {}
    for one in checks:
        groups.setdefault(one.assay, {})[one.check] = one
    return [_merge(sorted(group.values(), key=lambda one: _ORDER.get(one.check, len(_ORDER)))) for group in groups.values()]


def _merge(checks: Sequence[OneCheck]) -> Report:
    """Put reports with the same seed together; what they say is read again as a whole."""
    reports = [one.report for one in checks]
    results = tuple(result for report in reports for result in report.results)
    complete = {one.check for one in checks} == set(checks[0].asked or _ORDER)
    return replace(
        reports[0],
        results=results,
        diagnosis=_diagnosis(reports, diagnose(results)),
        seconds=sum(report.seconds for report in reports),
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        budget=checks[0].budget if complete else _parts(checks),
        chosen=checks[0].asked if complete else tuple(one.check for one in checks),
    )


def _diagnosis(reports: Sequence[Report], whole: Diagnosis) -> Diagnosis:
    """Keep the smallest failing run that was found; it was searched for where the check ran."""
    found = [report.diagnosis.smallest for report in reports if report.diagnosis.smallest is not None]
    return replace(whole, smallest=found[0] if found and whole.kind != "none" else None)


def _parts(checks: Sequence[OneCheck]) -> int | str:
    """Return the budget of an assay of these checks alone."""
    parts = [read_budget(one.part) for one in checks if one.part is not None]
    if not parts:
        return checks[0].budget
    if parts[0].seconds is not None:
        return written_budget(Budget(None, sum(part.seconds or 0.0 for part in parts)))
    return written_budget(Budget(sum(part.sweeps or 0 for part in parts)))
