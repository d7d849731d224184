"""What checks find: verdicts and results, frozen and with a JSON form."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SWEEP = "sweep"


class Verdict(StrEnum):
    """The outcome of a check."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNCLEAR = "UNCLEAR"
    SKIPPED = "SKIPPED"
    ERROR = "ERROR"


# What matters most comes first, in the overall verdict and in print.
IMPORTANCE = (Verdict.FAIL, Verdict.ERROR, Verdict.UNCLEAR, Verdict.PASS, Verdict.SKIPPED)


def update_target(name: str) -> str:
    """Write the target of a result about one update."""
    return f"update:{name}"


@dataclass(frozen=True)
class StatisticResult:
    """What a check saw of one statistic: the P-P gap, the half width of its band, and the evidence in decimal digits."""

    name: str
    gap: float | None = None
    band: float | None = None
    log10_evidence: float | None = None


@dataclass(frozen=True)
class CheckResult:
    """What a check found about one target.

    Attributes
    ----------
    check
        The name of the check.
    target
        "sweep", or "update:NAME".
    verdict
        PASS, FAIL, UNCLEAR, SKIPPED or ERROR.
    message
        The finding, in words.
    log10_evidence
        The decimal logarithm of the odds against; None for an exact check.
    sweeps
        How many sweeps it took.
    statistics
        What was seen of each statistic, where the check watches any.
    cause
        What is wrong and what would be right, where the check can tell.
    details
        Figures behind the message, by name.
    """

    check: str
    target: str
    verdict: Verdict
    message: str
    log10_evidence: float | None = None
    sweeps: int = 0
    statistics: tuple[StatisticResult, ...] = ()
    cause: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return {
            "check": self.check,
            "target": self.target,
            "verdict": self.verdict.value,
            "log10_evidence": jsonable(self.log10_evidence),
            "sweeps": self.sweeps,
            "statistics": [
                {name: jsonable(getattr(s, name)) for name in ("name", "gap", "band", "log10_evidence")} for s in self.statistics
            ],
            "message": self.message,
            "cause": self.cause,
            "details": jsonable(self.details),
        }

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows; None, and so the plain form, as long as nobody has said how."""
        return _shown_as_html[-1](self) if _shown_as_html else None


# How results are shown in notebooks is the business of a higher room, which puts its function here.
_shown_as_html: list[Callable[[CheckResult], str]] = []


def show_as_html(show: Callable[[CheckResult], str]) -> None:
    """Have results shown in notebooks by this function."""
    _shown_as_html[:] = [show]


@dataclass(frozen=True)
class Diagnosis:
    """Where the bug is, as far as the checks can tell.

    Attributes
    ----------
    kind
        "none"; "update": some updates are wrong; "composition": every update is right alone, and they are wrong together;
        "model": log_joint describes another model than prior and simulate; "init": init draws what the kernel carries wrongly;
        "kernel or model": without log_joint, that can not be told; "not localised".
    culprits
        The updates that are wrong.
    cause
        What is wrong with them, where it could be worked out.
    smallest
        The smallest run that still fails.
    """

    kind: str = "none"
    culprits: tuple[str, ...] = ()
    cause: str | None = None
    smallest: dict[str, int] | None = None


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict over several checks; UNCLEAR where nothing could be checked."""
    for verdict in IMPORTANCE:
        if verdict in verdicts:
            return Verdict.UNCLEAR if verdict is Verdict.SKIPPED else verdict
    return Verdict.UNCLEAR


def jsonable(value: Any) -> Any:
    """Turn a value into what JSON can hold; numbers that JSON lacks become strings."""
    if isinstance(value, Mapping):
        return {str(key): jsonable(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(part) for part in value]
    if hasattr(value, "tolist"):  # numpy's arrays and numbers; numpy itself is too slow to import for a command's help
        return jsonable(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)
