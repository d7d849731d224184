"""What kernels promise besides the right target: names, binding, supports, divergences, pickling, and errors in words."""

import math
import pickle

import numpy as np
import pytest

from mcassay import (
    Cycle,
    EllipticalSlice,
    Gamma,
    Gibbs,
    HamiltonianMonteCarlo,
    InputError,
    MetropolisHastings,
    Normal,
    RandomScan,
    Slice,
    Subject,
)
from mcassay.kernels import apply


def walk(state, data):
    return Normal(state["x"], sd=1.0)


def log_joint(state, data):
    return -0.5 * float(np.sum(np.square(state["x"])))


def unit(state, data):
    return Normal(0.0, sd=1.0)


def prior(rng):
    return {"x": rng.normal()}


def gradient(state, data):
    return -state["x"]


def flat(state, data):
    return 0.0


def step(state, data, rng):
    return state


def nested():
    return Cycle({
        "outer": Cycle({"inner": Gibbs({"x": unit}), "walk": MetropolisHastings(walk, blocks="x")}),
        "scan": RandomScan({"slice": Slice("x"), "bare": step}),
        "hmc": HamiltonianMonteCarlo("x", gradient=gradient, step_size=0.1, steps=3),
        "ess": EllipticalSlice("x", prior=unit, log_likelihood=flat),
    })  # fmt: skip


def test_nested_updates_have_dotted_names():
    subject = Subject(prior, None, nested(), log_joint=log_joint)
    assert list(subject.updates) == ["outer.inner.x", "outer.walk", "scan.slice", "scan.bare", "hmc", "ess"]
    assert list(subject.ordered_updates) == ["outer.inner.x", "outer.walk", "scan", "hmc", "ess"]
    assert Subject(prior, None, step).updates == {}


def test_the_subjects_log_joint_is_inherited_at_every_depth():
    subject = Subject(prior, None, nested(), log_joint=log_joint)
    for name in ("outer.walk", "scan.slice", "hmc"):
        assert subject.updates[name].log_joint is log_joint
    own = MetropolisHastings(walk, blocks="x", log_joint=flat)
    assert Subject(prior, None, own, log_joint=log_joint).step.log_joint is flat


@pytest.mark.parametrize(
    "kernel",
    [
        MetropolisHastings(walk, blocks="x"),
        Slice("x"),
        HamiltonianMonteCarlo("x", gradient=gradient, step_size=0.1, steps=1),
    ],
)
def test_without_a_log_joint_that_is_said(kernel):
    with pytest.raises(InputError, match=rf"^{type(kernel).__name__}: log_joint is missing; give it here or to the subject$"):
        kernel({"x": 0.5}, None, np.random.default_rng(0))


def test_subjects_and_kernels_are_pickled():
    subject = Subject(prior, None, nested(), log_joint=log_joint)
    again = pickle.loads(pickle.dumps(subject))
    one, other = (s.step({"x": 0.5}, None, np.random.default_rng(3)) for s in (subject, again))
    assert one == other
    assert repr(again) == repr(subject)


def test_a_proposal_is_not_asked_at_an_impossible_state():
    kernel = MetropolisHastings(
        lambda s, d: Normal(s["x"], sd=s["x"]), blocks="x", log_joint=lambda s, d: -s["x"] if s["x"] > 0 else -math.inf
    )
    rng, state = np.random.default_rng(0), {"x": 1.0}
    for _ in range(100):
        state = kernel(state, None, rng)
        assert state["x"] > 0


def test_a_way_back_that_is_impossible_is_rejected():
    kernel = MetropolisHastings(lambda s, d: Gamma(1.0 + s["x"] ** 2, rate=1.0), blocks="x", log_joint=lambda s, d: 0.0)
    assert kernel.log_acceptance_ratio({"x": -1.0}, {"x": 1.0}, None) == -math.inf


def test_a_proposal_may_change_its_state_in_place():
    def propose(state, data, rng):
        state["x"] += 1e3
        return state, 0.0

    kernel = MetropolisHastings(propose, blocks="x", log_joint=log_joint)
    before = {"x": np.zeros(2)}
    assert kernel(before, None, np.random.default_rng(0)) is before
    assert before["x"].tolist() == [0.0, 0.0]


def test_a_ratio_that_is_not_a_number():
    kernel = MetropolisHastings(walk, blocks="x", log_joint=lambda s, d: math.nan)
    with pytest.raises(InputError, match=r'^MetropolisHastings: the log acceptance ratio of "x" is NaN$'):
        kernel({"x": 0.0}, None, np.random.default_rng(0))


def test_whole_numbers_are_not_cut_off_element_by_element():
    kernel = MetropolisHastings(walk, blocks="x", log_joint=flat, elementwise=True)
    new = kernel({"x": np.array([1, 2, 3])}, None, np.random.default_rng(0))["x"]
    assert new.dtype == float
    assert np.all(new != np.round(new))


def test_a_proposal_without_a_component_for_every_element():
    kernel = MetropolisHastings(unit, blocks="x", log_joint=flat, elementwise=True)
    with pytest.raises(InputError, match=r"one component for each element of x, 1 axes of them, but found 'shape \(\)'"):
        kernel({"x": np.zeros(3)}, None, np.random.default_rng(0))


def test_hmc_moves_blocks_of_several_shapes():
    def gradients(state, data):
        return -state["a"], -4 * state["b"], -state["c"]

    def joint(state, data):
        return -0.5 * (state["a"] ** 2 + 4 * np.sum(state["b"] ** 2) + np.sum(state["c"] ** 2))

    kernel = HamiltonianMonteCarlo(("a", "b", "c"), gradient=gradients, step_size=0.1, steps=5, log_joint=joint)
    state = {"a": 0.5, "b": np.ones((2, 3)), "c": np.zeros(0), "z": 7}
    new = kernel(state, None, np.random.default_rng(0))
    assert np.shape(new["a"]) == ()
    assert new["b"].shape == (2, 3)
    assert new["c"].shape == (0,)
    assert new["z"] == 7
    assert not np.array_equal(new["b"], state["b"])


def test_the_leapfrog_is_reversible():
    kernel = HamiltonianMonteCarlo("x", gradient=lambda s, d: -(s["x"] ** 3), step_size=0.1, steps=10, log_joint=flat)
    start, momentum = np.array([0.3, -1.0]), np.array([0.7, 0.2])
    there, end = kernel.leapfrog({"x": start}, None, start, momentum)
    back, final = kernel.leapfrog(there, None, there["x"], -end)
    assert np.allclose(back["x"], start, atol=1e-13)
    assert np.allclose(final, -momentum, atol=1e-13)


@pytest.mark.parametrize("joint", [lambda s, d: -(s["x"] ** 4), lambda s, d: math.nan, lambda s, d: -math.inf])
def test_a_trajectory_that_diverges_is_rejected(joint):
    kernel = HamiltonianMonteCarlo("x", gradient=lambda s, d: -4 * s["x"] ** 3, step_size=10.0, steps=20, log_joint=joint)
    rng, state = np.random.default_rng(0), {"x": np.float64(2.0)}
    for _ in range(20):
        assert kernel(state, None, rng) is state


def test_a_gradient_of_the_wrong_size():
    kernel = HamiltonianMonteCarlo("x", gradient=lambda s, d: 1.0, step_size=0.1, steps=1, log_joint=log_joint)
    message = r"^HamiltonianMonteCarlo: gradient\(state, data\) must return as many numbers as x has, 3, but found 1$"
    with pytest.raises(InputError, match=message):
        kernel({"x": np.zeros(3)}, None, np.random.default_rng(0))


def test_only_normal_priors_have_an_ellipse():
    kernel = EllipticalSlice("x", prior=lambda s, d: Gamma(1.0, rate=1.0), log_likelihood=flat)
    with pytest.raises(InputError, match=r'^EllipticalSlice: prior\(state, data\) of "x" must return a normal distribution'):
        kernel({"x": 0.5}, None, np.random.default_rng(0))


def test_a_step_may_change_the_state_in_place():
    def double(state, data, rng):
        state["x"] *= 2

    state = {"x": np.ones(2)}
    assert Cycle({"a": double, "b": double})(state, None, None) is state
    assert state["x"].tolist() == [4.0, 4.0]


def test_a_step_that_returns_a_tuple_is_pointed_to_position():
    with pytest.raises(InputError, match="give the subject `init` and `position`"):
        apply(lambda state, data, rng: (state, {"accepted": True}), {"x": 1.0}, None, None)


def test_a_random_scan_chooses_by_its_weights():
    scan = RandomScan({"a": lambda s, d, r: "a", "b": lambda s, d, r: "b"}, weights={"b": 3, "a": 1})
    assert scan.probabilities.tolist() == [0.25, 0.75]
    rng = np.random.default_rng(0)
    chosen = sum(scan("", None, rng) == "a" for _ in range(4000))
    # A binomial of 4000 trials is further than 5.2 standard deviations off with probability below 1e-6.
    assert abs(chosen - 1000) < 5.2 * math.sqrt(4000 * 0.25 * 0.75)
