"""The updates of a subject that a check looks at one by one."""

from typing import Any

from mcassay.subject import Subject


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
