"""Plots by matplotlib: what they draw is what the results say, and what can not be drawn is an error in words."""

import math
import subprocess
import sys
from dataclasses import replace

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from matplotlib import pyplot

from mcassay import CheckResult, InputError, Report, Subject, Verdict, assay
from mcassay.report.plots import evidence_plot, pp_difference_plot, pp_plot, trace_plot
from mcassay.results import Diagnosis

PLOTS = (pp_plot, pp_difference_plot, evidence_plot, trace_plot)


@pytest.fixture(scope="module")
def report():
    """A kernel whose mean is a tenth too high, assayed by the two checks that are drawn."""
    subject = Subject(
        lambda rng: {"x": rng.normal()},
        lambda state, rng: rng.normal(state["x"], 1.0),
        lambda state, data, rng: {"x": 0.1 + rng.normal(data / 2, math.sqrt(0.5))},
        name="shifted",
    )
    return assay(subject, seed=1, budget=40_000, checks=["invariance", "geweke"])


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def of(report, check):
    return next(result for result in report.results if result.check == check)


def line(axes, part):
    """Return the line, curve or bars whose label has this part."""
    (found,) = [one for one in axes.get_lines() if part in str(one.get_label())]
    return found


@pytest.mark.parametrize("plot", PLOTS)
def test_axes_are_made_or_taken_and_returned(report, plot):
    made = plot(report)
    assert isinstance(made, matplotlib.axes.Axes)
    _, own = pyplot.subplots()
    assert plot(of(report, "geweke"), axes=own) is own


@pytest.mark.parametrize("plot", PLOTS)
def test_a_report_read_back_is_drawn_alike(report, plot):
    again = Report.from_json(report.to_json())
    for before, after in zip(plot(report).get_lines(), plot(again).get_lines(), strict=True):
        np.testing.assert_array_equal(before.get_xydata(), after.get_xydata())


def test_the_curve_of_the_chain_is_that_of_the_result(report):
    chain = of(report, "geweke").details["chain"]
    x, y = line(pp_plot(of(report, "geweke"), "x"), "one chain").get_data()
    np.testing.assert_allclose(x[1:-1], chain["places"])
    np.testing.assert_allclose(y[1:-1], chain["statistics"]["x"]["curve"])
    _, difference = line(pp_difference_plot(of(report, "geweke"), "x"), "one chain").get_data()
    np.testing.assert_allclose(difference, y - x)


def test_the_curve_of_invariance_has_bounds_and_shows_the_side(report):
    """Too high a mean leaves less below every quantile."""
    axes = pp_difference_plot(of(report, "invariance"), "x")
    (bars,) = axes.containers
    heights = bars.lines[0].get_ydata()
    kept = of(report, "invariance").details["pp"]["statistics"]["x"]
    np.testing.assert_allclose(heights, kept["mean"], atol=1e-12)
    assert max(heights) < 0


def test_evidence_runs_to_what_the_result_says_and_the_limit_is_drawn_once(report):
    result = of(report, "invariance")
    axes = evidence_plot(result, label="one")
    sweeps, evidence = line(axes, "one").get_data()
    assert (sweeps[0], evidence[0]) == (0, 0)
    assert (sweeps[-1], evidence[-1]) == (result.sweeps, pytest.approx(result.log10_evidence))
    evidence_plot(result, label="two", axes=axes)
    limits = [one for one in axes.get_lines() if one.get_gid() == "limit"]
    assert [one.get_ydata()[0] for one in limits] == [result.details["log10_limit"]]


def test_traces_show_the_chain_before_the_forward_draws(report):
    trace = of(report, "geweke").details["chain"]["trace"]
    axes = trace_plot(report, "x")
    x, y = line(axes, "the chain").get_data()
    np.testing.assert_array_equal(x, trace["sweeps"])
    np.testing.assert_array_equal(y, trace["statistics"]["x"]["chain"])
    assert {"90 % of forward draws", "50 % of forward draws"} <= {text.get_text() for text in axes.get_legend().get_texts()}


def test_a_trace_over_decades_is_logarithmic_and_infinity_is_left_out():
    assert trace_plot(np.geomspace(1, 1e6, 50)).get_yscale() == "log"
    assert trace_plot([0.0, 1.0, 1e6]).get_yscale() == "linear"
    assert np.isnan(line(trace_plot([0.0, math.inf, 1.0]), "the chain").get_ydata()[1])


def test_samples_of_one_law_stay_in_the_band_and_others_leave_it():
    """A band of level 0.99 is left by one pair in a hundred; 4 of 20 or more have a probability below 1e-4."""
    rng = np.random.default_rng(5)
    left = sum(leaves(rng.normal(size=300), rng.normal(size=400)) for _ in range(20))
    assert left < 4
    assert leaves(rng.normal(0.5, size=300), rng.normal(size=400))
    ties = rng.integers(0, 3, size=(2, 300))
    assert not leaves(np.zeros(300), np.zeros(400))
    assert pp_plot(ties[0], "die", reference=ties[1]).get_title() == "die"


def leaves(sample, reference):
    axes = pp_plot(sample, reference=reference)
    outline = axes.collections[0].get_paths()[0].vertices
    x, y = line(axes, "draws").get_data()
    band = {round(place, 6): sorted(outline[np.isclose(outline[:, 0], place), 1]) for place in x}
    pyplot.close("all")
    return any(
        not band[round(place, 6)][0] - 1e-9 <= height <= band[round(place, 6)][-1] + 1e-9
        for place, height in zip(x, y, strict=True)
    )


NOTHING = CheckResult("conditionals", "sweep", Verdict.PASS, "")
EMPTY = Report("nothing", (NOTHING,), Diagnosis(), seed=1, alpha=1e-6, seconds=1.0)
P_P = "P-P curves: invariance, geweke, conditional draws and model do"
BAD = {
    "nothing to plot": (
        lambda: pp_plot(NOTHING),
        f'pp_plot: the result of "conditionals" holds nothing to plot here (what holds {P_P})',
    ),
    "nothing in the report": (
        lambda: trace_plot(EMPTY),
        "trace_plot: the report holds nothing to plot here (what holds a trace: the check geweke does)",
    ),
    "no evidence": (
        lambda: evidence_plot(NOTHING),
        'evidence_plot: the result of "conditionals" holds nothing to plot here (what holds evidence that grew over blocks of '
        "sweeps: invariance and geweke do)",
    ),
    "no reference": (
        lambda: pp_plot([1.0, 2.0]),
        "pp_plot: a sample needs a reference sample to be compared with: reference=draws",
    ),
    "no numbers": (
        lambda: trace_plot("walk"),
        "trace_plot: found must be a report, the result of a check, or a row of numbers, but found 'walk'",
    ),
    "NaN": (lambda: pp_plot([1.0, math.nan], reference=[1.0]), "pp_plot: found must not be NaN, but found 'NaN at 1'"),
    "a table": (
        lambda: pp_difference_plot([[1.0]], reference=[1.0]),
        "pp_difference_plot: found must be a report, the result of a check, or a row of numbers, but found [[1.0]]",
    ),
    "no pairs": (
        lambda: evidence_plot([1.0, 2.0]),
        "evidence_plot: found must be a report, a result, or pairs of sweeps and log10 evidence, but found (2,)",
    ),
    "no axes": (
        lambda: trace_plot([1.0, 2.0], axes=3),
        "trace_plot: axes must be matplotlib axes, or None to make some, but found 3",
    ),
    "no level": (
        lambda: pp_plot([1.0], reference=[1.0], level=2),
        "pp_band: level must lie between 0 and 1, but found 2",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_can_not_be_drawn_is_said(case):
    plot, message = BAD[case]
    with pytest.raises(InputError) as caught:
        plot()
    assert str(caught.value) == message


def test_an_unknown_statistic_is_answered_by_those_that_are_known(report):
    with pytest.raises(InputError, match=r"pp_plot: statistic must be one of x, .*data.*, but found 'y'"):
        pp_plot(report, "y")


@pytest.mark.parametrize(
    "damage", [{"chain": 3}, {"chain": {"places": ["a"]}}, {"chain": {"trace": {"sweeps": [0, 1]}}}, {"pp": []}]
)
def test_damaged_details_hold_nothing_to_plot(report, damage):
    result = replace(of(report, "geweke"), details=damage)
    for plot in PLOTS:
        with pytest.raises(InputError, match="holds nothing to plot"):
            plot(result)


def test_without_matplotlib_it_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from mcassay.report.plots import trace_plot\n"
        "try:\n    trace_plot([1.0, 2.0])\n"
        "except ValueError as error:\n    print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "trace_plot: plots need matplotlib, which is not installed: pip install 'mcassay[plots]'"
