"""The plots of a report: P-P curves, the same less the diagonal, the growth of evidence, and traces of a chain."""

import math
from collections.abc import Sequence

from mcassay.checks import betting
from mcassay.report.figures import Curve, Curves, Growth
from mcassay.report.html_markup import Markup, element
from mcassay.report.svg import Frame, Point

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNIT = (0.0, 1.0)


def pp_plot(curves: Curves) -> Markup:
    """Draw the P-P plot: how much lies below each quantile of the joint. A right kernel stays on the diagonal."""
    frame = Frame(_UNIT, _UNIT, width=310, height=300, left=54)
    diagonal = frame.path([(0, 0), (1, 1)], class_="zero")
    lines = [_on_diagonal(frame, place, curves, curve) for place, curve in enumerate(curves.curves)]
    axes = frame.axes("share under the joint", "share after", _plain, _plain)
    return frame.drawn("P-P plot; the table below has its values", axes, diagonal, *reversed(lines), class_="plot square")


def _on_diagonal(frame: Frame, place: int, curves: Curves, curve: Curve) -> Markup:
    inner = [(q, q + mean) for q, mean in zip(curves.quantiles, curve.mean, strict=True)]
    said = [f"at {x:g}: {y:.3g}" for x, y in inner]
    return _series(frame, place, [(0.0, 0.0), *inner, (1.0, 1.0)], ["", *said, ""], name=curve.name)


def gap_plot(curves: Curves, tolerance: float | None) -> Markup:
    """Draw the same less the diagonal and magnified, with bounds and the tolerance."""
    reach = _reach(curves, tolerance)
    frame = Frame(_UNIT, (-reach, reach))
    levels = [frame.level(0.0, kind="zero")]
    if tolerance and tolerance < reach:
        levels += [frame.level(tolerance, f"tolerance {tolerance:g}", "tolerance"), frame.level(-tolerance, kind="tolerance")]
    axes = frame.axes("quantile of the joint", "P-P gap", _plain, _signed)
    worst = max(curves.curves, key=lambda curve: abs(curve.mean[curve.largest]))
    said = f"P-P gaps; the largest is {worst.mean[worst.largest]:+.3g} ({worst.name}); the table below has all values"
    lines = [_with_band(frame, place, curves, curve) for place, curve in enumerate(curves.curves)]
    return frame.drawn(said, axes, *levels, *reversed(lines))


def _with_band(frame: Frame, place: int, curves: Curves, curve: Curve) -> Markup:
    points, upper, lower = (list(zip(curves.quantiles, v, strict=True)) for v in (curve.mean, curve.upper, curve.lower))
    return _series(frame, place, points, _said(curves, curve), frame.band(upper, lower), curve.name)


def _reach(curves: Curves, tolerance: float | None) -> float:
    """Choose how far the axis goes: to the curves, the tolerance, and the bounds of the first unless they dwarf these."""
    seen = max(1e-4, tolerance or 0.0, *(abs(mean) for curve in curves.curves for mean in curve.mean))
    bounds = max(abs(bound) for bound in (*curves.curves[0].lower, *curves.curves[0].upper))
    return min(1.0, 1.12 * max(seen, bounds if bounds <= 4 * seen else 1.6 * seen))


def _said(curves: Curves, curve: Curve) -> list[str]:
    rows = zip(curves.quantiles, curve.mean, curve.lower, curve.upper, strict=True)
    return [f"at {q:g}: {mean:+.3g} ({low:+.2g} to {high:+.2g})" for q, mean, low, high in rows]


def _series(
    frame: Frame, number: int, points: Sequence[Point], said: Sequence[str], under: Markup | None = None, name: str | None = None
) -> Markup:
    dots = [frame.point(point, words) for point, words in zip(points, said, strict=True) if words]
    line = frame.path(points, class_="line")
    return element("g", under, line, *dots, class_=f"series c{number + 1}", data_series=number, data_name=name)


def evidence_plot(growth: Growth) -> Markup:
    """Draw how the evidence grew, as odds on a logarithmic scale, and the limit."""
    values = [value for _, value in growth.points]
    top = max([1.0, *values, *([] if growth.limit is None else [growth.limit])])
    frame = Frame((0.0, max(1.0, growth.points[-1][0])), (min(0.0, *values) - 0.02 * top, 1.12 * top), height=300)
    levels = [] if growth.limit is None else [frame.level(growth.limit, f"limit {odds(growth.limit)}")]
    said = [f"{sweeps:,.0f} sweeps: {odds(value)}" for sweeps, value in growth.points]
    line = _series(frame, 0, growth.points, said)
    axes = frame.axes("sweeps", "odds against", _count, _power)
    last = f"Evidence; {said[-1]} at the end{'' if growth.limit is None else f', limit {odds(growth.limit)}'}"
    return frame.drawn(f"{last}; the table below has all values", axes, *levels, line)


def odds(log10: float | None) -> str:
    """Write evidence as odds; nothing where there is none.

    Examples
    --------
    >>> odds(6.3), odds(0.5), odds(None)
    ('2e6 : 1', '3.2 : 1', '')
    """
    if log10 is None or math.isnan(log10):
        return ""
    if math.isinf(log10):
        return "infinite" if log10 > 0 else "0 : 1"
    return betting.odds(max(log10, -300.0))


def _plain(value: float) -> str:
    return f"{value:g}"


def _signed(value: float) -> str:
    return f"{value:+g}".replace("-", "−") if value else "0"


def _count(value: float) -> str:
    return f"{value:,.0f}" if value < 1e6 else f"{value / 1e6:g} M"


def _power(value: float) -> str:
    return "1" if value == 0 else f"10{f'{value:g}'.translate(_SUPERSCRIPTS)}" if value == round(value) else ""
