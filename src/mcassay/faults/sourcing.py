"""Where a subject is written, so that it can be loaded again from a changed source."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mcassay.errors import InputError
from mcassay.loading.sources import source_in
from mcassay.subject import Subject

_FORM = '"FILE.py:NAME", or a Subject or a function without arguments that is a name of a module'


def source_of(subject: Any) -> str:
    """Return the source of a subject, or of a function that returns one; a source is returned as it is."""
    if isinstance(subject, str):
        return subject
    found = _of_subject(subject) if isinstance(subject, Subject) else _of_function(subject) if callable(subject) else None
    if found is None:
        raise InputError(f"faults: can not find where {subject!r} is written; give {_FORM}")
    return found


def _of_subject(subject: Subject) -> str | None:
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and getattr(module, "__file__", None) is not None:
            found = source_in(module, _called(module), subject)
            if found is not None:
                return found
    return None


def _of_function(function: Callable[..., Any]) -> str | None:
    module = sys.modules.get(getattr(function, "__module__", ""))
    name = getattr(function, "__qualname__", "")
    if module is None or getattr(module, name, None) is not function or module.__name__ == "__main__":
        return None
    return f"{_called(module)}:{name}"


def _called(module: ModuleType) -> str:
    """Return how a module is imported again: a part of a package by its name, anything else by its file."""
    return module.__name__ if module.__package__ and "." in module.__name__ else str(module.__file__)
