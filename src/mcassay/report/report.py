"""The report of an assay: frozen, printable in order of importance, and with a JSON form."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcassay.report.console import as_text
from mcassay.report.reading import SCHEMA, parse, read_report
from mcassay.report.reproduce import reproduce
from mcassay.report.writing import as_json
from mcassay.results import CheckResult, Diagnosis, Verdict, overall, show_as_html
from mcassay.rng import written_seed

if TYPE_CHECKING:
    import pandas
    import xarray


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
        """The verdict over all checks; without knowing that the start is forgotten, invariance alone is no PASS."""
        verdicts = {(result.check, result.verdict) for result in self.results}
        unsettled = {("invariance", Verdict.PASS), ("forgetting", Verdict.SKIPPED)} <= verdicts
        found = overall([result.verdict for result in self.results])
        return Verdict.UNCLEAR if unsettled and found is Verdict.PASS else found

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
        return as_json(self.to_dict())

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

    def save_html(self, path: str | Path) -> None:
        """Write a page that needs no network: what failed and why, with plots and the figures behind them."""
        from mcassay.report.html import save_html

        save_html([self], path)

    def _repr_html_(self) -> str:
        from mcassay.report.html import notebook

        return notebook(self)

    def to_dataframe(self, of: str = "checks") -> "pandas.DataFrame":
        """Return one row a result, or with ``of="statistics"`` one row a statistic of each; needs pandas."""
        from mcassay.report.frames import to_dataframe

        return to_dataframe(self, of)

    def to_xarray(self, *, check: str | None = None, target: str | None = None) -> "xarray.DataTree":
        """Return the raw statistics that a check kept of its first replicates, in the form that ArviZ plots; needs xarray.

        The group "prior" has draws from the joint, "posterior" the same after one sweep: a right kernel leaves their law as it
        is. Every replicate is a draw of one chain, and independent of the others. Without ``check`` and ``target`` it is the
        first check that kept any.
        """
        from mcassay.report.frames import to_xarray

        return to_xarray(self, check, target)


def _result_as_html(result: CheckResult) -> str:
    from mcassay.report.html import notebook_of_result

    return notebook_of_result(result)


show_as_html(_result_as_html)
