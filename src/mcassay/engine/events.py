"""Events: what the engine tells while it works. Consoles, notebooks and files are handlers; no check prints."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class CheckStarted:
    """A check begins."""

    check: str


@dataclass(frozen=True)
class Progressed:
    """A block of replicates was completed."""

    check: str
    target: str
    sweeps: int
    log10_evidence: float
    log10_limit: float


@dataclass(frozen=True)
class CheckEnded:
    """A check is done with one target."""

    check: str
    target: str
    verdict: str


Event = CheckStarted | Progressed | CheckEnded
Handler = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Handle an event by doing nothing."""
