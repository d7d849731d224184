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

from mcassay.checks.rounding import moved
from mcassay.checks.values import location_of, moved_family, moved_value, values_around
from mcassay.distributions.base import Family
from mcassay.distributions.categorical import Categorical
from mcassay.errors import InputError, shown
from mcassay.vocabulary import FloatArray, Generator

LogDensity = Callable[[Any], float]
Noise = Callable[[FloatArray], float]

_SAFETY = 10.0
_ENOUGH_DIGITS, _REFINEMENTS = 6, 3
_HELD_OUT_SLACK = 1e-7
# How many times more than usual the last digit of a value may matter.
_MOST_SENSITIVE = 100.0
# Log densities this far apart may well be those of exp() that ran out of range; the support ends less steeply.
_UNDERFLOW = 600.0


class AnotherFamily(Exception):
    """The joint's conditional is not of the family that is claimed; the message says how that shows."""


@dataclass(frozen=True)
class Implied:
    """The member of the claimed family that the joint implies, and how far each entry of each parameter may be off."""

    distribution: Family
    errors: dict[str, FloatArray]

    @property
    def digits(self) -> dict[str, int]:
        """How many digits of each parameter are sure, measured against its largest entry."""
        return {name: _digits(value, self.errors[name]) for name, value in self.distribution.parameters.items()}


@dataclass(frozen=True)
class _Fit:
    natural: FloatArray
    errors: FloatArray  # one row a direction in which the natural parameters are uncertain


def implied(claimed: Family, log_density: LogDensity, noise: Noise, rng: Generator) -> Implied:
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
    if isinstance(claimed, Categorical):
        return _implied_categorical(claimed, log_density, noise)
    found = _solved(claimed, log_density, noise, rng)
    for _ in range(_REFINEMENTS):
        if min(found.digits.values()) >= _ENOUGH_DIGITS:
            break
        found = _refined(found, log_density, noise, rng)
    return found


def _refined(rough: Implied, log_density: LogDensity, noise: Noise, rng: Generator) -> Implied:
    """Ask the joint again, round its own conditional: far from there its log densities are large, and rounded as much."""
    try:
        closer = _solved(rough.distribution, log_density, noise, rng)
    except (AnotherFamily, InputError):
        return rough
    return max(rough, closer, key=lambda found: min(found.digits.values()))


def _solved(claimed: Family, log_density: LogDensity, noise: Noise, rng: Generator) -> Implied:
    shift = location_of(claimed)
    standard = moved_family(claimed, -shift)
    around = [moved_value(value, shift) for value in values_around(standard, rng)]
    values, heights = _within_support(_well_conditioned(claimed, around, rng), log_density)
    statistics, response = _system(standard, [moved_value(value, -shift) for value in values], heights)
    fit = _fit(statistics, response, noise(heights))
    member = _member(standard, fit.natural)
    return Implied(moved_family(member, shift), _errors(standard, member, fit, shift))


def _implied_categorical(claimed: Categorical, log_density: LogDensity, noise: Noise) -> Implied:
    """Read the probabilities off directly: every distribution on a finite set is a categorical one."""
    heights = np.array([log_density(label) for label in range(claimed.natural_parameters.size)])
    if np.isnan(heights).any() or not np.isfinite(heights.max()):
        raise AnotherFamily("the joint is not finite at any of its values")
    member = claimed.with_natural_parameters(heights)
    ((name, value),) = member.parameters.items()
    error = _SAFETY * (noise(heights[np.isfinite(heights)]) + np.finfo(float).eps)
    return Implied(member, {name: error * value if name == "probabilities" else np.full(value.shape, error)})


def _well_conditioned(claimed: Family, values: list[Any], rng: Generator) -> list[Any]:
    """Leave out values whose last digit matters far more than that of others, such as matrices next to singular ones."""
    family: Any = claimed
    with np.errstate(all="ignore"):
        changes = np.array([float(family.log_p(_nudged(value, rng)) - family.log_p(value)) for value in values])
    sizes = np.nan_to_num(np.abs(changes), nan=math.inf)
    solid = sizes <= _MOST_SENSITIVE * max(float(np.median(sizes)), np.finfo(float).eps)
    return [value for value, keep in zip(values, solid, strict=True) if keep]


def _nudged(value: Any, rng: Generator) -> Any:
    nudge = 2 * float(np.finfo(float).eps)
    return tuple(moved(part, nudge, rng) for part in value) if isinstance(value, tuple) else moved(value, nudge, rng)


def _within_support(values: list[Any], log_density: LogDensity) -> tuple[list[Any], FloatArray]:
    heights = np.array([log_density(value) for value in values])
    kept = np.isfinite(heights)
    if kept.sum() < 2:
        raise AnotherFamily("the joint is zero almost everywhere that the conditional reaches")
    zero = np.flatnonzero(heights == -math.inf)
    if zero.size and np.ptp(heights[kept]) < _UNDERFLOW:
        raise AnotherFamily(f"the joint is zero at {shown(values[zero[0]], 40)}")
    return [value for value, keep in zip(values, kept, strict=True) if keep], heights[kept]


def _system(standard: Family, values: list[Any], heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    family: Any = standard
    statistics = np.stack([np.asarray(family.sufficient_statistics(value), dtype=float) for value in values])
    base = np.array([float(family.log_base_measure(value)) for value in values])
    usable = np.isfinite(statistics).all(axis=1) & np.isfinite(base)
    return statistics[usable], (heights - base)[usable]


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
    # A direction that the values do not span is not known at all.
    unsure = np.where(solid, inverse * spread, math.inf)
    with np.errstate(invalid="ignore"):
        errors = np.nan_to_num(right * unsure[:, np.newaxis], nan=0.0, posinf=math.inf, neginf=-math.inf) * unscale
    return _Fit(solution * unscale, errors)


def _require_fit(residual: FloatArray, held_out: Any, response: FloatArray, noise: float) -> None:
    allowed = _HELD_OUT_SLACK * float(np.ptp(response)) + 100 * noise
    tried = residual[held_out] if held_out.any() else residual
    if np.abs(tried).max() > allowed:
        raise AnotherFamily(f"the log ratios of the member that comes closest are off by up to {np.abs(tried).max():.2g}")


def _member(standard: Family, natural: FloatArray) -> Family:
    family: Any = standard
    try:
        return family.with_natural_parameters(natural)  # type: ignore[no-any-return]
    except InputError as error:
        reason = str(error).split(": ", 1)[-1]
        raise AnotherFamily(f"the member that comes closest is none ({reason})") from None


def _errors(standard: Family, member: Family, fit: _Fit, shift: FloatArray) -> dict[str, FloatArray]:
    """Return how far each entry of each parameter may be off: what rounding of the log densities does to it, and its own."""
    neighbours = list(_neighbours(standard, fit))
    found = {}
    for name, value in member.parameters.items():
        size = max(float(np.abs(value).max()), float(np.abs(shift).max()) if name == "mean" else 0.0)
        deviations = [math.inf if near is None else near.parameters[name] - value for near in neighbours]
        # The squares of parameters may be no numbers any more.
        total = np.hypot.reduce([np.broadcast_to(deviation, np.shape(value)) for deviation in deviations], axis=0)
        found[name] = np.maximum(total, _SAFETY * np.finfo(float).eps * size)
    return found


def _neighbours(standard: Family, fit: _Fit) -> Iterator[Family | None]:
    """Yield the members that rounding might have led to; None where it leads out of the family."""
    for error in fit.errors:
        try:
            yield _member(standard, fit.natural + _SAFETY * error) if np.isfinite(error).all() else None
        except AnotherFamily:
            yield None


def _digits(value: FloatArray, errors: FloatArray) -> int:
    size, error = float(np.nan_to_num(np.abs(value), posinf=0.0).max()), float(np.max(errors))
    if size == 0 or not math.isfinite(error):
        return 0
    return max(0, math.floor(-math.log10(max(error, 1e-300) / size)))
