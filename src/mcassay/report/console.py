"""Reports as plain text, what matters most first."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcassay.checks.betting import odds
from mcassay.checks.catalogue import CATALOGUE
from mcassay.results import IMPORTANCE, SWEEP, CheckResult, Verdict

if TYPE_CHECKING:
    from mcassay.report.report import Report

_WIDTH = 112
_INDENT = " " * 8
KINDS = {
    "composition": "composition (every update is right alone, and they are wrong together)",
    "model": "model (log_joint, or prior and simulate)",
    "init": "init (not the kernel)",
}
_TITLES = {check.name: check.title for check in CATALOGUE}


def as_text(report: "Report") -> str:
    """Write a report for a terminal."""
    lines = [f"{report.verdict.value:<8}{report.subject}"]
    for verdict in IMPORTANCE:
        results = [result for result in report.results if result.verdict is verdict]
        lines += _passed(results) if verdict is Verdict.PASS else [line for result in results for line in _one(result)]
        if verdict is Verdict.FAIL and results:
            lines += [line for said in _diagnosis(report) for line in _wrapped(_INDENT + said)]
    lines += [line for note in report.notes for line in _wrapped(f"{_INDENT}note: {note}")]
    spent = f"{report.sweeps:,} sweeps, {report.seconds:.2g} s"
    return "\n".join([*lines, f"{_INDENT}{spent}; reproduce: {report.reproduce}"])


def _one(result: CheckResult) -> list[str]:
    about = "" if result.target == SWEEP else f' of "{result.target.removeprefix("update:")}"'
    return _wrapped(f"  {result.verdict.value:<8}{result.check}{about}: {result.message}")


def _passed(results: Sequence[CheckResult]) -> list[str]:
    """Write one line for each check that passed: of the sweep what was ruled out, and of updates together what holds."""
    lines = []
    for check in dict.fromkeys(result.check for result in results):
        mine = [result for result in results if result.check == check]
        updates = [result for result in mine if result.target != SWEEP]
        lines += [line for result in mine if result.target == SWEEP for line in _one(result)]
        if updates:
            names = ", ".join(f'"{result.target.removeprefix("update:")}"' for result in updates)
            lines += _wrapped(f"  {Verdict.PASS.value:<8}{check} of {names}: {_holds(check, updates)}")
    return lines


def _holds(check: str, updates: Sequence[CheckResult]) -> str:
    """Say what holds of several updates."""
    resolutions = [result.details["resolution"] for result in updates if result.details.get("resolution")]
    sizes = [next(iter(by_run_length.values())) for by_run_length in resolutions]  # after the shortest run
    if sizes:
        return f"nothing found; P-P gaps above {max(sizes):.2g} are ruled out"
    problems = {result.details["problem"] for result in updates if "problem" in result.details}
    return _TITLES.get(check, "holds") + (f" ({problems.pop()})" if len(problems) == 1 else "")


def _diagnosis(report: "Report") -> Iterator[str]:
    diagnosis = report.diagnosis
    if diagnosis.culprits:
        yield "culprit: " + ", ".join(f'update "{name}"' for name in diagnosis.culprits) + stands_out(report)
    elif diagnosis.kind != "none":
        yield f"culprit: {KINDS.get(diagnosis.kind, diagnosis.kind)}"
    if diagnosis.cause:
        yield f"cause:   {diagnosis.cause}"
    if diagnosis.smallest:
        yield "smallest run that still fails: " + ", ".join(counted(*part) for part in diagnosis.smallest.items())


def stands_out(report: "Report") -> str:
    """Say how the culprit stands out against the other updates."""
    alone = {
        result.target.removeprefix("update:"): result.log10_evidence
        for result in report.results
        if result.check == "invariance" and result.target != SWEEP and result.log10_evidence is not None
    }
    culprits = [alone.pop(name) for name in report.diagnosis.culprits if name in alone]
    if len(culprits) != 1 or not alone or max(alone.values()) >= culprits[0]:
        return ""
    others = f"the other {len(alone)}" if len(alone) > 1 else "the other one"
    return f" ({odds(culprits[0])} against it alone, {others} at most {odds(max(alone.values()))})"


def counted(unit: str, count: int) -> str:
    """Write how many of something there are."""
    number = count or "no"
    return f"{number} {unit.removesuffix('s') if count <= 1 else unit}"


def _wrapped(line: str) -> list[str]:
    indent = _INDENT + "  "
    return textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
