"""Which values count as one, and which never do."""

import numpy as np
import pytest

from mcassay.evidence.atoms import intervals
from mcassay.evidence.transforms import Reference

SIZE = 2048


def rng():
    return np.random.default_rng(7)


def uniform(draws, values):
    return Reference.from_draws(np.reshape(draws, (-1, 1))).uniform(np.reshape(values, (-1, 1)))[:, 0]


NOISE = {
    "about one": 1 + rng().integers(-3, 4, SIZE) * 2.0**-53,
    "about a third, rounded in two ways": 1 / 3 + rng().integers(2, size=SIZE) * 2.0**-37,
    "about zero": np.log(1 + rng().integers(-3, 4, SIZE) * 2.0**-53),
}


@pytest.mark.parametrize("name", NOISE)
def test_noise_about_one_value_is_one_value(name):
    assert Reference.from_draws(NOISE[name][:, np.newaxis]).constant == (True,)
    assert (uniform(NOISE[name], NOISE[name] + 2.0**-50 * np.abs(NOISE[name])) == 0.5).all()


APART = {
    "times in seconds": 1.7e9 + rng().normal(size=SIZE),
    "whole numbers that are large": 2.0**50 + rng().poisson(3.0, SIZE),
    "charges": 1.602e-19 * rng().poisson(3.0, SIZE),
    "tiny units": 1e-34 * rng().normal(size=SIZE),
    "scales far apart": np.exp(200 * rng().normal(size=SIZE)),
    "zero or a scale": np.where(rng().random(SIZE) < 0.4, 0.0, np.exp(30 * rng().normal(size=SIZE))),
    "infinite": np.where(rng().random(SIZE) < 0.4, rng().choice([-np.inf, np.inf], SIZE), rng().normal(size=SIZE)),
}


@pytest.mark.parametrize("name", APART)
@pytest.mark.filterwarnings("error")
def test_what_is_no_noise_stays_apart(name):
    low, high, counts = intervals(APART[name])
    assert len(low) == len(np.unique(APART[name]))
    assert counts.sum() == SIZE
    assert (high[:-1] < low[1:]).all()


def test_a_value_near_an_atom_belongs_to_it_and_one_further_off_does_not():
    tenths = rng().integers(-4, 5, SIZE) * 0.1
    u = uniform(tenths, [0.3, 0.1 + 0.2, np.float32(0.3), 0.0, 0.1 + 0.2 - 0.3, 0.3001, -0.0001])
    assert len(set(u[:3])) == len(set(u[3:5])) == 1
    assert u[5] > u[0]
    assert u[6] < u[3]


def test_an_atom_next_to_the_largest_number_does_not_reach_infinity():
    draws = np.array([[1.79769142e308]] * 11 + [[np.inf]])
    u = Reference.from_draws(draws).uniform(draws)[:, 0]
    np.testing.assert_allclose(u, [5.5 / 12] * 11 + [11.5 / 12])
