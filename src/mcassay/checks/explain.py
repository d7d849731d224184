"""Say what is wrong with a conditional: which component, and what the joint says that it should have been."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.identity import Pair
from mcassay.checks.implied import AnotherFamily, Implied, implied
from mcassay.checks.trial import Trial
from mcassay.checks.wording import compare, with_digits
from mcassay.distributions.base import ExponentialFamily, Family
from mcassay.distributions.categorical import Categorical
from mcassay.distributions.scipy_stats import ScipyDistribution
from mcassay.errors import shown
from mcassay.vocabulary import FloatArray, Generator


@dataclass(frozen=True)
class Explanation:
    """The cause in words, the place where it shows, and the figures behind it."""

    cause: str
    place: str
    details: dict[str, Any] = field(default_factory=dict)


def explain(trial: Trial, new: Any, pair: Pair, rng: Generator) -> Explanation:
    """Explain why a conditional and the joint disagree on the move to a new value."""
    name = f'conditional "{trial.update.name}"'
    if not math.isfinite(pair.gap):
        return Explanation(_support_cause(name, pair), _move(trial.old, new))
    index = _component(trial, new) if trial.separable else ()
    if index is None:
        cause = f"{name} draws its components independently; the joint says that they depend on each other"
        return Explanation(cause, _gap(pair))
    return _explain_component(trial, name, index, new, pair, rng)


def _explain_component(trial: Trial, name: str, index: tuple[int, ...], new: Any, pair: Pair, rng: Generator) -> Explanation:
    label = f"{name}{_written(index)}"
    claimed = _family(trial)
    if claimed is None:
        return Explanation(f"{label} does not agree with the joint", f"{_gap(pair)}, {_move(trial.old, new)}")
    component = _by_probabilities(claimed.component(index))
    if not isinstance(component, ExponentialFamily):
        return Explanation(f"{label} is {component!r}; the joint says otherwise", f"{_gap(pair)}, {_move(trial.old, new)}")
    try:
        found = _implied(trial, component, index, rng)
    except AnotherFamily as reason:
        family = type(component).__name__
        cause = f"{label} is {component!r}; the joint's conditional is not {_article(family)} {family}: {reason}"
        return Explanation(cause, _gap(pair), {"claimed": dict(component.parameters)})
    return _say_implied(label, component, found, index, pair)


def _say_implied(label: str, claimed: Family, found: Implied, index: tuple[int, ...], pair: Pair) -> Explanation:
    said = with_digits(found.distribution, found.digits)
    cause = f"{label} is {claimed!r}; the joint says {said}: {compare(claimed, found)}"
    details = {
        "component": list(index),
        "claimed": dict(claimed.parameters),
        "implied": dict(found.distribution.parameters),
        "digits": found.digits,
    }
    return Explanation(cause, _gap(pair), details)


def _family(trial: Trial) -> Family | None:
    """Return what is claimed as one of our families, if it is one."""
    claimed: Any = trial.claimed
    if isinstance(claimed, ScipyDistribution):
        claimed = claimed.family()
    if not isinstance(claimed, Family) or claimed.batch_shape != trial.log_p_old.shape:
        return None
    return claimed


def _by_probabilities(component: Family) -> Family:
    """Write a Categorical by its probabilities, since log odds are only known up to a constant."""
    if isinstance(component, Categorical) and (component.probabilities > 0).all():
        return Categorical.from_probabilities(component.probabilities)
    return component


def _implied(trial: Trial, component: Family, index: tuple[int, ...], rng: Generator) -> Implied:
    def log_density(value: Any) -> float:
        return trial.joint_at(_with_component(trial.old, index, value))

    def noise(heights: FloatArray) -> float:
        largest = float(np.abs(heights).max())
        return trial.joint.tolerance([largest], trial.situation.state, trial.situation.data) / 16

    return implied(component, log_density, noise, rng)


def _with_component(old: Any, index: tuple[int, ...], value: Any) -> Any:
    if not index:
        return value
    new = np.array(old)
    new[index] = value
    return new


def _component(trial: Trial, new: Any) -> tuple[int, ...] | None:
    """Find one component whose own move disagrees, by halving; None where only moves of several together do."""
    indices = list(np.ndindex(trial.log_p_old.shape))
    changed = [i for i in indices if not np.array_equal(np.asarray(trial.old)[i], np.asarray(new)[i])]
    while len(changed) > 1:
        half = len(changed) // 2
        sides = [(abs(_partial_gap(trial, new, part)), part) for part in (changed[:half], changed[half:])]
        gap, changed = max(sides, key=lambda side: side[0])
        if gap == 0.0:
            return None
    pair = trial.weigh(_partial(trial, new, changed)) if changed else None
    return changed[0] if pair is not None and abs(pair.gap) > pair.tolerance else None


def _partial_gap(trial: Trial, new: Any, indices: list[tuple[int, ...]]) -> float:
    pair = trial.weigh(_partial(trial, new, indices))
    return pair.gap if abs(pair.gap) > pair.tolerance else 0.0


def _partial(trial: Trial, new: Any, indices: list[tuple[int, ...]]) -> Any:
    value = np.array(trial.old)
    for index in indices:
        value[index] = np.asarray(new)[index]
    return value


def _support_cause(name: str, pair: Pair) -> str:
    claims_zero = (
        pair.claim_new == -math.inf
        if (pair.claim_new == -math.inf) != (pair.joint_new == -math.inf)
        else (pair.claim_old == -math.inf)
    )
    if claims_zero:
        return f"{name} gives probability zero to a value that the joint allows"
    return f"{name} allows a value to which the joint gives probability zero"


def _move(old: Any, new: Any) -> str:
    return f"from {shown(old, 40)} to {shown(new, 40)}"


def _gap(pair: Pair) -> str:
    return f"log ratios differ by {abs(pair.gap):.3g}, rounding allows {pair.tolerance:.1g}"


def _written(index: tuple[int, ...]) -> str:
    return f" at [{', '.join(map(str, index))}]" if index else ""


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" else "a"
