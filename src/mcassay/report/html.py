"""One page over one or many reports: a single file that needs no network, with what failed at its top."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from mcassay.report.html_anchors import Anchors, anchor
from mcassay.report.html_checks import about, section
from mcassay.report.html_findings import BAD, Placed, counts, findings, subject
from mcassay.report.html_icons import badge
from mcassay.report.html_markup import Markup, element, name_of
from mcassay.report.html_plots import PLENTY, SPARING
from mcassay.report.writing import write
from mcassay.results import IMPORTANCE, CheckResult, Verdict, overall

if TYPE_CHECKING:
    from mcassay.report.report import Report

# From so many results on a page draws less of each, so that it stays quick.
_MANY = 100


def save_html(reports: "Sequence[Report]", path: str | Path) -> None:
    """Write one self-contained page over all reports."""
    write("save_html", path, page(reports))


def page(reports: "Sequence[Report]") -> str:
    """Return the page as text."""
    anchors = Anchors()
    placed = [_placed(report, anchors) for report in sorted(reports, key=_importance)]
    body = element(
        "body", _skip(), _header(placed), _main(placed), element("script", _asset("html_page.js")), class_="mcassay page"
    )
    return f"<!DOCTYPE html>\n{element('html', _head(placed), body, lang='en')}\n"


def notebook(report: "Report") -> str:
    """Return a report as a part of a notebook: without anchors and script, since it shares a page with others."""
    placed = Placed(report, None, tuple((result, None) for result in report.results))
    first = findings(placed, "h3") if placed.found(*BAD) else None
    return _inside(first, subject(placed, "h3"))


def notebook_of_result(result: CheckResult) -> str:
    """Return one result as a part of a notebook."""
    return _inside(section(result, None, None))


def _inside(*content: Markup | None) -> Markup:
    return element("div", element("style", _asset("html_page.css")), *content, class_="mcassay")


def _importance(report: "Report") -> int:
    return IMPORTANCE.index(report.verdict)


def _placed(report: "Report", anchors: Anchors) -> Placed:
    own = anchors.take(anchor(report.subject))
    return Placed(report, own, tuple((result, anchors.take(anchor(report.subject, result))) for result in report.results))


@cache
def _asset(name: str) -> Markup:
    return Markup(resources.files("mcassay.report").joinpath(name).read_text(encoding="utf-8"))


def _head(placed: Sequence[Placed]) -> Markup:
    verdict = overall([one.report.verdict for one in placed])
    names = placed[0].report.subject if len(placed) == 1 else f"{len(placed)} subjects"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", f"{verdict.value} {names} - mcassay"),
        element("style", _asset("html_page.css")),
    )


def _policy() -> str:
    """Allow nothing but the style and the script of this page, and no network at all."""
    style, script = (_hash(_asset(name)) for name in ("html_page.css", "html_page.js"))
    return f"default-src 'none'; style-src {style}; script-src {script}; img-src data:; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _skip() -> Markup:
    return element("a", "Skip to the findings", href="#findings", class_="skip")


def _header(placed: Sequence[Placed]) -> Markup:
    reports = [one.report for one in placed]
    verdict = overall([report.verdict for report in reports])
    title = element("h1", element("span", "mcassay", class_="brand"), badge(verdict))
    return element("header", title, element("p", _MEANING[verdict], class_="meaning"), *_over_all(placed))


def _over_all(placed: Sequence[Placed]) -> Iterator[Markup]:
    """Sum up many reports, and link to every one."""
    if len(placed) < 2:
        return
    reports = [one.report for one in placed]
    yield counts([result for report in reports for result in report.results])
    sweeps, seconds = sum(report.sweeps for report in reports), sum(report.seconds for report in reports)
    yield element("p", f"{len(reports)} subjects, {sweeps:,} sweeps, {seconds:.3g} s", class_="meaning")
    yield element("nav", element("ul", *map(_entry, placed)), id="contents", aria_label="Subjects")


def _entry(one: Placed) -> Markup:
    return element("li", badge(one.report.verdict), " ", element("a", name_of(one.report.subject), href=f"#{one.anchor}"))


_MEANING = {
    Verdict.FAIL: "Something is wrong: the evidence is beyond what a right kernel reaches with probability alpha, or an "
    "exact identity is broken.",
    Verdict.ERROR: "The code that was assayed raised an error.",
    Verdict.UNCLEAR: "Nothing wrong was found, but not enough was ruled out for a PASS.",
    Verdict.PASS: "Nothing wrong was found; every check says what it ruled out.",
    Verdict.SKIPPED: "Nothing could be checked.",
}


def _main(placed: Sequence[Placed]) -> Markup:
    failed = [findings(one, "h3") for one in placed if one.found(*BAD)]
    heading = "What failed" if failed else "Nothing failed"
    first = element("section", element("h2", heading), *failed, _unclear(placed), id="failures")
    amount = PLENTY if sum(len(one.results) for one in placed) <= _MANY else SPARING
    rest = [subject(one, "h2", amount) for one in placed]
    return element("main", first, *rest, id="findings", tabindex="-1")


def _unclear(placed: Sequence[Placed]) -> Markup | None:
    """Link to what is unclear, after what failed."""
    links = [
        element("li", element("a", name_of(one.report.subject), ": ", about(result), href=f"#{place}"))
        for one in placed
        for result, place in one.found(Verdict.UNCLEAR)
    ]
    if not links:
        return None
    heading = element("h3", badge(Verdict.UNCLEAR), " What is unclear")
    return element("div", heading, element("ul", *links, class_="links"), id="unclear", class_="finding unclear-list")
