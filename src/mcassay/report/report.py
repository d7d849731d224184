"""The report of an assay: frozen, printable in order of importance, and with a JSON form."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from mcassay.report.console import as_text
from mcassay.results import CheckResult, Diagnosis, Verdict, overall
from mcassay.rng import written_seed

SCHEMA = 1


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
    """

    subject: str
    results: tuple[CheckResult, ...]
    diagnosis: Diagnosis
    seed: int
    alpha: float
    seconds: float
    versions: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict over all checks."""
        return overall([result.verdict for result in self.results])

    @property
    def sweeps(self) -> int:
        """How many sweeps all checks took together."""
        return sum(result.sweeps for result in self.results)

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
            "checks": [result.to_dict() for result in self.results],
            "diagnosis": asdict(self.diagnosis),
        }

    def to_json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)

    def __str__(self) -> str:
        return as_text(self)
