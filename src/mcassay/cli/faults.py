"""``mcassay faults``: makes mistakes in a sampler on purpose, and tells which of them its checks catch."""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from mcassay.cli.run import Outputs
from mcassay.cli.show import for_terminal
from mcassay.cli.status import FAILED, PASSED, UNCLEAR
from mcassay.cli.streams import output_of_ours, say, say_json
from mcassay.faults import FaultReport, Outcome, Status, inject
from mcassay.faults.html import page
from mcassay.report.writing import write


@dataclass(frozen=True)
class Asked:
    """What the options ask for."""

    budget: int | str
    operators: tuple[str, ...] | None
    checks: tuple[str, ...] | None
    seed: str | None
    workers: int
    most: int | None
    time_limit: float | None
    journal: Path | None


def faults(source: str, asked: Asked, outputs: Outputs) -> int:
    """Make the mistakes, write what became of them, and return the exit status."""
    with output_of_ours(alone=outputs.form == "json"):
        report = _injected(source, asked)
    _show(report, outputs.form)
    if outputs.json is not None:
        write("--json", outputs.json, report.to_json())
    if outputs.html is not None:
        write("--html", outputs.html, page(report))
    if report.interrupted:
        sys.stderr.write("mcassay: interrupted; the same command goes on from here\n")
        return UNCLEAR
    return FAILED if report.survivors else PASSED


def _injected(source: str, asked: Asked) -> FaultReport:
    console = Console(stderr=True, force_terminal=sys.stderr.isatty())
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task, survived = bar.add_task("running the checks on the right subject", total=None), 0

    def told(outcome: Outcome, done: int, total: int) -> None:
        nonlocal survived
        survived += outcome.status is Status.SURVIVED
        bar.update(task, completed=done, total=total, description=f"{survived} survived")

    with bar:
        return inject(
            source,
            budget=asked.budget,
            operators=asked.operators,
            checks=asked.checks,
            seed=asked.seed,
            workers=asked.workers,
            most=asked.most,
            time_limit=asked.time_limit,
            journal=asked.journal or Path(tempfile.gettempdir()),
            progress=told,
        )


def _show(report: FaultReport, form: str) -> None:
    if form == "json":
        say_json(report.to_json())
    elif form == "plain":
        say(f"{report}\n")
    else:
        say(for_terminal(_coloured(str(report))))


def _coloured(text: str) -> Text:
    styled = Text(text)
    styles: dict[str, Any] = {r"(?m)^SURVIVED\b": "bold red", r"(?m)^ +-.*$": "red", r"(?m)^ +\+.*$": "green"}
    for pattern, style in styles.items():
        styled.highlight_regex(pattern, style)
    return styled
