"""Runs a function in a process of its own, forked from this one: it begins with everything imported, and leaves no trace."""

import contextlib
import ctypes
import faulthandler
import math
import os
import pickle
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcassay.errors import InputError

_PR_SET_PDEATHSIG = 1
# What sleeps or waits for others uses no time of the processor; it gets so many times as much by the clock.
_BY_THE_CLOCK = 10.0


@dataclass(frozen=True)
class TookTooLong:
    """A function that was stopped."""

    seconds: float


@dataclass(frozen=True)
class Died:
    """A function whose process ended before it could say anything."""

    reason: str


def run_forked(function: Callable[[], Any], seconds: float | None) -> Any:
    """Return what a function returns in a process of its own; it is stopped after so many seconds of the processor.

    Time of the processor, for whether a mutant hangs must not depend on what else the machine does.
    """
    if not hasattr(os, "fork"):
        raise InputError("faults: need a system that can fork processes, such as Linux or macOS")
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(function, writing, seconds)
    os.close(writing)
    try:
        content = _read(reading, None if seconds is None else _BY_THE_CLOCK * seconds)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if content is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return TookTooLong(seconds or 0.0)
    return pickle.loads(content) if content else Died(_ending(status))


def _answer(function: Callable[[], Any], writing: int, seconds: float | None) -> None:
    """Run the function in the child, send what it returns, and end there and then."""
    try:
        _end_with_parent()
        _be_quiet()
        if seconds is not None:
            _limit_processor(seconds)
        content = pickle.dumps(function())
    except BaseException:
        content = pickle.dumps(Died(traceback.format_exc()))
    with contextlib.suppress(OSError), os.fdopen(writing, "wb") as pipe:
        pipe.write(content)
    os._exit(0)


def _end_with_parent() -> None:
    """Ask Linux to end this process with its parent; elsewhere its own time limit has to do."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_processor(seconds: float) -> None:
    """Have the system stop this process; it counts whole seconds, those of the parent before the fork left out."""
    import resource  # Windows has none, and can not fork either

    allowed = max(1, math.ceil(time.process_time() + seconds))
    _, highest = resource.getrlimit(resource.RLIMIT_CPU)
    if highest == resource.RLIM_INFINITY or allowed < highest:
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, highest))


def _be_quiet() -> None:
    """Keep what a wrong sampler prints, its warnings and its crashes, off the terminal."""
    faulthandler.disable()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _read(reading: int, seconds: float | None) -> bytes | None:
    """Read until the other end is closed; None where that takes too long."""
    end = None if seconds is None else time.monotonic() + seconds
    pieces: list[bytes] = []
    while True:
        left = None if end is None else max(end - time.monotonic(), 0.0)
        if not select.select([reading], [], [], left)[0]:
            return None
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _ending(status: int) -> str:
    return f"the process ended with signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "the process ended"
