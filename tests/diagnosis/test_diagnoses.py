"""Assays of small subjects: the diagnosis of each kind of bug, and smaller runs that still fail."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from mcassay import Cycle, Subject, Verdict, assay
from tests.diagnosis import groups
from tests.diagnosis.groups import CASES

# What a diagnosis rests on; the other exact checks have nothing to say here.
CHECKS = ["conditionals", "distributions", "invariance", "conditional draws", "model"]
SEED = 20
QUICK = [
    "Gibbs: squares not halved",
    "RandomScan: no pooling",
    "change counted twice",
    "collapsed, wrong theta",
    "collapsed in the wrong order",
    "Cycle, simulate too wide",
    "bare, squares not halved",
]


def diagnosed(subject, seed=SEED, **options):
    return assay(subject, seed=seed, checks=CHECKS, budget=20_000, **options)


@pytest.mark.parametrize("name", QUICK)
def test_the_bug_is_found_where_it_is(name):
    case = CASES[name]
    report = diagnosed(case.make())
    assert report.verdict is Verdict.FAIL
    assert (report.diagnosis.kind, report.diagnosis.culprits) == (case.kind, case.culprits), str(report)


@pytest.mark.parametrize("name", ["RandomScan: no pooling", "bare, squares not halved"])
def test_the_bug_is_found_without_log_joint(name):
    case = CASES[name]
    report = diagnosed(replace(case.make(), log_joint=None))
    assert (report.diagnosis.kind, report.diagnosis.culprits) == (case.blind or case.kind, case.culprits), str(report)
    assert "log_joint" in report.diagnosis.cause


def test_the_exact_cause_goes_with_the_culprit():
    report = diagnosed(groups.subject(groups.gibbs(tau=groups.tau_with_all_degrees)))
    assert report.diagnosis.culprits == ("tau",)
    assert "shape is 2 too large here" in report.diagnosis.cause
    assert report.diagnosis.smallest == {"data points": 1, "sweeps": 0}


def test_the_report_says_how_the_culprit_stands_out():
    text = str(diagnosed(groups.subject(groups.cycle(theta=groups.twice_the_change))))
    assert 'culprit: update "theta" (' in text
    assert " against it alone, the other 2 at most " in text


def test_fewer_data_points_are_searched_only_where_the_subject_can_be_resized():
    wrong = groups.subject(groups.bare(tau=groups.tau_with_squares_not_halved))
    assert diagnosed(wrong).diagnosis.smallest.keys() == {"data points", "sweeps"}
    assert diagnosed(replace(wrong, resize=None)).diagnosis.smallest == {"sweeps": 1}


def test_a_resize_that_raises_is_told_and_harms_nothing():
    def resize(points):
        raise TypeError("not so few")

    wrong = replace(groups.subject(groups.bare(tau=groups.tau_with_squares_not_halved)), resize=resize)
    report = diagnosed(wrong)
    assert report.diagnosis.smallest == {"sweeps": 1}
    assert "resize(2) could not be tried: TypeError: not so few" in report.notes


def test_the_search_for_fewer_data_points_is_bounded(monkeypatch):
    """It takes half the budget at the most."""
    from mcassay.diagnosis import shrink

    spent = []
    real = shrink.watch_sweep
    monkeypatch.setattr(
        shrink, "watch_sweep", lambda s, session, *rest: (real(s, session, *rest), spent.append(session.sweeps))[0]
    )
    wrong = groups.subject(groups.bare(tau=groups.tau_with_squares_not_halved))
    report = diagnosed(replace(wrong, prior=partial(groups.prior, groups=64)))
    assert report.verdict is Verdict.FAIL
    assert 1 <= len(spent) <= 6
    assert sum(spent) <= 10_000 + 256


def test_a_dispute_is_settled_in_favour_of_the_conditional():
    """log_joint lacks a prior that the conditional and the prior have."""
    subject = groups.subject(groups.gibbs(), log_joint=partial(groups.log_joint, prior_of_mu=0.0))
    report = assay(subject, seed=SEED, checks=["conditionals", "model"], budget=100_000)
    assert report.diagnosis.kind == "model", str(report)


def test_a_dispute_is_settled_in_favour_of_log_joint():
    subject = groups.subject(groups.gibbs(mu=groups.mu_without_prior))
    report = assay(subject, seed=SEED, checks=["conditionals", "model"], budget=20_000)
    assert (report.diagnosis.kind, report.diagnosis.culprits) == ("update", ("mu",)), str(report)


def collapsed_pair(spread_of_b=1.0, centre_of_a=3.0):
    """A draw of a with b integrated out, then b given a: the first leaves the joint by itself, and shows it sooner."""

    def prior(rng):
        a = rng.normal()
        return {"a": a, "b": rng.normal(a)}

    def draw_a(state, data, rng):
        return {**state, "a": rng.normal(data / centre_of_a, np.sqrt(2 / 3))}

    def draw_b(state, data, rng):
        return {**state, "b": rng.normal((state["a"] + data) / 2, spread_of_b * np.sqrt(1 / 2))}

    def log_joint(state, data):
        return -0.5 * (state["a"] ** 2 + (state["b"] - state["a"]) ** 2 + (data - state["b"]) ** 2)

    kernel = Cycle({"a": draw_a, "b": draw_b})
    return Subject(prior, lambda state, rng: rng.normal(state["b"]), kernel, log_joint=log_joint)


@pytest.mark.parametrize(("wrong", "culprit"), [({"spread_of_b": 0.8}, "b"), ({"centre_of_a": 2.0}, "a")])
def test_a_collapsed_draw_is_not_blamed_for_what_is_to_make_up_for_it(wrong, culprit):
    report = assay(collapsed_pair(**wrong), seed=SEED, checks=["invariance", "model"], budget=20_000)
    assert (report.diagnosis.kind, report.diagnosis.culprits) == ("update", (culprit,)), str(report)
