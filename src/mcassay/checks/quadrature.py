"""The mass, the distribution function and the moments of a density on a line, by adaptive Gauss-Legendre quadrature.

Cells start at the quantiles of draws, so that no mode is missed that the sampler visits, and grow by powers towards both tails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.vocabulary import BoolArray, FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_TO_COEFFICIENTS = (np.polynomial.legendre.legvander(_NODES, 15) * _WEIGHTS[:, np.newaxis]).T * (np.arange(16) + 0.5)[
    :, np.newaxis
]
_QUANTILES = np.linspace(0.0, 1.0, 41)
# Tails begin with steps so small that an edge of the support right beyond the last draw is seen.
_FIRST_STEP = 1e-7
_STEPS = 40
_LEAST_LEVELS = 2
_MISSED = 0.01
_SEVERAL = 8
_LEVELS = 48
_MOST_CELLS = 300
_CLOSE = 1e-11
_FALLEN_OFF = 1e-8

Density = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Cells:
    """A density in cells: the edges, and its values at the nodes of each."""

    low: FloatArray
    high: FloatArray
    density: FloatArray

    @classmethod
    def of(cls, density: Density, low: FloatArray, high: FloatArray) -> "Cells":
        """Ask for the density at the nodes of every cell."""
        cells = cls(low, high, np.empty(0))
        values = density(cells.nodes.ravel()).reshape(len(low), 16)
        return cls(low, high, values)

    @property
    def nodes(self) -> FloatArray:
        """The nodes of every cell."""
        return 0.5 * (self.low + self.high)[:, np.newaxis] + 0.5 * (self.high - self.low)[:, np.newaxis] * _NODES

    @property
    def masses(self) -> FloatArray:
        """The mass of every cell."""
        return 0.5 * (self.high - self.low) * (self.density @ _WEIGHTS)

    def halves(self, density: Density) -> "Cells":
        """Return all cells cut in two, first halves and second halves in turn."""
        middle = 0.5 * (self.low + self.high)
        low, high = np.stack([self.low, middle], axis=1).ravel(), np.stack([middle, self.high], axis=1).ravel()
        return Cells.of(density, low, high)

    def where(self, chosen: Any) -> "Cells":
        """Return some of the cells."""
        return Cells(self.low[chosen], self.high[chosen], self.density[chosen])


@dataclass(frozen=True)
class Integrated:
    """A density in cells fine enough, with a bound on the error of its mass.

    Attributes
    ----------
    cells
        The cells in order.
    error
        How far the mass may be off.
    falls_off
        Whether the density vanishes towards both ends.
    """

    cells: Cells
    error: float
    falls_off: bool

    @property
    def mass(self) -> float:
        """The integral."""
        return float(self.cells.masses.sum())

    def cdf(self, y: FloatArray) -> FloatArray:
        """Return the distribution function, normalised."""
        cells, cumulative = self.cells, np.concatenate([[0.0], np.cumsum(self.cells.masses)])
        place = np.clip(np.searchsorted(cells.low, y, side="right") - 1, 0, len(cells.low) - 1)
        half = np.maximum(0.5 * (cells.high - cells.low)[place], np.finfo(float).tiny)
        t = np.clip((y - cells.low[place]) / half - 1.0, -1.0, 1.0)
        coefficients = cells.density @ _TO_COEFFICIENTS.T
        within = (coefficients[place] * _antiderivatives(t)).sum(axis=-1) * half
        found: FloatArray = np.clip((cumulative[place] + within) / cumulative[-1], 0.0, 1.0)
        return found

    def moments(self, values: Callable[[FloatArray], FloatArray]) -> tuple[float, float] | None:
        """Return the mean and the variance of what the coordinate stands for; None where the tails do not allow it."""
        with np.errstate(all="ignore"):
            x = values(self.cells.nodes)
            weights = 0.5 * (self.cells.high - self.cells.low)[:, np.newaxis] * self.cells.density * _WEIGHTS / self.mass
            weights = np.where(weights > 0, weights, 0.0)
            x = np.where(weights > 0, x, 0.0)
            mean = float((weights * x).sum())
            squares = (weights * (x - mean) ** 2).sum(axis=1)
            variance = float(squares.sum())
        if not np.isfinite([mean, variance]).all() or max(squares[0], squares[-1]) > _FALLEN_OFF * variance:
            return None
        return mean, variance


def _antiderivatives(t: FloatArray) -> FloatArray:
    """Integrate Legendre polynomials from -1 to t."""
    p = np.polynomial.legendre.legvander(t, 16)
    degrees = np.arange(1, 16)
    return np.concatenate([(t + 1.0)[:, np.newaxis], (p[:, 2:] - p[:, :-2]) / (2 * degrees + 1)], axis=1)


def integrate(density: Density, draws: FloatArray) -> Integrated | None:
    """Integrate a density around draws; None where it is not finite."""
    knots = _knots(draws)
    cells = Cells.of(density, knots[:-1], knots[1:])
    if not np.isfinite(cells.density).all() or not cells.masses.sum() > 0:
        return None
    tails = cells.masses[[0, -1]] / cells.masses.sum()
    done, error = _refined(density, cells, np.sort(draws))
    if done is None:
        return None
    order = np.argsort(done.low)
    return Integrated(done.where(order), error, bool((tails < _FALLEN_OFF).all()))


def _knots(draws: FloatArray) -> FloatArray:
    inner = np.unique(np.quantile(draws, _QUANTILES))
    width = max(inner[-1] - inner[0], 1e-12 * max(abs(inner[0]), abs(inner[-1])), 1e-300)
    steps = _FIRST_STEP * width * 4.0 ** np.arange(_STEPS)
    return np.concatenate([(inner[0] - steps)[::-1], inner, inner[-1] + steps])


def _refined(density: Density, cells: Cells, draws: FloatArray) -> tuple[Cells | None, float]:
    """Cut cells in two until that changes nothing; return the cells and what of their mass is not sure."""
    total, pending, done, error = float(cells.masses.sum()), cells, [], 0.0
    for level in range(_LEVELS):
        halves = pending.halves(density)
        if not np.isfinite(halves.density).all():
            return None, 0.0
        total = max(total, float(halves.masses.sum()))
        settled, unsure = _settled(pending, halves, draws, total, level)
        error += float(unsure[settled].sum())
        both = np.repeat(settled, 2)
        done.append(halves.where(both))
        pending = halves.where(~both)
        if not len(pending.low):
            break
    joined = [np.concatenate([getattr(part, name) for part in done]) for name in ("low", "high", "density")]
    return Cells(*joined), error


def _settled(cells: Cells, halves: Cells, draws: FloatArray, total: float, level: int) -> tuple[BoolArray, FloatArray]:
    """Say which cells need no further cuts, and how much of the mass of each is not sure."""
    masses = halves.masses.reshape(-1, 2).sum(axis=1)
    gaps = np.abs(masses - cells.masses)
    close = gaps <= _CLOSE * total
    # Where there are draws and yet no mass, the nodes may have missed where they lie.
    counts = np.searchsorted(draws, cells.high) - np.searchsorted(draws, cells.low)
    settled = close & ((counts < _SEVERAL) | (masses * len(draws) >= _MISSED * counts * total))
    if level < _LEAST_LEVELS:
        # An edge next to a node may hide from the first halves.
        settled &= masses <= _CLOSE * total
    if level == _LEVELS - 1 or (~settled).sum() > _MOST_CELLS:
        # What is not resolved by now may hold any mass: more may sit closer to a singularity than cells can come.
        return np.ones_like(settled), gaps + np.where(close, 0.0, masses)
    return settled, gaps
