"""One page over all faults: a single file that needs no network, survivors first, each with what was changed."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from mcassay.faults.outcome import Outcome, Status
from mcassay.faults.report import FaultReport, headline, meaning
from mcassay.report.html_markup import Markup, element, table, unfolded
from mcassay.report.writing import write


def save_html(report: FaultReport, path: str | Path) -> None:
    """Write the page."""
    write("save_html", path, page(report))


def page(report: FaultReport) -> str:
    """Return the page as text."""
    survivors = report.survivors
    said = "Survivors: no check caught these" if survivors else "No fault survived"
    first = element("section", element("h2", said), *map(_survivor, survivors), id="survivors")
    rest = [_section(report, status) for status in (Status.BROKEN, Status.CAUGHT, Status.EQUIVALENT)]
    main = element("main", first, _operators(report), *rest, id="findings", tabindex="-1")
    body = element("body", _header(report), main, class_="mcassay page")
    return f"<!DOCTYPE html>\n{element('html', _head(report), body, lang='en')}\n"


@cache
def _style() -> Markup:
    files = (("mcassay.report", "html_page.css"), ("mcassay.faults", "page.css"))
    return Markup("".join(resources.files(room).joinpath(name).read_text(encoding="utf-8") for room, name in files))


def _head(report: FaultReport) -> Markup:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", f"{len(report.survivors)} survived: faults of {report.subject} - mcassay"),
        element("style", _style()),
    )


def _header(report: FaultReport) -> Markup:
    facts = {"source": report.source, "budget": report.budget, "seed": f"{report.seed:x}", "alpha": f"{report.alpha:g}"}
    shown = [element("div", element("dt", name), element("dd", value)) for name, value in facts.items()]
    title = element("h1", element("span", "mcassay faults", class_="brand"))
    return element("header", title, element("p", headline(report), class_="meaning"), element("dl", *shown, class_="facts"))


def _survivor(outcome: Outcome) -> Markup:
    heading = element("h3", str(outcome.fault.operator), ": ", element("code", _place(outcome)))
    said = [element("p", line, class_="message") for line in meaning(outcome)]
    return element("div", heading, _diff(outcome), *said, class_="finding")


def _place(outcome: Outcome) -> str:
    fault = outcome.fault
    return f"{Path(fault.path).name}:{fault.line} in {fault.function}"


def _diff(outcome: Outcome) -> Markup:
    kinds = {"-": "out", "+": "in"}
    lines = [element("span", line, class_=kinds.get(line[:1])) for line in outcome.diff.splitlines()]
    return element("pre", *lines, class_="diff", tabindex="0", role="region", aria_label="what was changed")


def _operators(report: FaultReport) -> Markup:
    """Count what became of the faults of each operator."""
    counts = Counter((one.fault.operator, one.status) for one in report.outcomes)
    names = sorted({one.fault.operator for one in report.outcomes})
    rows = [[name, *(counts[name, status] for status in Status)] for name in names]
    head = ["operator", *(status.value for status in Status)]
    return element("section", element("h2", "By operator"), table("what became of each kind of mistake", head, rows))


def _section(report: FaultReport, status: Status) -> Markup | None:
    found = report.of(status)
    if not found:
        return None
    return element("section", element("h2", f"{status.value.capitalize()}: {len(found)}"), *map(_folded, found))


def _folded(outcome: Outcome) -> Markup:
    parts = [element("span", f"{_place(outcome)}: {outcome.fault.operator}", class_="about")]
    parts.append(element("span", "; ".join(_figures(outcome)), class_="figures"))
    inner = element("div", _diff(outcome), element("p", outcome.reason, class_="message"), class_="body")
    return unfolded(Markup("".join(parts)), inner, class_="check")


def _figures(outcome: Outcome) -> Iterator[str]:
    if outcome.check is not None:
        yield f"by {outcome.check}" if outcome.status is Status.CAUGHT else f"in {outcome.check}"
    if outcome.culprits:
        yield f"culprit {', '.join(outcome.culprits)}"
    if outcome.sweeps:
        yield f"{outcome.sweeps:,} sweeps"
    yield f"{outcome.seconds:.1f} s"
