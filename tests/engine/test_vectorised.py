"""Vectorised subjects: the same checks, statistics and verdicts, a block a call.

Each test that expects a verdict of a statistical check may go wrong with a probability of 1e-6 where it expects no FAIL.
"""

import numpy as np
import pytest

from mcassay import Cycle, Normal, RandomScan, Subject, assay
from mcassay.engine.block import Task, run_block
from mcassay.engine.instrument import Instrument
from mcassay.engine.layout import Layout
from mcassay.engine.numbers import Sample
from mcassay.engine.replicate import Course
from mcassay.engine.statistics import tabulate, tabulate_rows
from mcassay.errors import InputError
from mcassay.results import Verdict
from mcassay.single import one_replicate
from mcassay.state import map_leaves
from tests.engine import vectorised_subjects as many
from tests.engine.vectorised_subjects import log_joint, prior, simulate, subject

QUICK = {"budget": 3_000, "seed": 5, "checks": ["conditionals", "purity", "invariance", "geweke", "forgetting"]}
WITHOUT_MODEL = ["conditionals", "purity", "caches", "invariance", "carry", "forgetting"]


def failing(report):
    return {(result.check, result.target) for result in report.results if result.verdict in (Verdict.FAIL, Verdict.ERROR)}


def findings(subject, **changes):
    report = assay(subject, **{**QUICK, **changes}).to_dict()
    return {key: value for key, value in report.items() if key not in ("seconds", "notes")}


def test_a_right_kernel_does_not_fail():
    report = assay(subject(), **QUICK)
    assert not failing(report), report
    assert {result.verdict for result in report.results if result.check == "conditionals"} == {Verdict.PASS}


def test_a_wrong_conditional_is_convicted_and_explained():
    report = assay(subject(many.gibbs(many.wrong_variance)), budget=20_000, seed=5, checks=["conditionals", "invariance"])
    assert {("conditionals", "update:variance"), ("invariance", "sweep")} <= failing(report)
    assert "InverseGamma" in report.diagnosis.cause
    assert report.diagnosis.culprits == ("variance",)


def test_without_log_joint_the_sweep_alone_convicts():
    report = assay(subject(many.gibbs(many.wrong_variance), log_joint=None), budget=20_000, seed=5, checks=["invariance"])
    assert ("invariance", "sweep") in failing(report)


def test_a_step_may_work_in_place():
    assert not failing(assay(subject(many.walk(0.5), may_stay={"variance"}), **QUICK))


def test_an_acceptance_ratio_that_forgets_the_prior_is_convicted():

    def step(state, data, rng):
        new = {**state, "mu": state["mu"] + rng.normal(size=state["mu"].shape)}
        ratio = log_joint(new, data) - log_joint(state, data) + 0.5 * (new["mu"] ** 2 - state["mu"] ** 2)
        return {**state, "mu": np.where(np.log(rng.random(len(ratio))) < ratio, new["mu"], state["mu"])}

    report = assay(subject(step, may_stay={"variance"}), budget=20_000, seed=5, checks=["invariance"])
    assert ("invariance", "sweep") in failing(report)


def test_a_block_that_never_moves_is_stuck():
    report = assay(subject(many.walk(0.5)), **QUICK)
    assert failing(report) == {("forgetting", "sweep")}


def test_a_carry_is_carried():
    report = assay(many.with_carry(), budget=3_000, seed=5, checks=WITHOUT_MODEL)
    assert not failing(report), report
    assert any(result.check == "caches" and result.verdict is Verdict.PASS for result in report.results)


def test_a_stale_cache_is_named():
    report = assay(many.with_carry(many.stale), budget=3_000, seed=5, checks=["caches"])
    assert ("caches", "update:variance") in failing(report)


def test_every_check_runs_or_says_why_not():
    report = assay(subject(), budget=1_000, seed=5)
    assert not failing(report)
    assert {result.check for result in report.results if result.verdict is Verdict.PASS} >= {
        "conditionals",
        "distributions",
        "purity",
    }


def test_the_same_seed_gives_the_same_report_here_and_in_a_process():
    here = findings(subject(), checks=["invariance"])
    assert findings(subject(), checks=["invariance"]) == here
    assert findings(subject(), checks=["invariance"], executor=1) == here
    assert findings(subject(), checks=["invariance"], seed=6) != here


def test_statistics_are_those_of_single_replicates():
    rng = np.random.default_rng(3)
    together = Sample(*subject(statistics={"twice": lambda state, data: 2 * state["mu"]}).draw(rng, 40))
    one = one_replicate(subject(statistics={"twice": lambda state, data: 2 * state["mu"]}))
    each = [Sample(*(map_leaves(lambda leaf, i=i: leaf[i], part) for part in together)) for i in range(40)]
    layout = Layout.of(each)
    assert Layout.of_rows(together) == layout
    singly = tabulate(one, each, layout)
    at_once = tabulate_rows(subject(statistics={"twice": lambda state, data: 2 * state["mu"]}), together, 40, layout)
    assert at_once.names == singly.names
    assert at_once.blocks == singly.blocks
    np.testing.assert_allclose(at_once.values, singly.values, rtol=1e-12)


def test_many_blocks_are_watched_together():
    wide = Subject(
        lambda rng, size: {f"x{i}": rng.normal(size=size) for i in range(150)}, None, lambda s, d, rng: s, vectorised=True
    )
    assert not failing(assay(wide, budget=500, seed=1, checks=["invariance"]))


def test_sizes_and_moves_of_a_block():
    own = subject(many.walk(0.5))
    layout = Instrument.of(own, 1).layout
    result = run_block(own, Task(1, ("invariance", "sweep"), 0, 7, Course(4, (1, 4), forward=3), layout))
    assert result.start.shape[0] == 7
    assert result.ends.shape[:2] == (2, 7)
    assert result.forward.shape[:2] == (7, 3)
    assert result.sweeps == 28
    assert result.moved["variance"] == 0 < result.moved["mu"] <= 7


def test_starts_without_support_are_drawn_again():
    """The joint is -inf where the first data point is below mu - 2; right kernels are not to be started there."""

    def truncated(state, data):
        return np.where(data[:, 0] > state["mu"] - 2, 0.0, -np.inf)

    def step(state, data, rng):
        if np.isinf(truncated(state, data)).any():
            raise ValueError("there is no such state")
        return state

    (result,) = assay(subject(step, log_joint=truncated), budget=500, seed=1, checks=["forgetting"]).results
    assert result.verdict is Verdict.FAIL  # it ran, and it never moves


def test_nan_names_its_replicate():
    def step(state, data, rng):
        return {**state, "mu": np.where(state["mu"] > 1.5, np.nan, state["mu"])}

    report = assay(subject(step, log_joint=None), budget=500, seed=1, checks=["invariance"])
    (result,) = report.results
    assert result.verdict is Verdict.ERROR
    assert "is NaN, in replicate" in result.message


BAD = {
    "prior without size": (
        lambda: (
            subject().draw(np.random.default_rng()) if Subject(lambda rng: 0.0, None, many.gibbs(), vectorised=True) else None
        ),
        r"Subject: prior must take prior\(rng, size\), but found prior\(rng\)",
    ),
    "prior of one": (
        lambda: Subject(lambda rng, size: {"mu": rng.normal()}, None, many.gibbs(), vectorised=True).draw(seeded(), 4),
        r'prior\(rng, size\) must return a state with a leading axis of 4 replicates, but block "mu" has the shape \(\)',
    ),
    "data of one": (
        lambda: Subject(prior, lambda state, rng: rng.normal(size=3), many.gibbs(), vectorised=True).draw(seeded(), 4),
        r"simulate\(state, rng\) must return data with a leading axis of 4 replicates, but it has the shape \(3,\)",
    ),
    "random scan": (
        lambda: subject(RandomScan({"mu": many.walk(1.0)})),
        "RandomScan moves one replicate, or makes one choice for all of them",
    ),
    "random scan inside": (
        lambda: subject(Cycle({"scan": RandomScan({"mu": many.walk(1.0)})})),
        "RandomScan moves one replicate",
    ),
    "a conditional of one": (
        lambda: one_replicate(subject(many.Gibbs({"mu": lambda state, data: Normal(0, sd=1)}))).step(
            {"mu": 0.0, "variance": 1.0}, np.zeros(many.POINTS), seeded()
        ),
        "a conditional must return a distribution with a leading axis of 1 replicates",
    ),
}


def seeded():
    return np.random.default_rng(0)


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_worded(name):
    make, message = BAD[name]
    with pytest.raises(InputError, match=message):
        make()


WRONG_SHAPES = {
    "step": ({"step": lambda s, d, rng: {**s, "mu": s["mu"][:1]}}, 'block "mu" of'),
    "log_joint": ({"log_joint": lambda s, d: 0.0}, "log_joint(state, data) must return an array with a leading axis of"),
    "statistic": ({"statistics": {"f": lambda s, d: s["mu"].sum()}}, 'statistic "f" must return an array with a leading axis'),
    "log_joint of pairs": ({"log_joint": lambda s, d: np.zeros((len(d), 2))}, "must return one number a replicate, but found 2"),
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_outputs_without_the_axis_are_worded(name):
    changes, message = WRONG_SHAPES[name]
    report = assay(subject(**changes), budget=500, seed=1, checks=["invariance"])
    assert report.verdict is Verdict.ERROR
    assert message in str(report.results[0].message)


def test_resize_gives_the_fewest_data_points():
    report = assay(
        subject(many.gibbs(many.wrong_variance), log_joint=None, resize=lambda n: subject(many.gibbs(many.wrong_variance))),
        budget=20_000,
        seed=5,
        checks=["invariance"],
    )
    assert "data points" in report.diagnosis.smallest
    assert simulate(prior(seeded(), 3), seeded()).shape == (3, many.POINTS)
