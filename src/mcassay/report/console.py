"""Reports as plain text, what matters most first."""

import textwrap
from typing import TYPE_CHECKING

from mcassay.results import IMPORTANCE, SWEEP, CheckResult
from mcassay.rng import written_seed

if TYPE_CHECKING:
    from mcassay.report.report import Report

_WIDTH = 110
_INDENT = " " * 9


def as_text(report: "Report") -> str:
    """Write a report for a terminal."""
    lines = [f"{report.verdict.value:<8} {report.subject}"]
    for result in sorted(report.results, key=lambda result: IMPORTANCE.index(result.verdict)):
        lines += _result_lines(result)
    if report.diagnosis.culprits:
        lines += [f"{_INDENT}culprit: " + ", ".join(f'update "{name}"' for name in report.diagnosis.culprits)]
    lines += [f"{_INDENT}seed {written_seed(report.seed)}, {report.seconds:.2f} s"]
    return "\n".join(lines)


def _result_lines(result: CheckResult) -> list[str]:
    place = result.check if result.target == SWEEP else f"{result.check} {result.target.removeprefix('update:')}"
    head = f"  {result.verdict.value:<7}{place}: "
    return textwrap.wrap(head + result.message, _WIDTH, subsequent_indent=_INDENT, drop_whitespace=True, break_long_words=False)
