"""User code that raises: an ERROR that says where it happened and how to repeat it, never a traceback of our insides."""

import os
import traceback
from pathlib import Path

import mcassay
from mcassay.checks.base import Check, Context
from mcassay.errors import InputError
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.rng import written_seed
from mcassay.subject import Subject

_OURS = str(Path(mcassay.__file__).parent) + os.sep
_LIBRARIES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}lib{os.sep}python")


def run_check(check: Check, subject: Subject, context: Context) -> tuple[CheckResult, ...]:
    """Run a check; an exception of the user's code becomes an ERROR, one of ours is raised."""
    try:
        return check.apply(subject, context)
    except Exception as error:
        return (error_result(check.name, SWEEP, error, context),)


def error_result(check: str, target: str, error: Exception, context: Context) -> CheckResult:
    """Turn an exception of the user's code into an ERROR; one of ours is raised again."""
    place = users_line(error)
    if place is None and not isinstance(error, InputError):
        raise error
    where = f" ({place})" if place else ""
    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
    message = f'{kind}{error}{where}; repeat it with seed="{written_seed(context.seed)}"'
    return CheckResult(check, target, Verdict.ERROR, message, details={"place": place, "error": repr(error)})


def users_line(error: BaseException) -> str | None:
    """Return the innermost line of the user's own code in a traceback, as file:line in function."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_OURS)]
    own = [f for f in frames if not any(part in f.filename for part in _LIBRARIES) and not f.filename.startswith("<frozen")]
    if not own:
        return None
    innermost = own[-1]
    return f"{Path(innermost.filename).name}:{innermost.lineno} in {innermost.name}"
