"""The package of a subject: the folders in which it and its functions are written. Nothing else is changed."""

import os
import sysconfig
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from mcassay.subject import Subject

_OURS = str(Path(__file__).parent.parent) + os.sep
# Rooms of ours that hold samplers and models, as a user's own package does.
_LIKE_USERS = tuple(_OURS + room + os.sep for room in ("models", "targets"))
_FOREIGN = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))
_INSTALLED = f"{os.sep}site-packages{os.sep}"


@cache
def belongs(file: str, folders: tuple[str, ...]) -> bool:
    """Say whether a file is in one of these folders, and not in an environment that happens to be below it."""
    real = os.path.realpath(file)
    below = [real[len(folder) :] for folder in folders if real.startswith(folder)]
    return not file.startswith("<") and _may_be_changed(real) and any(_INSTALLED not in os.sep + rest for rest in below)


def folders_of(subject: Subject, source: str | None) -> tuple[str, ...]:
    """Return the folders of a subject's package: that of its source, and those in which its functions are written."""
    files = [file for function in _functions(subject) for file in _files(function)]
    written = [] if source is None else [source]
    kept = [file for file in [*written, *files] if _may_be_changed(file)]
    return tuple(dict.fromkeys(os.path.dirname(os.path.realpath(file)) + os.sep for file in kept))


def _may_be_changed(file: str) -> bool:
    """Say whether a file belongs to whoever wrote the subject, rather than to Python or to us."""
    if file.startswith("<"):
        return False
    if file.startswith(_OURS):
        return file.startswith(_LIKE_USERS)
    return not file.startswith(_FOREIGN) or f"{os.sep}site-packages{os.sep}" in file


def _functions(subject: Subject) -> Iterator[Any]:
    named = ("prior", "simulate", "step", "log_joint", "init", "position", "refresh")
    yield from (getattr(subject, name) for name in named)
    yield from (*subject.statistics.values(), *subject.caches.values(), *subject.updates.values())


def _files(function: Any, depth: int = 3) -> Iterator[str]:
    """Yield the files of a function, of what it wraps, and of the functions that an object of ours holds."""
    while isinstance(function, partial):
        function = function.func
    function = getattr(function, "__func__", getattr(function, "__wrapped__", function))
    code = getattr(function, "__code__", None) or getattr(vars(type(function)).get("__call__"), "__code__", None)
    if code is not None:
        yield code.co_filename
    if depth and not isinstance(function, type):
        for part in getattr(function, "__dict__", {}).values():
            if callable(part):
                yield from _files(part, depth - 1)
