"""What the hooks of the plugin do with a test of ours."""

import json
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from mcassay.errors import InputError
from mcassay.pytest_support.outcome import unexpected, unexpected_pass, verdict_of
from mcassay.pytest_support.parametrise import AskedCheck
from mcassay.pytest_support.running import BoundCheck
from mcassay.pytest_support.settings import settings_of
from mcassay.report.report import Report
from mcassay.results import Verdict

if TYPE_CHECKING:
    import pytest


def run_test(item: "pytest.Function", key: "pytest.StashKey[Any]") -> Generator[None, Any, Any]:
    """Run a test with a check in its hands that knows what to run with; bad input is told without a traceback."""
    import pytest

    asked = item.funcargs.get("check")
    if not isinstance(asked, AskedCheck):
        return (yield)
    try:
        bound = BoundCheck(asked, settings_of(item, asked.name), item)
        item.funcargs["check"] = item.stash[key] = bound
        result = yield
    except InputError as error:
        pytest.fail(f"mcassay: {error}", pytrace=False)
    finally:
        if key in item.stash:
            item.user_properties.extend(_properties(item.stash[key]))
    if not bound.reports:
        pytest.fail("the test did not call check(subject), so that nothing was tested", pytrace=False)
    return result


def annotate(report: "pytest.TestReport", item: "pytest.Item", bound: BoundCheck) -> None:
    """Put on the report of a test what the session needs, in a form that workers can send."""
    if not bound.reports:
        return
    last = bound.reports[-1]
    verdict = verdict_of(last)
    report.mcassay = {  # type: ignore[attr-defined]
        "verdict": verdict.value,
        "said": unexpected(bound.asked) if unexpected_pass(last, bound.asked) else _said(last),
        "unexpected": unexpected_pass(last, bound.asked),
        "expected_failure": verdict is Verdict.FAIL and (bound.asked.expected is not None or hasattr(report, "wasxfail")),
        "family": item.nodeid.partition("[")[0],
        "budget": bound.settings.budget,
        "asked": None if bound.asked.chosen is None else list(bound.asked.chosen),
        "parts": list(bound.parts),
        "reports": [json.dumps(one.to_dict()) for one in bound.reports],
    }
    if report.skipped and isinstance(report.longrepr, tuple):  # the place of the test, and not that of our own line
        path, line, _ = item.location
        report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])
    if report.passed and unexpected_pass(last, bound.asked):
        report.wasxfail = bound.asked.expected or ""


def _said(report: Report) -> str:
    """Return the most important message of a report, in one line."""
    first = next(result for result in report.results if result.verdict is verdict_of(report))
    return " ".join(first.message.split())


def _properties(bound: BoundCheck) -> list[tuple[str, object]]:
    """Return what a JUnit file says of a test."""
    said: list[tuple[str, object]] = []
    for report in bound.reports:
        found: dict[str, object] = {
            "subject": report.subject,
            "check": bound.asked.name,
            "verdict": verdict_of(report).value,
            "seed": bound.settings.seed,
            "sweeps": report.sweeps,
            "replay": bound.settings.replay,
        }
        evidence = [result.log10_evidence for result in report.results if result.log10_evidence is not None]
        if evidence:
            found["log10_evidence"] = max(evidence)
        said += [(f"mcassay_{name}", value) for name, value in found.items()]
    return said
