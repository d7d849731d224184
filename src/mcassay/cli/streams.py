"""Standard output and standard error, also where they are closed, full, shared with the user's code, or know few letters."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


def open_streams() -> None:
    """Let streams that are closed lead nowhere, and those that lack a letter write its code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  (it is open as long as the process is)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write to standard output; where nobody reads it any more, the command goes on, for files and its status still count."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _write_nowhere()
    except OSError as error:
        _write_nowhere()
        from mcassay.errors import InputError  # brings numpy along, for which help need not wait

        raise InputError(f"standard output can not be written: {error.strerror}") from None


def say_json(text: str) -> None:
    """Write JSON to standard output: always as UTF-8, whatever the terminal is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    say(text)


def _write_nowhere() -> None:
    """Give up standard output, and what is still to be written to it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@contextmanager
def output_of_ours(alone: bool) -> Iterator[None]:
    """Send what the user's code prints, here and in other processes, to standard error, if ours has to be alone."""
    if not alone:
        yield
        return
    sys.stdout.flush()
    with redirect_stdout(sys.stderr), _descriptor_to_stderr():
        yield


@contextmanager
def _descriptor_to_stderr() -> Iterator[None]:
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # one of them is closed: there is nothing to keep apart
        yield
        return
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
