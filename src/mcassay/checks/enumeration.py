"""On a small problem every random choice of an update is made in turn: its exact probabilities must leave the joint invariant.

With pi the joint on the states that can be reached, and T the table of the probabilities of an update's steps, pi T = pi to
rounding: nothing is sampled, and there is no p-value. Where an update claims it, pi(x) T(x, y) = pi(y) T(y, x) as well.
"""

from collections.abc import Iterator, Sequence
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

# How many paths may be followed for every sweep of the budget, and for how long.
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
    attempt, points = _best(subject, context)
    if attempt.chain is None:
        reasons = _reasons(attempt.refused)
        return [CheckResult(NAME, SWEEP, Verdict.SKIPPED, f"the states can not be listed: {reasons}")]
    return list(_results(attempt.subject, attempt.chain, points))


def _best(subject: Subject, context: Context) -> tuple[Attempt, int | None]:
    """Enumerate the subject, or where it is too large one with fewer data points."""
    rng, first, limits = context.rng(NAME), None, _limits(context)
    for points in (None, *_FEWER_POINTS):
        if points is not None and (subject.resize is None or subject.simulate is None):
            break
        own = subject if points is None else subject.resize(points)  # type: ignore[misc]
        attempt = Attempt(own, replace(limits, paths=0), rng).make()
        first = first or attempt
        if not attempt.too_large:
            return attempt, points
    assert first is not None
    return first, None


def _limits(context: Context) -> Limits:
    """Return limits that go with the budget of the assay."""
    sweeps = context.whole.sweeps
    paths = _USUAL_PATHS if sweeps is None else min(_PATHS_PER_SWEEP * sweeps, MOST_PATHS)
    seconds = max(_LEAST_SECONDS, _SECONDS_PER_PATH * paths)
    # All attempts together have to end before the check counts as hanging.
    return Limits(paths, _MOST_STATES, seconds if context.time_limit is None else min(seconds, context.time_limit / 2))


def _results(subject: Subject, chain: FiniteChain, points: int | None) -> Iterator[CheckResult]:
    sweep = sweep_matrix(subject.step, chain.matrices)
    whole = None if sweep is None else Balance(chain, sweep)
    for name, matrix in chain.matrices.items():
        if name != WHOLE:
            yield _update(subject, chain, name, Balance(chain, matrix), whole, points)
    if whole is None:
        message = f"the sweep can not be enumerated: {_reasons(chain.refused)}"
        yield CheckResult(NAME, SWEEP, Verdict.SKIPPED, message, details={"refused": dict(chain.refused)})
    else:
        yield _sweep(subject, chain, whole, points)


def _update(
    subject: Subject, chain: FiniteChain, name: str, alone: Balance, whole: Balance | None, points: int | None
) -> CheckResult:
    if name in chain.uneven:
        return _result(name, alone, Verdict.UNCLEAR, _uneven(called(name), chain.uneven[name]), points)
    step = subject.updates[name]
    claims = claims_reversibility(step)
    cause = alone.what_is_wrong(called(name), claims=claims)
    if cause is None:
        return _result(name, alone, Verdict.PASS, _passed(called(name), alone, claims, points), points)
    meant = not claims and not isinstance(step, ConditionalUpdate) and whole is not None and whole.holds
    if meant:
        why = "The whole sweep holds exactly, so this may be meant: an update need not leave the joint invariant by itself"
        return _result(name, alone, Verdict.UNCLEAR, f"{cause}. {why}", points)
    return _result(name, alone, Verdict.FAIL, f"{cause} ({alone.size(points)})", points, cause)


def _sweep(subject: Subject, chain: FiniteChain, whole: Balance, points: int | None) -> CheckResult:
    claims = claims_reversibility(subject.step)
    what = "the step" if WHOLE in chain.matrices else "the sweep"
    if chain.uneven:
        return _result(WHOLE, whole, Verdict.UNCLEAR, _uneven(what, next(iter(chain.uneven.values()))), points)
    cause = whole.what_is_wrong(what, claims=claims)
    if cause is not None:
        return _result(WHOLE, whole, Verdict.FAIL, f"{cause} ({whole.size(points)})", points, cause)
    message = f"{_passed(what, whole, claims, points)}; {mixing_in_words(whole)}"
    return _result(WHOLE, whole, Verdict.PASS, message, points)


def _uneven(what: str, state: State) -> str:
    return (
        f"{what} goes on otherwise from {shown(blocks(state))} than from its canonical form, so the two do not mean the same; "
        "nothing can be said of states put together like this"
    )


def _passed(what: str, balance: Balance, claims: bool, points: int | None) -> str:
    also = ", in detailed balance" if claims else ""
    return f"{what} leaves the joint invariant{also}: exactly, on {balance.size(points)}"


def _result(
    name: str, balance: Balance, verdict: Verdict, message: str, points: int | None, cause: str | None = None
) -> CheckResult:
    if verdict is Verdict.PASS and balance.is_hidden:
        verdict, message = Verdict.UNCLEAR, f"rounding hides it; probabilities are only good to {balance.tolerance:.1g}"
    details = {**balance.details(), "data points": points, "problem": balance.size(points)}
    return CheckResult(NAME, target_of(name), verdict, message, cause=cause, details=details)


def _reasons(refused: dict[str, str] | object) -> str:
    """Say why updates could not be enumerated, those for the same reason together."""
    assert isinstance(refused, dict)
    by_reason: dict[str, list[str]] = {}
    for name, reason in refused.items():
        by_reason.setdefault(reason, []).append(f'"{name}"')
    return "; ".join(
        reason if names == ['""'] or "no block" in reason else f"{', '.join(names)}: {reason}"
        for reason, names in by_reason.items()
    )


CHECK = Check(
    name=NAME,
    title="the exact probabilities of every step on a small problem leave the joint invariant",
    requires="log_joint, and updates of whole numbers with few enough states and random choices",
    failure="the update moves between two states more or less often than the joint allows; the message names the states",
    kind="exact",
    missing=_missing,
    run=_run,
)
