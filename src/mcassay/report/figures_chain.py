"""What there is to draw of a chain in which sweeps and new data alternate: P-P curves against forward draws, and traces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcassay.report.figures import Curve, Curves, Numbers, number, numbers, thinned
from mcassay.results import CheckResult


@dataclass(frozen=True)
class Trace:
    """The values of one statistic along a chain, and of as many forward draws."""

    name: str
    sweeps: Numbers
    chain: Numbers
    forward: Numbers


@dataclass(frozen=True)
class Chain:
    """A chain beside forward draws."""

    curves: Curves
    traces: tuple[Trace, ...]


def chain_of(result: CheckResult, most_curves: int, most_traces: int, points: int) -> Chain | None:
    """Read the chain of a result, the curves farthest from the diagonal first."""
    kept = result.details.get("chain")
    if not isinstance(kept, Mapping):
        return None
    curves = _curves(kept)
    if not curves:
        return None
    drawn = Curves(numbers(kept["places"]), number(kept.get("level")), tuple(curves[:most_curves]), len(curves[most_curves:]))
    order = {curve.name: place for place, curve in enumerate(curves)}
    traces = sorted(_traces(kept.get("trace"), points), key=lambda trace: order.get(trace.name, len(order)))
    return Chain(drawn, tuple(traces[:most_traces]))


def _curves(kept: Mapping[str, Any]) -> list[Curve]:
    places, lower, upper = (numbers(kept.get(name)) for name in ("places", "lower", "upper"))
    statistics = kept.get("statistics")
    if not places or not len(places) == len(lower) == len(upper) or not isinstance(statistics, Mapping):
        return []
    band = _less(lower, places), _less(upper, places)
    found = [_curve(str(name), value, places, band) for name, value in statistics.items()]
    return sorted((c for c in found if c is not None), key=lambda c: abs(c.mean[c.largest]), reverse=True)


def _curve(name: str, value: Any, places: Numbers, band: tuple[Numbers, Numbers]) -> Curve | None:
    drawn = numbers(value.get("curve")) if isinstance(value, Mapping) else ()
    if len(drawn) != len(places):
        return None
    draws = number(value.get("independent"))
    return Curve(name, _less(drawn, places), *band, note="" if draws is None else f"about {draws:,.0f} independent draws")


def _less(values: Numbers, others: Numbers) -> Numbers:
    return tuple(value - other for value, other in zip(values, others, strict=True))


def _traces(kept: Any, points: int) -> list[Trace]:
    if not isinstance(kept, Mapping) or not isinstance(kept.get("statistics"), Mapping):
        return []
    sweeps = numbers(kept.get("sweeps"))
    found = [_trace(str(name), value, sweeps, points) for name, value in kept["statistics"].items()]
    return [trace for trace in found if trace is not None]


def _trace(name: str, value: Any, sweeps: Numbers, points: int) -> Trace | None:
    chain, forward = (numbers(value.get(side)) for side in ("chain", "forward")) if isinstance(value, Mapping) else ((), ())
    if len(sweeps) < 2 or len(chain) != len(sweeps):
        return None
    return Trace(name, thinned(sweeps, points), thinned(chain, points), thinned(forward, points))
