"""The categorical: assignments, one row an observation."""

import tracemalloc

import numpy as np
import pytest

from mcassay.distributions import Categorical

INF = np.inf


def test_a_row_of_probabilities_gives_a_single_number():
    label = Categorical.from_probabilities([0.2, 0.8]).sample(np.random.default_rng(0))
    assert np.shape(label) == ()
    assert isinstance(label, np.integer)


def test_a_table_of_probabilities_gives_one_number_a_row():
    assignments = Categorical.from_probabilities([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    np.testing.assert_array_equal(assignments.sample(np.random.default_rng(0)), [0, 2, 1])
    np.testing.assert_array_equal(assignments.log_p([0, 2, 2]), [0.0, 0.0, -INF])


def test_log_p_of_several_draws_broadcasts_against_the_rows():
    table = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3))
    ours = Categorical.from_probabilities(table)
    x = ours.sample(np.random.default_rng(1), size=5)
    assert x.shape == (5, 2, 3)
    expected = np.log(np.take_along_axis(np.broadcast_to(table, (5, 2, 3, 4)), x[..., np.newaxis], axis=-1))[..., 0]
    np.testing.assert_array_equal(ours.log_p(x), expected)
    np.testing.assert_array_equal(ours.log_p(2), np.log(table[..., 2]))


def test_the_moments_are_those_of_the_integers():
    ours = Categorical.from_log_odds(np.log([[0.2, 0.3, 0.5], [1.0, 1e-300, 1e-300]]))
    np.testing.assert_allclose(ours.mean, [1.3, 0.0], atol=1e-15)
    np.testing.assert_allclose(ours.variance, [0.2 * 1.3**2 + 0.3 * 0.3**2 + 0.5 * 0.7**2, 0.0], atol=1e-15)
    assert Categorical.from_probabilities([0.5, 0.5]).variance == 0.25


def test_natural_parameters_are_free_up_to_a_constant_in_each_row():
    ours = Categorical.from_probabilities([[0.2, 0.3, 0.5], [0.0, 0.5, 0.5]])
    again = ours.with_natural_parameters(ours.natural_parameters + np.array([[7.0], [-1e4]]))
    np.testing.assert_allclose(again.parameters["probabilities"], ours.parameters["probabilities"], rtol=1e-11)
    odds = Categorical.from_log_odds([0.0, 1.0, 900.0])
    again = odds.with_natural_parameters(odds.natural_parameters + 5.0)
    assert list(again.parameters) == ["log_odds"]
    np.testing.assert_allclose(again.log_p([0, 1, 2]), odds.log_p([0, 1, 2]), rtol=1e-12)


def test_single_precision_rows_need_add_up_to_one_only_as_they_can():
    rows = np.random.default_rng(0).random((100, 50)).astype(np.float32)
    rows /= rows.sum(axis=-1, keepdims=True)
    assert Categorical.from_probabilities(rows).sample(np.random.default_rng(0)).max() < 50


def test_a_probability_that_rounding_left_above_one_passes():
    assert Categorical.from_probabilities([1 + 2e-16, 0.0]).log_p(0) == pytest.approx(0.0, abs=1e-15)


class Level:
    """Stands in for a Generator: its uniforms are all the same."""

    def __init__(self, level):
        self.level = level

    def random(self, shape=None):
        return self.level if shape is None else np.full(shape, self.level)


@pytest.mark.parametrize("level", [0.0, 1 - 2**-53])
@pytest.mark.parametrize("rows", [[0.0, 0.1, 0.2, 0.7, 0.0], [0.0] * 3 + [0.1] * 10 + [0.0] * 3, [0.0, 1 / 3, 1 / 3, 1 / 3, 0.0]])
def test_the_ends_of_the_uniform_never_draw_a_category_of_probability_zero(level, rows):
    table = np.tile(rows, (4, 1)) * [[1.0], [1 + 3e-9], [1 - 3e-9], [1.0]]
    labels = Categorical.from_probabilities(table).sample(Level(level))
    wanted = np.flatnonzero(rows)[0 if level == 0 else -1]
    assert (labels == wanted).all()
    assert Categorical.from_probabilities(rows).sample(Level(level)) == wanted
    with np.errstate(divide="ignore"):
        assert (Categorical.from_log_odds(np.log(table)).sample(Level(level)) == wanted).all()


def test_sampling_many_rows_needs_little_memory():
    table = np.full((20_000, 20), 0.05)
    ours = Categorical.from_probabilities(table)
    tracemalloc.start()
    ours.sample(np.random.default_rng(0))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The cumulative table, one byte a comparison, and a few numbers a row.
    assert peak < 1.4 * table.nbytes


def test_no_rows_are_no_assignments():
    empty = Categorical.from_probabilities(np.zeros((0, 3)))
    assert empty.sample(np.random.default_rng(0)).shape == (0,)
    assert empty.log_p([]).shape == (0,)
