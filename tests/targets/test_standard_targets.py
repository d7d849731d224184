"""Every standard target: draws, density and gradient belong to one distribution."""

from dataclasses import replace

import numpy as np
import pytest

from mcassay import InputError, Verdict, assay
from mcassay.targets import Space, Target, standard
from mcassay.targets.standard import read_targets
from tests.targets import densities

TARGETS = {target.name: target for target in standard()}
every = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


def draws(target, count, seed=1):
    rng = np.random.default_rng(seed)
    return [target.subject(idle).draw(rng) for _ in range(count)]


def idle(state, data, rng):
    return state


@every
def test_density_is_that_of_scipy_up_to_a_constant(target):
    reference = densities.density_of(target.name)
    pairs = [(target.log_joint(*drawn), float(reference(*drawn))) for drawn in draws(target, 40)]
    ours, theirs = np.array(pairs).T
    # a term of the data alone may be left out of none of ours, so that the difference is one constant for all draws
    np.testing.assert_allclose(ours - theirs, np.mean(ours - theirs), atol=1e-9 * (1 + np.abs(ours).max()))


def far_from_kinks(target, state):
    return not target.kinks or np.abs(np.subtract.outer(state["x"], [0.0, 1.0])).min() > 1e-3


def slope(target, state, data, place, size=1e-5):
    """The slope of the log density by central differences of two sizes, which leave an error of the fourth order."""
    unit = size * np.eye(target.size)[place]
    vector = target.vector(state)
    wide, narrow = (
        (target.log_joint(target.state(vector + h * unit), data) - target.log_joint(target.state(vector - h * unit), data))
        / (2 * h * size)
        for h in (2.0, 1.0)
    )
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("target", [t for t in TARGETS.values() if t.gradient], ids=lambda t: t.name)
def test_gradient_is_the_slope_of_the_density(target):
    for state, data in draws(target, 10):
        if (target.vector(state).min() < 1e-4 and not target.real) or not far_from_kinks(target, state):
            continue
        found = target.gradient_vector(state, data)
        numeric = [slope(target, state, data, place) for place in range(target.size)]
        np.testing.assert_allclose(found, numeric, rtol=1e-4, atol=1e-4 * (1 + np.abs(found).max()))


def test_every_continuous_target_has_a_gradient():
    assert {name for name, target in TARGETS.items() if (target.gradient is None) == target.continuous} == set()


@every
def test_spaces_describe_the_draws(target):
    for state, data in draws(target, 50):
        assert state.keys() == target.spaces.keys()
        assert (data is None) != target.has_data
        for name, space in target.spaces.items():
            value = np.asarray(state[name])
            assert value.shape == space.shape
            assert (value.dtype.kind == "i") == space.discrete
            assert is_in(space, value)
        again = target.state(target.vector(state))
        assert all(np.array_equal(again[name], state[name]) for name in state)


def is_in(space, value):
    low = 0.0 if space.kind in ("positive", "simplex", "labels", "binary") else space.low
    high = 1 if space.kind in ("simplex", "binary") else space.high
    if space.kind == "labels":
        high = np.reshape(space.sizes, space.shape) - 1
    return np.all((value >= low) & (value <= high)) and (space.kind != "simplex" or abs(value.sum() - 1) < 1e-12)


@pytest.mark.parametrize("target", [t for t in TARGETS.values() if not t.real], ids=lambda t: t.name)
def test_density_is_zero_outside_the_support(target):
    ((state, data),) = draws(target, 1)
    for name, space in target.spaces.items():
        if space.kind != "real":
            far = np.full(space.shape, -100 if space.discrete else -100.0)[()]
            assert target.log_joint({**state, name: far}, data) == -np.inf


def model_check(target, budget):
    return assay(target.subject(idle), checks=["model"], budget=budget, seed=1).results[0]


# Those with data take a while, and are tested with all others in tests/quality. A check that fails a right target has a
# probability of at most 1e-6, or 2e-5 for all of them.
@pytest.mark.parametrize("target", [t for t in TARGETS.values() if not t.has_data], ids=lambda t: t.name)
def test_draws_belong_to_the_density(target):
    assert model_check(target, 500).verdict in (Verdict.PASS, Verdict.UNCLEAR)


def test_discrete_uniform_draws_every_number_alike():
    # No density is moved by in the model check, for it is constant. Under a right law each of the sixteen counts is binomial;
    # one is beyond six standard deviations with a probability below 1e-7.
    drawn = np.array([state["x"] for state, _ in draws(TARGETS["discrete uniform"], 4000)])
    counts = np.array([[np.count_nonzero(column == value) for value in range(-3, 5)] for column in drawn.T])
    assert counts.sum() == drawn.size
    assert np.abs(counts - 500).max() < 6 * np.sqrt(4000 * 7 / 64)


WRONG = {
    "normal in 2": lambda drawn: {"x": 1.3 * drawn["x"]},
    "student t": lambda drawn: {"x": 0.7 * drawn["x"]},
    "categorical": lambda drawn: {"x": drawn["x"] * [1, 0, 1]},
    "simplex": lambda drawn: {"x": drawn["x"][::-1].copy()},
}


@pytest.mark.parametrize("name", WRONG)
def test_draws_of_another_law_are_told(name):
    target = TARGETS[name]
    wrong = replace(target, prior=lambda rng: WRONG[name](target.prior(rng)))
    assert model_check(wrong, 4000).verdict is Verdict.FAIL


def test_targets_are_named():
    assert [target.name for target in read_targets("conformance", ["banana", TARGETS["gamma"]])] == ["banana", "gamma"]
    assert len({target.name for target in standard()}) == len(standard())


@pytest.mark.parametrize(("targets", "said"), [("all", '"standard"'), (["banana", "banena"], "banena"), ([], "at least one")])
def test_targets_that_are_none(targets, said):
    with pytest.raises(InputError, match=said):
        read_targets("conformance", targets)


@pytest.mark.parametrize(
    ("wrong", "said"), [({"name": " "}, "name"), ({"spaces": {"x": 3}}, "Space"), ({"prior": None}, r"prior\(rng\)")]
)
def test_a_target_that_is_none(wrong, said):
    given = {"name": "mine", "spaces": {"x": Space("real")}, "prior": lambda rng: {"x": 0.0}, "log_density": lambda s, d, xp: 0.0}
    with pytest.raises(InputError, match=said):
        Target(**{**given, **wrong})
