"""Errors worded for the user: which argument, what was found, what would be right."""

import inspect
from pathlib import Path
from typing import Any, NoReturn

import numpy as np


class InputError(ValueError):
    """An argument that the caller can put right; the message says how."""


def shown(value: Any, limit: int = 60) -> str:
    """Write a value on one short line."""
    if isinstance(value, np.generic):
        value = value.item()
    text = np.array2string(value, threshold=8, precision=6) if isinstance(value, np.ndarray) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


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
