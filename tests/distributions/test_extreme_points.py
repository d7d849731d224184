"""Supports, boundaries and extreme inputs; properties that hold for any parameters, by Hypothesis."""

import math
import tempfile
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.extra import numpy as numpy_st
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

# A .hypothesis directory in the work tree makes its pytest plugin warn, and a warning here is an error.
set_hypothesis_home_dir(f"{tempfile.gettempdir()}/mcassay-hypothesis")

INF, NAN = math.inf, math.nan
LARGE = 1.7e308

BOUNDARY = [
    (Gamma(1.0, rate=2.0), 0.0, math.log(2)),
    (Gamma(0.5, rate=2.0), 0.0, INF),
    (Gamma(1.5, rate=2.0), 0.0, -INF),
    (Exponential(rate=2.0), 0.0, math.log(2)),
    (InverseGamma(0.5, scale=2.0), 0.0, -INF),
    (Beta(1.0, 1.0), 0.0, 0.0),
    (Beta(1.0, 1.0), 1.0, 0.0),
    (Beta(0.5, 1.0), 0.0, INF),
    (Beta(0.5, 0.5), 1.0, INF),
    (Beta(2.0, 0.5), 0.0, -INF),
    (Beta(2.0, 3.0), 1.0, -INF),
    (Uniform(0.0, 1.0), 0.0, 0.0),
    (Uniform(0.0, 1.0), 1.0, 0.0),
    (Uniform(0.0, 1.0), -5e-324, -INF),
    (Bernoulli(0.0), 0, 0.0),
    (Bernoulli(0.0), 1, -INF),
    (Bernoulli(1.0), 1, 0.0),
    (Bernoulli(1.0), 0, -INF),
    (Bernoulli(0.25), True, math.log(0.25)),
    (Bernoulli(0.5), 0.5, -INF),
    (Bernoulli(0.5), 2, -INF),
    (Binomial(0, 0.5), 0, 0.0),
    (Binomial(3, 0.0), 0, 0.0),
    (Binomial(3, 1.0), 3, 0.0),
    (Binomial(3, 1.0), 2, -INF),
    (Binomial(3, 0.5), 4, -INF),
    (Binomial(3, 0.5), -1, -INF),
    (Binomial(3, 0.5), 1 + 1e-12, -INF),
    (Poisson(0.0), 0, 0.0),
    (Poisson(0.0), 1, -INF),
    (Poisson(2.0), -1, -INF),
    (Poisson(2.0), 0.5, -INF),
    (Dirichlet([1.0, 1.0]), [0.0, 1.0], 0.0),
    (Dirichlet([0.5, 1.0]), [0.0, 1.0], INF),
    (Dirichlet([2.0, 1.0]), [0.0, 1.0], -INF),
    (Dirichlet([0.5, 2.0, 1.0]), [0.0, 0.0, 1.0], -INF),
    (Dirichlet([1.0, 1.0]), [0.5, 0.5 + 2e-8], -INF),
    (Dirichlet([1.0, 1.0]), [0.5, 0.5 + 5e-9], 0.0),
    (Dirichlet([1.0, 1.0]), [1.5, -0.5], -INF),
    (Dirichlet([1.0, 1.0]), [NAN, 0.5], -INF),
    (Dirichlet([2.0, 2.0]), [INF, -INF], -INF),
    (Dirichlet([3.0]), [1.0], 0.0),
    (Categorical.from_probabilities([0.0, 1.0]), 0, -INF),
    (Categorical.from_probabilities([0.0, 1.0]), 1, 0.0),
    (Categorical.from_probabilities([0.5, 0.5]), 2, -INF),
    (Categorical.from_probabilities([0.5, 0.5]), -1, -INF),
    (Categorical.from_probabilities([0.5, 0.5]), 0.5, -INF),
    (Categorical.from_log_odds([0.0, -INF]), 1, -INF),
    (Categorical.from_log_odds([0.0, -INF]), 0, 0.0),
    (Categorical.from_log_odds([1e4, -1e4]), 1, -2e4),
    (Categorical.from_log_odds([LARGE, -LARGE]), 1, -INF),
    (Categorical.from_log_odds([-1e4, -1e4]), 1, -math.log(2)),
]


@pytest.mark.parametrize(("ours", "x", "expected"), BOUNDARY, ids=lambda value: repr(value)[:40])
def test_log_p_at_the_boundary_is_the_limit(ours, x, expected):
    assert ours.log_p(x) == pytest.approx(expected, rel=1e-15, abs=0)


SCALARS = [ours for ours, _, _ in BOUNDARY if ours.event_shape == ()] + [Normal(0.0, sd=1.0), StudentT(3.0)]


@pytest.mark.parametrize("ours", SCALARS, ids=repr)
@pytest.mark.parametrize("x", [NAN, INF, -INF])
def test_what_is_no_finite_number_has_no_density(ours, x):
    assert ours.log_p(x) == -INF
    np.testing.assert_array_equal(ours.log_p([x, x]), [-INF, -INF])


POSITIVE = st.floats(1e-3, 1e3)
ANYWHERE = st.floats(allow_nan=True, allow_infinity=True)
EXAMPLES = settings(max_examples=100, deadline=None, derandomize=True)


@EXAMPLES
@given(POSITIVE, st.floats(1e-12, 1e12), ANYWHERE)
@example(1.0, 1e12, LARGE)
@example(1.0, 1e-12, 5e-324)
def test_log_p_of_any_number_is_a_number_below_infinity(first, second, x):
    probability = first / (first + 1)
    for ours in (
        Normal(first, variance=second),
        Gamma(first, scale=second),
        Exponential(rate=second),
        InverseGamma(first, scale=second),
        Beta(first, second),
        StudentT(first, location=1.0, scale=second),
        Uniform(-first, second),
        Bernoulli(probability),
        Binomial(round(first), probability),
        Poisson(second),
        Categorical.from_log_odds([first, second]),
    ):
        value = ours.log_p(x)
        assert not np.isnan(value)
        assert value < INF or (x in (0, 1) and value == INF)


def agree(ours, theirs, magnitude):
    """Agree to 1e-12 relative to the largest term that was added up: no formula in floating point does better."""
    return abs(ours - theirs) <= 1e-12 * (1 + abs(theirs) + magnitude)


@EXAMPLES
@given(POSITIVE, POSITIVE, st.floats(1e-6, 1e6))
def test_positive_families_agree_with_scipy(shape, scale, x):
    magnitude = abs(math.lgamma(shape)) + (shape + 1) * (abs(math.log(x)) + abs(math.log(scale))) + x / scale + scale / x
    with np.errstate(all="ignore"):
        assert agree(Gamma(shape, scale=scale).log_p(x), stats.gamma.logpdf(x, shape, scale=scale), magnitude)
        assert agree(InverseGamma(shape, scale=scale).log_p(x), stats.invgamma.logpdf(x, shape, scale=scale), magnitude)
        assert agree(Exponential(scale=scale).log_p(x), stats.expon.logpdf(x, scale=scale), magnitude)


@EXAMPLES
@given(POSITIVE, POSITIVE, st.floats(1e-9, 1 - 1e-9))
def test_beta_agrees_with_scipy_and_with_a_dirichlet_of_two(alpha, beta, x):
    magnitude = abs(math.lgamma(alpha)) + abs(math.lgamma(beta)) + abs(math.lgamma(alpha + beta)) + 21 * (alpha + beta)
    ours = Beta(alpha, beta).log_p(x)
    assert agree(ours, stats.beta.logpdf(x, alpha, beta), magnitude)
    # 1 - x has lost digits, which the density magnifies by (beta - 1) / (1 - x).
    lost = 1e-16 * abs(beta - 1) / (1 - x)
    assert abs(ours - Dirichlet([alpha, beta]).log_p([x, 1 - x])) <= 1e-12 * (1 + magnitude) + lost


@EXAMPLES
@given(numpy_st.arrays(float, st.integers(1, 8), elements=POSITIVE), st.integers(0, 2**32))
def test_dirichlet_agrees_with_scipy(concentration, seed):
    x = np.random.default_rng(seed).dirichlet(np.ones(len(concentration)))
    magnitude = sum(abs(math.lgamma(a)) for a in concentration) + concentration.sum() * (1 + abs(np.log(x).min()))
    assert agree(Dirichlet(concentration).log_p(x), stats.dirichlet.logpdf(x, concentration), magnitude)


@EXAMPLES
@given(st.floats(0.05, 1e3), st.floats(-1e3, 1e3), POSITIVE, st.floats(-1e6, 1e6))
def test_student_agrees_with_scipy(freedom, location, scale, x):
    magnitude = freedom * (1 + abs(math.log(scale)) + math.log1p(abs(x - location))) + math.lgamma(freedom / 2 + 1)
    theirs = stats.t.logpdf(x, freedom, location, scale)
    assert agree(StudentT(freedom, location=location, scale=scale).log_p(x), theirs, magnitude)


@EXAMPLES
@given(st.integers(0, 200), st.integers(0, 200), st.fractions(0, 1, max_denominator=1000))
def test_binomial_agrees_with_exact_arithmetic(trials, x, probability):
    exact = math.comb(trials, x) * Fraction(probability) ** x * (1 - Fraction(probability)) ** max(trials - x, 0)
    ours = Binomial(trials, float(probability)).log_p(x)
    if exact == 0:
        assert ours == -INF
    else:
        expected = math.log(exact.numerator) - math.log(exact.denominator)
        # float(probability) itself is off by half a unit in the last place.
        assert agree(ours, expected, trials + math.log(exact.denominator))


@pytest.mark.parametrize(("trials", "x"), [(10**9, 3), (10**12, 10**12 - 2), (2**53, 1)])
def test_binomial_keeps_its_digits_where_few_of_many_trials_succeed(trials, x):
    ways = math.log(math.comb(trials, min(x, trials - x)))
    assert Binomial(trials, 0.5).log_base_measure(x) == pytest.approx(ways, rel=1e-12)


def test_binomial_loses_no_more_than_its_largest_term_in_the_middle():
    trials, x = 20_000, 10_000
    exact = math.log(math.comb(trials, x)) + trials * math.log(0.5)
    assert agree(Binomial(trials, 0.5).log_p(x), exact, math.lgamma(trials))


@EXAMPLES
@given(numpy_st.arrays(float, (3, 5), elements=st.floats(-1e4, 1e4) | st.just(-INF)), st.integers(0, 2**32))
def test_log_odds_of_any_size_give_rows_that_add_up_to_one(log_odds, seed):
    log_odds[:, 0] = np.maximum(log_odds[:, 0], -1e4)  # one finite entry at least
    ours = Categorical.from_log_odds(log_odds)
    np.testing.assert_allclose(ours.probabilities.sum(axis=-1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(np.exp(ours.log_p(np.arange(5)[:, np.newaxis])).sum(axis=0), 1.0, rtol=1e-12)
    draws = ours.sample(np.random.default_rng(seed), size=20)
    assert np.isfinite(ours.log_p(draws)).all()
    again = Categorical.from_probabilities(ours.probabilities)
    shown = np.exp(again.log_p(draws)) > 1e-300
    np.testing.assert_allclose(again.log_p(draws)[shown], ours.log_p(draws)[shown], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("tiny", [5e-324, 1e-310])
def test_tiny_spreads_are_used_as_given(tiny):
    # Vague priors do draw them, and their reciprocals overflow.
    assert Gamma(1.0, scale=tiny).log_p(1.0) == Exponential(scale=tiny).log_p(1.0) == -INF
    assert Gamma(1.0, scale=tiny).log_p(0.0) == pytest.approx(-math.log(tiny))
    assert Gamma(1.0, rate=tiny).log_p(1.0) == Exponential(rate=tiny).log_p(1.0) == pytest.approx(math.log(tiny))
    assert InverseGamma(1.0, scale=tiny).log_p(1.0) == pytest.approx(math.log(tiny))
    assert Gamma(1.0, rate=tiny).sample(np.random.default_rng(0)) < INF
    assert Gamma(1.0, scale=tiny).sample(np.random.default_rng(0)) > 0
    assert Gamma(3.0, scale=tiny).mean == 3 * tiny


def test_far_points_of_students_t_are_not_lost_to_overflow():
    far, ours = 1e200, StudentT(3.0)
    # The density falls as a power of 4: three decades further, 12 decades lower.
    assert ours.log_p(far) - ours.log_p(1e3 * far) == pytest.approx(12 * math.log(10), rel=1e-12)
    assert ours.log_p(-far) == ours.log_p(far)


def test_students_t_of_many_degrees_of_freedom_is_normal():
    x = np.linspace(-5, 5, 11)
    np.testing.assert_allclose(StudentT(1e15).log_p(x), Normal(0.0, sd=1.0).log_p(x), rtol=1e-12)


@pytest.mark.parametrize("x", [3, 3.0, np.int8(3), np.uint64(3), np.float32(3), [3], np.array(3)])
def test_integers_may_come_in_any_type(x):
    assert np.all(Poisson(2.0).log_p(x) == Poisson(2.0).log_p(3))
    assert np.all(Binomial(5, 0.5).log_p(x) == Binomial(5, 0.5).log_p(3))
    assert np.all(Categorical.from_log_odds(np.zeros(4)).log_p(x) == -math.log(4))


@pytest.mark.parametrize("ours", [ours for ours in SCALARS if ours.support != "integer"], ids=repr)
def test_single_precision_points_lose_nothing_against_double_parameters(ours):
    x = np.float32(0.7)
    assert ours.log_p(x) == ours.log_p(float(x))
