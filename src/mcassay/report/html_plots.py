"""A plot with what belongs to it: caption, legend, and behind it a table of the same values for those who do not see it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcassay.report.figures import Curves, Growth, curves_of, growth_of, or_lowest, thinned
from mcassay.report.figures_chain import Chain, Trace, chain_of
from mcassay.report.html_markup import Markup, element, joined, name_of, table, unfolded
from mcassay.report.svg_plots import evidence_plot, gap_plot, odds, pp_plot
from mcassay.report.svg_trace import trace_plot
from mcassay.results import CheckResult, Verdict

_TRACES, _TRACE_POINTS, _TRACE_ROWS = 3, 120, 20


@dataclass(frozen=True)
class Amount:
    """How much is drawn of a result: curves and statistics where something was found and where nothing was, and points."""

    curves: tuple[int, int]
    statistics: tuple[int, int]
    points: int

    def of(self, result: CheckResult) -> tuple[int, int]:
        """Return how many curves and statistics to show of a result."""
        place = 0 if result.verdict in (Verdict.FAIL, Verdict.UNCLEAR) else 1
        return self.curves[place], self.statistics[place]


PLENTY = Amount(curves=(6, 3), statistics=(40, 12), points=40)
SPARING = Amount(curves=(3, 2), statistics=(12, 8), points=24)


def plots(result: CheckResult, tolerance: float | None, amount: Amount = PLENTY) -> Iterator[Markup]:
    """Draw what there is to draw of a result."""
    most, _ = amount.of(result)
    gaps = curves_of(result, most)
    if gaps is not None:
        yield _gaps(gaps, tolerance)
    growth = growth_of(result, amount.points)
    if growth is not None:
        yield _growth(growth)
    chain = chain_of(result, most, _TRACES, _TRACE_POINTS)
    if chain is not None:
        yield from _chain(chain)


def _gaps(gaps: Curves, tolerance: float | None) -> Markup:
    words = "On the left the P-P plot, on the right the same less the diagonal, magnified. Above zero: ends too low."
    bounds = f" Shaded: bounds on the first, at {gaps.level:.0%} for all statistics at once." if gaps.level else ""
    pairs = " Bets are on pairs of statistics as well, which need not show in the curves of single ones."
    return _panels("P-P curves", f"{words}{bounds}{pairs}", gaps, tolerance)


def _panels(title: str, words: str, gaps: Curves, tolerance: float | None) -> Markup:
    panels = element("div", pp_plot(gaps), gap_plot(gaps, tolerance), class_="panels")
    caption = element("figcaption", element("strong", title), f" {words}")
    return element("figure", caption, panels, _legend(gaps), _gap_table(gaps), class_="pp")


def _chain(chain: Chain) -> Iterator[Markup]:
    """Draw the plots of a chain, of which nothing is concluded."""
    level = f", at {chain.curves.level:.0%}" if chain.curves.level else ""
    words = f"Shaded: where independent draws would stay{level}. A right kernel that is slow leaves it, so this is not judged."
    yield _panels("One chain against forward draws", words, chain.curves, None)
    if chain.traces:
        caption = element("figcaption", element("strong", "Traces"), " Behind the chain, in grey: forward draws.")
        plots = [element("div", name_of(trace.name), trace_plot(trace)) for trace in chain.traces]
        yield element("figure", caption, *plots, _behind(_trace_table(chain.traces)), class_="traces")


def _trace_table(traces: Sequence[Trace]) -> Markup:
    places = thinned(range(len(traces[0].sweeps)), _TRACE_ROWS)
    rows = [[f"{traces[0].sweeps[i]:,.0f}", *(_value(side, i) for t in traces for side in (t.chain, t.forward))] for i in places]
    head = ["sweeps", *(part for t in traces for part in (name_of(t.name), joined([name_of(t.name), " forward"])))]
    return table("Values along the chain, and of forward draws", head, rows)


def _value(values: Sequence[float], place: int) -> str:
    return f"{values[place]:.4g}" if place < len(values) else ""


def _legend(gaps: Curves) -> Markup:
    items = [
        element("li", _swatch(i), name_of(c.name), f" {c.note}" if c.note else None, data_series=i, class_=f"c{i + 1}")
        for i, c in enumerate(gaps.curves)
    ]
    if gaps.left_out:
        items.append(element("li", f"and {gaps.left_out} more with less evidence, in the JSON report", class_="rest"))
    return element("ul", *items, class_="legend")


def _swatch(number: int) -> Markup:
    line = element("path", d="M1,6H27", class_="line")
    return element("svg", line, width="28", height="12", aria_hidden="true", class_=f"series c{number + 1}")


def _gap_table(gaps: Curves) -> Markup:
    rows = []
    for curve in gaps.curves:
        cells = zip(curve.mean, curve.lower, curve.upper, strict=True)
        rows.append([name_of(curve.name), *(f"{mean:+.3g} ({low:+.2g} to {high:+.2g})" for mean, low, high in cells)])
    head = ["statistic", *(f"at {quantile:g}" for quantile in gaps.quantiles)]
    return _behind(table("P-P gap at quantiles of the joint, with bounds", head, rows))


def _growth(growth: Growth) -> Markup:
    words = "What a bet of 1 against the kernel has grown to. A right kernel ever takes it to the limit as rarely as alpha says."
    caption = element("figcaption", element("strong", "Evidence"), f" {words}")
    rows = [(f"{sweeps:,.0f}", odds(value)) for sweeps, value in growth.points]
    values = table("Evidence after so many sweeps", ["sweeps", "odds against"], rows)
    return element("figure", caption, evidence_plot(growth), _behind(values), class_="evidence")


def _behind(values: Markup) -> Markup:
    return unfolded("The values as a table", values, class_="data")


def statistics_table(result: CheckResult, amount: Amount = PLENTY) -> Markup | None:
    """Write gap, bound and evidence of the statistics, those with the most evidence first."""
    if not result.statistics:
        return None
    _, most = amount.of(result)
    ordered = sorted(result.statistics, key=lambda s: or_lowest(s.log10_evidence), reverse=True)
    rows = [(name_of(s.name), _figure(s.gap), _figure(s.band), odds(s.log10_evidence)) for s in ordered[:most]]
    left = len(ordered) - most
    caption = f"The {most} statistics with the most evidence, of {len(ordered)}" if left > 0 else "All statistics"
    head = ("statistic", "P-P gap", "uncertain by", "odds against")
    return unfolded(f"{caption}: gap, bound and evidence", table(caption, head, rows), class_="data")


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
