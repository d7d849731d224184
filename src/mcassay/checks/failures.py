"""A check that can not be completed: user code that raises or hangs, and Ctrl-C. Neither loses what was found before."""

import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.settle import interrupted, repeat
from mcassay.engine.events import CheckEnded, CheckStarted, HandlerFailed
from mcassay.engine.failures import in_words
from mcassay.engine.legacy import global_randomness
from mcassay.engine.limits import TimeLimitReached, time_limit
from mcassay.engine.session import Session
from mcassay.errors import InputError, users_line
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.rng import seed_sequence, written_seed
from mcassay.subject import Subject


def run_check(check: Check, subject: Subject, context: Context) -> tuple[CheckResult, ...]:
    """Run a check; an exception becomes an ERROR that says where it happened and how to repeat it."""
    own = replace(context, sessions=[])
    context.emit(CheckStarted(check.name))
    seed = int(seed_sequence(context.seed, check.name, "global").generate_state(1)[0])
    with global_randomness(seed) as noticed, np.errstate():  # code of the user's that changes the error state keeps it to itself
        results = _results(check, subject, own)
    notes = [f"the code draws from the global generator of {name}; it was seeded for each check" for name in noticed.used]
    results = (_noted(results[0], notes), *results[1:]) if results and notes else results
    for result in results:
        context.emit(CheckEnded(check.name, result.target, result.verdict.value))
    return results


def _results(check: Check, subject: Subject, context: Context) -> tuple[CheckResult, ...]:
    # Blocks of a statistical check keep their own time; an exact check is over soon, or something in it hangs.
    limit = time_limit(context.time_limit) if check.kind == "exact" else nullcontext()
    try:
        with limit:
            return check.apply(subject, context)
    except KeyboardInterrupt:
        return (interrupted(_so_far(check, context.sessions), context.seed),)
    except HandlerFailed:
        raise
    except BaseException as error:  # whatever the user's code raises: SystemExit, GeneratorExit, those of test runners
        return (_error(_so_far(check, context.sessions), error, context),)


def _so_far(check: Check, sessions: Sequence[Session]) -> CheckResult:
    """Return what a check had done when it was left."""
    if not sessions:
        return CheckResult(check.name, SWEEP, Verdict.UNCLEAR, "")
    sweeps = sum(session.sweeps for session in sessions)
    notes = {"notes": list(dict.fromkeys(note for session in sessions for note in session.notes))}
    last = sessions[-1]
    return CheckResult(
        check.name, last.target, Verdict.UNCLEAR, "", log10_evidence=last.log10_evidence, sweeps=sweeps, details=notes
    )


def error_result(check: str, target: str, error: BaseException, context: Context) -> CheckResult:
    """Turn an exception about one target into an ERROR."""
    return _error(CheckResult(check, target, Verdict.ERROR, ""), error, context)


def _error(result: CheckResult, error: BaseException, context: Context) -> CheckResult:
    place = users_line(error)
    where = f" ({place})" if place else ""
    limit = f"the check took longer than its limit of {context.time_limit} s"
    said = limit if isinstance(error, TimeLimitReached) else in_words(error)
    told = place is not None or isinstance(error, (InputError, TimeLimitReached))
    details = {
        "place": place,
        "error": in_words(error),
        "seed": written_seed(context.seed),
        "traceback": None if told else "".join(traceback.format_exception(error)),
    }
    message = f"{said}{where}; {repeat(context.seed)}"
    return replace(result, verdict=Verdict.ERROR, message=message, details={**result.details, **details})


def _noted(result: CheckResult, notes: list[str]) -> CheckResult:
    return replace(result, details={**result.details, "notes": [*result.details.get("notes", []), *notes]})


def was_interrupted(results: Sequence[CheckResult]) -> bool:
    """Say whether the user broke a run off."""
    return any(result.details.get("interrupted") for result in results)
