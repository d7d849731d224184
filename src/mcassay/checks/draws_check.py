"""Everything that is looked at in one distribution: what log_p adds up to, its moments, and whether draws follow it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.masses import Known, continuous, is_whole, table_of
from mcassay.checks.sources import NoDensity, NotCheckable, Parts, Source
from mcassay.checks.swaps import PILOT, Swaps, compare_by_steps, compare_by_swaps
from mcassay.checks.tilts import Uniformity
from mcassay.distributions.base import Distribution
from mcassay.errors import shown
from mcassay.vocabulary import FloatArray, Generator

# At most how many components are looked at, how many of them are integrated, and how many numbers are drawn at a time.
_COMPONENTS = 64
_INTEGRATED = 4
_NUMBERS = 10_000
_NUMBERS_FOR_SWAPS = 4_000
_CALLS = 8_000
_CALLS_FOR_SWAPS = 1_200
_LARGEST = 400_000
_EXACT = 1e-4
NO_COMPONENTS = "it has no components"


@dataclass(frozen=True)
class Disagreement:
    """One thing that is wrong for sure: what kind ("mass", "moments" or "support"), and by how much, in words."""

    kind: str
    words: str


@dataclass
class Examined:
    """What was seen of one update's distributions, in all situations together."""

    uniformity: Uniformity = field(default_factory=Uniformity)
    swaps: Swaps = field(default_factory=Swaps)
    disagreements: list[Disagreement] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    masses: list[float] = field(default_factory=list)
    moments: int = 0
    components: int = 0
    looked_at: int = 0
    draws: int = 0
    spreads: list[tuple[float, float, float, float]] = field(default_factory=list)

    def disagree(self, kind: str, words: str) -> None:
        """Note what is wrong; the first of a kind is enough."""
        if all(found.kind != kind for found in self.disagreements):
            self.disagreements.append(Disagreement(kind, words))

    def not_checked(self, what: str) -> None:
        """Note what could not be looked at."""
        if what not in self.unchecked:
            self.unchecked.append(what)


def examine(distribution: Distribution, rng: Generator, examined: Examined, alpha: float, *, effort: int = 1) -> None:
    """Look at one distribution and add what is seen.

    Parameters
    ----------
    distribution
        Anything with ``log_p`` and ``sample``.
    rng
        Draws from it.
    examined
        Takes the findings.
    alpha
        The bound on the probability of calling a log_p not normalised because the draws missed a part of the support.
    effort
        How many times the usual number of draws is made.
    """
    try:
        whole = Source.of(distribution, rng)
        examined.components = max(examined.components, math.prod(whole.batch_shape))
        if math.prod(whole.batch_shape) == 0:
            raise NotCheckable(NO_COMPONENTS)
        source = whole.some(_COMPONENTS, rng)
        draws = source.draw(effort * _count(source), rng)
        _examine_draws(source, draws, rng, examined, alpha, effort)
    except NotCheckable as reason:
        examined.not_checked(str(reason))


def _count(source: Source) -> int:
    size = max(1, math.prod(source.batch_shape))
    if source.draws_many:
        return max(_NUMBERS // size, 400)
    return int(min(max(_CALLS // size, 500), max(_LARGEST // size, 1)))


def _examine_draws(source: Source, draws: Parts, rng: Generator, examined: Examined, alpha: float, effort: int) -> None:
    univariate = source.parts == 1 and draws[0].ndim == 1 + len(source.batch_shape)
    examined.draws += draws[0].shape[0]
    examined.looked_at = max(examined.looked_at, math.prod(source.batch_shape))
    if _require_support(source, draws, examined):
        return
    if univariate and is_whole(draws[0]):
        _whole(source, draws[0], rng, examined, alpha, effort)
    elif not univariate or not _real(source, draws[0], rng, examined, alpha):
        _by_swaps(source, draws, rng, examined, effort)


def _require_support(source: Source, draws: Parts, examined: Examined) -> bool:
    """Say whether draws have no density at all, other than at the edges of floating numbers."""
    few = tuple(part[:_CALLS_FOR_SWAPS] for part in draws)
    log_p = source.log_p(few)
    impossible = np.argwhere(~(log_p > -math.inf))
    for place in impossible[:1]:
        value = tuple(np.asarray(part[tuple(place)]) for part in few)
        if all(np.isfinite(part).all() and not np.isin(part, (0.0, 1.0)).any() for part in value) or value[0].dtype.kind in "iub":
            said = shown(value[0] if len(value) == 1 else value)
            given = "log_p gives NaN" if math.isnan(log_p[tuple(place)]) else "log_p gives probability zero"
            examined.disagree("support", f"sample() draws {said}, to which {given} ({len(impossible)} draws)")
            return True
    return False


def _whole(source: Source, draws: FloatArray, rng: Generator, examined: Examined, alpha: float, effort: int) -> None:
    try:
        table = table_of(source, draws)
    except NotCheckable:
        _by_swaps(source, (draws,), rng, examined, effort)
        return
    flat = draws.reshape(len(draws), -1)
    u = table.uniform(flat, rng)
    for column in rng.permutation(flat.shape[1])[:_COMPONENTS]:
        index = tuple(int(i) for i in np.unravel_index(column, source.batch_shape))
        known = Known(index, float(table.masses[column]), 1e-9, table.moments(column), None, flat[:, column])
        _require_mass(known, examined, alpha / _COMPONENTS)
        _require_moments(source, known, examined)
    for group in np.array_split(u, min(u.shape[1], _COMPONENTS), axis=1):
        examined.uniformity.add(group)
    _note_spread(flat[:, 0], table.moments(0), examined)


def _real(source: Source, draws: FloatArray, rng: Generator, examined: Examined, alpha: float) -> bool:
    """Integrate some components; say whether that settled the law of all of them."""
    size = math.prod(source.batch_shape)
    if len(draws) < PILOT or (not source.reads_many and size > _COMPONENTS):
        raise NotCheckable(f"it has {size:,} components; give them as one of our families to have some of them examined")
    chosen = rng.permutation(size)[:_INTEGRATED]
    settled = 0
    for number in chosen:
        index = tuple(int(i) for i in np.unravel_index(number, source.batch_shape)) if source.batch_shape else ()
        settled += _component(source, index, draws, rng, examined, alpha)
    return settled == size


def _component(
    source: Source, index: tuple[int, ...], draws: FloatArray, rng: Generator, examined: Examined, alpha: float
) -> bool:
    place: Any = (slice(None), *index)
    own = draws[place]
    try:
        known = continuous(source, index, draws[0], own)
    except NoDensity:
        raise
    except NotCheckable as reason:
        examined.not_checked(str(reason))
        return False
    _require_mass(known, examined, alpha / _COMPONENTS)
    _require_moments(source, known, examined)
    if known.uniform is None:
        return False
    examined.uniformity.add(known.uniform(own, rng))
    _note_spread(own, known.moments, examined)
    return True


def _require_mass(known: Known, examined: Examined, alpha: float) -> None:
    missed = math.log(1 / alpha) / len(known.draws)
    allowed = _EXACT + 20 * known.error
    if known.mass > 1 + allowed or known.mass < 1 - allowed - missed:
        examined.disagree("mass", f"log_p{_at(known)} adds up to {known.mass:.6g} instead of 1")
    elif allowed < 0.01:
        examined.masses.append(known.mass)
    else:
        examined.not_checked("its density could not be integrated")


def _require_moments(source: Source, known: Known, examined: Examined) -> None:
    if known.moments is None:
        return
    mean, variance = known.moments
    for name, right, unit in (("mean", mean, math.sqrt(variance)), ("variance", variance, variance)):
        claimed = _claimed(source, name, known.index)
        if claimed is None or not math.isfinite(claimed):
            continue
        examined.moments += 1
        if abs(claimed - right) > _EXACT * unit + 1e-9 * abs(right):
            examined.disagree("moments", f"its {name}{_at(known)} is {claimed:.6g}, that of log_p is {right:.6g}")


def _claimed(source: Source, name: str, index: tuple[int, ...]) -> float | None:
    found: Any = getattr(source.distribution, name, None)
    try:
        found = found() if callable(found) else found
        return float(np.broadcast_to(np.asarray(found, dtype=float), source.batch_shape)[index])
    except (TypeError, ValueError, NotImplementedError):
        return None


def _at(known: Known) -> str:
    return f" at [{', '.join(map(str, known.index))}]" if known.index else ""


def _note_spread(draws: FloatArray, moments: tuple[float, float] | None, examined: Examined) -> None:
    if moments is not None:
        drawn = draws.astype(float)
        examined.spreads.append((float(drawn.mean()), float(drawn.std()), moments[0], math.sqrt(moments[1])))


def _by_swaps(source: Source, draws: Parts, rng: Generator, examined: Examined, effort: int) -> None:
    size = max(1, math.prod(source.batch_shape))
    kept = effort * (max(_NUMBERS_FOR_SWAPS // size, 200) if source.reads_many else _CALLS_FOR_SWAPS)
    if len(draws[0]) < 2 * PILOT:
        raise NotCheckable("it was drawn too seldom")
    pilot, rest = (tuple(part[where] for part in draws) for where in (slice(PILOT), slice(PILOT, PILOT + kept)))
    log_p = source.log_p(rest)
    if source.parts == 1 and is_whole(pilot[0]):
        compare_by_steps(source, pilot, rest, log_p, examined.swaps)
    else:
        compare_by_swaps(source, pilot, rest, log_p, rng, examined.swaps)


def findings_of(examined: Examined) -> Iterator[str]:
    """Yield what was looked at, in words."""
    if examined.masses:
        worst = max(examined.masses, key=lambda mass: abs(mass - 1))
        yield f"log_p adds up to {worst:.6g}"
    elif examined.swaps.masses:
        mass = math.exp(float(np.mean(np.log(examined.swaps.masses))))
        yield f"log_p adds up to about {mass:.2g}"
    if examined.moments:
        yield "mean and variance are those of log_p"
    if examined.uniformity.size:
        reach = examined.uniformity.gap + examined.uniformity.bound()
        yield f"sample() and log_p agree to within a P-P gap of {reach:.2g} at {examined.uniformity.size:,} draws"
    if examined.swaps.maps:
        size = next(iter(examined.swaps.maps.values())).size
        gap = max(abs(one.mean) for one in examined.swaps.maps.values()) + math.sqrt(2 * math.log(200) / size)
        yield f"densities at {size:,} draws and at their images under maps balance to within {gap:.2g}"
