"""What a conditional should have been: the parameters that the joint's log ratios imply.

In an exponential family the log density is linear in its sufficient statistics, so the joint's log densities at a few values
of the block give the natural parameters by least squares. Values that were held out tell whether the joint's conditional is of
that family at all, and the condition of the system how many digits of the answer may be claimed.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.distributions.base import Family
from mcassay.errors import InputError
from mcassay.vocabulary import FloatArray, Generator

LogDensity = Callable[[Any], float]

_TEMPERATURES = (1.0, 0.5, 0.2)
_SAFETY = 10.0
_HELD_OUT_SLACK = 1e-7


class AnotherFamily(Exception):
    """The joint's conditional is not of the family that is claimed; the message says how that shows."""


@dataclass(frozen=True)
class Implied:
    """The member of the claimed family that the joint implies, and how many digits of each parameter are sure."""

    distribution: Family
    digits: dict[str, int]


@dataclass(frozen=True)
class _Fit:
    natural: FloatArray
    errors: FloatArray  # one row a direction in which the natural parameters are uncertain


def implied(claimed: Family, log_density: LogDensity, noise: Callable[[FloatArray], float], rng: Generator) -> Implied:
    """Work out which member of the claimed family the joint implies.

    Parameters
    ----------
    claimed
        The distribution of one component, a member of an exponential family.
    log_density
        The log joint as a function of that component, up to a constant.
    noise
        How much rounding there is in log densities of these magnitudes.
    rng
        Draws the values at which the joint is asked.

    Raises
    ------
    AnotherFamily
        Where no member of the family fits.
    """
    shift = _location(claimed)
    standard = _moved(claimed, -shift)
    values = _values(claimed, rng)
    heights = np.array([log_density(value) for value in values])
    kept = np.isfinite(heights)
    if kept.sum() < 2:
        raise AnotherFamily("the joint is zero almost everywhere that the conditional reaches")
    values, heights = [v for v, keep in zip(values, kept, strict=True) if keep], heights[kept]
    statistics, response = _system(standard, [_moved_value(value, -shift) for value in values], heights)
    fit = _fit(statistics, response, noise(heights))
    member = _member(standard, fit.natural)
    return Implied(_moved(member, shift), _digits(standard, member, fit, shift))


def _system(standard: Family, values: list[Any], heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    family: Any = standard
    statistics = np.stack([np.asarray(family.sufficient_statistics(value), dtype=float) for value in values])
    base = np.array([float(family.log_base_measure(value)) for value in values])
    return statistics, heights - base


def _fit(statistics: FloatArray, response: FloatArray, noise: float) -> _Fit:
    """Solve for the natural parameters on two thirds of the values and try the answer on the others."""
    held_out = np.arange(len(response)) % 3 == 2
    if np.unique(statistics, axis=0).shape[0] <= statistics.shape[1] + 2:
        held_out[:] = False  # a finite support has no values to spare, and any conditional on it is of the family
    centre = statistics[~held_out].mean(axis=0)
    scale = np.abs(statistics[~held_out] - centre).max(axis=0)
    design = (statistics - centre) / np.where(scale > 0, scale, 1.0)
    level = response[~held_out].mean()
    left, singular, right = np.linalg.svd(design[~held_out] - design[~held_out].mean(axis=0), full_matrices=False)
    solid = singular > singular[0] * 1e-13
    inverse = np.where(solid, 1 / np.where(solid, singular, 1.0), 0.0)
    solution = right.T @ (inverse * (left.T @ (response[~held_out] - level)))
    residual = response - level - (design - design[~held_out].mean(axis=0)) @ solution
    _require_fit(residual, held_out, response, noise)
    spread = max(noise, float(np.sqrt(np.mean(residual**2))))
    unscale = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1.0), 0.0)
    return _Fit(solution * unscale, (right * (inverse * spread)[:, np.newaxis]) * unscale)


def _require_fit(residual: FloatArray, held_out: Any, response: FloatArray, noise: float) -> None:
    allowed = _HELD_OUT_SLACK * float(np.ptp(response)) + 100 * noise
    tried = residual[held_out] if held_out.any() else residual
    if np.abs(tried).max() > allowed:
        raise AnotherFamily(f"no member of the family fits: its log ratios are off by up to {np.abs(tried).max():.2g}")


def _member(standard: Family, natural: FloatArray) -> Family:
    family: Any = standard
    try:
        return family.with_natural_parameters(natural)  # type: ignore[no-any-return]
    except InputError as error:
        raise AnotherFamily(f"no member of the family fits ({error})") from None


def _digits(standard: Family, member: Family, fit: _Fit, shift: FloatArray) -> dict[str, int]:
    """Count the digits of each parameter that rounding leaves, measured against its largest entry."""
    neighbours = [_moved(near, shift) for near in _neighbours(standard, fit)]
    found = _moved(member, shift).parameters
    return {name: _digits_of(value, [near.parameters[name] for near in neighbours]) for name, value in found.items()}


def _neighbours(standard: Family, fit: _Fit) -> Iterator[Family]:
    for error in fit.errors:
        try:
            yield _member(standard, fit.natural + _SAFETY * error)
        except AnotherFamily:
            continue


def _digits_of(value: FloatArray, neighbours: list[FloatArray]) -> int:
    size = float(np.abs(value).max())
    squares = [float(np.abs(near - value).max()) ** 2 for near in neighbours]
    error = max(math.sqrt(sum(squares)), _SAFETY * np.finfo(float).eps * size)
    return max(0, math.floor(-math.log10(error / size))) if size > 0 else 0


def _values(claimed: Family, rng: Generator) -> list[Any]:
    """Draw values from the claimed distribution and from flatter members of its family around it."""
    family: Any = claimed
    count = 4 * family.natural_parameters.size + 8
    drawn = [member.sample(rng) for member in _flatter(claimed) for _ in range(count)]
    if claimed.support == "integer" and claimed.event_shape == ():
        highest = family.natural_parameters.size if type(claimed).__name__ == "Categorical" else max(drawn) + 1
        return sorted({*map(int, drawn), *range(int(highest))})
    return drawn


def _flatter(claimed: Family) -> Iterator[Any]:
    family: Any = claimed
    for temperature in _TEMPERATURES:
        try:
            yield family.with_natural_parameters(temperature * family.natural_parameters)
        except InputError:
            continue


def _location(claimed: Family) -> FloatArray:
    """Return where the family is centred: its statistics lose digits far from the origin unless they are moved there."""
    return np.asarray(claimed.parameters.get("mean", 0.0), dtype=float)


def _moved(family: Family, by: FloatArray) -> Family:
    if "mean" not in family.parameters:
        return family
    return family._rebuilt({**family.parameters, "mean": family.parameters["mean"] + by})


def _moved_value(value: Any, by: FloatArray) -> Any:
    if isinstance(value, tuple):
        return (_moved_value(value[0], by), *value[1:])
    return value + by if np.any(by) else value
