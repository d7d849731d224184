"""Loads an optional library, or says in plain words how to install it."""

from importlib import import_module
from typing import Any

from mcassay.errors import InputError


def load(library: str, *, extra: str | None = None) -> Any:
    """Return a library's module; where it is absent, say which extra installs it.

    Examples
    --------
    >>> load("a_library_that_is_absent", extra="absent")
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: the adapter needs a_library_that_is_absent, which is not installed: pip install 'mcassay[absent]'
    """
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library.partition(".")[0]:
            raise
        wanted = extra or library
        raise InputError(f"the adapter needs {library}, which is not installed: pip install 'mcassay[{wanted}]'") from None
