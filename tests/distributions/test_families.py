"""What every univariate, simplex and discrete family promises: densities, shapes, moments, natural parameters.

References come from scipy.stats, which the package itself never imports.
"""

import pickle

import numpy as np
import pytest
from scipy import stats

from mcassay.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Distribution,
    Exponential,
    ExponentialFamily,
    Gamma,
    InverseGamma,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)

INF = np.inf
FAR = [
    -INF,
    -1e300,
    -2.5,
    -1.0,
    -1e-300,
    0.0,
    1e-300,
    1e-8,
    0.3,
    0.5,
    1 - 1e-12,
    1.0,
    1.5,
    2.0,
    7.0,
    1e3,
    1e9,
    1e300,
    INF,
    np.nan,
]

# (ours, the same one of scipy): awkward parameters, components and parametrisations among them.
PAIRS = [
    (Gamma(1.0, rate=2.0), stats.gamma(1.0, scale=0.5)),
    (Gamma(0.01, rate=3.0), stats.gamma(0.01, scale=1 / 3)),
    (Gamma([0.5, 1.0, 30.0], scale=[4.0, 1e-6, 1e6]), stats.gamma([0.5, 1.0, 30.0], scale=[4.0, 1e-6, 1e6])),
    (Exponential(rate=3.0), stats.expon(scale=1 / 3)),
    (Exponential(scale=[1e-9, 1.0, 1e9]), stats.expon(scale=[1e-9, 1.0, 1e9])),
    (InverseGamma(1.0, scale=2.0), stats.invgamma(1.0, scale=2.0)),
    (InverseGamma([0.1, 2.0, 50.0], scale=[1e-3, 1.0, 1e3]), stats.invgamma([0.1, 2.0, 50.0], scale=[1e-3, 1.0, 1e3])),
    (Beta(1.0, 1.0), stats.beta(1.0, 1.0)),
    (Beta([0.5, 1.0, 1e-3, 200.0], [2.0, 1.0, 3.0, 0.7]), stats.beta([0.5, 1.0, 1e-3, 200.0], [2.0, 1.0, 3.0, 0.7])),
    (Bernoulli(0.3), stats.bernoulli(0.3)),
    (Bernoulli([0.0, 1.0, 1e-12]), stats.bernoulli([0.0, 1.0, 1e-12])),
    (Binomial(7, 0.2), stats.binom(7, 0.2)),
    (Binomial([0, 1, 7, 1000], [0.5, 0.0, 1.0, 1e-3]), stats.binom([0, 1, 7, 1000], [0.5, 0.0, 1.0, 1e-3])),
    (Poisson(2.5), stats.poisson(2.5)),
    (Poisson([0.0, 1e-8, 1e3]), stats.poisson([0.0, 1e-8, 1e3])),
    (Uniform(0.0, 1.5), stats.uniform(0.0, 1.5)),
    (Uniform([-1e300, 0.5], [1e300, 0.5 + 2**-20]), stats.uniform([-1e300, 0.5], [2e300, 2**-20])),
    (StudentT(1.0), stats.t(1.0)),
    (
        StudentT([0.2, 3.0, 1e6], location=[0.0, -2.0, 5.0], scale=[2.0, 1e-3, 0.5]),
        stats.t([0.2, 3.0, 1e6], [0.0, -2.0, 5.0], [2.0, 1e-3, 0.5]),
    ),
    (Normal([0.0, 4.0], precision=4.0), stats.norm([0.0, 4.0], 0.5)),
]  # fmt: skip

DIRICHLETS = [Dirichlet([1.0, 1.0, 1.0]), Dirichlet([0.3, 2.0]), Dirichlet([[0.01, 5.0, 70.0], [1.0, 2.0, 3.0]])]
CATEGORICALS = [
    Categorical.from_probabilities([0.2, 0.5, 0.3]),
    Categorical.from_log_odds([[0.0, 3.0, -1.0], [900.0, 901.0, 899.0]]),
]
ALL = [ours for ours, _ in PAIRS] + DIRICHLETS + CATEGORICALS
EXPONENTIAL = [ours for ours in ALL if isinstance(ours, ExponentialFamily)]


def named(value):
    return repr(value)[:50] if isinstance(value, Distribution) else ""


def far_points(ours):
    """Awkward points against every component: shape (len(FAR),) + batch_shape."""
    return np.reshape(FAR, (-1, *[1] * len(ours.batch_shape))) + np.zeros(ours.batch_shape)


def reference(frozen, x):
    with np.errstate(all="ignore"):
        return (frozen.logpmf if hasattr(frozen.dist, "pmf") else frozen.logpdf)(x)


@pytest.mark.parametrize(("ours", "frozen"), PAIRS, ids=named)
def test_log_p_agrees_with_scipy_at_awkward_points(ours, frozen):
    x = far_points(ours)
    expected = reference(frozen, x)
    # Scipy passes NaN on, makes one at some infinite x, and overflows in the tails of Student's t (tested by itself).
    at_the_edge = np.isnan(x) | np.isinf(x) | (isinstance(ours, StudentT) & (np.abs(x) > 1e100))
    expected = np.where(at_the_edge, np.where(np.isfinite(x), ours.log_p(x), -INF), expected)
    np.testing.assert_allclose(ours.log_p(x), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("ours", "frozen"), PAIRS, ids=named)
def test_log_p_agrees_with_scipy_at_draws(ours, frozen):
    x = ours.sample(np.random.default_rng(5), size=100)
    np.testing.assert_allclose(ours.log_p(x), reference(frozen, x), rtol=1e-12, atol=1e-12)
    assert np.isfinite(ours.log_p(x)).all()


@pytest.mark.parametrize(("ours", "frozen"), PAIRS, ids=named)
def test_moments_agree_with_scipy(ours, frozen):
    with np.errstate(all="ignore"):
        mean, variance = frozen.stats("mv")
    if isinstance(ours, StudentT):
        mean = np.where(np.isinf(mean), np.nan, mean)  # scipy gives inf where no mean exists
    np.testing.assert_allclose(ours.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(ours.variance, variance, rtol=1e-12)
    assert np.shape(ours.mean) == np.shape(ours.variance) == ours.batch_shape


@pytest.mark.parametrize("ours", ALL, ids=named)
@pytest.mark.parametrize("size", [None, 0, 5, (2, 3)])
def test_shapes_of_draws_and_log_p(ours, size):
    lead = () if size is None else (size,) if isinstance(size, int) else size
    x = ours.sample(np.random.default_rng(1), size=size)
    assert np.shape(x) == lead + ours.batch_shape + ours.event_shape
    assert np.shape(ours.log_p(x)) == lead + ours.batch_shape
    assert np.isfinite(ours.log_p(x)).all()


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_lists_and_arrays_are_read_alike(ours):
    x = ours.sample(np.random.default_rng(1), size=3)
    np.testing.assert_array_equal(ours.log_p(np.asarray(x).tolist()), ours.log_p(x))


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_a_component_is_the_same_distribution_alone(ours):
    x = np.asarray(ours.sample(np.random.default_rng(2)))
    for index in np.ndindex(ours.batch_shape):
        alone = ours.component(index)
        assert type(alone) is type(ours)
        assert alone.batch_shape == ()
        assert list(alone.parameters) == list(ours.parameters)
        np.testing.assert_allclose(alone.log_p(x[index]), np.asarray(ours.log_p(x))[index], rtol=1e-12)


def test_parameters_broadcast_against_each_other():
    ours = Gamma([[1.0], [2.0]], rate=[1.0, 2.0, 3.0])
    assert ours.batch_shape == (2, 3)
    assert ours.component((1, 2)).parameters == {"shape": 2.0, "rate": 3.0}
    assert ours.sample(np.random.default_rng(0)).shape == ours.mean.shape == (2, 3)


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_pickling_keeps_the_distribution(ours):
    again = pickle.loads(pickle.dumps(ours))
    x = ours.sample(np.random.default_rng(3), size=4)
    assert repr(again) == repr(ours)
    np.testing.assert_array_equal(again.log_p(x), ours.log_p(x))


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_equal_generators_draw_equal_values(ours):
    first, second = (ours.sample(np.random.default_rng(4), size=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_uniform_and_student_are_no_exponential_families():
    assert {type(ours) for ours in ALL} - {type(ours) for ours in EXPONENTIAL} == {Uniform, StudentT}


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_log_p_is_linear_in_the_sufficient_statistics(ours):
    if not np.isfinite(ours.natural_parameters).all():
        pytest.skip("probabilities of 0 and 1 have infinite natural parameters")
    x = ours.sample(np.random.default_rng(6), size=50)
    terms = ours.natural_parameters * ours.sufficient_statistics(x)
    base = ours.log_base_measure(x)
    constant = ours.log_p(x) - terms.sum(axis=-1) - base
    magnitude = 1 + np.abs(terms).max() + np.abs(base).max() + np.abs(constant).max()
    assert np.ptp(constant, axis=0).max() <= 1e-10 * magnitude


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_natural_parameters_lead_back_to_the_users_own(ours):
    again = ours.with_natural_parameters(ours.natural_parameters)
    assert type(again) is type(ours)
    assert list(again.parameters) == list(ours.parameters)
    assert again.batch_shape == ours.batch_shape
    x = ours.sample(np.random.default_rng(7), size=5)
    np.testing.assert_allclose(again.log_p(x), ours.log_p(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("ours", "written"),
    [
        (Gamma(2, scale=0.5), "Gamma(shape=2, scale=0.5)"),
        (InverseGamma([1, 2], scale=0.5), "InverseGamma(shape=[1., 2.], scale=0.5)"),
        (Exponential(rate=3), "Exponential(rate=3)"),
        (Beta(1, 2), "Beta(alpha=1, beta=2)"),
        (Dirichlet([1, 2]), "Dirichlet(concentration=[1., 2.])"),
        (Bernoulli(0.25), "Bernoulli(probability=0.25)"),
        (Binomial(10, 0.25), "Binomial(trials=10, probability=0.25)"),
        (Poisson(2), "Poisson(rate=2)"),
        (Uniform(0, 1), "Uniform(low=0, high=1)"),
        (StudentT(3), "StudentT(degrees_of_freedom=3, location=0, scale=1)"),
        (Categorical.from_probabilities([0.5, 0.5]), "Categorical.from_probabilities([0.5, 0.5])"),
        (Categorical.from_log_odds([0, -INF]), "Categorical.from_log_odds([  0., -inf])"),
        (Categorical.from_log_odds(np.zeros((100, 3))), "Categorical.from_log_odds(<array of shape (100, 3)>)"),
    ],
)
def test_repr_is_in_the_users_terms(ours, written):
    assert repr(ours) == written


def test_float32_parameters_stay_float32():
    shape, x = np.float32(2.5), np.float32(0.7)
    for ours in (Gamma(shape, rate=shape), Exponential(rate=shape), InverseGamma(shape, scale=shape), Poisson(shape)):
        assert ours.log_p(np.float32(2)).dtype == np.float32
    assert Beta(shape, shape).log_p(x).dtype == np.float32


def test_long_doubles_and_integers_are_read_as_doubles():
    assert Gamma(np.longdouble(2), rate=np.longdouble(1)).log_p(np.longdouble(1)) == Gamma(2, rate=1).log_p(1) == -1.0
    assert Exponential(rate=1).log_p(np.uint8(3)) == -3.0


@pytest.mark.parametrize("ours", [ours for ours in ALL if ours.support == "integer"], ids=named)
def test_integer_families_draw_integers(ours):
    assert np.asarray(ours.sample(np.random.default_rng(0))).dtype.kind == "i"
