"""What became of all faults: printable, survivors first, and with a JSON form."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcassay.faults.outcome import Effect, Outcome, Status
from mcassay.report.writing import as_json
from mcassay.results import jsonable
from mcassay.rng import written_seed

SCHEMA = 1


@dataclass(frozen=True)
class FaultReport:
    """What became of every fault of a subject.

    Attributes
    ----------
    subject, source
        What the mistakes were made in.
    outcomes
        One a fault.
    baseline
        What each check said of the right subject.
    planned
        How many faults there were to try.
    interrupted
        Whether the user broke it off.
    """

    subject: str
    source: str
    outcomes: tuple[Outcome, ...]
    seed: int = field(kw_only=True)
    budget: int | str = field(kw_only=True)
    alpha: float = field(kw_only=True)
    checks: tuple[str, ...] | None = field(default=None, kw_only=True)
    baseline: dict[str, str] = field(default_factory=dict, kw_only=True)
    seconds: float = field(default=0.0, kw_only=True)
    planned: int = field(default=0, kw_only=True)
    interrupted: bool = field(default=False, kw_only=True)
    versions: dict[str, str] = field(default_factory=dict, kw_only=True)

    def of(self, status: Status) -> list[Outcome]:
        """Return the outcomes of a status; survivors with the largest effect first."""
        found = [outcome for outcome in self.outcomes if outcome.status is status]
        return sorted(found, key=_importance) if status is Status.SURVIVED else found

    @property
    def survivors(self) -> list[Outcome]:
        """The faults that no check caught and that are not known to be equivalent."""
        return self.of(Status.SURVIVED)

    @property
    def counts(self) -> dict[str, int]:
        """How many faults there are of each status."""
        return {status.value: len(self.of(status)) for status in Status}

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return {
            "schema": SCHEMA,
            "subject": self.subject,
            "source": self.source,
            "seed": written_seed(self.seed),
            "budget": self.budget,
            "alpha": self.alpha,
            "checks": None if self.checks is None else list(self.checks),
            "baseline": jsonable(self.baseline),
            "counts": self.counts,
            "planned": self.planned,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "versions": self.versions,
            "outcomes": [outcome.to_dict() for status in Status for outcome in self.of(status)],
        }

    def to_json(self) -> str:
        """Return the JSON form as text."""
        return as_json(self.to_dict()) + "\n"

    def save_html(self, path: str | Path) -> None:
        """Write one self-contained page: survivors first, each with what was changed."""
        from mcassay.faults.html import save_html

        save_html(self, path)

    def __str__(self) -> str:
        return "\n".join(lines(self)).rstrip()


def _importance(outcome: Outcome) -> tuple[float, int]:
    return (-(outcome.effect.gap if outcome.effect is not None else 1.0), outcome.fault.begin)


def lines(report: FaultReport) -> Iterator[str]:
    """Write a report, survivors first."""
    yield headline(report)
    for outcome in report.survivors:
        yield from ("", *_survivor(outcome))
    broken = report.of(Status.BROKEN)
    if broken:
        yield from ("", "broken: they raise or hang, which nobody could overlook")
        yield from (f"  {outcome.fault}: {outcome.reason}" for outcome in broken)
    yield ""
    yield from _caught(report)
    yield from _equivalent(report)


def headline(report: FaultReport) -> str:
    """Sum up a report in a line."""
    counts = report.counts
    said = ", ".join(f"{counts[status.value]} {status.value}" for status in Status)
    broken_off = f"; broken off, {report.planned - len(report.outcomes)} were not tried" if report.interrupted else ""
    return f"faults of {report.subject}: {len(report.outcomes)} mutants in {report.seconds:.0f} s: {said}{broken_off}"


def _survivor(outcome: Outcome) -> Iterator[str]:
    yield f"SURVIVED  {outcome.fault}"
    yield from (f"    {line}" for line in outcome.diff.splitlines())
    yield from (f"  {said}" for said in meaning(outcome))


def meaning(outcome: Outcome) -> Iterator[str]:
    """Say what a survivor means: how large it could be and is, and what it would take to catch it."""
    if outcome.bound is not None:
        yield f"the assay would have let P-P gaps of up to {outcome.bound:.2g} through"
    effect = outcome.effect
    if effect is None:
        yield str(outcome.details.get("effect", "its effect was not measured"))
        return
    yield _size(effect)
    if effect.sweeps is not None:
        yield f"budget that would be needed: about {_rounded(effect.sweeps):,} sweeps"
    else:
        yield "no drift of a statistic shows after one sweep, so that no budget can be named"


def _size(effect: Effect) -> str:
    """Say how large an effect is."""
    pairs = f"{effect.pairs:,} pairs of sweeps on the same random numbers"
    if effect.differing == 0:
        return f"after one sweep no statistic differs in any of {pairs}"
    if effect.gap <= effect.chance:
        return f"after one sweep no P-P gap of a statistic is beyond what chance gives, up to {effect.chance:.2g} in {pairs}"
    shared = "" if effect.differing is None else f"; {effect.differing:.2g} of them differ at all"
    return f"a sweep changes {effect.statistic} by a P-P gap of {effect.gap:.2g}, in {pairs}{shared}"


def _rounded(sweeps: int) -> int:
    """Write an estimate with no more digits than it has."""
    quantum = int(10 ** max(len(str(sweeps)) - 2, 0))
    return -(-sweeps // quantum) * quantum


def _caught(report: FaultReport) -> Iterator[str]:
    caught = report.of(Status.CAUGHT)
    for check, count in Counter(outcome.check for outcome in caught).most_common():
        yield f"caught by {check}: {count}"
    named = [outcome.culprit_is_right for outcome in caught if outcome.culprit_is_right is not None]
    if named:
        yield f"the culprit was named for {len(named)} of {len(caught)}, and right for {sum(named)}"


def _equivalent(report: FaultReport) -> Iterator[str]:
    for reason, count in Counter(outcome.reason for outcome in report.of(Status.EQUIVALENT)).most_common():
        yield (
            f"equivalent: {count}, for they give {reason}"
            if reason.startswith("the same")
            else f"equivalent: {count}, for {reason}"
        )
