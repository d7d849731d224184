"""User code that raises, hangs or yields NaN: what happened, where, and how to repeat it."""

import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcassay.engine.limits import TimeLimitReached
from mcassay.engine.replicate import UnusableStart
from mcassay.errors import InputError, users_line
from mcassay.rng import written_seed

if TYPE_CHECKING:
    from mcassay.engine.block import Task


@dataclass(frozen=True)
class BlockFailure:
    """A block that could not be completed. It ends its check; it is never dropped, for what fails depends on the state.

    Attributes
    ----------
    path, block, replicate
        Check and target, the number of the block, and that of the replicate in it; None where that is not known.
    reason
        What happened, in words.
    place
        The line of the user's code.
    unusable_start
        Whether the replicate started where the target need not have support, so that the failure proves nothing.
    traceback
        The whole traceback, where no line is the user's own.
    """

    seed: int
    path: tuple[str, ...]
    block: int
    replicate: int | None
    reason: str
    place: str | None = None
    unusable_start: bool = False
    traceback: str | None = None

    @property
    def message(self) -> str:
        """The failure in words."""
        where = f" ({self.place})" if self.place else ""
        replicate = "" if self.replicate is None else f"replicate {self.replicate} of "
        return f"{self.reason}{where}, in {replicate}block {self.block} of {'/'.join(self.path)}"

    @property
    def details(self) -> dict[str, Any]:
        """What is needed to find and repeat it."""
        found = {"place": self.place, "block": self.block, "replicate": self.replicate, "path": list(self.path)}
        return {"error": self.reason, **found, "seed": written_seed(self.seed), "traceback": self.traceback}


def failed(task: "Task", reason: str) -> BlockFailure:
    """Return the failure of a block as a whole."""
    return BlockFailure(task.seed, task.path, task.block, None, reason, unusable_start=task.course.from_prior)


def describe(error: BaseException, task: "Task", replicate: int | None) -> BlockFailure:
    """Turn an exception into a failure."""
    place = users_line(error)
    return BlockFailure(
        seed=task.seed,
        path=task.path,
        block=task.block,
        replicate=replicate,
        reason=_reason(error, task),
        place=place,
        unusable_start=task.course.from_prior,
        traceback=None if place or isinstance(error, InputError) else "".join(traceback.format_exception(error)),
    )


def _reason(error: BaseException, task: "Task") -> str:
    if isinstance(error, TimeLimitReached):
        return f"a block of {task.size} replicates took longer than its limit of {task.seconds:g} s"
    return in_words(error)


def in_words(error: BaseException) -> str:
    """Write an exception; a worded one speaks for itself.

    Examples
    --------
    >>> in_words(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    if isinstance(error, (InputError, UnusableStart)):
        return str(error)
    try:
        said = str(error)
    except Exception:  # an exception of the user's that can not even be written
        said = "(its message can not be written)"
    return f"{type(error).__name__}: {said}".rstrip(": ")
