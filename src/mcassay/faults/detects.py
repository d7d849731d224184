"""Tests of checks: a mistake that is made on purpose has to be caught."""

import atexit
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mcassay.engine.pools import Pool
from mcassay.errors import InputError, reject
from mcassay.faults.fault import Fault
from mcassay.faults.injection import patience, require_sound, settings_of
from mcassay.faults.outcome import Outcome, Status
from mcassay.faults.trial import Settings
from mcassay.faults.worker import Scouted, scout, try_one

_BY_HAND = "by hand"


def mistake(function: Callable[..., Any], right: str, wrong: str) -> Fault:
    """Return the fault that puts another text in the place of one in the source of a function.

    Parameters
    ----------
    function
        The function; it has to be written in a file.
    right, wrong
        What stands there, exactly once, and what is put in its place.

    Examples
    --------
    >>> from textwrap import indent
    >>> mistake(indent, "if prefix", "if not prefix")
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: mistake: right must occur once in the source of indent, but found 'if prefix' 0 times
    """
    function = inspect.unwrap(getattr(function, "__func__", function))
    try:
        lines, first = inspect.getsourcelines(function)
        path = inspect.getsourcefile(function)
    except (OSError, TypeError):
        reject("mistake", "function", "be a function that is written in a file", function)
    found = "".join(lines).count(right) if right else 0
    if found != 1:
        name = getattr(function, "__name__", "the function")
        raise InputError(f"mistake: right must occur once in the source of {name}, but found {right!r} {found} times")
    text = Path(str(path)).read_text(encoding="utf-8")
    before = "".join(text.splitlines(keepends=True)[: first - 1]) + "".join(lines)[: "".join(lines).index(right)]
    begin = len(before.encode())
    place = before.count("\n") + 1
    return Fault(str(path), function.__qualname__, _BY_HAND, begin, begin + len(right.encode()), right, wrong, place)


def assert_detects(
    subject: Any,
    fault: Fault,
    *,
    budget: Any = "ci",
    checks: Iterable[str] | None = None,
    alpha: float = 1e-6,
    seed: int | str | None = None,
    time_limit: float | None = None,
) -> Outcome:
    """Raise an AssertionError unless the checks of a subject catch a fault.

    Parameters
    ----------
    subject
        A subject or a function that returns one, which is a name of a module, or ``"FILE.py:NAME"``.
    fault
        One of ``faults_of(subject)``, or a ``mistake(function, right, wrong)``.
    budget, checks, alpha, seed, time_limit
        As for ``inject``.

    Returns
    -------
    Outcome
        How it was caught.
    """
    if not isinstance(fault, Fault):
        reject("assert_detects", "fault", "be one of faults_of(subject), or a mistake(function, right, wrong)", fault)
    settings = settings_of(subject, budget, checks, alpha, seed)
    scouted = _scouted(settings)
    text = Path(fault.path).read_text(encoding="utf-8")
    limit = patience(scouted, time_limit)
    outcome: Outcome = _pool().submit(try_one, fault, text, settings, limit).future.result()
    if outcome.status is not Status.CAUGHT:
        raise AssertionError(_not_caught(outcome))
    return outcome


def _not_caught(outcome: Outcome) -> str:
    said = {
        Status.SURVIVED: "no check fails",
        Status.EQUIVALENT: "it is no mistake, for it gives",
        Status.BROKEN: "it shows nothing about the checks, for the mutant",
    }[outcome.status]
    return f"{outcome.fault}: {said} {outcome.reason}\n{textwrap.indent(outcome.diff, '    ')}"


@functools.lru_cache(maxsize=8)
def _scouted(settings: Settings) -> Scouted:
    """Run the checks on the right subject, once for all faults."""
    scouted: Scouted = _pool().submit(scout, settings).future.result()
    require_sound(scouted)
    return scouted


@functools.lru_cache(maxsize=1)
def _pool() -> Pool:
    """Return the process that all tests of a run share."""
    pool = Pool.of(1)
    atexit.register(pool.close)
    return pool
