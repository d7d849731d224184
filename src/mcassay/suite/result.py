"""What a conformance suite found: one entry a combination, a table, JSON, and one page over all reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcassay.report import Report
from mcassay.report.writing import as_json
from mcassay.results import IMPORTANCE, SWEEP, CheckResult, Verdict, jsonable, overall
from mcassay.rng import written_seed
from mcassay.suite.combinations import with_parameters, written

SCHEMA = 1


@dataclass(frozen=True)
class Combination:
    """What was found of one kernel with one choice of parameters on one target.

    Attributes
    ----------
    kernel, parameters, target
        Which combination it is.
    verdict
        That of its assay, or SKIPPED.
    message
        The most important finding, or why it was skipped.
    report
        The report of its assay; None where it was skipped.
    expected
        Why it is known to fail; None where it must not.
    """

    kernel: str
    parameters: Mapping[str, Any]
    target: str
    verdict: Verdict
    message: str
    report: Report | None = None
    expected: str | None = None

    @property
    def name(self) -> str:
        """What reports, seeds and expected failures call it."""
        return f"{with_parameters(self.kernel, self.parameters)}/{self.target}"

    @property
    def sweeps(self) -> int:
        """How many sweeps its assay took."""
        return 0 if self.report is None else self.report.sweeps

    @property
    def log10_evidence(self) -> float | None:
        """The largest evidence of a check of the kernel; None where none gathered any."""
        results = () if self.report is None else self.report.results
        found = [result.log10_evidence for result in results if result.log10_evidence is not None]
        return max(found) if found else None

    @property
    def unexpected(self) -> str | None:
        """What is unexpected about it: a failure that was not expected, or a pass where one was."""
        if self.verdict in (Verdict.FAIL, Verdict.ERROR) and self.expected is None:
            return "failed"
        return "passed, and was expected to fail" if self.expected and self.verdict is Verdict.PASS else None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, without the report."""
        return {
            "kernel": self.kernel,
            "parameters": {name: jsonable(_plain(value)) for name, value in self.parameters.items()},
            "target": self.target,
            "verdict": self.verdict.value,
            "log10_evidence": jsonable(self.log10_evidence),
            "sweeps": self.sweeps,
            "message": self.message,
            "expected": self.expected,
            "seed": None if self.report is None else written_seed(self.report.seed),
        }


def _plain(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float, str, type(None))) else written(value)


def first_message(report: Report) -> str:
    """Return the most important finding of a report, in one line."""
    ordered = sorted(report.results, key=lambda result: (IMPORTANCE.index(result.verdict), not _of_sweep(result)))
    first = ordered[0]
    return f"{first.check}: {' '.join(first.message.split())}"


def _of_sweep(result: CheckResult) -> bool:
    return result.target == SWEEP and result.check == "invariance"


@dataclass(frozen=True)
class Conformance:
    """What a conformance suite found.

    Attributes
    ----------
    combinations
        One entry for every combination of kernel, parameters and target.
    seed
        The root seed: every combination has a seed of its own, made of this one and of its name.
    alpha
        The bound on the probability of any false alarm, over all combinations together.
    seconds, versions
        How long it took, and what it ran on.
    """

    combinations: tuple[Combination, ...]
    seed: int
    alpha: float
    seconds: float
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """The verdict over all combinations that ran, but for failures that were expected."""
        ran = [one.verdict for one in self.combinations if one.report is not None]
        failed = [one.verdict for one in self.combinations if one.verdict is Verdict.FAIL and one.expected]
        for verdict in failed:
            ran.remove(verdict)
        return overall(ran) if ran or not failed else Verdict.PASS

    @property
    def failures(self) -> tuple[Combination, ...]:
        """Return the combinations that failed and were not expected to."""
        return tuple(one for one in self.combinations if one.unexpected == "failed")

    def __getitem__(self, name: str) -> Combination:
        for one in self.combinations:
            if one.name == name:
                return one
        raise KeyError(name)

    def __str__(self) -> str:
        from mcassay.suite.table import as_text

        return as_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: one entry a combination."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict.value,
            "seed": written_seed(self.seed),
            "alpha": self.alpha,
            "seconds": self.seconds,
            "versions": dict(self.versions),
            "combinations": [one.to_dict() for one in self.combinations],
        }

    def to_json(self) -> str:
        """Return the result as JSON."""
        return as_json(self.to_dict())

    def save_html(self, path: str | Path) -> None:
        """Write one page over the reports of all combinations that ran; it needs no network."""
        from mcassay.report.html import save_html

        save_html([one.report for one in self.combinations if one.report is not None], path)
