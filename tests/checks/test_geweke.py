"""The check *geweke*: errors that add up are convicted, slow kernels are not, and the chain is kept to be drawn."""

import json
import math
import re

import numpy as np
import pytest

from mcassay import Gibbs, InverseGamma, Normal, Report, Subject, assay
from mcassay.checks.geweke_plan import RUNS, Plan
from mcassay.engine.budget import Budget
from mcassay.models.mixture import IsotropicMixture
from mcassay.results import Verdict

# A right kernel fails with probability at most 1e-6 * 0.04 a run, as everywhere.
SEEDS = range(2)
BUDGET = 4_000


def prior(rng):
    return {"x": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["x"], 1.0)


def walking(size, drift=0.0):
    """Random-walk Metropolis; its proposals drift by so much without a correction."""

    def step(state, data, rng):
        x = state["x"]
        new = x + size * rng.normal() + drift
        log_ratio = 0.5 * (x**2 + (data - x) ** 2 - new**2 - (data - new) ** 2)
        return {"x": new if math.log(rng.random()) < log_ratio else x}

    return step


def forgetful(state, data, rng):
    """Draw from the conditional, after a while of doing nothing: right, and slow in jumps."""
    return {"x": rng.normal(data / 2, math.sqrt(0.5))} if rng.random() < 0.02 else state


def heavy_tailed():
    """A target without a mean, drawn by an independence sampler."""
    return Subject(lambda rng: {"x": rng.standard_cauchy()}, None, lambda state, data, rng: {"x": rng.standard_cauchy()})


def discrete():
    def step(state, data, rng):
        return {"k": int(rng.random() < (0.9 if data else 0.1))}

    return Subject(
        lambda rng: {"k": int(rng.integers(2))}, lambda state, rng: bool(rng.random() < (0.9 if state["k"] else 0.1)), step
    )


def subject(step, **changes):
    return Subject(prior, simulate, step, **changes)


RIGHT = {
    "random walk": lambda: subject(walking(1.0)),
    "hopelessly slow": lambda: subject(walking(1e-4)),
    "slow in jumps": lambda: subject(forgetful),
    "heavy tails": heavy_tailed,
    "discrete": discrete,
}


def geweke(subject, seed=1, budget=BUDGET, **settings):
    (result,) = assay(subject, seed=seed, budget=budget, checks=["geweke"], **settings).results
    return result


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_pass_however_slow(name):
    for seed in SEEDS:
        result = geweke(RIGHT[name](), seed)
        assert result.verdict is Verdict.PASS, result.message
        assert result.details["replicates"] >= RUNS[16]
        assert result.sweeps <= BUDGET + 16 * 16


def test_the_chain_of_a_slow_kernel_leaves_the_band_and_is_not_judged():
    """It stays where it began: this is why nothing is concluded from it."""
    result = geweke(RIGHT["hopelessly slow"]())
    chain = result.details["chain"]
    curve = chain["statistics"]["x"]["curve"]
    outside = [not low <= y <= high for low, y, high in zip(chain["lower"], curve, chain["upper"], strict=True)]
    assert any(outside)
    assert chain["statistics"]["x"]["independent"] < 0.1 * chain["samples"]
    assert result.verdict is Verdict.PASS
    assert "nothing is concluded from it" in result.message


def test_the_chain_of_a_fast_kernel_stays_in_the_band():
    """Its samples are nearly independent; over 10 seeds 6 or more leave a 99 % band with probability below 1e-9."""
    left = 0
    for seed in range(10):
        chain = geweke(heavy_tailed(), seed, budget=300).details["chain"]
        curves = chain["statistics"]["x"]["curve"]
        left += any(not low <= y <= high for low, y, high in zip(chain["lower"], curves, chain["upper"], strict=True))
    assert left < 6


def test_an_error_that_adds_up_is_convicted():
    """Proposals drift by a twentieth of the posterior's width."""
    for seed in SEEDS:
        result = geweke(subject(walking(0.3, drift=0.05)), seed, budget=40_000)
        assert result.verdict is Verdict.FAIL, result.message
        assert result.log10_evidence >= result.details["log10_limit"]
        assert "x ends too high" in result.message


def blown_up(points):
    """The paper's mixture with 0.51 for 0.5; with many points the variance within clusters grows without bound."""
    model = IsotropicMixture(points=points)

    def cond_sigma_sq_n(state, data):
        return InverseGamma(3 + 0.5 * data.size, scale=3 + 0.51 * np.sum((data - state["mu"][state["z"]]) ** 2))

    return model.subject(sigma_sq_n=cond_sigma_sq_n)


def test_the_variance_within_clusters_explodes_under_the_bug_and_not_without_it():
    """With 200 points each sweep multiplies it by about 1.02 on average."""
    wrong = geweke(blown_up(200), budget=1_000).details["chain"]["trace"]["statistics"]["sigma_sq_n"]
    right = geweke(IsotropicMixture(points=200).subject(), budget=1_000).details["chain"]["trace"]["statistics"]["sigma_sq_n"]
    assert np.median(wrong["chain"][-50:]) > 10 * max(wrong["forward"])
    assert np.median(right["chain"][-50:]) < max(right["forward"])


def test_what_is_kept_of_the_chain_can_be_drawn_and_written():
    report = assay(discrete(), seed=1, budget=3_000, checks=["geweke"])
    chain = report.results[0].details["chain"]
    size = len(chain["places"])
    assert all(len(chain[part]) == size for part in ("lower", "upper"))
    assert all(len(kept["curve"]) == size and min(kept["curve"]) >= 0 for kept in chain["statistics"].values())
    traced = chain["trace"]
    assert traced["sweeps"][0] == 0
    assert traced["sweeps"][-1] == chain["sweeps"] == 900
    assert all(len(rows["chain"]) == len(traced["sweeps"]) <= 200 for rows in traced["statistics"].values())
    assert Report.from_json(report.to_json()).results[0].details["chain"] == json.loads(json.dumps(chain))


def test_a_budget_that_can_not_convict_is_skipped_with_the_chain_kept():
    result = geweke(subject(walking(1.0)), budget=500)
    assert result.verdict is Verdict.SKIPPED
    assert "its part of the budget is 500 sweeps, and with fewer than 2,285" in result.message
    assert result.details["chain"]["sweeps"] == result.sweeps == 500


@pytest.mark.parametrize("sweeps", [2_285, 10_000, 200_000, 5_000_000])
def test_the_plan_spends_its_budget_and_buys_enough_runs(sweeps):
    plan = Plan.of(Budget(sweeps))
    assert plan.chain + plan.runs.sweeps == sweeps
    assert plan.runs.sweeps >= RUNS[plan.length] * plan.length


def test_what_is_needed_is_the_least_that_convicts():
    needed = Plan.of(Budget(1)).needed
    assert Plan.of(Budget(needed - 1)).length is None
    assert Plan.of(Budget(needed)).length == 16


def test_a_budget_in_seconds_buys_runs_and_a_chain():
    """From 200 runs on something is ruled out; a machine under load makes fewer."""
    result = geweke(subject(walking(1.0)), budget="1s")
    assert result.details["length"] == 16
    assert result.details["chain"]["samples"] > 100
    runs = result.details["replicates"]
    assert result.verdict in (
        {Verdict.SKIPPED} if runs < RUNS[16] else {Verdict.PASS} if runs > 200 else set(Verdict) - {Verdict.FAIL}
    )


def test_too_little_time_is_skipped():
    result = geweke(subject(walking(1.0)), budget="0.001s")
    assert result.verdict is Verdict.SKIPPED
    assert re.search(r"its part of the time was enough for \d{1,2} independent runs", result.message)


CARRIES = {"init": lambda state, data, rng: {"state": state, "data": data}, "position": lambda carry: carry["state"]}


def carrying(carry, data, rng):
    """Redraw from the conditional under the data that are carried along."""
    return {**carry, "state": {"x": rng.normal(carry["data"] / 2, math.sqrt(0.5))}}


def test_a_carry_that_can_not_be_told_of_new_data_is_skipped():
    result = geweke(subject(carrying, **CARRIES))
    assert result.verdict is Verdict.SKIPPED
    assert "give the subject refresh(carry, data, rng)" in result.message


def test_a_carry_with_refresh_is_judged_and_a_refresh_that_does_nothing_is_convicted():
    right = geweke(subject(carrying, **CARRIES, refresh=lambda carry, data, rng: {**carry, "data": data}))
    stale = geweke(subject(carrying, **CARRIES, refresh=lambda carry, data, rng: carry), budget=20_000)
    assert (right.verdict, stale.verdict) == (Verdict.PASS, Verdict.FAIL)


def growing(fails_beyond):
    """A kernel that multiplies the state, until it can not go on."""

    def step(state, data, rng):
        if abs(state["x"]) > fails_beyond:
            raise OverflowError("the state is too large")
        return {"x": 1.05 * state["x"] + 0.1 * rng.normal()}

    return step


def test_a_chain_that_breaks_down_leaves_the_conviction_and_is_shown_up_to_an_earlier_sweep():
    """Runs of 16 sweeps multiply by 2.2, and so stay below; the chain of 3,000 does not."""
    result = geweke(Subject(prior, None, growing(1e12)), budget=10_000)
    assert result.verdict is Verdict.FAIL
    assert "broke down: OverflowError: the state is too large" in result.message
    assert result.details["chain"]["sweeps"] < 3_000
    assert max(np.abs(result.details["chain"]["trace"]["statistics"]["x"]["chain"])) > 100


class Until:
    """A right kernel that raises at one of its calls; every block has its own copy, and only the chain's makes so many."""

    def __init__(self, error):
        self.calls, self.error = 0, error

    def __call__(self, state, data, rng):
        self.calls += 1
        if self.calls == 1_000:
            raise self.error
        return {"x": 0.9 * state["x"] + math.sqrt(1 - 0.81) * rng.normal()}


def test_an_exception_in_the_chain_alone_is_an_error_with_its_seed():
    result = geweke(Subject(prior, None, Until(ZeroDivisionError("out of luck"))))
    assert result.verdict is Verdict.ERROR
    assert "ZeroDivisionError: out of luck" in result.message
    assert "block 0 of geweke/sweep/chain" in result.message
    assert 'repeat it with seed="1"' in result.message


def test_an_interrupted_chain_leaves_what_the_runs_showed():
    result = geweke(Subject(prior, None, Until(KeyboardInterrupt())))
    assert result.verdict is Verdict.UNCLEAR
    assert "interrupted" in result.message
    assert result.details["replicates"] >= RUNS[16]
    assert result.details["interrupted"]


def conditional(state, data):
    return Normal(data / 2, variance=0.5)


def test_the_same_seed_gives_the_same_result_on_other_processes():
    kernel = Gibbs({"x": conditional})
    here = geweke(subject(kernel), budget=2_400)
    there = geweke(subject(kernel), budget=2_400, executor=2)
    assert here == there


def test_infinite_statistics_are_kept():
    infinite = Subject(
        lambda rng: {"x": rng.normal()},
        None,
        lambda state, data, rng: {"x": rng.normal()},
        statistics={"pole": lambda state, data: math.inf if state["x"] > 1 else state["x"]},
    )
    report = assay(infinite, seed=1, budget=2_400, checks=["geweke"])
    assert report.verdict is Verdict.PASS
    assert math.inf in report.results[0].details["chain"]["trace"]["statistics"]["pole"]["chain"]
    assert Report.from_json(report.to_json()).verdict is Verdict.PASS
