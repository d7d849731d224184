"""Every kind of message of a report, word for word, in texts/messages/.

Figures that come from random numbers stand as #: they are tested where they are made, and a snapshot is about words. Exact
checks keep their figures.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, Normal, Subject, assay
from tests.conftest import TEXTS
from tests.snapshots import assayed

FIGURE = re.compile(r'(?<![\w"\[])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)')
EXACT = ["conditionals", "purity"]
WAGER = ["invariance"]
SKIPPING = ["conditionals", "proposals", "gradients", "enumeration", "distributions", "caches", "constants"]
# A tolerance that few sweeps settle.
TOLERANCE = {"pass-invariance": 0.1}

# What is assayed, by which checks, and within how many sweeps.
CASES = {
    "pass-exact": (lambda: assayed.gibbs(), EXACT, 100),
    "pass-invariance": (lambda: assayed.gibbs(), WAGER, 3_000),
    "fail-update-exact": (lambda: assayed.gibbs(variance=1 / 3), EXACT, 100),
    "pass-enumeration": (assayed.bits, ["enumeration"], 100),
    "fail-enumeration": (lambda: assayed.bits(agree=0.7), ["enumeration"], 100),
    "fail-update": (assayed.wrong_update, ["invariance", "model"], 5_000),
    "fail-composition": (assayed.stale, ["invariance", "model"], 5_000),
    "fail-model": (lambda: assayed.gibbs(log_joint=assayed.log_joint_of_another_prior), ["model"], 1_500),
    "fail-kernel-or-model": (assayed.bare, WAGER, 5_000),
    "fail-not-localised": (lambda: assayed.bare(log_joint=assayed.log_joint), ["invariance", "model"], 5_000),
    "fail-stuck": (lambda: Subject(assayed.prior, None, lambda s, d, rng: s, name="identity"), ["forgetting"], 1_000),
    "unclear": (lambda: assayed.gibbs(), WAGER, 500),
    "skipped": (assayed.bare, [*SKIPPING, "carry"], 100),
    "error-in-an-update": (lambda: Subject(assayed.prior, assayed.simulate, assayed.raises, name="raises"), WAGER, 500),
    "error-nan-statistic": (
        lambda: Subject(
            assayed.prior, assayed.simulate, assayed.too_high, statistics={"mean": assayed.not_a_number}, name="nan statistic"
        ),
        WAGER,
        500,
    ),
    "error-nan-log-joint": (lambda: assayed.gibbs(log_joint=assayed.not_a_number), ["conditionals"], 500),
    "error-state-of-another-form": (
        lambda: Subject(assayed.prior, None, Cycle({"mu": lambda s, d, rng: rng.normal()}), name="form"),
        WAGER,
        500,
    ),
    "error-no-distribution": (
        lambda: Subject(assayed.prior, None, Gibbs({"mu": lambda s, d: 0.5}), log_joint=lambda s, d: 0.0, name="number"),
        ["conditionals"],
        500,
    ),
    "error-prior-is-nan": (
        lambda: Subject(lambda rng: {"mu": np.nan}, None, Gibbs({"mu": lambda s, d: Normal(0, sd=1)}), name="nan prior"),
        WAGER,
        500,
    ),
}


def masked(text):
    return None if text is None else FIGURE.sub("#", text)


def without_figures(report):
    """Write # for every figure that random numbers have a part in."""
    results = tuple(
        replace(result, message=masked(result.message), cause=masked(result.cause), sweeps=0)
        if result.check not in ("conditionals", "enumeration", "purity")
        else replace(result, sweeps=0)
        for result in report.results
    )
    exact = report.diagnosis.cause if "conditional" in str(report.diagnosis.cause) else masked(report.diagnosis.cause)
    return replace(report, results=results, diagnosis=replace(report.diagnosis, cause=exact), seconds=1.0)


@pytest.mark.parametrize("name", CASES)
def test_a_report_reads_as_recorded(name, snapshot):
    make, checks, budget = CASES[name]
    report = assay(make(), seed=1, checks=checks, budget=budget, tolerance=TOLERANCE.get(name, 0.02))
    snapshot(f"messages/{name}", f"{without_figures(report)}\n")
    assert str(report.verdict) == {"pass": "PASS", "fail": "FAIL", "error": "ERROR"}.get(name.partition("-")[0], "UNCLEAR")
    kind = name.removeprefix("fail-").removesuffix("-exact").replace("-", " ")
    if kind in ("update", "composition", "model", "kernel or model", "not localised"):
        assert report.diagnosis.kind == kind


def test_every_text_has_its_case():
    assert {path.stem for path in (TEXTS / "messages").glob("*.txt")} == set(CASES)
