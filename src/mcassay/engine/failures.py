"""User code that raises, hangs or yields NaN: what happened, where, and how to repeat it."""

import os
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import mcassay
from mcassay.engine.limits import TimeLimitReached
from mcassay.engine.replicate import UnusableStart
from mcassay.errors import InputError

if TYPE_CHECKING:
    from mcassay.engine.block import Task

_OURS = str(Path(mcassay.__file__).parent) + os.sep
_LIBRARIES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}lib{os.sep}python", "<frozen")


@dataclass(frozen=True)
class BlockFailure:
    """A block that could not be completed. It ends its check; it is never dropped, for what fails depends on the state."""

    path: tuple[str, ...]
    block: int
    replicate: int
    reason: str
    place: str | None
    unusable_start: bool = False

    @property
    def message(self) -> str:
        """The failure in words."""
        where = f" ({self.place})" if self.place else ""
        return f"{self.reason}{where}, in replicate {self.replicate} of block {self.block} of {'/'.join(self.path)}"


def describe(error: BaseException, task: "Task", replicate: int) -> BlockFailure:
    """Turn an exception into a failure; one that comes from our own code alone is raised again."""
    place = users_line(error)
    if place is None and not isinstance(error, (InputError, TimeLimitReached)) and not isinstance(error, UnusableStart):
        raise error
    worded = isinstance(error, InputError) or place is None
    reason = str(error) if worded else f"{type(error).__name__}: {error}"
    if isinstance(error, TimeLimitReached):
        reason = f"a block of {task.size} replicates {error}"
    return BlockFailure(task.path, task.block, replicate, reason, place, unusable_start=task.course.from_prior)


def users_line(error: BaseException) -> str | None:
    """Return the innermost line of the user's own code in a traceback, as file:line in function."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_OURS)]
    own = [f for f in frames if not any(part in f.filename for part in _LIBRARIES)]
    if not own:
        return None
    innermost = own[-1]
    return f"{Path(innermost.filename).name}:{innermost.lineno} in {innermost.name}"
