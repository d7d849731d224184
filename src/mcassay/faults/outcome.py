"""What became of a fault: caught, survived, equivalent or broken."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from mcassay.faults.fault import Fault
from mcassay.results import jsonable


class Status(StrEnum):
    """What became of a fault."""

    SURVIVED = "survived"
    BROKEN = "broken"
    CAUGHT = "caught"
    EQUIVALENT = "equivalent"


@dataclass(frozen=True)
class Effect:
    """How much a sweep of the mutant changes a draw from its joint, from pairs with a right one on the same random numbers.

    Attributes
    ----------
    statistic
        The statistic that differs most.
    gap
        The largest difference of its distribution functions: the total variation is at least about this.
    differing
        The share of the pairs that differ at all: the total variation is at most about this. None where they start from
        different draws, for the mistake is in the model.
    sweeps
        About how many sweeps it takes to find it; None where no drift shows.
    pairs
        How many pairs there were.
    """

    statistic: str
    gap: float
    differing: float | None
    sweeps: int | None
    pairs: int

    @property
    def chance(self) -> float:
        """How large a gap of so many pairs chance alone gives, in 95 of 100 cases at most."""
        varying = 4.0 if self.differing is None else self.differing
        return 1.36 * math.sqrt(varying / self.pairs)


@dataclass(frozen=True)
class Outcome:
    """What became of a fault.

    Attributes
    ----------
    status
        Caught by a check; survived all of them; equivalent; or broken: it raises or hangs.
    check, kind
        The check that caught it, and whether that is an exact or a statistical one.
    reason
        Why, in words.
    diagnosis, culprits
        What the assay says is wrong, and which updates it names.
    changed
        The contexts in which the mutant gives anything else: "prior", "simulate", "log_joint", "update:NAME", "sweep" ...
    sweeps, seconds
        What it took.
    bound
        For a survivor the largest P-P gap after one sweep that the assay did not rule out.
    effect
        How large the effect is, where it was measured.
    diff
        What was changed.
    """

    fault: Fault
    status: Status
    check: str | None = None
    kind: str | None = None
    reason: str = ""
    diagnosis: str = "none"
    culprits: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    sweeps: int = 0
    seconds: float = 0.0
    bound: float | None = None
    effect: Effect | None = None
    diff: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def wrong_updates(self) -> tuple[str, ...]:
        """The updates that the mistake changes."""
        return tuple(name.removeprefix("update:") for name in self.changed if name.startswith("update:"))

    @property
    def culprit_is_right(self) -> bool | None:
        """Whether the assay named updates that the mistake changes, or the model where it changes that; None without a name."""
        if self.status is not Status.CAUGHT or (not self.culprits and self.diagnosis in ("none", "not localised")):
            return None
        model = any(name in ("prior", "simulate", "log_joint") for name in self.changed)
        if self.culprits:
            return set(self.culprits) <= set(self.wrong_updates)
        return model if self.diagnosis in ("model", "kernel or model") else len(self.wrong_updates) > 0

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form."""
        form: dict[str, Any] = jsonable(asdict(self))
        return form | {"culprit_is_right": self.culprit_is_right}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> "Outcome":
        """Read the JSON form."""
        given = {name: value for name, value in form.items() if name != "culprit_is_right"}
        given["fault"] = Fault(**given["fault"])
        given["status"] = Status(given["status"])
        given["culprits"], given["changed"] = tuple(given["culprits"]), tuple(given["changed"])
        given["effect"] = None if given["effect"] is None else Effect(**given["effect"])
        return cls(**given)

    def with_diff(self, diff: str) -> "Outcome":
        """Return it with what was changed."""
        return replace(self, diff=diff)
