"""Whether a conditional that changed still returns the same distribution: the same family with the same parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mcassay.distributions.base import Family
from mcassay.faults.contexts import Input
from mcassay.kernels import ConditionalUpdate
from mcassay.state import same_state
from mcassay.subject import Subject

# Parameters that differ by less than this, relative to their size, differ by rounding.
_ROUNDING = 1e-12


def same_conditionals(one: Subject, other: Subject, names: Sequence[str], inputs: Sequence[Input]) -> bool:
    """Say whether the updates of these names are conditionals of ours, and return the same distributions."""
    return all(_same(one.updates.get(name), other.updates.get(name), inputs) for name in names)


def _same(one: Any, other: Any, inputs: Sequence[Input]) -> bool:
    if not isinstance(one, ConditionalUpdate) or not isinstance(other, ConditionalUpdate):
        return False
    return all(_same_distribution(_returned(one, given), _returned(other, given)) for given in inputs)


def _returned(update: ConditionalUpdate, given: Input) -> Any:
    """Return the distribution; None where the conditional changes what it was given, which no distribution tells."""
    state, data, _ = given.own()
    with np.errstate(all="ignore"):
        distribution = update.conditional(state, data)
    return distribution if same_state([state, data], [given.state, given.data]) else None


def _same_distribution(one: Any, other: Any) -> bool:
    """Compare two distributions of ours; anything else is not known to be the same."""
    if not isinstance(one, Family) or type(one).__qualname__ != type(other).__qualname__:
        return False
    if one.parameters.keys() != other.parameters.keys():
        return False
    return all(_close(value, other.parameters[name]) for name, value in one.parameters.items())


def _close(one: Any, other: Any) -> bool:
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape:
        return False
    return bool(np.allclose(first, second, rtol=_ROUNDING, atol=0.0, equal_nan=True))
