"""Reports as plain text, what matters most first."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcassay.checks.catalogue import CATALOGUE
from mcassay.results import IMPORTANCE, SWEEP, CheckResult, Diagnosis, Verdict

if TYPE_CHECKING:
    from mcassay.report.report import Report

_WIDTH = 112
_INDENT = " " * 8
_TITLES = {check.name: check.title for check in CATALOGUE}


def as_text(report: "Report") -> str:
    """Write a report for a terminal."""
    lines = [f"{report.verdict.value:<8}{report.subject}"]
    for verdict in IMPORTANCE:
        results = [result for result in report.results if result.verdict is verdict]
        lines += _passed(results) if verdict is Verdict.PASS else [line for result in results for line in _one(result)]
        if verdict is Verdict.FAIL and results:
            lines += [line for said in _diagnosis(report.diagnosis) for line in _wrapped(_INDENT + said)]
    lines += [line for note in report.notes for line in _wrapped(f"{_INDENT}note: {note}")]
    spent = f"{report.sweeps:,} sweeps, {report.seconds:.2g} s"
    return "\n".join([*lines, f"{_INDENT}{spent}; reproduce: {report.reproduce}"])


def _one(result: CheckResult) -> list[str]:
    about = "" if result.target == SWEEP else f' of "{result.target.removeprefix("update:")}"'
    return _wrapped(f"  {result.verdict.value:<8}{result.check}{about}: {result.message}")


def _passed(results: Sequence[CheckResult]) -> list[str]:
    """Write one line for each check that passed, with its targets; the sweep's own message says what was ruled out."""
    lines = []
    for check in dict.fromkeys(result.check for result in results):
        mine = [result for result in results if result.check == check]
        said = "; ".join(result.message for result in mine if result.target == SWEEP) or _TITLES.get(check, "holds")
        updates = ", ".join(result.target.removeprefix("update:") for result in mine if result.target != SWEEP)
        lines += _wrapped(f"  {Verdict.PASS.value:<8}{check}: {said}{f' ({updates})' if updates else ''}")
    return lines


def _diagnosis(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.culprits:
        yield "culprit: " + ", ".join(f'update "{name}"' for name in diagnosis.culprits)
    elif diagnosis.kind != "none":
        yield f"culprit: {diagnosis.kind}"
    if diagnosis.cause:
        yield f"cause:   {diagnosis.cause}"
    if diagnosis.smallest:
        parts = (f"{count} {unit if count > 1 else unit.removesuffix('s')}" for unit, count in diagnosis.smallest.items())
        yield "smallest run that still fails: " + ", ".join(parts)


def _wrapped(line: str) -> list[str]:
    indent = _INDENT + "  "
    return textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
