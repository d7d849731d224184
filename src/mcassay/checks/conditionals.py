"""Every conditional of the kernel agrees with the log joint, up to a constant.

For a block x and the rest of the state, ``log p(x' | rest) - log p(x | rest)`` must equal
``log_joint(x', rest) - log_joint(x, rest)`` for any x, x' and rest: no sampling, no p-value, only rounding.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.candidates import candidates
from mcassay.checks.explain import explain
from mcassay.checks.identity import FEWEST_PAIRS, Outcome, Pair
from mcassay.checks.joint import Joint
from mcassay.checks.situations import is_discrete, situations
from mcassay.checks.trial import Trial
from mcassay.distributions.categorical import Categorical
from mcassay.kernels import ConditionalUpdate
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.state import get_blocks
from mcassay.subject import Subject
from mcassay.vocabulary import Generator

NAME = "conditionals"


def conditional_updates(subject: Subject) -> dict[str, ConditionalUpdate]:
    """Return the updates that draw from a conditional distribution."""
    return {name: update for name, update in subject.updates.items() if isinstance(update, ConditionalUpdate)}


def _missing(subject: Subject) -> str | None:
    if subject.log_joint is None:
        return "the subject has no log_joint to compare with"
    if not conditional_updates(subject):
        return "no update is a conditional that returns a distribution (see Gibbs)"
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    return [_check_update(subject, name, update, context) for name, update in conditional_updates(subject).items()]


def _check_update(subject: Subject, name: str, update: ConditionalUpdate, context: Context) -> CheckResult:
    rng = context.rng(NAME, name)
    pairs: list[Pair] = []
    for trial, new in _moves(subject, update, rng):
        pair = trial.weigh(new)
        if pair.outcome is Outcome.DISAGREES:
            pair = trial.weigh_with_care(new, rng)
        if pair.outcome is Outcome.DISAGREES:
            return _failure(name, trial, new, pair, context)
        pairs.append(pair)
    return _agreement(name, pairs)


def _moves(subject: Subject, update: ConditionalUpdate, rng: Generator) -> Iterator[tuple[Trial, Any]]:
    """Yield every situation with every new value that is tried in it."""
    assert subject.log_joint is not None
    joint = Joint(subject.log_joint)
    for situation in situations(subject, rng):
        trial = Trial.at(update, joint, situation)
        few = np.size(trial.log_p_old) > 10_000
        own = [trial.claimed.sample(rng) for _ in range(1 if few else 2)]
        foreign = [get_blocks(subject.prior(rng), update.blocks) for _ in own]
        values = _discrete_values(trial, [*own, *foreign])
        for new in candidates(trial.old, own, foreign, values, trial.separable, rng):
            yield trial, new


def _discrete_values(trial: Trial, seen: list[Any]) -> list[Any]:
    """Return the values that an element of a discrete block may take, as far as they can be known."""
    if isinstance(trial.claimed, Categorical):
        (parameter,) = trial.claimed.parameters.values()
        return list(range(parameter.shape[-1]))
    discrete = [np.ravel(value) for value in [trial.old, *seen] if not isinstance(value, tuple) and is_discrete(value)]
    return list(np.unique(np.concatenate(discrete))) if discrete else []


def _agreement(name: str, pairs: list[Pair]) -> CheckResult:
    agreeing = [pair for pair in pairs if pair.outcome is Outcome.AGREES]
    hidden = [pair for pair in pairs if pair.outcome is Outcome.HIDDEN]
    if len(agreeing) >= FEWEST_PAIRS:
        gap, bound = max(abs(pair.gap) for pair in agreeing), max(pair.tolerance for pair in agreeing)
        message = (
            f'conditional "{name}" agrees with the joint on {len(agreeing)} pairs (gap {gap:.1g}, rounding allows {bound:.1g})'
        )
        return _result(name, Verdict.PASS, message, pairs=len(agreeing), gap=gap, tolerance=bound)
    if hidden:
        message = (
            f'conditional "{name}": rounding hides it; the log joint is only good to {min(p.tolerance for p in hidden):.1g}. '
            "Compute it in double precision, or try the check on fewer data points"
        )
        return _result(name, Verdict.UNCLEAR, message)
    found = "no pair" if not agreeing else f"only {len(agreeing)} pairs"
    return _result(
        name,
        Verdict.SKIPPED,
        f'conditional "{name}": {found} of values with a finite joint were found; {FEWEST_PAIRS} are needed',
    )


def _failure(name: str, trial: Trial, new: Any, pair: Pair, context: Context) -> CheckResult:
    explanation = explain(trial, new, pair, context.rng(NAME, name, "explain"))
    message = f"{explanation.cause} ({explanation.place}, {trial.situation.source})"
    return _result(name, Verdict.FAIL, message, cause=explanation.cause, gap=pair.gap, **explanation.details)


def _result(name: str, verdict: Verdict, message: str, cause: str | None = None, **details: Any) -> CheckResult:
    return CheckResult(NAME, update_target(name), verdict, message, cause=cause, details=details)


CHECK = Check(
    name=NAME,
    title="every conditional agrees with the log joint",
    requires="log_joint, and updates whose conditionals return distributions (Gibbs)",
    failure="the conditional is not the one that the log joint implies: one of the two is wrong; "
    "where it can be worked out, the message says what the conditional should have been",
    kind="exact",
    missing=_missing,
    run=_run,
)
