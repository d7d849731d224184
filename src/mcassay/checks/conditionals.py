"""Every conditional of the kernel agrees with the log joint, up to a constant.

For a block x and the rest of the state, ``log p(x' | rest) - log p(x | rest)`` must equal
``log_joint(x', rest) - log_joint(x, rest)`` for any x, x' and rest: no sampling, no p-value, only rounding.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.broken import error_result
from mcassay.checks.candidates import candidates
from mcassay.checks.explain import explain
from mcassay.checks.identity import FEWEST_PAIRS, Outcome, Pair
from mcassay.checks.joint import Joint
from mcassay.checks.situations import Situation, has_derived_blocks, is_discrete, situations
from mcassay.checks.trial import Trial
from mcassay.checks.values import draws_of, remote_draws
from mcassay.distributions.base import Distribution, Family
from mcassay.distributions.bernoulli import Bernoulli
from mcassay.distributions.binomial import Binomial
from mcassay.distributions.categorical import Categorical
from mcassay.distributions.poisson import Poisson
from mcassay.distributions.scipy_stats import ScipyDistribution
from mcassay.kernels import ConditionalUpdate
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.state import get_blocks, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Generator

NAME = "conditionals"

_DRAWS_TO_CONFIRM = 200
_DRAWS_TO_HEAR = 12
_MOST_VALUES = 1000


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
    return [_guarded(subject, name, update, context) for name, update in conditional_updates(subject).items()]


def _guarded(subject: Subject, name: str, update: ConditionalUpdate, context: Context) -> CheckResult:
    """Check one update; what its conditional raises does not keep the others from being checked."""
    try:
        return _check_update(subject, name, update, context)
    except Exception as error:
        return error_result(NAME, update_target(name), error, context)


def _check_update(subject: Subject, name: str, update: ConditionalUpdate, context: Context) -> CheckResult:
    rng = context.rng(NAME, name)
    pairs: list[Pair] = []
    for trial, new in _moves(subject, update, rng):
        misfit = _misfit(trial)
        if misfit is not None:
            return _result(name, Verdict.FAIL, f"{misfit} ({trial.situation.source})", cause=misfit)
        pair = trial.weigh(new)
        if pair.outcome is Outcome.DISAGREES:
            trial.joint.hear(subject.draw(rng) for _ in range(_DRAWS_TO_HEAR))
            pair = trial.weigh_with_care(new, rng)
        if pair.outcome is Outcome.DISAGREES:
            if _excludes(pair):
                return _excluded(subject, name, trial, new, pair, context)
            if trial.situation.genuine or not has_derived_blocks(subject, update.conditional, context.rng(NAME, name, "derived")):
                return _failure(name, trial, new, pair, context)
            continue
        pairs.append(pair)
    return _agreement(name, pairs)


def _moves(subject: Subject, update: ConditionalUpdate, rng: Generator) -> Iterator[tuple[Trial, Any]]:
    """Yield every situation with every new value that is tried in it."""
    assert subject.log_joint is not None
    joint = Joint(subject.log_joint)
    for situation in situations(subject, rng):
        trial = Trial.where_sound(update, joint, situation)
        if trial is None:
            continue
        few = np.size(trial.log_p_old) > 10_000
        count = 1 if few else 2
        own = draws_of(trial.claimed, count, rng)
        foreign = [get_blocks(subject.prior(rng), update.blocks) for _ in range(count)]
        values = _discrete_values(trial, [*own, *foreign])
        for new in candidates(trial.old, own, foreign, values, trial.separable, rng):
            # A move to where the block is already says nothing.
            if not same_state(new, trial.old):
                yield trial, new
        for new in () if few else remote_draws(trial.claimed, rng):
            if not same_state(new, trial.old) and _can_be_weighed(trial, new):
                yield trial, new


def _can_be_weighed(trial: Trial, new: Any) -> bool:
    """Say whether the user's functions can deal with a value that the sampler need not visit."""
    try:
        return trial.joint_at(new) < math.inf
    except Exception:
        return False


def _misfit(trial: Trial) -> str | None:
    """Say where a distribution has not as many components as its block: a single draw would stand for all of them."""
    shape = getattr(trial.claimed, "batch_shape", None)
    if shape is None:
        return None
    drawn = tuple(shape) + tuple(getattr(trial.claimed, "event_shape", ()))
    one_block = isinstance(trial.claimed, (Family, ScipyDistribution)) and not isinstance(trial.old, tuple)
    if math.prod(shape) == trial.log_p_old.size and not (one_block and math.prod(drawn) != np.size(trial.old)):
        return None
    found = tuple(np.shape(part) for part in trial.old) if isinstance(trial.old, tuple) else np.shape(trial.old)
    return f'conditional "{trial.update.name}" draws a value of shape {drawn} for a block of shape {found}'


def _excludes(pair: Pair) -> bool:
    """Say whether it is the conditional that calls a value impossible, and the joint that does not."""
    ends = ((pair.claim_new, pair.joint_new), (pair.claim_old, pair.joint_old))
    return any(claim == -math.inf and joint > -math.inf for claim, joint in ends)


def _is_possible_for_family(claimed: Distribution, value: Any) -> bool:
    """Say whether it is a probability of zero that rules a value out, rather than the family that is claimed."""
    if isinstance(claimed, Categorical):
        return bool(np.isin(value, np.arange(claimed.natural_parameters.shape[-1])).all())
    return isinstance(claimed, Bernoulli) and bool(np.isin(value, [0, 1]).all())


def _excluded(subject: Subject, name: str, trial: Trial, new: Any, pair: Pair, context: Context) -> CheckResult:
    """Ask draws from the joint, which are possible for sure: a log joint may fail to say where its support ends."""
    rng = context.rng(NAME, name, "excluded")
    for _ in range(_DRAWS_TO_CONFIRM):
        if trial.excludes_own_value or _is_possible_for_family(trial.claimed, new):
            return _failure(name, trial, new, pair, context)
        situation = Situation("a draw from the joint", *subject.draw(rng), genuine=True)
        trial = Trial.at(trial.update, trial.joint, situation)
        new = trial.claimed.sample(rng)
        pair = trial.weigh(new)
    message = (
        f'conditional "{name}" gives probability zero to a value at which log_joint is finite, and none of '
        f"{_DRAWS_TO_CONFIRM} draws from the joint has such a value. If it is impossible, log_joint should return -inf there"
    )
    return _result(name, Verdict.UNCLEAR, message)


def _discrete_values(trial: Trial, seen: list[Any]) -> list[Any]:
    """Return the values that an element of a discrete block may take, as far as they can be known."""
    discrete = [np.ravel(value) for value in [trial.old, *seen] if not isinstance(value, tuple) and is_discrete(value)]
    found = list(np.unique(np.concatenate(discrete))) if discrete else []
    highest = _highest_value(trial.claimed, found)
    return list(range(highest + 1)) if 0 <= highest <= _MOST_VALUES else found


def _highest_value(claimed: Any, seen: list[Any]) -> int:
    """Return the highest value that is worth a try where all from zero on are possible; -1 where nothing is known of that."""
    ours = claimed.family() if isinstance(claimed, ScipyDistribution) else claimed
    if isinstance(ours, Categorical):
        return int(ours.natural_parameters.shape[-1]) - 1
    if isinstance(ours, Binomial):
        return int(np.min(ours.parameters.get("trials", 1), initial=_MOST_VALUES + 1))
    # Values that are hardly ever drawn are tried as well: what is wrong of a rare event is seen when it happens.
    return int(max(seen)) + 2 if isinstance(ours, Poisson) and seen else -1


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
    return _result(name, Verdict.SKIPPED, f'conditional "{name}": {_too_few(pairs, len(agreeing))}')


def _too_few(pairs: list[Pair], agreeing: int) -> str:
    if not pairs:
        return "no draw from it or from the prior differs from the present value at a state where log_joint is finite"
    found = f"only {agreeing} {'pair' if agreeing == 1 else 'pairs'}" if agreeing else "no pair"
    return f"{found} of values at which log_joint is finite, and the conditional with it; {FEWEST_PAIRS} are needed"


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
