"""A step is a function of state, data and generator: it changes nothing but what it returns, and remembers nothing."""

from collections.abc import Sequence

from mcassay.checks.arguments import check_arguments_kept, check_draws, functions, functions_of_updates, wrong_orders
from mcassay.checks.base import Check, Context
from mcassay.checks.observed import Observer, Structure
from mcassay.checks.repeats import check_repeats
from mcassay.checks.rules import Findings
from mcassay.checks.walk import units
from mcassay.engine.block import fresh
from mcassay.engine.legacy import global_randomness
from mcassay.engine.replicate import begin_carry, position_of
from mcassay.errors import InputError
from mcassay.results import SWEEP, CheckResult
from mcassay.state import copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Generator

NAME = "purity"

_DRAWS = 8
_REPLICATES = 6
_SWEEPS = 5


def _missing(subject: Subject) -> str | None:
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    findings, suspicious = Findings(), wrong_orders(subject)
    try:
        sweeps = _look(subject, context, findings)
    except Exception as error:
        if findings.has("blocks"):  # what is no state for a step to return is none for the other functions to take
            return findings.results(NAME, "", 0)
        if not suspicious:
            raise
        raise InputError(f"{suspicious[0]} ({type(error).__name__}: {error})") from error
    for said in suspicious:
        findings.doubt(SWEEP, "order", said, "If only the names are exchanged, rename them")
    passed = f"state, data and arguments stay as they are, and the same random numbers give the same state, in {sweeps} sweeps"
    return findings.results(NAME, passed, sweeps)


def _look(subject: Subject, context: Context, findings: Findings) -> int:
    rng = context.rng(NAME)
    with global_randomness(int(rng.integers(2**32))):
        check_draws(subject, rng, findings)
        structure = Structure.of(subject.prior(rng) for _ in range(_DRAWS))
        observer = Observer(subject, structure, findings)
        for number in range(_REPLICATES):
            _walk(fresh(subject), observer, rng, whole=number % 3 == 2)
        observer.settle_aliases()
    return _REPLICATES * _SWEEPS + check_repeats(subject, rng, findings)


def _walk(subject: Subject, observer: Observer, rng: Generator, *, whole: bool) -> None:
    """Watch a chain, by updates or by whole sweeps, with the user's functions called on the way."""
    state, data = subject.draw(rng)
    data = copy_state(data)
    carry = begin_carry(subject, state, data, rng)
    for _ in range(_SWEEPS):
        for function in functions(subject):
            check_arguments_kept(function, position_of(subject, carry), data, rng, observer.findings)
        for function in functions_of_updates(subject):
            check_arguments_kept(function, carry, data, rng, observer.findings)
        steps = [("", subject.step)] if whole else units(subject.step, rng)
        for name, step in steps:
            carry = observer.apply(name, step, carry, data, rng, composed=whole and bool(subject.updates))


CHECK = Check(
    name=NAME,
    title="the step changes nothing but what it returns, and depends on nothing but what it is given",
    requires="prior and step",
    failure="a function changes its arguments or the data, lets blocks share memory, or depends on something hidden: what is "
    "found of the kernel elsewhere, right or wrong, may come from that",
    kind="exact",
    missing=_missing,
    run=_run,
)
