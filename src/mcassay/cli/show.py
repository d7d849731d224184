"""Shows reports on standard output: with colours, as plain text, or as JSON."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from mcassay.cli.streams import say, say_json
from mcassay.errors import InputError
from mcassay.report import writing
from mcassay.report.report import Report
from mcassay.results import Verdict

_STYLES = {
    Verdict.PASS: "bold green",
    Verdict.FAIL: "bold red",
    Verdict.ERROR: "bold magenta",
    Verdict.UNCLEAR: "bold yellow",
    Verdict.SKIPPED: "dim",
}


def show(report: Report, form: str) -> None:
    """Write one report to standard output, unless all of them are written as JSON at the end."""
    if form == "json":
        return
    say(f"{report}\n" if form == "plain" else for_terminal(coloured(str(report))))


def show_all(reports: Sequence[Report], form: str) -> None:
    """Write several reports to standard output."""
    for report in reports:
        show(report, form)
    if form == "json":
        say_json(as_json(reports))


def for_terminal(text: Text) -> str:
    """Write a text with its colours, where there is a terminal to show them or they are forced."""
    written = io.StringIO()
    Console(file=written, force_terminal=sys.stdout.isatty() or None, highlight=False, soft_wrap=True).print(text)
    return written.getvalue()


def coloured(text: str) -> Text:
    """Colour the verdict at the beginning of a line, and what leads to the bug."""
    styled = Text(text)
    for verdict, style in _STYLES.items():
        styled.highlight_regex(rf"(?m)^ *{verdict.value}\b", style)
    styled.highlight_regex(r"(?m)^ +(culprit|cause|smallest run that still fails|reproduce):", "bold")
    return styled


def as_json(reports: Sequence[Report]) -> str:
    """Write one report as an object, several as a list."""
    forms: list[dict[str, Any]] = [report.to_dict() for report in reports]
    return writing.as_json(forms[0] if len(forms) == 1 else forms) + "\n"


def require_html() -> None:
    """Raise a worded error where pages can not be made, before an assay that would be lost."""
    try:
        from mcassay.report import html  # noqa: F401
    except ImportError:
        raise InputError("--html: this mcassay can not write HTML; use --json") from None


def write_html(reports: Sequence[Report], path: Path) -> None:
    """Write one page over all reports."""
    require_html()
    from mcassay.report.html import page

    writing.write("--html", path, page(list(reports)))
