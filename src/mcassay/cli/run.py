"""``mcassay run``: assays every subject of a source."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from mcassay.assayer import assay
from mcassay.cli.options import Settings
from mcassay.cli.show import as_json, require_html, show, write_html
from mcassay.cli.status import exit_status
from mcassay.cli.streams import output_of_ours, say_json
from mcassay.engine.budget import read_budget
from mcassay.loading.sources import Sourced, load
from mcassay.report.progress import Progress
from mcassay.report.report import Report
from mcassay.report.writing import write


@dataclass(frozen=True)
class Outputs:
    """Where the reports go, and in what form."""

    form: str = "plain"
    json: Path | None = None
    html: Path | None = None


def run(source: str, settings: Settings, outputs: Outputs) -> int:
    """Assay every subject of a source, write what was found, and return the exit status."""
    if outputs.html is not None:
        require_html()
    with output_of_ours(alone=outputs.form == "json"):
        reports = _assay_all(load(source), settings, outputs.form)
    if outputs.form == "json":
        say_json(as_json(reports))
    if outputs.json is not None:
        write("--json", outputs.json, as_json(reports))
    if outputs.html is not None:
        write_html(reports, outputs.html)
    return exit_status(report.verdict for report in reports)


def assay_one(sourced: Sourced, settings: Settings) -> Report:
    """Assay one subject, with progress on the terminal."""
    # FORCE_COLOR asks for colours, not for a table that is drawn over and over in a file.
    console = Console(stderr=True, force_terminal=sys.stderr.isatty())
    with Progress(console, str(sourced.subject.name), read_budget(settings.budget)) as progress:
        report = assay(
            sourced.subject,
            alpha=settings.alpha,
            tolerance=settings.tolerance,
            budget=settings.budget,
            seed=settings.seed,
            checks=settings.checks,
            executor=settings.workers if settings.workers > 1 else None,
            progress=progress,
        )
    return replace(report, source=sourced.source)


def _assay_all(subjects: Sequence[Sourced], settings: Settings, form: str) -> list[Report]:
    reports: list[Report] = []
    for sourced in subjects:
        reports.append(assay_one(sourced, settings))
        show(reports[-1], form)
        if interrupted(reports[-1]):
            _say_how_to_go_on(reports[-1], subjects[len(reports) :])
            break
    return reports


def interrupted(report: Report) -> bool:
    """Say whether the user broke an assay off."""
    return any(result.details.get("interrupted") for result in report.results)


def _say_how_to_go_on(report: Report, left: Sequence[Sourced]) -> None:
    lines = [f"interrupted; to go on from the same seed: {report.reproduce}"]
    lines += [f"not assayed: {sourced.source}" for sourced in left]
    sys.stderr.write("".join(f"mcassay: {line}\n" for line in lines))
