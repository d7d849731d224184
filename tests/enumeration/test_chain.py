"""Tables of exact probabilities."""

import math

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, RandomScan
from mcassay.distributions import Bernoulli, Binomial, Categorical, Poisson
from mcassay.enumeration.chain import transition_matrix
from mcassay.enumeration.paths import NotEnumerable, TooManyPaths
from mcassay.models.seating import canonical


def table(step, starts, **options):
    states, matrix = transition_matrix(step, starts, **options)
    return states, matrix.toarray()


def test_states_are_found_from_the_starts():
    def walk(state, data, rng):
        return (state + rng.choice([-1, 1])) % 5

    states, matrix = table(walk, [2])
    assert sorted(states) == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(np.sort(matrix, axis=1), np.tile([0, 0, 0, 0.5, 0.5], (5, 1)))


def test_a_step_may_work_in_place():
    def flip(state, data, rng):
        state["x"][rng.integers(2)] ^= 1

    states, matrix = table(flip, [{"x": np.array([0, 0])}])
    assert len(states) == 4
    np.testing.assert_allclose(matrix.sum(axis=1), 1)


def test_our_distributions_and_kernels_go_through_it():
    gibbs = Gibbs(
        {
            "a": lambda s, d: Bernoulli(0.25),
            "b": lambda s, d: Categorical.from_log_odds([0.0, np.log(3)]),
            "c": lambda s, d: Categorical.from_probabilities([[0.5, 0.5], [0.1, 0.9]]),
        }
    )
    start = {"a": 0, "b": 0, "c": np.array([0, 0])}
    states, matrix = table(gibbs, [start])
    np.testing.assert_allclose(matrix, np.tile(matrix[0], (16, 1)), atol=1e-15)
    probability = dict(zip([(int(s["a"]), int(s["b"]), *s["c"].tolist()) for s in states], matrix[0], strict=True))
    assert probability[(1, 1, 0, 1)] == pytest.approx(0.25 * 0.75 * 0.5 * 0.9, rel=1e-14)


def test_counts_of_ours_go_through_it():
    gibbs = Gibbs({"n": lambda s, d: Binomial(2, 0.3), "m": lambda s, d: Poisson(0.5)})
    start = {"n": 0, "m": 0}
    states, matrix = table(gibbs, [start], most_states=100)
    row = dict(zip([(int(s["n"]), int(s["m"])) for s in states], matrix[0], strict=True))
    assert row[(1, 2)] == pytest.approx(2 * 0.3 * 0.7 * math.exp(-0.5) * 0.125, rel=1e-12)


def test_a_random_scan_is_the_mixture_and_a_cycle_the_product_of_its_parts():
    parts = {"flip": lambda s, d, rng: 1 - s if rng.random() < 0.2 else s, "draw": lambda s, d, rng: int(rng.random() < 0.7)}
    flip, draw = (table(part, [0, 1])[1] for part in parts.values())
    np.testing.assert_allclose(table(Cycle(parts), [0, 1])[1], flip @ draw, atol=1e-15)
    scan = RandomScan(parts, weights={"flip": 1, "draw": 3})
    np.testing.assert_allclose(table(scan, [0, 1])[1], 0.25 * flip + 0.75 * draw, atol=1e-15)


def test_labels_that_mean_the_same_are_one_state():
    def relabel(state, data, rng):
        new = state.copy()
        new[rng.integers(3)] = 10 + rng.integers(2)
        return new

    states, matrix = table(relabel, [np.array([0, 0, 0])], canonical=canonical)
    assert sorted(state.tolist() for state in states) == [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    np.testing.assert_allclose(matrix.sum(axis=1), 1)


def test_limits():
    with pytest.raises(TooManyPaths, match="more than 1,000 paths lead through its random choices"):
        transition_matrix(lambda s, d, rng: int(sum(rng.random(20) < 0.5)), [0], most_paths=1_000)
    with pytest.raises(TooManyPaths, match="it reaches more than 50 states"):
        transition_matrix(lambda s, d, rng: s + rng.integers(2), [0], most_states=50)


def test_a_generator_of_its_own_is_noticed():
    own = np.random.default_rng(1)
    with pytest.raises(NotEnumerable, match="a generator of its own"):
        transition_matrix(lambda s, d, rng: (s + rng.integers(2) + own.integers(2)) % 64, [0])


def test_a_draw_in_the_state_is_refused():
    with pytest.raises(NotEnumerable, match=r"rng.normal\(\) has a continuous law, and its value is kept in the state"):
        transition_matrix(lambda s, d, rng: {"x": rng.normal()}, [{"x": 0}])
