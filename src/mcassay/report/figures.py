"""What there is to draw of a result, read from its details; whatever is damaged there is not drawn."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mcassay.results import CheckResult

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """The P-P gap of one statistic at every quantile, with its bounds; ``note`` is what else to say of it."""

    name: str
    mean: Numbers
    lower: Numbers
    upper: Numbers
    note: str = ""

    @property
    def largest(self) -> int:
        """The place of the largest gap."""
        return max(range(len(self.mean)), key=lambda i: abs(self.mean[i]))


@dataclass(frozen=True)
class Curves:
    """P-P curves, those with the most evidence first; ``left_out`` are not drawn."""

    quantiles: Numbers
    level: float | None
    curves: tuple[Curve, ...]
    left_out: int = 0


@dataclass(frozen=True)
class Growth:
    """Sweeps and log10 evidence as they grew, and the limit."""

    points: tuple[tuple[float, float], ...]
    limit: float | None


def curves_of(result: CheckResult, most: int) -> Curves | None:
    """Read the P-P curves of a result."""
    kept = result.details.get("pp")
    if not isinstance(kept, Mapping):
        return None
    quantiles, statistics, level = numbers(kept.get("deciles")), kept.get("statistics"), number(kept.get("level"))
    if not quantiles or not isinstance(statistics, Mapping):
        return None
    curves = [_curve(str(name), value, len(quantiles)) for name, value in statistics.items()]
    order = _importance(result)
    known = sorted((c for c in curves if c is not None), key=lambda c: order.get(c.name, (-math.inf, 0.0)), reverse=True)
    return Curves(quantiles, level, tuple(known[:most]), len(known[most:])) if known else None


def _curve(name: str, value: Any, size: int) -> Curve | None:
    parts = [numbers(value.get(part)) for part in ("mean", "lower", "upper")] if isinstance(value, Mapping) else [()]
    return Curve(name, *parts) if all(len(part) == size for part in parts) else None


def _importance(result: CheckResult) -> dict[str, tuple[float, float]]:
    """Order statistics by their evidence, and those without any by their gap."""
    return {s.name: (or_lowest(s.log10_evidence), or_lowest(s.gap)) for s in result.statistics}


def or_lowest(value: float | None) -> float:
    """Return a number to sort by."""
    return -math.inf if value is None or math.isnan(value) else value


def growth_of(result: CheckResult, most: int) -> Growth | None:
    """Read how the evidence grew."""
    kept = result.details.get("history")
    pairs = [numbers(pair) for pair in kept] if isinstance(kept, Sequence) and not isinstance(kept, str) else []
    points = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    if len(points) < 2 or any(a[0] > b[0] for a, b in pairwise(points)):
        return None
    return Growth(thinned(points, most), number(result.details.get("log10_limit")))


def thinned(points: Sequence[Any], most: int) -> tuple[Any, ...]:
    """Return at most so many points, evenly spread over their places, the first and the last among them.

    Examples
    --------
    >>> thinned(range(101), 5)
    (0, 25, 50, 75, 100)
    """
    if len(points) <= most:
        return tuple(points)
    return tuple(points[round(i * (len(points) - 1) / (most - 1))] for i in range(most))


def number(value: Any) -> float | None:
    """Return a finite number, or None for anything else."""
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
    return float(value) if usable else None


def numbers(value: Any) -> Numbers:
    """Return finite numbers; nothing where there is anything else among them."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return ()
    found = [number(part) for part in value]
    return tuple(part for part in found if part is not None) if None not in found else ()
