"""Errors worded for the user: which argument, what was found, what would be right."""

import inspect
import os
import re
import sysconfig
import traceback
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

_OURS = str(Path(__file__).parent) + os.sep
# Code that is never the user's own; other installed packages are, where nothing else is.
_FOREIGN = (*(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")), "<frozen")
_GENERATED = ("<string>", "__init__")  # what dataclasses write
_INSTALLED = f"{os.sep}site-packages{os.sep}"
_LIBRARIES = tuple(f"{_INSTALLED}{name}{os.sep}" for name in ("numpy", "scipy", "cloudpickle", "dask", "distributed"))


class InputError(ValueError):
    """An argument that the caller can put right; the message says how."""


def shown(value: Any, limit: int = 60) -> str:
    """Write a value on one short line."""
    if isinstance(value, np.generic):
        value = value.item()
    text = np.array2string(value, threshold=8, precision=6) if isinstance(value, np.ndarray) else repr(value)
    text = without_addresses(" ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def without_addresses(text: str) -> str:
    """Leave out addresses in memory: they tell nobody anything, and differ from run to run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def place_of(function: Any) -> str | None:
    """Return where a function of the user's is written, as file:line, if that can be known."""
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is None:
        code = getattr(vars(type(function)).get("__call__"), "__code__", None)
    return None if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def reject(where: str, argument: str, rule: str, found: Any) -> NoReturn:
    """Raise an InputError that reads ``where: argument must rule, but found found``.

    Examples
    --------
    >>> reject("Normal", "variance", "be positive", -1.0)
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: Normal: variance must be positive, but found -1.0
    """
    raise InputError(f"{where}: {argument} must {rule}, but found {shown(found)}")


def users_line(error: BaseException) -> str | None:
    """Return the innermost line of the user's own code in a traceback, as file:line in function."""
    frame = users_frame(error)
    return None if frame is None else f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"


def users_frame(error: BaseException) -> traceback.FrameSummary | None:
    """Return the innermost frame of the user's own code in a traceback."""
    written = [frame for frame in traceback.extract_tb(error.__traceback__) if (frame.filename, frame.name) != _GENERATED]
    files = [(frame.filename, frame) for frame in written]
    theirs = [(name, frame) for name, frame in files if not name.startswith(_OURS) and not _is_library(name)]
    own = [frame for name, frame in theirs if _INSTALLED not in name] or [frame for _, frame in theirs]
    return own[-1] if own else None


@cache
def is_users_own(filename: str) -> bool:
    """Say whether a file is the user's own, neither ours nor installed."""
    return not filename.startswith(_OURS) and not _is_library(filename) and _INSTALLED not in filename


def _is_library(filename: str) -> bool:
    if any(part in filename for part in _LIBRARIES):
        return True
    return filename.startswith(_FOREIGN) and _INSTALLED not in filename
