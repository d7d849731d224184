"""Gradients: named broken ones that must be caught, and right ones, near edges and kinks, that must not fail."""

import math

import numpy as np
import pytest

from mcassay import Cycle, Gamma, HamiltonianMonteCarlo, Normal, StudentT, Subject
from mcassay.checks import Context
from mcassay.checks.gradients import CHECK
from mcassay.results import Verdict

SEEDS = range(3)
MIX = np.array([[1.0, 0.3, 0.0], [-0.2, 0.8, 0.5], [0.1, 0.0, 1.2]])


def prior(rng):
    return {"x": rng.normal(size=3), "matrix": rng.normal(size=(3, 3)), "rate": rng.gamma(3.0), "far": 1e6 + rng.normal(size=2)}


def simulate(state, rng):
    return rng.normal(MIX @ state["x"], 0.5, size=(7, 3))


def log_joint(state, data):
    if not state["rate"] > 0:
        return -math.inf
    total = np.sum(StudentT(4.0).log_p(state["x"])) + np.sum(Normal(MIX @ state["x"], sd=0.5).log_p(data))
    total += -0.5 * np.sum((MIX * state["matrix"]) ** 2) - 0.1 * np.sum(state["matrix"] ** 2) + np.sum(MIX.T * state["matrix"])
    total += Gamma(3.0, rate=1.0).log_p(state["rate"])
    return total - 0.5 * np.sum((state["far"] - 1e6) ** 2)


def slope_x(state, data):
    x = state["x"]
    return -5.0 * x / (4.0 + x**2) + MIX.T @ ((data - MIX @ x).sum(axis=0) / 0.25)


def slope_matrix(state, data):
    return -(MIX**2) * state["matrix"] - 0.2 * state["matrix"] + MIX.T


def slope_rate(state, data):
    return 2.0 / state["rate"] - 1.0


def slope_far(state, data):
    return 1e6 - state["far"]


def check(blocks, gradient, seed=0, joint=log_joint, **further):
    update = HamiltonianMonteCarlo(blocks, gradient=gradient, step_size=0.1, steps=3)
    subject = Subject(prior, simulate, Cycle({"move": update}), log_joint=joint, **further)
    (result,) = CHECK.apply(subject, Context(seed))
    return result


RIGHT = {
    "vector": ("x", slope_x),
    "matrix": ("matrix", slope_matrix),
    "positive": ("rate", slope_rate),
    "far from zero": ("far", slope_far),
    "two blocks": (("x", "rate"), lambda state, data: (slope_x(state, data), slope_rate(state, data))),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_right_gradients_pass(name, seed):
    result = check(*RIGHT[name], seed=seed)
    assert result.verdict is Verdict.PASS, result.message
    assert result.target == "update:move"


def without(coordinate):
    return lambda state, data: np.where(np.arange(3) == coordinate, 0.0, slope_x(state, data))


BROKEN = {
    "sign": ("x", lambda state, data: -slope_x(state, data), "its sign is reversed"),
    "factor": ("x", lambda state, data: 2 * slope_x(state, data), "it is 2 times what it should be"),
    "one per cent": ("x", lambda state, data: 1.01 * slope_x(state, data), "it is 1.01 times what it should be"),
    "zero": ("x", lambda state, data: np.zeros(3), "it is zero"),
    "coordinate": ("x", without(1), "the coordinate [1] is missing (0)"),
    "no prior": (
        "x",
        lambda state, data: slope_x(state, data) + 5 * state["x"] / (4 + state["x"] ** 2),
        "3 of 3 coordinates differ",
    ),
    "transposed": ("matrix", lambda state, data: slope_matrix(state, data).T, "it is transposed"),
    "one entry": ("matrix", lambda state, data: slope_matrix(state, data) + np.eye(3)[1, 0] + np.diag([0, 0, 0.1]), "differ"),
    "scalar sign": ("rate", lambda state, data: -slope_rate(state, data), "its sign is reversed"),
    "shape": ("x", lambda state, data: np.sum(slope_x(state, data)), 'has shape () for the block "x" of shape (3,)'),
    "not finite": ("rate", lambda state, data: math.nan, 'is not finite for the block "rate"'),
    "log scale": (
        "x",
        lambda state, data: slope_x(state, data) * state["x"],
        "it is the gradient with respect to the log of the block",
    ),
    "parts": (("x", "rate"), lambda state, data: slope_x(state, data), "must be one part for each of the blocks x, rate"),
    "second part": (("x", "rate"), lambda state, data: (slope_x(state, data), -slope_rate(state, data)), 'in block "rate"'),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_gradients_fail_and_the_message_says_why(name, seed):
    blocks, gradient, words = BROKEN[name]
    result = check(blocks, gradient, seed)
    assert result.verdict is Verdict.FAIL, result.message
    assert words in result.message
    assert 'update "move"' in result.cause


@pytest.mark.parametrize("seed", SEEDS)
def test_kinks_do_not_count(seed):
    def laplace(state, data):
        return -np.sum(np.abs(data - state["x"])) - np.sum(np.abs(state["x"]))

    def slope(state, data):
        return np.sign(data - state["x"]).sum(axis=0) - np.sign(state["x"])

    assert check("x", slope, seed, laplace).verdict is Verdict.PASS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kink_right_at_the_state_does_not_count(seed):
    update = HamiltonianMonteCarlo("x", gradient=lambda state, data: np.zeros(2), step_size=0.1, steps=3)
    subject = Subject(lambda rng: {"x": np.zeros(2)}, None, update, log_joint=lambda state, data: -np.sum(np.abs(state["x"])))
    (result,) = CHECK.apply(subject, Context(seed))
    assert result.verdict is not Verdict.FAIL, result.message


@pytest.mark.parametrize("seed", SEEDS)
def test_the_edge_of_a_support_that_raises_is_not_crossed(seed):
    def raising(state, data):
        return 2.0 * math.log(state["rate"]) - state["rate"]

    assert check("rate", slope_rate, seed, raising).verdict is Verdict.PASS


@pytest.mark.parametrize("seed", SEEDS)
def test_rounding_does_not_fail_a_right_gradient(seed):
    def rounded(state, data):
        return log_joint(state, data) + 1e9 - 1e9

    def single(state, data):
        return float(np.float32(log_joint(state, data)))

    for joint in (rounded, single):
        result = check("x", slope_x, seed, joint)
        assert result.verdict in (Verdict.PASS, Verdict.UNCLEAR), result.message


def test_what_does_not_apply_says_why():
    bare = Subject(prior, simulate, lambda state, data, rng: state, log_joint=log_joint)
    (result,) = CHECK.apply(bare, Context(0))
    assert result.verdict is Verdict.SKIPPED
    assert "no update has a gradient" in result.message
    assert check("x", slope_x, joint=None).verdict is Verdict.SKIPPED
    carry = check("x", slope_x, init=lambda state, data, rng: state, position=lambda carry: carry)
    assert "carries more than the state" in carry.message


def wide_prior(rng):
    return {"wide": rng.normal(size=3000)}


def wide_joint(state, data):
    return -0.5 * float(np.sum(state["wide"] ** 2))


def wide_slope(state, data):
    slope = -state["wide"]
    slope[2345] += 0.5
    return slope


@pytest.mark.parametrize("seed", SEEDS)
def test_one_wrong_coordinate_among_thousands_is_named(seed):
    update = HamiltonianMonteCarlo("wide", gradient=wide_slope, step_size=0.1, steps=3)
    (result,) = CHECK.apply(Subject(wide_prior, None, Cycle({"move": update}), log_joint=wide_joint), Context(seed))
    assert result.verdict is Verdict.FAIL
    assert '1 of 64 coordinates (of 3000) differ (at block "wide"[2345]' in result.message


@pytest.mark.parametrize("seed", SEEDS)
def test_a_factor_is_only_named_where_it_explains_every_coordinate(seed):
    result = check("x", lambda state, data: slope_x(state, data) * np.array([1.0, 1.0, 1.0001]), seed)
    assert result.verdict is Verdict.FAIL
    assert "1 of 3 coordinates differ" in result.message
    result = check("x", lambda state, data: slope_x(state, data) * 1.0001, seed)
    assert "it is 1.0001 times what it should be" in result.message


@pytest.mark.parametrize("seed", SEEDS)
def test_no_slope_at_all_is_a_right_gradient_of_a_flat_joint(seed):
    def flat(state, data):
        return 0.0 if np.all(np.abs(state["wide"]) < 10) else -math.inf

    update = HamiltonianMonteCarlo("wide", gradient=lambda s, d: 0 * s["wide"], step_size=0.1, steps=3)
    (result,) = CHECK.apply(Subject(wide_prior, None, Cycle({"move": update}), log_joint=flat), Context(seed))
    assert result.verdict is Verdict.PASS, result.message
