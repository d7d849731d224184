"""Reports as tables of pandas, and raw statistics as trees that the real ArviZ takes."""

import sys
import warnings

import numpy as np
import pandas
import pytest
import xarray

from mcassay import CheckResult, InputError, Report, Subject, Verdict, assay
from mcassay.checks.samples import MOST, Samples
from tests.report.made_reports import chain, drawn, plain, report


def step(state, data, rng):
    return {"mu": rng.normal(data / 2, 0.9), "a/b": state["a/b"], "v": rng.normal(size=3)}


SUBJECT = Subject(
    lambda rng: {"mu": rng.normal(), "a/b": rng.normal(), "v": rng.normal(size=3)},
    lambda state, rng: rng.normal(state["mu"], 1.0),
    step,
    name="three blocks",
)


@pytest.fixture(scope="module")
def assayed():
    return assay(SUBJECT, seed=3, budget=1_500, checks=["invariance", "forgetting"])


def test_one_row_a_result(assayed):
    frame = assayed.to_dataframe()
    assert list(frame["check"]) == [result.check for result in assayed.results]
    assert frame.loc[0, "log10_evidence"] == assayed.results[0].log10_evidence
    assert frame["sweeps"].sum() == assayed.sweeps
    assert list(frame["verdict"]) == [result.verdict.value for result in assayed.results]
    assert np.isnan(frame.loc[1, "log10_evidence"])


def test_one_row_a_statistic(assayed):
    frame = assayed.to_dataframe(of="statistics")
    rows = assayed.results[0].statistics
    assert list(frame["statistic"]) == [s.name for s in rows]
    assert frame[["gap", "band", "log10_evidence"]].to_numpy().tolist() == [[s.gap, s.band, s.log10_evidence] for s in rows]


def test_a_report_of_nothing_is_an_empty_table_of_the_same_kinds(assayed):
    for of in ("checks", "statistics"):
        empty = report(results=[]).to_dataframe(of=of)
        assert len(empty) == 0
        assert list(empty.columns) == list(assayed.to_dataframe(of=of).columns)
        assert empty["log10_evidence"].dtype == np.float64


def test_infinite_evidence_stays_infinite():
    frame = report(results=[CheckResult("x", "sweep", Verdict.FAIL, "", float("inf"))]).to_dataframe()
    assert np.isinf(frame.loc[0, "log10_evidence"])


@pytest.mark.parametrize("of", ["check", "", None, 3])
def test_other_tables_are_refused(of):
    with pytest.raises(InputError, match=r"^to_dataframe: of must be one of checks, statistics, but found"):
        report().to_dataframe(of=of)


@pytest.mark.parametrize(("package", "call", "extra"), [("pandas", "to_dataframe", "pandas"), ("xarray", "to_xarray", "arviz")])
def test_a_missing_package_is_named_with_its_remedy(monkeypatch, assayed, package, call, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError) as caught:
        getattr(assayed, call)()
    assert str(caught.value) == f"{call}: needs {package}, which is not installed: pip install 'mcassay[{extra}]'"


def test_raw_statistics_are_groups_of_one_chain(assayed):
    tree = assayed.to_xarray()
    assert isinstance(tree, xarray.DataTree)
    assert set(tree.children) == {"prior", "posterior"}
    for group in tree.children.values():
        assert dict(group.sizes) == {"chain": 1, "draw": MOST}
        assert {"mu", "v[0]", "mean of v", "data", "a|b"} <= set(group.data_vars)
        assert group.attrs["subject"] == "three blocks"
    assert (tree["prior"]["a|b"] == tree["posterior"]["a|b"]).all()
    assert not (tree["prior"]["mu"] == tree["posterior"]["mu"]).any()


def test_raw_statistics_are_those_of_the_draws(assayed):
    kept = assayed.to_xarray()["prior"]
    mean = np.mean([kept[f"v[{i}]"].to_numpy() for i in range(3)], axis=0)
    assert np.allclose(kept["mean of v"].to_numpy(), mean, rtol=1e-4, atol=1e-5)


def test_raw_statistics_survive_json(assayed):
    assert Report.from_json(assayed.to_json()).to_xarray().identical(assayed.to_xarray())


def test_the_chain_of_a_geweke_test_is_there_by_name():
    both = report(
        results=[drawn(samples={"start": {"x": [1.0, 2.0]}, "end": {"x": [2.0, 1.0]}}), drawn("geweke", chain=chain(["mu"]))]
    )
    tree = both.to_xarray(check="geweke")
    assert tree["posterior"]["mu"].to_numpy()[0].tolist() == chain(["mu"])["trace"]["statistics"]["mu"]["chain"]
    assert both.to_xarray()["prior"]["x"].to_numpy().tolist() == [[1.0, 2.0]]


def test_what_was_not_kept_can_not_be_given():
    kept = drawn(samples={"start": {"x": [1.0]}, "end": {"x": [2.0]}})
    with pytest.raises(InputError, match=r"^to_xarray: no raw statistics were kept; they are kept by: no check of this report$"):
        report(results=[plain()]).to_xarray()
    with pytest.raises(InputError) as caught:
        report(results=[kept]).to_xarray(check="purity", target="sweep")
    assert str(caught.value) == (
        "to_xarray: no raw statistics were kept for check 'purity' for target 'sweep'; they are kept by: 'invariance' of 'sweep'"
    )


@pytest.mark.parametrize(
    "samples",
    [
        None,
        3,
        {},
        {"start": {"x": [1.0]}},
        {"start": {"x": [1.0]}, "end": {"x": "ab"}},
        {"start": {"x": [1.0], "y": [1.0, 2.0]}, "end": {"x": [1.0]}},
        {"start": {"x": 1.0}, "end": {"x": 1.0}},
        {"start": {"x": [[1.0]]}, "end": {"x": [[1.0]]}},
        {"start": {"x": [None]}, "end": {"x": [{}]}},
    ],
)
def test_damaged_samples_count_as_none(samples):
    with pytest.raises(InputError, match="they are kept by: no check of this report"):
        report(results=[drawn(samples=samples)]).to_xarray()


def test_names_that_a_tree_keeps_for_itself_are_changed_and_stay_apart():
    names = ["a/b", "a|b", "chain", "draw", "", "x"]
    columns = {name: [float(i)] for i, name in enumerate(names)}
    tree = report(results=[drawn(samples={"start": columns, "end": columns})]).to_xarray()
    assert [float(value.item()) for value in tree["prior"].data_vars.values()] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_no_more_than_the_first_replicates_are_kept():
    samples = Samples()
    for block in range(5):
        samples.see(np.full((100, 2), block), np.full((100, 2), -block))
    kept = samples.by_name(["a", "b"])
    assert kept["start"]["b"] == [0.0] * 100 + [1.0] * 100 + [2.0] * 56
    assert kept["end"]["a"][-1] == -2.0
    assert Samples().by_name(["a"]) == {}


def test_arviz_plots_them(assayed, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what ArviZ warns of is its own
        import arviz_plots
        import arviz_stats
        import matplotlib

        matplotlib.use("Agg")
        for plot in (arviz_plots.plot_prior_posterior, arviz_plots.plot_dist, arviz_plots.plot_forest, arviz_plots.plot_trace):
            drawn = plot(assayed.to_xarray(), var_names=["mu", "v[0]"], backend="matplotlib")
            drawn.savefig(tmp_path / "plot.png")
            assert (tmp_path / "plot.png").stat().st_size > 5_000
        summary = arviz_stats.summary(assayed.to_xarray(), var_names=["mu"])
    assert isinstance(summary, pandas.DataFrame)
    assert summary.index.tolist() == ["mu"]
