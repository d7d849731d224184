"""Why an acceptance ratio is wrong: hypotheses that are stated only where they remove the gap on every move."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mcassay.checks.moves import Weighed
from mcassay.vocabulary import FloatArray

_FEWEST = 3
_WHOLE = 1e-6

# What the kernel's log ratio would be if the hypothesis held.
_HYPOTHESES: dict[str, Callable[[Weighed], float]] = {
    "the log joint used by the kernel differs from the subject's": lambda w: w.own_joint + w.proposals,
    "the Hastings term is missing": lambda w: w.joint,
    "the Hastings term is reversed": lambda w: w.joint - w.proposals,
    "the ratio is reversed (old over new)": lambda w: -(w.joint + w.proposals),
    "the log joint is reversed (old over new)": lambda w: w.proposals - w.joint,
    "the log joint is missing": lambda w: w.proposals,
    "it is the ratio itself, not its logarithm": lambda w: math.exp(min(w.expected, 700.0)),
    "it is the probability of acceptance, not the log ratio": lambda w: math.exp(min(w.expected, 0.0)),
}


def likely_cause(weighed: Sequence[Weighed], slack: float) -> str | None:
    """Name the first hypothesis under which every move agrees.

    Parameters
    ----------
    weighed
        All the moves that were weighed.
    slack
        How many times its own tolerance a move may be off; rounding may be worse than its usual bound.
    """
    if any(w.expected == -math.inf and w.ratio > -math.inf for w in weighed):
        return None
    finite = [w for w in weighed if math.isfinite(w.gap)]
    if len(finite) < _FEWEST:
        return None
    for cause, predicted in _HYPOTHESES.items():
        if all(abs(w.ratio - predicted(w)) <= slack * w.tolerance * _steepness(w, predicted) for w in finite):
            return cause
    return _proportional_cause(finite, slack)


def _steepness(weighed: Weighed, predicted: Callable[[Weighed], float]) -> float:
    # Rounding of a logarithm is magnified where its exponential is taken.
    return max(1.0, abs(predicted(weighed)))


def _proportional_cause(weighed: list[Weighed], slack: float) -> str | None:
    gaps = np.array([w.gap for w in weighed])
    bounds = slack * np.array([w.tolerance for w in weighed])
    if np.ptp(gaps) <= 2 * bounds.max():
        return f"a constant {np.median(gaps):.6g} is added to the log ratio"
    for name, change in _volumes(weighed):
        factor = _common_factor(gaps, change, bounds)
        if factor is not None and abs(factor - round(factor)) < _WHOLE and round(factor) != 0:
            return f"the Jacobian is missing, or counted twice (the gap is {_times(round(factor))}the change of {name})"
    factor = _common_factor(np.array([w.ratio for w in weighed]), np.array([w.expected for w in weighed]), bounds)
    return None if factor is None else f"the log ratio is multiplied by {factor:.6g}"


def _times(factor: int) -> str:
    return {1: "", -1: "minus "}.get(factor, f"{factor} times ")


def _common_factor(values: FloatArray, basis: FloatArray, bounds: FloatArray) -> float | None:
    largest = int(np.argmax(np.abs(basis)))
    if basis[largest] == 0:
        return None
    factor = float(values[largest] / basis[largest])
    allowed = bounds * (1.0 + abs(factor)) + bounds[largest] * np.abs(basis / basis[largest])
    return factor if (np.abs(values - factor * basis) <= allowed).all() else None


def _volumes(weighed: list[Weighed]) -> Iterator[tuple[str, FloatArray]]:
    """Yield what the log Jacobians of the usual transformations change by on each move."""
    for name, volume in _LOG_VOLUMES.items():
        changes = [_change(w, volume) for w in weighed]
        if all(math.isfinite(change) for change in changes):
            yield name, np.array(changes)


def _change(weighed: Weighed, volume: Callable[[FloatArray], float]) -> float:
    try:
        old, new = _flat(weighed.old, weighed.move.index), _flat(weighed.move.new, weighed.move.index)
        with np.errstate(all="ignore"):
            return volume(new) - volume(old)
    except (TypeError, ValueError):
        return math.nan


def _flat(value: Any, index: tuple[int, ...] | None) -> FloatArray:
    parts = value if isinstance(value, tuple) else (value,)
    arrays = [np.asarray(part, dtype=float) for part in parts]
    return np.concatenate([np.ravel(array if index is None else array[index]) for array in arrays])


_LOG_VOLUMES: dict[str, Callable[[FloatArray], float]] = {
    "the log of the block": lambda x: float(np.log(np.abs(x)).sum()),
    "log x(1 - x) of the block": lambda x: float(np.log(x * (1 - x)).sum()),
    "the block": lambda x: float(x.sum()),
}
