"""Subjects: what they hold, how they draw, and what their updates are called."""

import pickle

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, InputError, Normal, Subject


def prior(rng):
    return {"x": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["x"], 1.0, size=3)


def step(state, data, rng):
    return state


def test_draws_come_from_prior_and_simulate():
    state, data = Subject(prior, simulate, step).draw(np.random.default_rng(0))
    assert set(state) == {"x"}
    assert data.shape == (3,)


def test_a_subject_without_data():
    assert Subject(prior, None, step).draw(np.random.default_rng(0))[1] is None


@pytest.mark.parametrize(
    ("function", "name"),
    [(step, "step"), (lambda state, data, rng: state, "lambda"), (Gibbs({"x": lambda s, d: Normal(0, sd=1)}), "Gibbs")],
)
def test_it_has_a_name(function, name):
    assert Subject(prior, None, function).name == name
    assert Subject(prior, None, function, name="mine").name == "mine"


def test_statistics_and_names_may_be_left_out_or_given_in_many_ways():
    assert Subject(prior, None, step, statistics=None).statistics == {}
    assert Subject(prior, None, step, may_stay={"x"}).may_stay == ("x",)
    assert Subject(prior, None, step, may_stay=["x"]).may_stay == ("x",)


def test_functions_with_defaults_and_callable_objects_are_accepted():
    class Kernel:
        def __call__(self, state, data, rng, size=1.0):
            return state

    assert Subject(prior, lambda state, rng, size=3: None, Kernel()).name == "Kernel"


def test_it_is_pickled_with_functions_of_a_module():
    subject = Subject(prior, simulate, Cycle({"a": step}), name="pickled")
    assert repr(pickle.loads(pickle.dumps(subject))) == '<Subject "pickled": updates a>'


@pytest.mark.parametrize("empty", [None, {}])
def test_a_prior_that_returns_no_state(empty):
    with pytest.raises(InputError, match=r"^prior\(rng\) returned "):
        Subject(lambda rng: empty, None, step).draw(np.random.default_rng(0))
