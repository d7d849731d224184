"""On a small problem every random choice of an update is made in turn: its exact probabilities must leave the joint invariant.

With pi the joint on the states that can be reached, and T the table of the probabilities of an update's steps, pi T = pi to
rounding: nothing is sampled, and there is no p-value. Where an update claims it, pi(x) T(x, y) = pi(y) T(y, x) as well.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mcassay.checks.balance import Balance, mixing_in_words
from mcassay.checks.base import Check, Context
from mcassay.checks.finite_chain import WHOLE, Attempt, FiniteChain, sweep_matrix
from mcassay.checks.walk import called, target_of
from mcassay.enumeration.chain import MOST_PATHS, Limits
from mcassay.errors import shown
from mcassay.kernels.gibbs import ConditionalUpdate
from mcassay.kernels.structure import claims_reversibility
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.state import blocks
from mcassay.subject import Subject
from mcassay.vocabulary import State

NAME = "enumeration"

# How many paths may be followed for every sweep of the budget, and for how many seconds of the processor.
_PATHS_PER_SWEEP = 1
_USUAL_PATHS = 50_000
_MOST_STATES = 2_000
_SECONDS_PER_PATH = 2e-4
_LEAST_SECONDS = 5.0
# Fewer data points, which are tried where there are too many states or paths.
_FEWER_POINTS = (4, 3, 2)


def _missing(subject: Subject) -> str | None:
    if subject.log_joint is None:
        return "the subject has no log_joint to compare with"
    if subject.init is not None:
        return "the kernel carries more than the state (init and position), so its states can not be listed"
    if subject.vectorised:
        return "the subject works on many replicates at once"
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    attempts = list(_attempts(subject, context))
    chains = [attempt.chain for attempt in attempts if attempt.chain is not None]
    if not chains:
        return [_skipped("the states can not be listed", attempts[0].refused, all_refused=True)]
    return [*_updates(subject, chains), _sweep(subject, chains)]


def _attempts(subject: Subject, context: Context) -> Iterator[Attempt]:
    """Enumerate the subject and, as long as some of its updates are too large, the same with fewer data points."""
    rng, limits = context.rng(NAME), _limits(context)
    for points in (None, *_FEWER_POINTS):
        if points is not None and (subject.resize is None or subject.simulate is None):
            return
        own = subject if points is None else subject.resize(points)  # type: ignore[misc]
        attempt = Attempt(own, replace(limits, paths=0), rng, points).make()
        yield attempt
        if not attempt.too_large:
            return


def _limits(context: Context) -> Limits:
    """Return limits that go with the budget of the assay."""
    sweeps = context.whole.sweeps
    paths = _USUAL_PATHS if sweeps is None else min(_PATHS_PER_SWEEP * sweeps, MOST_PATHS)
    seconds = max(_LEAST_SECONDS, _SECONDS_PER_PATH * paths)
    # All attempts together have to end before the check counts as hanging.
    patience = math.inf if context.time_limit is None else context.time_limit / 2
    return Limits(paths, _MOST_STATES, seconds, patience)


def _updates(subject: Subject, chains: Sequence[FiniteChain]) -> Iterator[CheckResult]:
    """Judge every update on the largest problem on which it could be enumerated."""
    done: set[str] = {WHOLE}
    for chain in chains:
        whole = _whole(subject, chain)
        for name, matrix in chain.matrices.items():
            if name not in done:
                yield _update(subject, name, Balance(chain, matrix), whole)
        done |= chain.matrices.keys()


def _whole(subject: Subject, chain: FiniteChain) -> Balance | None:
    sweep = sweep_matrix(subject.step, chain.matrices)
    return None if sweep is None else Balance(chain, sweep)


def _update(subject: Subject, name: str, alone: Balance, whole: Balance | None) -> CheckResult:
    if name in alone.chain.uneven:
        return _result(name, alone, Verdict.UNCLEAR, _uneven(called(name), alone.chain.uneven[name]))
    step = subject.updates[name]
    claims = claims_reversibility(step)
    cause = alone.what_is_wrong(called(name), claims=claims)
    if cause is None:
        return _result(name, alone, Verdict.PASS, _passed(called(name), alone, claims))
    meant = None if claims or isinstance(step, ConditionalUpdate) else _may_be_meant(whole)
    if meant is not None:
        return _result(name, alone, Verdict.UNCLEAR, f"{cause}. {meant}")
    return _result(name, alone, Verdict.FAIL, f"{cause} ({alone.size})", cause)


def _may_be_meant(whole: Balance | None) -> str | None:
    """Say why an update may be right although it does not leave the joint invariant by itself; None where it can not be."""
    if whole is None:
        return "The whole sweep can not be enumerated; this may be meant where other updates make up for it"
    if whole.holds:
        return "The whole sweep holds exactly, so this may be meant: an update need not leave the joint invariant by itself"
    return None


def _sweep(subject: Subject, chains: Sequence[FiniteChain]) -> CheckResult:
    whole = next((found for chain in chains if (found := _whole(subject, chain)) is not None), None)
    if whole is None:
        return _skipped("the sweep can not be enumerated", chains[-1].refused)
    what, claims = "the step" if WHOLE in whole.chain.matrices else "the sweep", claims_reversibility(subject.step)
    if whole.chain.uneven:
        return _result(WHOLE, whole, Verdict.UNCLEAR, _uneven(what, next(iter(whole.chain.uneven.values()))))
    cause = whole.what_is_wrong(what, claims=claims)
    if cause is not None:
        return _result(WHOLE, whole, Verdict.FAIL, f"{cause} ({whole.size})", cause)
    return _result(WHOLE, whole, Verdict.PASS, f"{_passed(what, whole, claims)}; {mixing_in_words(whole)}")


def _uneven(what: str, state: State) -> str:
    return (
        f"{what} goes on otherwise from {shown(blocks(state))} than from its canonical form, so the two do not mean the same; "
        "nothing can be said of states put together like this"
    )


def _passed(what: str, balance: Balance, claims: bool) -> str:
    also = ", in detailed balance" if claims else ""
    return f"{what} leaves the joint invariant{also}: exactly, on {balance.size}"


def _result(name: str, balance: Balance, verdict: Verdict, message: str, cause: str | None = None) -> CheckResult:
    if verdict is Verdict.PASS and balance.is_hidden:
        verdict, message = Verdict.UNCLEAR, f"rounding hides it; probabilities are only good to {balance.tolerance:.1g}"
    return CheckResult(NAME, target_of(name), verdict, message, cause=cause, details=balance.details())


def _skipped(what: str, refused: Mapping[str, str], *, all_refused: bool = False) -> CheckResult:
    """Say why updates could not be enumerated, those for the same reason together."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in refused.items():
        by_reason.setdefault(reason, []).append(f'"{name}"')
    common = all_refused and len(by_reason) == 1
    said = "; ".join(reason if common else f"{', '.join(names)}: {reason}" for reason, names in by_reason.items())
    return CheckResult(NAME, SWEEP, Verdict.SKIPPED, f"{what}: {said}", details={"refused": dict(refused)})


CHECK = Check(
    name=NAME,
    title="the exact probabilities of every step on a small problem leave the joint invariant",
    requires="log_joint, and updates of whole numbers with few enough states and random choices",
    failure="the update moves between two states more or less often than the joint allows; the message names the states",
    kind="exact",
    missing=_missing,
    run=_run,
)
