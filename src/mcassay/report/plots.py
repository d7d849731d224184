"""Plots of what a check found, by matplotlib: each function takes axes, or makes its own, and returns them.

They take a report (of which the most important result that can be plotted is), the result of a check, or arrays::

    from mcassay.report.plots import evidence_plot, pp_plot, trace_plot

    report = assay(subject)
    pp_plot(report).figure.savefig("pp.png")

``pip install 'mcassay[plots]'`` installs what they need.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from mcassay.errors import InputError, reject
from mcassay.report.plots_reading import Banded, Bounded, Traced, curves_from, growth_from, trace_from
from mcassay.vocabulary import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["evidence_plot", "pp_difference_plot", "pp_plot", "trace_plot"]

_BLUE, _ORANGE, _GREY, _PALE = "#1b6ca8", "#d1571f", "#6b7280", "#d9dde3"
# A trace that ranges over more than this, and is positive, is drawn on a logarithmic axis.
_WIDE = 100.0


def pp_plot(
    found: Any, statistic: str | None = None, *, reference: Any = None, level: float = 0.99, axes: "Axes | None" = None
) -> "Axes":
    """Draw a P-P plot: of what share of forward draws a statistic is below, what share of the sample is.

    A right kernel stays close to the diagonal. The band round it holds for independent draws: a slow chain leaves it, and is not
    wrong for that. Bounds on runs that are independent, drawn as bars, can be believed.

    Parameters
    ----------
    found
        A report, the result of a check, or a sample.
    statistic
        Which statistic of a result; None for the one with the most evidence. With a sample, what to call it.
    reference
        The forward draws that a sample is compared with.
    level
        The simultaneous level of the band of a sample.
    axes
        Where to draw; None makes a figure.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> pp_plot(rng.normal(size=200), "mu", reference=rng.normal(size=500)).get_title()
    'mu'
    """
    curves = curves_from("pp_plot", found, statistic, reference, level)
    axes = _axes("pp_plot", axes, (4.8, 4.8))
    axes.plot([0, 1], [0, 1], color=_GREY, linewidth=0.8)
    _draw(axes, curves.sample, curves.runs, flat=False)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="share of forward draws below", ylabel="share of the sample below")
    return _titled(axes, curves.statistic)


def pp_difference_plot(
    found: Any, statistic: str | None = None, *, reference: Any = None, level: float = 0.99, axes: "Axes | None" = None
) -> "Axes":
    """Draw the P-P plot less its diagonal, which shows more; parameters as for `pp_plot`.

    Above zero the statistic ends too low, below zero too high.
    """
    curves = curves_from("pp_difference_plot", found, statistic, reference, level)
    axes = _axes("pp_difference_plot", axes, (5.6, 4.0))
    axes.axhline(0, color=_GREY, linewidth=0.8)
    _draw(axes, curves.sample, curves.runs, flat=True)
    axes.set(xlim=(0, 1), xlabel="share of forward draws below", ylabel="P-P difference")
    return _titled(axes, curves.statistic)


def evidence_plot(found: Any, *, limit: float | None = None, label: str | None = None, axes: "Axes | None" = None) -> "Axes":
    """Draw how the evidence against the kernel grew with the sweeps, as odds on a logarithmic scale.

    A right kernel ever takes it to the limit as rarely as alpha says, whenever one looks.

    Parameters
    ----------
    found
        A report, the result of a check, or pairs of sweeps and log10 evidence.
    limit
        Log10 of the odds at which the check fails; None takes the result's own.
    label
        What the legend calls the line, where several are drawn on the same axes.
    axes
        Where to draw; None makes a figure.
    """
    growth = growth_from("evidence_plot", found, limit)
    axes = _axes("evidence_plot", axes, (5.6, 4.0))
    sweeps, evidence = (np.concatenate([[0.0], part]) for part in (growth.sweeps, growth.log10_evidence))
    axes.plot(sweeps, evidence, label=label, linewidth=1.8, drawstyle="steps-post")
    if growth.limit is not None and not any(line.get_gid() == "limit" for line in axes.lines):
        axes.axhline(growth.limit, color=_GREY, linestyle="--", linewidth=1, gid="limit")
        _name_line(axes, growth.limit, "beyond this line: FAIL")
    _odds_axis(axes)
    axes.set_xlabel("sweeps")
    axes.set_ylabel("odds against")
    axes.margins(y=0.1)
    return _titled(axes, "", legend=label is not None)


def trace_plot(found: Any, statistic: str | None = None, *, forward: Any = None, axes: "Axes | None" = None) -> "Axes":
    """Draw a statistic along the chain in which sweeps and new data alternate, before what forward draws say of it.

    A right kernel's chain wanders through the shaded part; one that leaves it for good goes where the model does not.

    Parameters
    ----------
    found
        A report or a result of the check *geweke*, or the values along a chain.
    statistic
        Which statistic of a result; None for the one that is farthest from the forward draws. With values, what to call it.
    forward
        Forward draws of the statistic, where the values are an array.
    axes
        Where to draw; None makes a figure.
    """
    trace = trace_from("trace_plot", found, statistic, forward)
    axes = _axes("trace_plot", axes, (5.6, 4.0))
    _shade_forward(axes, trace.forward)
    axes.plot(trace.sweeps, _finite(trace.values), color=_BLUE, linewidth=1.1, label="the chain")
    if _spans_decades(trace):
        axes.set_yscale("log")
    axes.set(xlabel="sweep", ylabel=trace.statistic, xlim=(trace.sweeps[0], trace.sweeps[-1]))
    return _titled(axes, trace.statistic)


def _axes(where: str, axes: "Axes | None", size: tuple[float, float]) -> "Axes":
    """Return the axes, or new ones on a figure of their own."""
    if axes is not None:
        if not hasattr(axes, "plot") or not hasattr(axes, "axhline"):
            reject(where, "axes", "be matplotlib axes, or None to make some", axes)
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError(f"{where}: plots need matplotlib, which is not installed: pip install 'mcassay[plots]'") from None
    return pyplot.figure(figsize=size, layout="constrained").subplots()


def _draw(axes: "Axes", sample: Banded | None, runs: Bounded | None, *, flat: bool) -> None:
    """Draw the curves of a statistic; ``flat`` takes the diagonal away."""
    if sample is not None:
        places = np.concatenate([[0.0], sample.places, [1.0]])
        away = places if flat else np.zeros_like(places)
        lower, heights, upper = (_whole(part) - away for part in (sample.lower, sample.heights, sample.upper))
        band = f"{100 * sample.level:g} % band of {sample.draws:,} independent draws"
        axes.fill_between(places, lower, upper, color=_PALE, linewidth=0, label=band)
        axes.plot(places, heights, color=_BLUE, linewidth=1.6, label=sample.label)
    if runs is not None:
        away = runs.places if flat else np.zeros_like(runs.places)
        bars = [np.maximum(runs.heights - runs.lower, 0), np.maximum(runs.upper - runs.heights, 0)]
        label = f"{runs.label}, with {100 * runs.level:g} % bounds"
        axes.errorbar(
            runs.places,
            runs.heights - away,
            bars,
            color=_ORANGE,
            marker="o",
            markersize=3.5,
            linewidth=1.2,
            capsize=2,
            label=label,
        )


def _whole(curve: FloatArray) -> FloatArray:
    """Add where every curve begins and ends."""
    return np.concatenate([[0.0], curve, [1.0]])


def _shade_forward(axes: "Axes", forward: FloatArray) -> None:
    draws = forward[np.isfinite(forward)]
    if not len(draws):
        return
    low, lower, middle, upper, high = np.quantile(draws, [0.05, 0.25, 0.5, 0.75, 0.95])
    axes.axhspan(low, high, color=_PALE, alpha=0.6, linewidth=0, label="90 % of forward draws")
    axes.axhspan(lower, upper, color="#b9c2cf", alpha=0.7, linewidth=0, label="50 % of forward draws")
    axes.axhline(middle, color=_GREY, linewidth=0.8)


def _finite(values: FloatArray) -> FloatArray:
    return np.where(np.isfinite(values), values, np.nan)


def _spans_decades(trace: Traced) -> bool:
    values = np.concatenate([trace.values, trace.forward])
    values = values[np.isfinite(values)]
    return bool(len(values) and values.min() > 0 and values.max() > _WIDE * values.min())


def _name_line(axes: "Axes", height: float, name: str) -> None:
    """Write what a level line is on it, at the left."""
    start = ("axes fraction", "data")
    axes.annotate(name, (0, height), (4, 4), xycoords=start, textcoords="offset points", color=_GREY, fontsize="small")


def _odds_axis(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: "1" if value == 0 else f"$10^{{{value:g}}}$"))


def _titled(axes: "Axes", title: str, *, legend: bool = True) -> "Axes":
    if title:
        axes.set_title(title, fontsize="medium")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if legend:
        # Below the axes, where no curve runs through it.
        axes.legend(frameon=False, fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return axes
