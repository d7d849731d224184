"""What a verdict means for a test, and what is told of it."""

from mcassay.pytest_support.parametrise import AskedCheck
from mcassay.pytest_support.settings import TestSettings
from mcassay.report.report import Report
from mcassay.results import Verdict


def verdict_of(report: Report) -> Verdict:
    """Return the verdict of the only check of a report; SKIPPED where it does not apply."""
    verdicts = {result.verdict for result in report.results}
    return Verdict.SKIPPED if verdicts == {Verdict.SKIPPED} else report.verdict


def conclude(report: Report, asked: AskedCheck, settings: TestSettings) -> None:
    """End a test as the verdict says; nothing happens where the test goes on."""
    import pytest

    __tracebackhide__ = True
    verdict = verdict_of(report)
    if any(result.details.get("interrupted") for result in report.results):
        pytest.exit(f"{told(report, settings)}\ninterrupted; to go on from the same seed: {settings.replay}", returncode=2)
    if verdict is Verdict.SKIPPED:
        pytest.skip("; ".join(result.message for result in report.results))
    if verdict is Verdict.FAIL and asked.expected is not None:
        pytest.xfail(asked.expected)
    if verdict in (Verdict.FAIL, Verdict.ERROR) or (verdict is Verdict.UNCLEAR and settings.strict):
        pytest.fail(told(report, settings), pytrace=False)
    if unexpected_pass(report, asked) and settings.strict_expected:
        pytest.fail(f"{unexpected(asked)}\n{told(report, settings)}", pytrace=False)


def told(report: Report, settings: TestSettings) -> str:
    """Return the report, and the command that repeats the test."""
    return f"{report}\n        replay: {settings.replay}"


def unexpected_pass(report: Report, asked: AskedCheck) -> bool:
    """Say whether a check passed that was expected to fail."""
    return asked.expected is not None and verdict_of(report) is Verdict.PASS


def unexpected(asked: AskedCheck) -> str:
    """Say that a check passed that was expected to fail."""
    return f"expected to fail ({asked.expected}), but it passed: take it out of expected_failures"
