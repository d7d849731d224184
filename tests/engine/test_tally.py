"""The tally of a block: which blocks of the state moved."""

import pytest

from mcassay import Subject, Verdict, assay


def prior(rng):
    return {"x": rng.normal(), "side": int(rng.integers(0, 2))}


def flip(state, data, rng):
    return {"x": -state["x"], "side": 1 - state["side"]}


def flip_one(state, data, rng):
    return {**state, "x": -state["x"]}


@pytest.mark.parametrize(("step", "stuck"), [(flip, []), (flip_one, ["side"])])
def test_a_flip_moves_though_an_even_number_of_flips_ends_where_it_began(step, stuck):
    (result,) = assay(Subject(prior, None, step), seed=3, budget=1_000, checks=["forgetting"]).results
    assert [name for name, count in result.details["moved"].items() if not count] == stuck
    assert result.verdict is (Verdict.FAIL if stuck else Verdict.UNCLEAR)
