"""Caches: named kernels that let what they carry go stale, which must be caught, and right ones that must not fail."""

import math
import re

import numpy as np
import pytest

from mcassay import Cycle, InputError, RandomScan, Subject, assay
from mcassay.checks import Context
from mcassay.checks.caches import CHECK
from mcassay.results import Verdict

SEEDS = range(3)


def prior(rng):
    return {"mu": rng.normal(size=3), "log_scale": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["mu"], math.exp(state["log_scale"]))


def log_joint(state, data):
    residuals = (data - state["mu"]) * math.exp(-state["log_scale"])
    return -0.5 * (residuals @ residuals + state["mu"] @ state["mu"] + state["log_scale"] ** 2) - 3 * state["log_scale"]


def init(state, data, rng):
    return {"state": state, "log_p": log_joint(state, data), "accepted": 0}


def position(carry):
    return carry["state"]


def refresh(carry, data, rng):
    return {**carry, "log_p": log_joint(carry["state"], data)}


def walk(block, size=0.7, *, keep_proposed=False, forget=False, in_place=False):
    """Move a block by a random walk, carrying the log density along."""

    def update(carry, data, rng):
        old = carry["state"]
        new = {**old, block: old[block] + size * rng.normal(size=np.shape(old[block]))}
        log_p = log_joint(new, data)
        accept = rng.random() < math.exp(min(0.0, log_p - carry["log_p"]))
        if in_place:
            carry.update(state=new if accept else old, log_p=log_p if accept else carry["log_p"])
            return None
        if not accept:
            return {**carry, "log_p": log_p} if keep_proposed else carry
        return {"state": new, "log_p": carry["log_p"] if forget else log_p, "accepted": carry["accepted"] + 1}

    return update


def flip(carry, data, rng):
    """A symmetric move that is right about the state and forgets that the likelihood changes."""
    return {**carry, "state": {**carry["state"], "mu": -carry["state"]["mu"]}}


def subject(step, **changed):
    settings = {"init": init, "position": position, "refresh": refresh, "caches": {"log_p": log_joint}} | changed
    return Subject(prior, simulate, step, log_joint=log_joint, **settings)


def check(step, seed=0, **changed):
    return CHECK.apply(subject(step, **changed), Context(seed))


def counted_prior(rng):
    labels = rng.integers(3, size=8)
    return {"labels": labels, "counts": np.bincount(labels, minlength=3)}


def relabel(*, forget=False, swap=False):
    def step(state, data, rng):
        place, new = rng.integers(8), rng.integers(3)
        if swap:
            other = rng.integers(8)
            state["labels"][[place, other]] = state["labels"][[other, place]]
            return
        state["counts"][state["labels"][place]] -= 1
        state["labels"][place] = new
        if not forget:
            state["counts"][new] += 1

    return step


def count(state, data):
    return np.bincount(state["labels"], minlength=3)


def running_sum(state, data):
    return float(np.sum(state["x"]))


def incremental(drift=0.0):
    """Keep a sum up to date by adding changes: rounding builds up, which is no bug."""

    def step(state, data, rng):
        x = state["x"].copy()
        place, new = rng.integers(x.size), 1e6 * rng.normal()
        total = state["total"] + (new - x[place]) * (1 + drift)
        x[place] = new
        return {"x": x, "total": total}

    return step


def summed_prior(rng):
    x = 1e6 * rng.normal(size=50)
    return {"x": x, "total": x.sum()}


def as_tuple(step):
    def update(carry, data, rng):
        new = step({"state": carry[0], "log_p": carry[1], "accepted": 0}, data, rng)
        return new["state"], new["log_p"]

    return update


TUPLE = {
    "init": lambda state, data, rng: (state, log_joint(state, data)),
    "position": lambda carry: carry[0],
    "refresh": lambda carry, data, rng: (carry[0], log_joint(carry[0], data)),
    "caches": {"1": log_joint},
}

RIGHT = {
    "one walk": subject(walk("mu")),
    "in place": subject(walk("mu", in_place=True)),
    "cycle": subject(Cycle({"mu": walk("mu"), "scale": walk("log_scale")})),
    "random scan": subject(RandomScan({"mu": walk("mu"), "scale": walk("log_scale")})),
    "rejects nearly always": subject(walk("mu", size=20.0)),
    "no refresh": subject(walk("mu"), refresh=None),
    "a tuple": subject(as_tuple(walk("mu")), **TUPLE),
    "counts in the state": Subject(counted_prior, None, relabel(), caches={"counts": count}),
    "swaps": Subject(counted_prior, None, relabel(swap=True), caches={"counts": count}),
    "a running sum": Subject(summed_prior, None, incremental(), caches={"total": running_sum}),
    "recomputed in single precision": subject(walk("mu"), caches={"log_p": lambda s, d: np.float32(log_joint(s, d))}),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_caches_that_are_kept_up_to_date_pass(name, seed):
    (result,) = CHECK.apply(RIGHT[name], Context(seed))
    assert result.verdict is Verdict.PASS, result.message


REJECTED = "what belongs to a rejected proposal was kept in the cache"
OLD = "it is still the value of the state before"
BROKEN = {
    "rejected proposal kept": (subject(walk("mu", keep_proposed=True)), "sweep", REJECTED),
    "not updated": (subject(walk("mu", forget=True)), "sweep", OLD),
    "second update of a cycle": (
        subject(Cycle({"mu": walk("mu"), "scale": walk("log_scale", forget=True)})),
        "update:scale",
        f'stale after update "scale".*{OLD}',
    ),
    "rejection in a random scan": (
        subject(RandomScan({"mu": walk("mu", keep_proposed=True), "scale": walk("log_scale")})),
        "update:mu",
        REJECTED,
    ),
    "flip in between": (subject(Cycle({"walk": walk("mu"), "flip": flip})), "update:flip", OLD),
    "wrong from the start": (
        subject(walk("mu"), init=lambda state, data, rng: {**init(state, data, rng), "log_p": 0.0}),
        "sweep",
        "stale after init",
    ),
    "refresh forgets": (subject(walk("mu"), refresh=lambda carry, data, rng: carry), "sweep", "stale after refresh"),
    "a tuple": (subject(as_tuple(walk("mu", keep_proposed=True)), **TUPLE), "sweep", REJECTED),
    "counts": (Subject(counted_prior, None, relabel(forget=True), caches={"counts": count}), "sweep", "neither"),
    "a sum that drifts": (Subject(summed_prior, None, incremental(1e-6), caches={"total": running_sum}), "sweep", "neither"),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_stale_cache_fails_and_is_named(name, seed):
    broken, target, said = BROKEN[name]
    failed = [result for result in CHECK.apply(broken, Context(seed)) if result.verdict is Verdict.FAIL]
    assert [result.target for result in failed] == [target]
    (cache,) = broken.caches
    assert f'the cache "{cache}" is stale' in failed[0].cause
    assert re.search(said, failed[0].message), failed[0].message


def test_it_is_skipped_without_caches():
    (result,) = check(walk("mu"), caches={})
    assert result.verdict is Verdict.SKIPPED
    (result,) = check(walk("mu"), caches=())
    assert result.verdict is Verdict.SKIPPED


def test_a_path_that_is_not_in_the_carry_is_an_error_that_lists_what_there_is():
    with pytest.raises(InputError, match=r'the carry has no part "logp"; its parts are: state\.mu, state\.log_scale, log_p'):
        check(walk("mu"), caches={"logp": log_joint})


@pytest.mark.parametrize("caches", [["log_p"], "log_p", log_joint, {"log_p": 3}, {"": log_joint}, {"log_p": lambda state: 0}])
def test_caches_of_another_form_are_refused(caches):
    with pytest.raises(InputError, match=r"Subject: .*caches"):
        subject(walk("mu"), caches=caches)


def test_what_it_counts_does_not_disturb_the_check_of_forgetting():
    subject = Subject(
        lambda rng: {"x": rng.normal(), "square": 0.0},
        None,
        lambda state, data, rng: (lambda x: {"x": x, "square": x**2})(rng.normal()),
        caches={"square": lambda state, data: state["x"] ** 2},
    )
    report = assay(subject, checks=["caches", "forgetting"], budget=500, seed=1)
    assert Verdict.ERROR not in [result.verdict for result in report.results]
