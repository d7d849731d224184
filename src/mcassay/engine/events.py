"""Events: what the engine tells while it works. Consoles, notebooks and files are handlers; no check prints."""

from collections.abc import Callable
from dataclasses import dataclass

from mcassay.errors import users_line


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


class HandlerFailed(RuntimeError):
    """The handler of events that the user gave raised; nothing is wrong with the subject."""


def guarded(handler: Handler) -> Handler:
    """Return a handler whose exceptions say that they are its own."""

    def emit(event: Event) -> None:
        try:
            handler(event)
        except Exception as error:
            place = users_line(error)
            where = f" ({place})" if place else ""
            raise HandlerFailed(f"assay: progress raised {type(error).__name__}: {error}{where}, given {event}") from error

    return emit
