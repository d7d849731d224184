"""``mcassay replay``: runs an assay again from its report, and says whether the outcome is the same."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from mcassay.assayer import versions
from mcassay.checks.catalogue import select
from mcassay.checks.shares import share_of
from mcassay.cli.options import Settings
from mcassay.cli.run import assay_one
from mcassay.cli.show import show
from mcassay.cli.streams import say
from mcassay.engine.budget import read_budget, written_budget
from mcassay.errors import InputError
from mcassay.loading.sources import Sourced, load
from mcassay.report.report import Report
from mcassay.results import CheckResult
from mcassay.rng import written_seed

_Key = tuple[str, str]


@dataclass(frozen=True)
class Replay:
    """A report and the one that running it again gave, for the same checks."""

    before: Report
    after: Report

    def differences(self) -> list[str]:
        """Return what is not the same, in words."""
        before, after = _by_key(self.before), _by_key(self.after)
        return [said for key in before | after for said in _compare(key, before.get(key), after.get(key))]

    def lines(self) -> Iterator[str]:
        """Say whether the outcome is the same, and what else may have a part in it."""
        found = self.differences()
        yield f"{self.before.subject}: " + ("the same outcome" if not found else "the outcome differs")
        yield from (f"  {line}" for line in found)
        if self.before.budget is not None and isinstance(self.before.budget, str) and self.before.budget[0].isdigit():
            yield f"  the budget is a time ({self.before.budget}): where it ends depends on the machine"
        yield from (f"  {line}" for line in _other_versions(self.before.versions))


def replay(reports: Sequence[Report], check: str | None, workers: int, form: str) -> int:
    """Run the assays of reports again; the exit status says whether every outcome was the same."""
    same = True
    for report in reports:
        again = replay_one(report, check, workers)
        show(again.after, form)
        say("".join(f"{line}\n" for line in again.lines()))
        same = same and not again.differences()
    return 0 if same else 1


def replay_one(report: Report, check: str | None, workers: int) -> Replay:
    """Run the assay of a report again, or one check of it; a report may be about some of the checks that ran."""
    sourced = _sourced(report)
    given = Settings(
        report.budget or "ci", report.alpha, report.tolerance or 0.02, written_seed(report.seed), report.chosen, workers
    )
    if check is not None:
        _require_in(report, check)
        checks = select(report.chosen)
        share = share_of(next(one for one in checks if one.name == check), checks, sourced.subject)
        part = read_budget(given.budget).share(share) if share > 0 else given.budget
        given = replace(given, budget=written_budget(part), checks=(check,))
    names = {result.check for result in report.results} if check is None else {check}
    return Replay(_about(report, names), _about(assay_one(sourced, given), names))


def _about(report: Report, checks: Collection[str]) -> Report:
    return replace(report, results=tuple(result for result in report.results if result.check in checks))


def _sourced(report: Report) -> Sourced:
    if report.source is None:
        raise InputError(f"{report.subject}: the report does not say where its subject is written; run {report.reproduce}")
    found = load(report.source)
    named = [one for one in found if one.subject.name == report.subject]
    if not named:
        names = ", ".join(f'"{one.subject.name}"' for one in found)
        raise InputError(f'{report.source} is {names} now; the report is about "{report.subject}"')
    return named[0]


def _require_in(report: Report, name: str) -> None:
    names = list(dict.fromkeys(result.check for result in report.results))
    if name not in names:
        close = get_close_matches(name, names, 1)
        hint = f'did you mean "{close[0]}"?' if close else f"there are {', '.join(names)}"
        raise InputError(f'--check: the report about "{report.subject}" has no check "{name}"; {hint}')


def _by_key(report: Report) -> dict[_Key, CheckResult]:
    return {(result.check, result.target): result for result in report.results}


def _compare(key: _Key, before: CheckResult | None, after: CheckResult | None) -> Iterator[str]:
    about = " of ".join(part for part in (key[0], key[1].removeprefix("update:")) if part != "sweep")
    if before is None or after is None:
        yield f"{about}: {'only now' if before is None else 'not any more'}"
        return
    if before.verdict != after.verdict:
        yield f"{about}: {before.verdict} then, {after.verdict} now"
    elif before.sweeps != after.sweeps:
        yield f"{about}: {before.sweeps:,} sweeps then, {after.sweeps:,} now"
    elif not _alike(before.log10_evidence, after.log10_evidence):
        yield f"{about}: evidence 10^{before.log10_evidence} then, 10^{after.log10_evidence} now"


def _alike(one: float | None, other: float | None) -> bool:
    """Say whether two evidences are the same up to the rounding of another machine."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def _other_versions(before: dict[str, str]) -> Iterator[str]:
    now = versions()
    for name, version in before.items():
        if now.get(name, version) != version:
            yield f"{name} was {version} then and is {now[name]} now"
