"""Draws the trace of a chain over forward draws: a chain that shows the joint covers the same ground."""

from mcassay.report.figures import thinned
from mcassay.report.figures_chain import Trace
from mcassay.report.html_markup import Markup, element
from mcassay.report.svg import Frame

_DOTS = 24


def trace_plot(trace: Trace) -> Markup:
    """Draw a chain, and forward draws behind it."""
    values = (*trace.chain, *trace.forward)
    frame = Frame((trace.sweeps[0], max(trace.sweeps[-1], trace.sweeps[0] + 1)), _around(values), height=190)
    spread = zip(_places(trace, len(trace.forward)), trace.forward, strict=True)
    chain = list(zip(trace.sweeps, trace.chain, strict=True))
    dots = [frame.point(point, f"{point[1]:.4g} after {point[0]:,.0f} sweeps") for point in thinned(chain, _DOTS)]
    axes = frame.axes("sweeps", "value", lambda v: f"{v:,.0f}", lambda v: f"{v:g}")
    said = f"Trace of {trace.name} from {min(trace.chain):.4g} to {max(trace.chain):.4g}; the table below has values"
    behind = frame.path(spread, class_="forward") if trace.forward else None
    series = element("g", frame.path(chain, class_="line thin"), *dots, class_="series c1")
    return frame.drawn(said, axes, behind, series)


def _places(trace: Trace, count: int) -> list[float]:
    """Spread forward draws, which have no order, evenly over the sweeps."""
    first, last = trace.sweeps[0], trace.sweeps[-1]
    return [first + (last - first) * i / max(1, count - 1) for i in range(count)]


def _around(values: tuple[float, ...]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 0.06 * abs(high) or 1.0
    return low - room, high + room
