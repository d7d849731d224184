"""A kernel with another log joint in the place of the subject's."""

import copy
import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcassay.vocabulary import Data, LogJoint, State


@dataclass(frozen=True)
class Shifted:
    """A log joint with a constant added to it, and to its own value something of the size of rounding if asked for."""

    log_joint: LogJoint
    constant: float
    jitter: Callable[[float], float] | None = None

    def __call__(self, state: State, data: Data) -> Any:
        """Return the log joint plus the constant."""
        value = self.log_joint(state, data)
        if self.jitter is not None:
            value = value + self.jitter(float(value))
        return value + self.constant


def with_log_joint(kernel: Any, old: LogJoint, new: LogJoint) -> Any:
    """Return a copy of a kernel with another log joint wherever it, or a part of it, holds the old one; else itself."""
    if _is(kernel, old):
        return new
    if isinstance(kernel, (tuple, list)) and not hasattr(kernel, "_fields"):
        members = [with_log_joint(member, old, new) for member in kernel]
        return type(kernel)(members) if _differ(members, kernel) else kernel
    if isinstance(kernel, Mapping):
        parts = {key: with_log_joint(part, old, new) for key, part in kernel.items()}
        return parts if _differ(parts.values(), kernel.values()) else kernel
    return _rebuilt(kernel, old, new) if _has_parts(kernel) else kernel


def _rebuilt(kernel: Any, old: LogJoint, new: LogJoint) -> Any:
    """Replace attributes in a shallow copy, which works for frozen dataclasses too."""
    own = dict(vars(kernel))
    parts = {name: with_log_joint(part, old, new) for name, part in own.items()}
    if not _differ(parts.values(), own.values()):
        return kernel
    copied = copy.copy(kernel)
    for name, part in parts.items():
        object.__setattr__(copied, name, part)
    return copied


def _is(value: Any, log_joint: LogJoint) -> bool:
    # A method taken twice from one object is two objects that are equal.
    return callable(value) and (value is log_joint or (type(value) is type(log_joint) and bool(value == log_joint)))


def _has_parts(value: Any) -> bool:
    """Say whether a value is a kernel object rather than a function, a class or a number."""
    plain = dataclasses.is_dataclass(value) or callable(value)
    return plain and not isinstance(value, type) and hasattr(value, "__dict__") and not hasattr(value, "__code__")


def _differ(new: Any, old: Any) -> bool:
    return any(a is not b for a, b in zip(new, old, strict=True))
