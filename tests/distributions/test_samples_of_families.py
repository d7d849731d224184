"""Draws against the claimed law, at a false alarm probability that is computed: 1e-9 a comparison.

By the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant, the largest gap between the empirical and the true
distribution function exceeds ``sqrt(log(2 / p) / (2 n))`` with probability at most p, for every n and every law.
"""

import math

import numpy as np
import pytest
from scipy import stats

from mcassay.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    InverseGamma,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)

FALSE_ALARM = 1e-9
DRAWS = 20_000
LIMIT = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))


def largest_gap(draws, cdf):
    """Return the largest distance between the empirical distribution function and cdf at the draws themselves.

    Just below a draw both functions are compared at the float before it, which is right for discrete laws too.
    """
    values, counts = np.unique(draws, return_counts=True)
    at = np.cumsum(counts) / len(draws)
    below = at - counts / len(draws)
    before = np.nextafter(values, -np.inf)
    return max(np.abs(cdf(values) - at).max(), np.abs(cdf(before) - below).max())


CONTINUOUS = [
    (Normal(1.0, sd=2.0), stats.norm(1.0, 2.0)),
    (Gamma(0.3, rate=5.0), stats.gamma(0.3, scale=0.2)),
    (Gamma(8.0, scale=5.0), stats.gamma(8.0, scale=5.0)),
    (InverseGamma(0.7, scale=3.0), stats.invgamma(0.7, scale=3.0)),
    (Exponential(rate=4.0), stats.expon(scale=0.25)),
    (Exponential(scale=4.0), stats.expon(scale=4.0)),
    (Beta(0.4, 0.6), stats.beta(0.4, 0.6)),
    (Beta(3.0, 1.5), stats.beta(3.0, 1.5)),
    (Uniform(-3.0, 1.0), stats.uniform(-3.0, 4.0)),
    (StudentT(1.5, location=2.0, scale=3.0), stats.t(1.5, 2.0, 3.0)),
    (Poisson(3.0), stats.poisson(3.0)),
    (Poisson(60.0), stats.poisson(60.0)),
    (Binomial(12, 0.3), stats.binom(12, 0.3)),
    (Bernoulli(0.3), stats.bernoulli(0.3)),
]


@pytest.mark.parametrize(("ours", "frozen"), CONTINUOUS, ids=lambda value: repr(value)[:40])
def test_draws_follow_the_distribution_function(ours, frozen):
    draws = ours.sample(np.random.default_rng(2014), size=DRAWS)
    assert largest_gap(draws, frozen.cdf) < LIMIT


@pytest.mark.parametrize("ours", [Poisson([0.0, 0.5, 9.0]), Binomial([0, 3, 9], [0.5, 1.0, 0.4]), Bernoulli([0.0, 0.2, 1.0])])
def test_draws_of_each_component_follow_its_log_p(ours):
    draws = ours.sample(np.random.default_rng(2014), size=DRAWS)
    for component in range(3):
        alone = ours.component((component,))
        assert largest_gap(draws[:, component], summed(alone, 60)) < LIMIT


def summed(ours, most):
    """Return the distribution function that log_p adds up to on the integers from 0 to most."""
    cumulative = np.concatenate([[0.0], np.cumsum(np.exp(ours.log_p(np.arange(most + 1))))])
    assert abs(cumulative[-1] - 1) < 1e-12
    return lambda x: cumulative[np.clip(np.floor(x).astype(int), -1, most) + 1]


ROWS = np.array([[0.0, 0.3, 0.3, 0.4], [1e-3, 0.0, 0.0, 0.999], [0.25, 0.25, 0.5, 0.0]])


def log_rows(shift):
    with np.errstate(divide="ignore"):
        return np.log(ROWS) + shift


@pytest.mark.parametrize(
    "ours",
    [Categorical.from_probabilities(ROWS), Categorical.from_log_odds(log_rows(1e4)), Categorical.from_log_odds(log_rows(-1e4))],
    ids=["probabilities", "high log odds", "low log odds"],
)
def test_assignments_follow_their_rows(ours):
    many = ours.sample(np.random.default_rng(2014), size=DRAWS)
    tall = ours.component((0,)).sample(np.random.default_rng(2015), size=DRAWS)
    for row in range(3):
        assert largest_gap(many[:, row], summed(ours.component((row,)), 3)) < LIMIT
    assert largest_gap(tall, summed(ours.component((0,)), 3)) < LIMIT
    assert (ROWS[np.arange(3), many] > 0).all()


def test_assignments_of_one_draw_are_independent_across_rows():
    # N rows of one draw are as good as N draws of one row.
    wide = Categorical.from_probabilities(np.tile(ROWS[2], (DRAWS, 1)))
    labels = wide.sample(np.random.default_rng(2014))
    assert labels.shape == (DRAWS,)
    assert largest_gap(labels, summed(wide.component((0,)), 3)) < LIMIT
    pairs = labels[0::2] * 4 + labels[1::2]
    outer = np.cumsum(np.outer(ROWS[2], ROWS[2]).ravel())
    gap = largest_gap(pairs, lambda x: np.where(x < 0, 0.0, outer[np.clip(np.floor(x).astype(int), 0, 15)]))
    assert gap < LIMIT * math.sqrt(2)  # half as many pairs as labels


@pytest.mark.parametrize("concentration", [[0.05, 0.4, 0.2], [3.0, 0.5, 20.0], [1.0, 1.0, 1.0]])
def test_dirichlet_draws_follow_their_margins_and_ratios(concentration):
    # The margins, sums of entries and ratios within them are beta variables; together they pin the law down.
    draws = Dirichlet([concentration, [9.0, 9.0, 9.0]]).sample(np.random.default_rng(2014), size=DRAWS)[:, 0]
    first, second, third = concentration
    for entry, own in enumerate(concentration):
        assert largest_gap(draws[:, entry], stats.beta(own, sum(concentration) - own).cdf) < LIMIT
    assert largest_gap(draws[:, 0] + draws[:, 1], stats.beta(first + second, third).cdf) < LIMIT
    ratio = draws[:, 0] / (draws[:, 0] + draws[:, 1])
    assert largest_gap(ratio, stats.beta(first, second).cdf) < LIMIT


def test_the_limit_catches_a_draw_that_is_slightly_wrong():
    draws = Normal(0.0, sd=1.0).sample(np.random.default_rng(2014), size=DRAWS)
    assert largest_gap(draws + 0.1, stats.norm.cdf) > LIMIT
    assert largest_gap(draws * 1.2, stats.norm.cdf) > LIMIT


TINY = [
    (Gamma(1e-3, rate=1.0), 0.0, np.inf),
    (Gamma(1e-300, scale=1e300), 0.0, np.inf),
    (Gamma(5.0, scale=1e308), 0.0, np.inf),
    (InverseGamma(1e-3, scale=1.0), 0.0, np.inf),
    (InverseGamma(1e300, scale=1e-300), 0.0, np.inf),
    (Exponential(rate=1e300), 0.0, np.inf),
    (Beta(1e-3, 1e-3), 0.0, 1.0),
    (Beta(1e-300, 5.0), 0.0, 1.0),
    (Beta(5.0, 1e-200), 0.0, 1.0),
    (StudentT(1e-3, scale=1e300), -np.inf, np.inf),
]


@pytest.mark.parametrize(("ours", "low", "high"), TINY, ids=lambda value: repr(value)[:40])
def test_draws_of_tiny_parameters_stay_strictly_inside(ours, low, high):
    draws = ours.sample(np.random.default_rng(1), size=2000)
    assert ((draws > low) & (draws < high)).all()
    assert np.isfinite(ours.log_p(draws)).all()


@pytest.mark.parametrize("concentration", [1e-3, 1e-12, 1e-300])
def test_dirichlet_draws_of_tiny_concentration_stay_inside(concentration):
    ours = Dirichlet([concentration] * 3)
    draws = ours.sample(np.random.default_rng(1), size=DRAWS)
    assert (draws > 0).all()
    np.testing.assert_allclose(draws.sum(axis=-1), 1.0, rtol=1e-15)
    assert np.isfinite(ours.log_p(draws)).all()
    if concentration < 1e-10:
        # A corner, each with probability one third.
        assert largest_gap(draws.argmax(axis=-1), lambda x: np.clip((np.floor(x) + 1) / 3, 0, 1)) < LIMIT


def test_tiny_draws_follow_their_law_on_the_logarithmic_scale():
    ours = Gamma(1e-3, rate=1.0)
    draws = ours.sample(np.random.default_rng(2014), size=DRAWS)
    grid = 10.0 ** -np.arange(0, 301, 20)
    share = (draws[:, np.newaxis] <= grid).mean(axis=0)
    assert np.abs(share - stats.gamma(1e-3).cdf(grid)).max() < LIMIT
