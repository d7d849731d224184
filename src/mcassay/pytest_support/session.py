"""What the plugin does with all tests of a run: the summary at the end, the reports as JSON, and one page over them."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcassay.checks.catalogue import CATALOGUE
from mcassay.cli.show import write_html
from mcassay.pytest_support.merging import OneCheck, merged
from mcassay.pytest_support.outcome import verdict_of
from mcassay.report.report import Report
from mcassay.report.writing import write
from mcassay.results import IMPORTANCE, Verdict

_WEIGHTS = {check.name: check.weight for check in CATALOGUE}
_TOLD = {Verdict.FAIL.value: "FAIL", Verdict.ERROR.value: "ERROR", Verdict.UNCLEAR.value: "UNCLEAR"}


@dataclass(frozen=True)
class Tested:
    """What a test found, as it was sent from where the test ran."""

    nodeid: str
    found: Mapping[str, Any]

    @property
    def checks(self) -> list[OneCheck]:
        """The report of every check that the test ran."""
        asked = self.found["asked"]
        reports = (Report.from_json(text, where=self.nodeid) for text in self.found["reports"])
        return [
            OneCheck(
                self.found["family"],
                report,
                self.found["budget"],
                None if asked is None else tuple(asked),
                part,
            )
            for report, part in zip(reports, self.found["parts"], strict=True)
        ]

    @property
    def label(self) -> str | None:
        """What the summary puts before the test; None for one that need not be told."""
        if self.found["unexpected"]:
            return "XPASS"
        return None if self.found["expected_failure"] else _TOLD.get(self.found["verdict"])


def summary(tests: Sequence[Tested]) -> Iterator[str]:
    """Return the lines of the summary: what was found, what was spent, and how likely a false alarm was."""
    for test in tests:
        if test.label is not None:
            yield f"{test.label:<8}{test.nodeid}: {test.found['said']}"
    checks = [one for test in tests for one in test.checks]
    counts = {verdict: sum(verdict_of(one.report) is verdict for one in checks) for verdict in IMPORTANCE}
    verdicts = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    yield f"{_counted(len(checks), 'check')}: {verdicts}; {sum(one.report.sweeps for one in checks):,} sweeps"
    yield _false_alarms(checks)


def _false_alarms(checks: Sequence[OneCheck]) -> str:
    """Bound the probability of a false alarm by what the checks that ran may spend."""
    assays = {one.assay for one in checks}
    spent = sum({(one.assay, one.check): one.report.alpha * _WEIGHTS.get(one.check, 0.0) for one in checks}.values())
    return f"probability of any false alarm: at most {spent:.2g} in {_counted(len(assays), 'assay')}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def save(tests: Sequence[Tested], folder: Path) -> Iterator[str]:
    """Write the reports of every test, and one page over all; yield where they are."""
    checks = []
    for test in tests:
        reports = [json.loads(text) for text in test.found["reports"]]
        form = reports[0] if len(reports) == 1 else reports
        write("--mcassay-report", folder / file_name(test.nodeid), json.dumps(form, indent=2, ensure_ascii=False) + "\n")
        checks += test.checks
    page = folder / "report.html"
    write_html(merged(checks), page)
    yield f"report: {page}, and one JSON file a test beside it"


def file_name(nodeid: str) -> str:
    """Return the name of the file for the report of a test: readable, and unlike that of any other test."""
    readable = re.sub(r"[^\w.-]+", "-", nodeid.rpartition("/")[2] if "[" not in nodeid else _short(nodeid)).strip("-")
    return f"{readable[:120]}-{hashlib.sha256(nodeid.encode()).hexdigest()[:8]}.json"


def _short(nodeid: str) -> str:
    path, bracket, case = nodeid.partition("[")
    return path.rpartition("/")[2] + bracket + case
