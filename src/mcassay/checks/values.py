"""Values at which a joint is asked what a conditional should have been: spread wider than what is claimed."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from mcassay.distributions.base import Distribution, ExponentialFamily, Family
from mcassay.distributions.binomial import Binomial
from mcassay.distributions.scipy_stats import ScipyDistribution
from mcassay.distributions.uniform import Uniform
from mcassay.errors import InputError
from mcassay.vocabulary import FloatArray, Generator

_TEMPERATURES = (1.0, 0.5, 0.2)
_MOST_INTEGERS = 100
_EDGES = (0.001, 0.999)


def values_around(claimed: Family, rng: Generator) -> list[Any]:
    """Draw values from the claimed distribution and from flatter members of its family around it."""
    family: Any = claimed
    members = list(_flatter(claimed))
    # As many values where few flatter members exist: with fewer than parameters, anything would fit.
    count = math.ceil(len(_TEMPERATURES) * (int(family.natural_parameters.size) + 8) / len(members))
    drawn = [member.sample(rng) for member in members for _ in range(count)]
    if claimed.support == "integer" and claimed.event_shape == ():
        return _integers(claimed, [int(value) for value in drawn])
    return drawn


def remote_draws(claimed: Any, rng: Generator) -> Iterator[Any]:
    """Yield a draw from the flattest member of the family: mistakes in the tails are hardly ever seen from near the middle."""
    ours = claimed.family() if isinstance(claimed, ScipyDistribution) else claimed
    if isinstance(ours, Family) and isinstance(ours, ExponentialFamily) and ours.support != "integer":
        shift = location_of(ours)
        *_, flattest = _flatter(moved_family(ours, -shift))
        yield moved_value(flattest.sample(rng), shift)


def draws_of(claimed: Distribution, count: int, rng: Generator) -> list[Any]:
    """Draw from what is claimed, and take values just inside the ends of an interval, which may be too long by little."""
    low, high = np.broadcast_arrays(*_ends(claimed))
    near_ends = [low + share * (high - low) for share in _EDGES] if np.isfinite([low, high]).all() else []
    return [*(claimed.sample(rng) for _ in range(count)), *near_ends]


def _ends(claimed: Any) -> tuple[Any, Any]:
    if isinstance(claimed, Uniform):
        return claimed.parameters["low"], claimed.parameters["high"]
    interval = isinstance(claimed, ScipyDistribution) and not claimed.event_shape and hasattr(claimed.frozen, "logpdf")
    return claimed.frozen.support() if interval else (-math.inf, math.inf)


def _integers(claimed: Family, drawn: list[int]) -> list[int]:
    highest = int(claimed._trials) if isinstance(claimed, Binomial) else max(drawn) + 2
    evenly = np.unique(np.linspace(0, highest, min(highest + 1, _MOST_INTEGERS)).round().astype(int))
    return sorted({*drawn, *evenly.tolist()})


def _flatter(claimed: Family) -> Iterator[Any]:
    family: Any = claimed
    yield claimed
    for temperature in _TEMPERATURES[1:]:
        try:
            yield family.with_natural_parameters(temperature * family.natural_parameters)
        except InputError:
            continue


def location_of(claimed: Family) -> FloatArray:
    """Return where the family is centred: its statistics lose digits far from the origin unless they are moved there."""
    return np.asarray(claimed.parameters.get("mean", 0.0), dtype=float)


def moved_family(family: Family, by: FloatArray) -> Family:
    """Return a family of a mean with that mean moved."""
    if "mean" not in family.parameters:
        return family
    return family._rebuilt({**family.parameters, "mean": family.parameters["mean"] + by})


def moved_value(value: Any, by: FloatArray) -> Any:
    """Return a value moved as its family was; of a pair it is the first that has a mean."""
    if isinstance(value, tuple):
        return (moved_value(value[0], by), *value[1:])
    return value + by if np.any(by) else value
