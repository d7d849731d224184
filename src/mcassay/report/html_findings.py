"""What failed, before all else: the culprit, the cause, how to reproduce it, and links to the checks that say so."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcassay.report.console import KINDS, counted, stands_out
from mcassay.report.html_checks import about, section
from mcassay.report.html_icons import badge
from mcassay.report.html_markup import Markup, element, joined, name_of
from mcassay.report.html_plots import PLENTY, Amount
from mcassay.results import IMPORTANCE, CheckResult, Verdict

if TYPE_CHECKING:
    from mcassay.report.report import Report

BAD = (Verdict.FAIL, Verdict.ERROR)
_SHORT = 300


@dataclass(frozen=True)
class Placed:
    """A report with the anchors of its heading and of each of its results; None where there are none, as in a notebook."""

    report: "Report"
    anchor: str | None
    results: tuple[tuple[CheckResult, str | None], ...]

    def found(self, *verdicts: Verdict) -> list[tuple[CheckResult, str | None]]:
        """Return the results of these verdicts, in order of importance."""
        return [pair for verdict in IMPORTANCE if verdict in verdicts for pair in self.results if pair[0].verdict is verdict]


def findings(placed: Placed, level: str) -> Markup:
    """Write what went wrong in one report."""
    report = placed.report
    head = element(level, badge(report.verdict), " ", name_of(report.subject))
    terms = [joined([element("dt", term), element("dd", said)]) for term, said in _explained(report)]
    links = element(
        "ul", *(_link(result, anchor, report.diagnosis.cause) for result, anchor in placed.found(*BAD)), class_="links"
    )
    return element("article", head, element("dl", *terms), links, class_=f"finding {report.verdict.value.lower()}-edge")


def _link(result: CheckResult, anchor: str | None, cause: str | None) -> Markup:
    """Name a result, and say what it found unless the cause has said it already."""
    said = about(result)
    link = said if anchor is None else element("a", said, href=f"#{anchor}")
    more = None if cause and cause in result.message else element("div", shortened(result.message), class_="said")
    return element("li", badge(result.verdict), " ", link, more)


def shortened(text: str) -> str:
    """Cut a long text at a word."""
    return textwrap.shorten(text, _SHORT, placeholder=" ...")


def _explained(report: "Report") -> Iterator[tuple[str, Markup | str]]:
    diagnosis = report.diagnosis
    culprit = _culprit(report)
    if culprit is not None:
        yield "Culprit", culprit
    if diagnosis.cause:
        yield "Cause", diagnosis.cause
    if diagnosis.smallest:
        yield "Smallest run that still fails", ", ".join(counted(*part) for part in diagnosis.smallest.items())
    yield "Reproduce", element("code", report.reproduce, class_="command")


def _culprit(report: "Report") -> Markup | None:
    diagnosis = report.diagnosis
    if diagnosis.culprits:
        parts = [part for name in diagnosis.culprits for part in (", ", "update ", name_of(name))]
        return joined([*parts[1:], stands_out(report)])
    return None if diagnosis.kind == "none" else joined([KINDS.get(diagnosis.kind, diagnosis.kind)])


def subject(placed: Placed, level: str, amount: Amount = PLENTY) -> Markup:
    """Write one report whole: what it was run with, and every result in order of importance."""
    report = placed.report
    head = element(level, badge(report.verdict), " ", name_of(report.subject))
    checks = [section(result, report.tolerance, anchor, amount) for result, anchor in placed.found(*IMPORTANCE)]
    notes = [element("li", note) for note in report.notes]
    listed = element("ul", *notes, class_="notes") if notes else None
    return element(
        "section", head, counts(report.results), _run_with(report), listed, *checks, id=placed.anchor, class_="subject"
    )


def counts(results: Sequence[CheckResult]) -> Markup:
    """Write how often each verdict was found."""
    found = [(verdict, sum(result.verdict is verdict for result in results)) for verdict in IMPORTANCE]
    return element("p", *(joined([badge(verdict, count), " "]) for verdict, count in found if count), class_="counts")


def _run_with(report: "Report") -> Markup:
    facts = {
        "sweeps": f"{report.sweeps:,}",
        "seconds": f"{report.seconds:.3g}",
        "budget": report.budget,
        "alpha": f"{report.alpha:g}",
        "tolerance": report.tolerance,
        "checks": ", ".join(report.chosen) if report.chosen else None,
        **report.versions,
    }
    terms = [element("div", element("dt", name), element("dd", value)) for name, value in facts.items() if value is not None]
    command = element("div", element("dt", "reproduce"), element("dd", element("code", report.reproduce, class_="command")))
    return element("dl", *terms, command, class_="facts")
