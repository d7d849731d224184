"""Subjects in JAX: the same verdicts as any subject, whole blocks a call, compiled once.

A right kernel is failed here with a probability of at most 1e-6 an assay; seeds are fixed so that a run can be repeated.
"""

from typing import NamedTuple

import numpy as np
import pytest

from mcassay import InputError, Verdict, assay
from mcassay.engine.block import Task, run_block
from mcassay.engine.instrument import Instrument
from mcassay.engine.replicate import Course
from mcassay.single import one_replicate

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'mcassay[jax]'")

import jax.numpy as jnp  # noqa: E402

from mcassay.adapters.compiled import FULL  # noqa: E402
from mcassay.adapters.jax import subject  # noqa: E402

POINTS = 5
QUICK = {"budget": 3_000, "seed": 3, "checks": ["purity", "invariance", "geweke", "forgetting"]}


@pytest.fixture(autouse=True)
def double_precision(request):
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", getattr(request, "param", True))
    yield
    jax.config.update("jax_enable_x64", before)


in_both_precisions = pytest.mark.parametrize("double_precision", [False, True], ids=["single", "double"], indirect=True)


class State(NamedTuple):
    mu: object
    log_sd: object


def prior(key):
    mu, log_sd = jax.random.normal(key, (2,))
    return State(mu, 0.3 * log_sd)


def simulate(state, key):
    return {"x": state.mu + jnp.exp(state.log_sd) * jax.random.normal(key, (POINTS,))}


def log_joint(state, data):
    squares = jnp.sum((data["x"] - state.mu) ** 2)
    prior = -0.5 * state.mu**2 - 0.5 * (state.log_sd / 0.3) ** 2
    return prior - POINTS * state.log_sd - 0.5 * squares * jnp.exp(-2 * state.log_sd)


def draw_mu(state, data, key):
    precision = 1 + POINTS * jnp.exp(-2 * state.log_sd)
    mean = data["x"].sum() * jnp.exp(-2 * state.log_sd) / precision
    return state._replace(mu=mean + jax.random.normal(key) / jnp.sqrt(precision))


def wrong_mu(state, data, key):
    """Take the root of the precision for the precision."""
    precision = 1 + POINTS * jnp.exp(-2 * state.log_sd)
    mean = data["x"].sum() * jnp.exp(-2 * state.log_sd) / precision
    return state._replace(mu=mean + jax.random.normal(key) / precision)


def walk(state, data, key, width=0.5):
    first, second = jax.random.split(key)
    new = state._replace(log_sd=state.log_sd + width * jax.random.normal(first))
    accepted = jnp.log(jax.random.uniform(second)) < log_joint(new, data) - log_joint(state, data)
    return jax.tree.map(lambda a, b: jnp.where(accepted, a, b), new, state)


def cycle(mu=draw_mu, **changes):
    return subject(prior, simulate, {"mu": mu, "log_sd": walk}, **{"log_joint": log_joint, "name": "jax", **changes})


# A walk that carries its log density.
def init(state, data, key):
    return {"state": state, "log_p": log_joint(state, data)}


def position(carry):
    return carry["state"]


def refresh(carry, data, key):
    return {**carry, "log_p": log_joint(carry["state"], data)}


def stale(carry, data, key):
    return carry


def carried(carry, data, key):
    first, second = jax.random.split(key)
    state = carry["state"]
    steps = 0.5 * jax.random.normal(first, (2,))
    new = State(state.mu + steps[0], state.log_sd + 0.5 * steps[1])
    log_p = log_joint(new, data)
    accepted = jnp.log(jax.random.uniform(second)) < log_p - carry["log_p"]
    return jax.tree.map(lambda a, b: jnp.where(accepted, a, b), {"state": new, "log_p": log_p}, carry)


def with_carry(refresh=refresh):
    given = {"init": init, "position": position, "refresh": refresh, "log_joint": log_joint, "name": "carried"}
    return subject(prior, simulate, carried, caches={"log_p": log_joint}, **given)


def failing(report):
    return {(result.check, result.target) for result in report.results if result.verdict in (Verdict.FAIL, Verdict.ERROR)}


@in_both_precisions
def test_right_updates_do_not_fail():
    report = assay(cycle(), **QUICK)
    assert not failing(report), report
    assert any("JAX compiled prior" in note for note in report.notes)


@in_both_precisions
def test_a_wrong_update_is_named():
    report = assay(cycle(wrong_mu), budget=20_000, seed=3, checks=["invariance"])
    assert {("invariance", "sweep"), ("invariance", "update:mu")} <= failing(report)
    assert report.diagnosis.culprits == ("mu",)


def test_a_carry_is_carried():
    report = assay(with_carry(), budget=3_000, seed=3, checks=["caches", "invariance", "carry"])
    assert not failing(report), report


def test_a_carry_that_is_not_refreshed_is_caught():
    assert ("caches", "sweep") in failing(assay(with_carry(stale), budget=3_000, seed=3, checks=["caches"]))


def test_every_check_runs_or_says_why_not():
    assert not failing(assay(cycle(), budget=300, seed=3))


def test_the_same_seed_gives_the_same_report():

    def evidence(**changes):
        report = assay(cycle(), **{**QUICK, "budget": 600, "checks": ["invariance"], **changes})
        return [(result.target, result.log10_evidence, result.message) for result in report.results]

    here = evidence()
    assert evidence() == here
    assert evidence(executor=1) == here
    assert evidence(seed=4) != here


def block(own, size, course=None):
    task = Task(1, ("invariance", "sweep"), 0, size, course or Course(4, (1, 4), forward=2), Instrument.of(own, 1).layout)
    return run_block(own, task)


def test_a_replicate_does_not_depend_on_how_many_others_there_are():
    own = cycle()
    few, many = block(own, 5), block(own, 100)
    np.testing.assert_array_equal(few.start, many.start[:5])
    np.testing.assert_array_equal(few.ends, many.ends[:, :5])


def test_nothing_is_compiled_twice():
    traces = []

    def counted(state, data, key):
        traces.append(1)
        return draw_mu(state, data, key)

    own = subject(prior, simulate, counted)
    instrument = Instrument.of(own, 1)
    before = len(traces)
    for size in (1, 3, FULL):
        for length in (1, 4, 7):
            run_block(own, Task(1, ("a",), 0, size, Course(length, (1, length), forward=1), instrument.layout))
    after_first = len(traces)
    one_replicate(own).step(State(0.0, 0.0), {"x": np.zeros(POINTS)}, np.random.default_rng(0))
    assert after_first - before <= 4  # one compilation traces a function a few times
    assert len(traces) == after_first


def test_data_are_redrawn_between_sweeps():
    """A step that sets the state to the data's mean shows whether the data were new."""
    own = subject(prior, simulate, lambda state, data, key: state._replace(mu=data["x"].mean()))
    result = block(own, 50)
    assert not np.isclose(result.ends[0], result.ends[1]).all(axis=1).any()


def test_a_step_that_changes_types_is_told():
    own = subject(prior, simulate, lambda state, data, key: state._replace(mu=jnp.int32(1)))
    report = assay(own, budget=100, seed=1, checks=["invariance"])
    assert report.verdict is Verdict.ERROR
    assert "a step must return arrays of the shapes and types that it was given" in report.results[0].message


BAD = {
    "prior": (lambda: subject(3, None, walk), "jax.subject: prior must be a function prior\\(key\\), but found 3"),
    "step": (
        lambda: subject(prior, None, lambda state: state),
        r"jax.subject: step must take step\(state, data, key\), but found step\(state\)",
    ),
    "refresh alone": (lambda: subject(prior, None, walk, refresh=refresh), "refresh needs init and position"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_worded(name):
    make, message = BAD[name]
    with pytest.raises(InputError, match=message):
        make()
