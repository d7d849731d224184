"""Loads what is under test from where the user says it is written: FILE.py:NAME or package.module:NAME."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from mcassay.errors import InputError, shown
from mcassay.loading.modules import guarded, import_source
from mcassay.subject import Subject

_FORM = "write FILE.py:NAME or package.module:NAME"


@dataclass(frozen=True)
class Sourced:
    """A subject, and the source that loads it alone."""

    source: str
    subject: Subject


def load(source: str) -> list[Sourced]:
    """Load the subjects that a source names: a subject, a list of them, or a function that returns one or the other."""
    where, name, index = _parts(source)
    module = import_source(where)
    if not name:
        raise InputError(f"{where}: which subject? {_FORM}{_there_are(where, module)}")
    value = _value(where, module, name)
    subjects = _subjects(f"{where}:{name}", value)
    sources = [_source(where, module, name, i, subjects) for i in range(len(subjects))]
    loaded = [Sourced(source, subject) for source, subject in zip(sources, subjects, strict=True)]
    if index is None:
        return loaded
    if index >= len(loaded):
        raise InputError(f"{where}:{name} has no [{index}]; its last subject is [{len(loaded) - 1}], for they count from [0]")
    return [loaded[index]]


def _parts(source: str) -> tuple[str, str, int | None]:
    """Take a source apart: file or module, name, and the place in a list."""
    where, colon, name = source.rpartition(":")
    if not colon or "/" in name or "\\" in name:
        where, name = source, ""
    found = re.fullmatch(r"([^\[\]]*)(?:\[(\d+)\])?", name)
    if not where or found is None or (found[1] and not all(part.isidentifier() for part in found[1].split("."))):
        raise InputError(f'"{source}" is no source: {_FORM}')
    return where, found[1], None if found[2] is None else int(found[2])


def _value(where: str, module: ModuleType, name: str) -> Any:
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            close = get_close_matches(name, list(vars(module)), 1)
            hint = f'; did you mean "{close[0]}"?' if close else _there_are(where, module)
            raise InputError(f'{where} has no "{name}"{hint}')
        value = getattr(value, part)
    return value


def _there_are(where: str, module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if isinstance(value, Subject)]
    return f"; its subjects are {', '.join(f'{where}:{name}' for name in names)}" if names else ""


def _subjects(called: str, value: Any) -> list[Subject]:
    if not isinstance(value, (Subject, list, tuple)) and callable(value):
        value = _returned(called, value)
        called += "()"
    found = [value] if isinstance(value, Subject) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(one, Subject) for one in found):
        strange = (
            next((one for one in found if not isinstance(one, Subject)), found) if isinstance(found, (list, tuple)) else found
        )
        wanted = "a Subject, a list of them, or a function without arguments that returns one or the other"
        raise InputError(f"{called} must be {wanted}, but found {shown(strange)}")
    if not found:
        raise InputError(f"{called} is an empty list; there is no subject in it")
    return list(found)


def _returned(called: str, function: Callable[[], Any]) -> Any:
    try:
        inspect.signature(function).bind()
    except TypeError:
        raise InputError(f"{called} must be a Subject or a function without arguments, but found {_form(function)}") from None
    except ValueError:  # some builtins do not tell
        pass
    with guarded(f"{called}() raised"):
        return function()


def _form(function: Callable[..., Any]) -> str:
    kind = "the class " if isinstance(function, type) else ""
    name = getattr(function, "__name__", shown(function))
    return kind + name + ("" if kind else f"({', '.join(inspect.signature(function).parameters)})")


def _source(where: str, module: ModuleType, name: str, index: int, subjects: list[Subject]) -> str:
    """Return the source of one subject alone: the name it has itself, or its place in the list."""
    if len(subjects) == 1:
        return f"{where}:{name}"
    own = next((one for one, value in vars(module).items() if value is subjects[index]), None)
    return f"{where}:{own or f'{name}[{index}]'}"


def source_in(module: ModuleType, where: str, subject: Subject) -> str | None:
    """Return the source of a subject that is a name of a module, or in a list that is; None where it is neither."""
    for name, value in vars(module).items():
        if value is subject:
            return f"{where}:{name}"
    for name, value in vars(module).items():
        places = [place for place, one in enumerate(value) if one is subject] if isinstance(value, (list, tuple)) else []
        if places:
            return f"{where}:{name}[{places[0]}]"
    return None
