"""The report of an assay: frozen, printable in order of importance, and with a JSON form."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from mcassay.report.console import as_text
from mcassay.report.reading import SCHEMA, parse, read_report
from mcassay.report.reproduce import reproduce
from mcassay.results import CheckResult, Diagnosis, Verdict, overall
from mcassay.rng import written_seed


@dataclass(frozen=True)
class Report:
    """What an assay found.

    Attributes
    ----------
    subject
        The name of the subject.
    results
        One result a check and target.
    diagnosis
        Where the bug is.
    seed, alpha
        What the assay was run with; the same seed gives the same report.
    seconds
        How long it took.
    versions
        What it ran on.
    notes
        What else a reader should know, such as the use of global random state.
    source
        Where the subject is written, as ``FILE.py:NAME``, where that is known.
    budget, tolerance, chosen
        What else the assay was run with; ``chosen`` are the names of the checks, None for all of them.

    Examples
    --------
    >>> from mcassay import CheckResult, Report, Verdict
    >>> from mcassay.results import Diagnosis
    >>> result = CheckResult("invariance", "sweep", Verdict.PASS, "nothing found in 50,000 sweeps", sweeps=50_000)
    >>> report = Report("mixture", (result,), Diagnosis(), seed=7, alpha=1e-6, seconds=3.5)
    >>> Report.from_json(report.to_json()) == report
    True
    """

    subject: str
    results: tuple[CheckResult, ...]
    diagnosis: Diagnosis
    seed: int
    alpha: float
    seconds: float
    versions: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: str | None = field(default=None, kw_only=True)
    budget: int | str | None = field(default=None, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)
    chosen: tuple[str, ...] | None = field(default=None, kw_only=True)

    @property
    def verdict(self) -> Verdict:
        """The verdict over all checks."""
        return overall([result.verdict for result in self.results])

    @property
    def sweeps(self) -> int:
        """How many sweeps all checks took together."""
        return sum(result.sweeps for result in self.results)

    @property
    def reproduce(self) -> str:
        """The command that repeats the assay where the source is known, or else the call."""
        return reproduce(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form as a dict."""
        return {
            "schema": SCHEMA,
            "subject": self.subject,
            "verdict": self.verdict.value,
            "seed": written_seed(self.seed),
            "alpha": self.alpha,
            "sweeps": self.sweeps,
            "seconds": self.seconds,
            "versions": dict(self.versions),
            "notes": list(self.notes),
            "source": self.source,
            "budget": self.budget,
            "tolerance": self.tolerance,
            "chosen": None if self.chosen is None else list(self.chosen),
            "checks": [result.to_dict() for result in self.results],
            "diagnosis": asdict(self.diagnosis),
        }

    def to_json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)

    @staticmethod
    def from_dict(data: Any, *, where: str = "report") -> "Report":
        """Read a report back from its JSON form as a dict; ``where`` is what messages call it."""
        return read_report(data, where)

    @staticmethod
    def from_json(text: str, *, where: str = "report") -> "Report":
        """Read a report back from JSON; ``where`` is what messages call it."""
        return read_report(parse(text, where), where)

    def __str__(self) -> str:
        return as_text(self)
