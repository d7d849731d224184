"""Stuck is a contract, and rare is not stuck."""

import pytest

from mcassay import Subject, Verdict, assay


def results(prior, step, budget=2_000, seed=0, **more):
    report = assay(Subject(prior, None, step, **more), budget=budget, seed=seed, checks=["invariance", "forgetting"])
    return {result.check: result for result in report.results}


def rare(chance):
    def prior(rng):
        return {"x": rng.normal(), "event": int(rng.random() < chance)}

    return prior


@pytest.mark.parametrize("chance", [0.0005, 0.005, 0.03])
@pytest.mark.parametrize("seed", range(3))
def test_a_rare_event_that_is_drawn_anew_is_not_stuck(chance, seed):
    prior = rare(chance)
    found = results(prior, lambda state, data, rng: prior(rng), budget=300, seed=seed)
    assert found["forgetting"].verdict is not Verdict.FAIL, found["forgetting"].message


def test_few_sweeps_do_not_tell_what_is_stuck():
    found = results(rare(0.5), lambda state, data, rng: state, budget=60)
    assert found["forgetting"].verdict is Verdict.UNCLEAR


def test_what_never_moves_is_stuck_and_the_sweeps_of_both_checks_count():
    found = results(rare(0.1), lambda state, data, rng: {**state, "x": rng.normal()}, budget=3_000)
    sweeps = found["invariance"].sweeps + found["forgetting"].sweeps
    assert found["forgetting"].verdict is Verdict.FAIL
    assert f'stuck: "event" never moved in {sweeps:,} sweeps' in found["forgetting"].message


def test_what_may_stay_is_not_stuck():
    found = results(rare(0.5), lambda state, data, rng: {**state, "x": rng.normal()}, may_stay={"event"})
    assert found["forgetting"].verdict is not Verdict.FAIL
