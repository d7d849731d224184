"""What the rest leaves of a statistic: against plain least squares, and for dependence that no pair shows."""

import numpy as np
import pytest

from mcassay.errors import InputError
from mcassay.evidence.rest import Rest, normal_scores, squeezed
from mcassay.evidence.transforms import Directions, Reference


def test_residuals_are_those_of_a_regression_on_the_others_their_squares_and_products():
    scores = np.random.default_rng(1).normal(size=(5000, 4))
    scores[:, 2] += scores[:, 0] * scores[:, 3]
    rest = Rest.fit(scores, (0, 2, 3))
    left = rest.residuals(scores.T)
    a, b = scores[:, 0], scores[:, 3]
    design = np.stack([np.ones_like(a), a, b, a * a, a * b, b * b], axis=1)
    solved = np.linalg.lstsq(design, scores[:, 2], rcond=None)[0]
    expected = scores[:, 2] - design @ solved
    # The ridge of 30 beside 5,000 draws shrinks by less than one percent.
    np.testing.assert_allclose(left[1], expected / expected.std(), atol=0.1)
    np.testing.assert_allclose(left.std(axis=1), 1)


def test_a_statistic_has_no_part_in_its_own_prediction():
    """Moved at one place, it moves what is left of it by the same, over the standard deviation."""
    scores = np.random.default_rng(2).normal(size=(500, 3))
    rest = Rest.fit(scores, (0, 1, 2))
    moved = scores.copy()
    moved[:, 1] += 0.7
    change = rest.residuals(moved.T)[1] - rest.residuals(scores.T)[1]
    np.testing.assert_allclose(change, 0.7 * rest.precision[1])


def test_what_depends_on_the_others_entirely_leaves_little_and_nothing_infinite():
    scores = np.random.default_rng(3).normal(size=(500, 3))
    scores[:, 2] = scores[:, 0]
    assert np.isfinite(Rest.fit(scores, (0, 1, 2)).residuals(10 * scores.T)).all()


@pytest.mark.parametrize("together", [(0, 0), (0, 3), (-1, 1)])
def test_statistics_taken_together_are_different_ones_that_exist(together):
    with pytest.raises(InputError, match="together"):
        Directions.fit(np.random.default_rng(4).random((50, 3)), together=together)


def test_squeezed_keeps_the_order_and_stays_inside():
    values = np.array([-1e9, -2.0, 0.0, 1e-9, 3.0, 1e9])
    out = np.empty_like(values)
    squeezed(values, out)
    assert (np.diff(out) >= 0).all()
    assert out.min() >= 0
    assert out.max() <= 1


def test_normal_scores_are_finite():
    assert np.isfinite(normal_scores(np.array([0.0, 0.5, 1.0]))).all()


def test_the_rest_shows_what_no_pair_shows():
    """c is a plus b: a third as much noise, or noise that is a tenth wider, drowns in what one of the two leaves."""
    rng = np.random.default_rng(5)

    def draws(size, shift=0.0, factor=1.0):
        a, b = rng.normal(size=(2, size))
        return np.stack([a, b, a + b + shift + 0.1 * factor * rng.normal(size=size)], axis=1)

    batch = draws(2000)
    reference = Reference.from_draws(batch)
    directions = Directions.fit(reference.uniform(batch), pairs=[(0, 1), (0, 2), (1, 2)], together=(0, 1, 2))

    def strength(**change):
        end, right = directions(reference.uniform(draws(20_000, **change))), directions(reference.uniform(draws(20_000)))
        return dict(zip(directions.names, np.abs(end.mean(axis=0) - right.mean(axis=0)) / right.std(axis=0), strict=True))

    shifted, wide = strength(shift=0.03), strength(factor=1.1)
    apart = "statistic 2 given statistic 0"
    assert shifted["statistic 2 given the rest"] > 3 * max(shifted["statistic 2"], shifted[apart])
    assert wide["spread of statistic 2 given the rest"] > 3 * max(wide["spread of statistic 2"], wide[apart])
