"""Say what is wrong with a conditional: which component, and what the joint says that it should have been."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.components import Index, same_component, with_component, with_components
from mcassay.checks.identity import Pair
from mcassay.checks.implied import AnotherFamily, Implied, implied
from mcassay.checks.trial import Trial
from mcassay.checks.wording import compare, family_name, written_pair
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
        return Explanation(_support_cause(name, trial.old, new, pair), _move(trial.old, new))
    if trial.depends_on_own_value(new):
        cause = f"{name} depends on the value that it replaces; it may depend on the other blocks and the data alone"
        return Explanation(cause, _gap(pair))
    index = _component(trial, new) if trial.separable else ()
    if index is None or (index and _depends_on_others(trial, new, index)):
        cause = f"{name} draws its components independently; the joint says that they depend on each other"
        return Explanation(cause, _gap(pair))
    return _explain_component(trial, name, index, new, pair, rng)


def _explain_component(trial: Trial, name: str, index: Index, new: Any, pair: Pair, rng: Generator) -> Explanation:
    label = f"{name}{_written(index)}"
    claimed = _family(trial)
    if claimed is None:
        return Explanation(f"{label}{_unnamed(trial)} does not agree with the joint", f"{_gap(pair)}, {_move(trial.old, new)}")
    component = _by_probabilities(claimed.component(index))
    if not isinstance(component, ExponentialFamily):
        return Explanation(f"{label} is {component!r}; the joint says otherwise", f"{_gap(pair)}, {_move(trial.old, new)}")
    try:
        found = _implied(trial, component, index, rng)
    except AnotherFamily as reason:
        cause = f"{label} is {component!r}; the joint's conditional is not {family_name(component)}: {reason}"
        return Explanation(cause, _gap(pair), {"claimed": dict(component.parameters)})
    return _say_implied(label, component, found, index, pair)


def _say_implied(label: str, claimed: Family, found: Implied, index: Index, pair: Pair) -> Explanation:
    said, true = written_pair(claimed, found)
    cause = f"{label} is {said}; the joint says {true}: {compare(claimed, found)}"
    if not any(found.digits.values()):
        cause = f"{label} is {said}; the joint says otherwise, and its values where that lies do not tell what"
    details = {
        "component": list(index),
        "claimed": dict(claimed.parameters),
        "implied": dict(found.distribution.parameters),
        "digits": found.digits,
    }
    return Explanation(cause, _gap(pair), details)


def _family(trial: Trial) -> Family | None:
    """Return what is claimed as one of our families, if it is one and its components are those of the block."""
    claimed: Any = trial.claimed
    if isinstance(claimed, ScipyDistribution):
        claimed = claimed.family()
    whole = claimed is not None and (trial.separable or trial.log_p_old.shape == ())
    if not whole or not isinstance(claimed, Family) or claimed.batch_shape != trial.log_p_old.shape:
        return None
    return claimed


def _unnamed(trial: Trial) -> str:
    if not isinstance(trial.claimed, ScipyDistribution):
        return ""
    return f" is {repr(trial.claimed)[len('ScipyDistribution(') : -1]} and"


def _by_probabilities(component: Family) -> Family:
    """Write a Categorical by its probabilities, or normalised: log odds as given are only known up to a constant."""
    if not isinstance(component, Categorical) or "probabilities" in component.parameters:
        return component
    if (component.probabilities > 0).all():
        return Categorical.from_probabilities(component.probabilities)
    return Categorical.from_log_odds(component.natural_parameters)


def _implied(trial: Trial, component: Family, index: Index, rng: Generator) -> Implied:
    def log_density(value: Any) -> float:
        # Where the user's function breaks down at a value that the sampler need not visit, other values will do.
        try:
            return trial.joint_at(with_component(trial.old, index, value))
        except Exception:
            return math.nan

    def noise(heights: FloatArray) -> float:
        largest = float(np.abs(heights).max())
        return trial.joint.tolerance([largest], trial.situation.state, trial.situation.data) / 16

    return implied(component, log_density, noise, rng)


def _component(trial: Trial, new: Any) -> Index | None:
    """Find one component whose own move disagrees, by halving; None where only moves of several together do."""
    changed = [i for i in np.ndindex(trial.log_p_old.shape) if not same_component(trial.old, new, i)]
    while len(changed) > 1:
        half = len(changed) // 2
        sides = [(abs(_partial_gap(trial, new, part)), part) for part in (changed[:half], changed[half:])]
        gap, changed = max(sides, key=lambda side: side[0])
        if gap == 0.0:
            return None
    return changed[0] if changed and _partial_gap(trial, new, changed) else None


def _partial_gap(trial: Trial, new: Any, indices: list[Index]) -> float:
    pair = trial.weigh(with_components(trial.old, new, indices))
    return pair.gap if abs(pair.gap) > pair.tolerance else 0.0


def _depends_on_others(trial: Trial, new: Any, index: Index) -> bool:
    """Say whether the joint's log ratio for one component changes with where the others are."""
    alone = trial.weigh(with_components(trial.old, new, [index]))
    others = trial.weigh(with_component(new, index, _own(trial.old, index)))
    both = trial.weigh(new)
    excess = abs(both.gap - others.gap - alone.gap)
    return math.isfinite(excess) and excess > both.tolerance + others.tolerance + alone.tolerance


def _own(value: Any, index: Index) -> Any:
    return tuple(part[index] for part in value) if isinstance(value, tuple) else np.asarray(value)[index]


def _support_cause(name: str, old: Any, new: Any, pair: Pair) -> str:
    at_new = (pair.claim_new == -math.inf) != (pair.joint_new == -math.inf)
    value = _value(new if at_new else old)
    if (pair.claim_new if at_new else pair.claim_old) == -math.inf:
        return f"{name} gives probability zero to {value}, which the joint allows"
    return f"{name} allows {value}, to which the joint gives probability zero"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(part) for part in value)})"
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else shown(value, 60)


def _move(old: Any, new: Any) -> str:
    return f"from {_value(old)} to {_value(new)}"


def _gap(pair: Pair) -> str:
    return f"log ratios differ by {abs(pair.gap):.3g}, rounding allows {pair.tolerance:.1g}"


def _written(index: Index) -> str:
    return f" at [{', '.join(map(str, index))}]" if index else ""
