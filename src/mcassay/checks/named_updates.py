"""The updates of a subject that a check looks at one by one."""

from collections.abc import Callable, Mapping
from typing import Any

from mcassay.checks.base import Context
from mcassay.checks.broken import error_result
from mcassay.results import CheckResult, update_target
from mcassay.subject import Subject

CheckUpdate = Callable[[str, Any], CheckResult]


def named_updates(subject: Subject) -> dict[str, Any]:
    """Return every named update; a kernel that is no composition but names its blocks is the one update of itself.

    Examples
    --------
    >>> from mcassay import Slice, Subject
    >>> list(named_updates(Subject(lambda rng: {"x": rng.normal()}, None, Slice("x"))))
    ['x']
    """
    if subject.updates:
        return dict(subject.updates)
    blocks = getattr(subject.step, "blocks", None)
    return {"+".join(blocks): subject.step} if isinstance(blocks, tuple) else {}


def each(check: str, updates: Mapping[str, Any], context: Context, check_update: CheckUpdate) -> list[CheckResult]:
    """Check the updates one by one; what the user's code raises in one does not keep the others from being checked."""
    return [_guarded(check, name, update, context, check_update) for name, update in updates.items()]


def _guarded(check: str, name: str, update: Any, context: Context, check_update: CheckUpdate) -> CheckResult:
    try:
        return check_update(name, update)
    except Exception as error:
        return error_result(check, update_target(name), error, context)
