"""One result as a part of a page: what was found, the plots, and the figures behind them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcassay.checks.catalogue import CATALOGUE
from mcassay.report.figures import number
from mcassay.report.html_icons import badge
from mcassay.report.html_markup import Markup, element, joined, name_of, table, unfolded
from mcassay.report.html_plots import PLENTY, Amount, plots, statistics_table
from mcassay.report.svg_plots import odds
from mcassay.results import SWEEP, CheckResult, Verdict

_TITLES = {check.name: check.title for check in CATALOGUE}
_MOST_ROWS = 40
_OPEN = (Verdict.FAIL, Verdict.ERROR)


def _above(gap: float) -> str:
    return f"{gap:.2g}" if gap < 1 else "nothing"


# Figures kept by the name of an update, a block or a run length, as one small table each.
_TABLES: dict[str, tuple[str, tuple[str, str], Callable[[float], str]]] = {
    "resolution": ("What is ruled out, by run length", ("run length", "P-P gaps above"), _above),
    "by_length": ("Evidence by run length", ("sweeps", "odds against"), odds),
    "prefixes": ("Evidence after each update of the first sweep", ("update", "odds against"), odds),
    "kept": ("Share of the start that may be kept", ("run length", "at most"), "{:.2g}".format),
    "moved": ("How often each block moved", ("block", "replicates"), "{:,.0f}".format),
}


def about(result: CheckResult) -> Markup:
    """Write the name of a check and what it was about."""
    check = element("strong", result.check or "(no name)")
    if result.target == SWEEP:
        return check
    return joined([check, " of ", name_of(result.target.removeprefix("update:"))])


def section(result: CheckResult, tolerance: float | None, anchor: str | None, amount: Amount = PLENTY) -> Markup:
    """Write a result; what failed is unfolded from the start."""
    extra = [odds(result.log10_evidence) and f"{odds(result.log10_evidence)} against", _sweeps(result)]
    figures = element("span", ", ".join(part for part in extra if part), class_="figures")
    head = joined([badge(result.verdict), element("span", about(result), class_="about"), figures])
    is_open = result.verdict in _OPEN
    return unfolded(
        head, element("div", *_body(result, tolerance, amount), class_="body"), id=anchor, class_="check", open=is_open
    )


def _sweeps(result: CheckResult) -> str:
    return f"{result.sweeps:,} sweeps" if result.sweeps else ""


def _body(result: CheckResult, tolerance: float | None, amount: Amount) -> Iterator[Markup | None]:
    yield element("p", result.message, class_="message")
    if result.cause and result.cause not in result.message:
        yield element("p", element("strong", "Cause: "), result.cause, class_="message")
    if result.check in _TITLES:
        yield element("p", f"What was checked: {_TITLES[result.check]}.", class_="title")
    yield from plots(result, tolerance, amount)
    small = [made for key in _TABLES if (made := _small(key, result.details.get(key))) is not None]
    if small:
        yield unfolded("Run lengths, updates and blocks", element("div", *small, class_="grid"), class_="data")
    yield statistics_table(result, amount)


def _small(key: str, kept: Any) -> Markup | None:
    """Write figures by name; one alone says nothing that the message does not."""
    if not isinstance(kept, Mapping) or len(kept) < 2:
        return None
    caption, head, form = _TABLES[key]
    found = [(str(name), value) for name, value in ((n, number(v)) for n, v in kept.items()) if value is not None]
    rows = [(name, form(value)) for name, value in found[:_MOST_ROWS]]
    return table(caption, head, rows) if rows else None
