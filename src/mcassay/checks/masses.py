"""What is known of one component of a distribution once its density has been added up: mass, moments, the law of its draws."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from mcassay.checks.charts import Chart
from mcassay.checks.quadrature import integrate
from mcassay.checks.sources import NoDensity, NotCheckable, Source
from mcassay.vocabulary import FloatArray, Generator

_MOST_VALUES = 20_000
_MOST_NUMBERS = 2_000_000
_NEGLIGIBLE = 1e-14
_PRECISE = 1e-7
# In logarithms, a density that has not vanished where floating numbers end goes on beyond them.
_FLOATING_ENDS = np.array([-700.0, 700.0])
_LOST_MASS = 1e-9
_REPEATS = 0.002


@dataclass(frozen=True)
class Known:
    """One component, added up.

    Attributes
    ----------
    index
        Which component.
    mass, error
        What its log_p adds up to, and how far that may be off.
    moments
        The mean and the variance; None where they could not be computed.
    uniform
        Turns draws into numbers that are uniform if they have the density that log_p claims.
    draws
        The draws that were made of it.
    """

    index: tuple[int, ...]
    mass: float
    error: float
    moments: tuple[float, float] | None
    uniform: Callable[[FloatArray, Generator], FloatArray] | None
    draws: FloatArray


def is_whole(draws: FloatArray) -> bool:
    """Say whether draws are of a discrete variable: whole numbers by type, or whole numbers that repeat."""
    if draws.dtype.kind in "iub":
        return True
    return bool((draws == np.floor(draws)).all()) and len(np.unique(draws)) < draws.size


def require_no_repeats(draws: FloatArray) -> None:
    """Refuse draws, one row each, that repeat: they pile up where floating numbers end, or have no density at all."""
    ordered = np.sort(draws, axis=0)
    if ((ordered[1:] == ordered[:-1]).mean(axis=0) > _REPEATS).any():
        raise NoDensity("its draws repeat, so that they have no density as far as floating numbers can tell")


def continuous(source: Source, index: tuple[int, ...], base: FloatArray, draws: FloatArray) -> Known:
    """Integrate the density of one component of a distribution of real numbers."""
    require_no_repeats(draws)
    if not (draws > 0).all():
        return _along(Chart("real", ()), source, index, base, draws)
    if not _goes_on_below_zero(source, index, base, draws):
        return _along(Chart("positive", ()), source, index, base, draws)
    # Draws that happen to be positive are not all of it, but a log_p may also not care where its support ends.
    with suppress(NotCheckable):
        whole = _along(Chart("real", ()), source, index, base, draws)
        if whole.mass <= 1 + _PRECISE + whole.error:
            return whole
    return replace(_along(Chart("positive", ()), source, index, base, draws), moments=None)


def _goes_on_below_zero(source: Source, index: tuple[int, ...], base: FloatArray, draws: FloatArray) -> bool:
    try:
        return bool((source.component(index, base, -draws[:64]) > -np.inf).any())
    except NotCheckable:
        return False


def _along(chart: Chart, source: Source, index: tuple[int, ...], base: FloatArray, draws: FloatArray) -> Known:
    """Integrate the density of one component along one line."""
    y = draws.astype(float) if chart.kind == "real" else np.log(draws)
    peak = float(np.median(source.component(index, base, draws[:64])))

    def density(at: FloatArray) -> FloatArray:
        x, log_volume = _line(chart, at)
        log_p = source.component(index, base, x)
        with np.errstate(all="ignore"):
            # Where the coordinate underflows to the edge itself, there is nothing to integrate.
            held = np.isfinite(x) & ((x != 0) | (chart.kind == "real"))
            found: FloatArray = np.where(held, np.exp(log_p + log_volume - peak), 0.0)
        return np.nan_to_num(found, nan=0.0, posinf=np.inf)

    found = integrate(density, y) if np.isfinite(y).all() else None
    if found is None or (chart.kind == "positive" and density(_FLOATING_ENDS).max() > _LOST_MASS * found.mass):
        raise NotCheckable("its density could not be integrated")
    if not found.falls_off:
        raise NoDensity("its density does not fall off on both sides (a distribution on a circle, or very heavy tails?)")
    scale, relative = math.exp(peak), found.error / found.mass
    moments = found.moments(lambda at: _line(chart, at)[0]) if relative < _PRECISE else None
    precise = relative * len(draws) < 1e-3
    uniform = (lambda x, rng: found.cdf(np.log(x) if chart.kind == "positive" else x)) if precise else None
    return Known(index, scale * found.mass, scale * found.error, moments, uniform, draws)


def _line(chart: Chart, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    with np.errstate(all="ignore"):
        return (np.exp(at), at) if chart.kind == "positive" else (at, np.zeros(at.shape))


@dataclass(frozen=True)
class Table:
    """The probabilities of whole numbers in a range: one row a number, one column a component."""

    lowest: int
    probabilities: FloatArray

    def uniform(self, draws: FloatArray, rng: Generator) -> FloatArray:
        """Turn draws, one row each, into numbers that are uniform if they have these probabilities."""
        row = draws.astype(np.int64) - self.lowest
        own = np.take_along_axis(self.probabilities, row, axis=0)
        upto = np.take_along_axis(np.cumsum(self.probabilities, axis=0), row, axis=0)
        found: FloatArray = np.clip((upto - rng.random(own.shape) * own) / self.probabilities.sum(axis=0), 0.0, 1.0)
        return found

    @property
    def masses(self) -> FloatArray:
        """What the probabilities of every component add up to."""
        total: FloatArray = self.probabilities.sum(axis=0)
        return total

    def moments(self, column: int) -> tuple[float, float]:
        """Return the mean and the variance of a component."""
        p = self.probabilities[:, column] / self.masses[column]
        values = self.lowest + np.arange(len(p))
        mean = float(p @ values)
        return mean, float(p @ (values - mean) ** 2)


def table_of(source: Source, draws: FloatArray) -> Table:
    """Add up the probabilities of whole numbers, as far out as there are any."""
    if draws.dtype.kind == "b":
        return Table(0, _rows(source, 0, 1, draws))
    low, high = int(draws.min()), int(draws.max())
    reach = max(4, high - low)
    while True:
        # Counts are not asked for below zero, where users' own tables wrap round.
        low, high = (max(low - reach, 0) if low >= 0 else low - reach), high + reach
        if high - low > _MOST_VALUES or (high - low + 1) * draws[0].size > _MOST_NUMBERS:
            raise NotCheckable("it has too many values to add up")
        try:
            found = _rows(source, low, high, draws)
        except NotCheckable:  # beyond what was drawn it need not answer, in practice
            low, high = int(draws.min()), int(draws.max())
            return Table(low, _rows(source, low, high, draws))
        if not np.isfinite(found).all():
            raise NotCheckable("its probabilities grow without bound")
        if (low == 0 or _negligible(found[0], found)) and _negligible(found[-1], found):
            return Table(low, found)
        reach *= 2


def _negligible(row: FloatArray, rows: FloatArray) -> bool:
    return bool(row.max() <= _NEGLIGIBLE * rows.sum(axis=0).max())


def _rows(source: Source, low: int, high: int, draws: FloatArray) -> FloatArray:
    values = np.arange(low, high + 1).astype(draws.dtype)
    full = np.broadcast_to(values.reshape((-1,) + (1,) * len(source.batch_shape)), (len(values), *source.batch_shape))
    with np.errstate(all="ignore"):
        found: FloatArray = np.exp(source.elsewhere((full,))).reshape(len(values), -1)
    return found
