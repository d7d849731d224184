"""What every family of vectors, matrices and pairs promises: densities, supports, moments, natural parameters."""

import pickle

import numpy as np
import pytest
from scipy import stats

from mcassay.distributions import (
    Distribution,
    ExponentialFamily,
    InverseWishart,
    MultivariateNormal,
    MultivariateStudentT,
    NormalInverseGamma,
    NormalInverseWishart,
    Wishart,
)
from mcassay.errors import InputError


def spd(seed, *shape):
    """Positive definite matrices of no particular structure."""
    factor = np.random.default_rng(seed).standard_normal((*shape, shape[-1] + 2))
    matrix = factor @ factor.mT
    return (matrix + matrix.mT) / 2


ONE, TWO, FOUR, BATCH = spd(1, 1), spd(2, 2), spd(4, 4), spd(3, 3, 2)
MEANS = np.array([[0.0, 1.0], [-2.0, 5.0], [1e3, 1e-3]])

# (ours, the same ones of scipy: one for every component)
NORMALS = [
    (MultivariateNormal([0.5], covariance=ONE), [([0.5], ONE)]),
    (MultivariateNormal([0.5, -1.0], covariance=TWO), [([0.5, -1.0], TWO)]),
    (MultivariateNormal([0.5, -1.0], cholesky=np.linalg.cholesky(TWO)), [([0.5, -1.0], TWO)]),
    (MultivariateNormal([0.5, -1.0], precision=np.linalg.inv(TWO)), [([0.5, -1.0], TWO)]),
    (MultivariateNormal(np.arange(4), precision=FOUR), [(np.arange(4), np.linalg.inv(FOUR))]),
    (MultivariateNormal(MEANS, covariance=TWO), [(mean, TWO) for mean in MEANS]),
    (MultivariateNormal(MEANS, precision=TWO), [(mean, np.linalg.inv(TWO)) for mean in MEANS]),
    (MultivariateNormal([1.0, 2.0], cholesky=np.linalg.cholesky(BATCH)), [([1.0, 2.0], one) for one in BATCH]),
    (MultivariateNormal(MEANS, covariance=BATCH), list(zip(MEANS, BATCH, strict=True))),
    (MultivariateNormal(MEANS, precision=BATCH), list(zip(MEANS, np.linalg.inv(BATCH), strict=True))),
]
STUDENTS = [
    (MultivariateStudentT(3.0, [0.5], scale_matrix=ONE), [(3.0, [0.5], ONE)]),
    (MultivariateStudentT(0.7, [0.5, 2.0], cholesky=np.linalg.cholesky(TWO)), [(0.7, [0.5, 2.0], TWO)]),
    (MultivariateStudentT(1e5, np.zeros(4), scale_matrix=FOUR), [(1e5, np.zeros(4), FOUR)]),
    (
        MultivariateStudentT([1.5, 5.0, 40.0], MEANS, scale_matrix=BATCH),
        list(zip([1.5, 5.0, 40.0], MEANS, BATCH, strict=True)),
    ),
    (MultivariateStudentT([1.5, 5.0, 40.0], [1.0, 2.0], scale_matrix=TWO), [(d, [1.0, 2.0], TWO) for d in (1.5, 5, 40)]),
]
WISHARTS = [
    (Wishart(0.3, scale=ONE), [(0.3, ONE)]),
    (Wishart(3.5, scale=TWO), [(3.5, TWO)]),
    (Wishart(3.5, rate=np.linalg.inv(TWO)), [(3.5, TWO)]),
    (Wishart(50.0, rate=FOUR), [(50.0, np.linalg.inv(FOUR))]),
    (Wishart([1.5, 3.0, 30.0], scale=TWO), [(degrees, TWO) for degrees in (1.5, 3.0, 30.0)]),
    (Wishart([1.5, 3.0, 30.0], scale=BATCH), list(zip((1.5, 3.0, 30.0), BATCH, strict=True))),
    (Wishart(4.0, rate=BATCH), [(4.0, np.linalg.inv(one)) for one in BATCH]),
]
INVERSES = [
    (InverseWishart(0.3, scale=ONE), [(0.3, ONE)]),
    (InverseWishart(3.5, scale=TWO), [(3.5, TWO)]),
    (InverseWishart(50.0, scale=FOUR), [(50.0, FOUR)]),
    (InverseWishart([1.5, 6.0, 30.0], scale=TWO), [(degrees, TWO) for degrees in (1.5, 6.0, 30.0)]),
    (InverseWishart([1.5, 6.0, 30.0], scale=BATCH), list(zip((1.5, 6.0, 30.0), BATCH, strict=True))),
]
GAMMA_PAIRS = [
    NormalInverseGamma(1.0, mean_count=2.0, shape=3.0, scale=4.0),
    NormalInverseGamma([0.0, -2.0, 5.0], mean_count=0.01, shape=[0.4, 0.8, 30.0], scale=[1.0, 2.0, 3.0]),
]
WISHART_PAIRS = [
    NormalInverseWishart([0.5], mean_count=2.0, degrees_of_freedom=3.0, scale=ONE),
    NormalInverseWishart([0.5, -1.0], mean_count=0.1, degrees_of_freedom=4.5, scale=TWO),
    NormalInverseWishart(MEANS, mean_count=2.0, degrees_of_freedom=4.5, scale=TWO),
    NormalInverseWishart([0.5, -1.0], mean_count=[1.0, 2.0, 3.0], degrees_of_freedom=[2.5, 4.5, 9.0], scale=BATCH),
]
WITH_SCIPY = [
    *[(ours, [stats.multivariate_normal(*one) for one in theirs]) for ours, theirs in NORMALS],
    *[(ours, [stats.multivariate_t(loc, scale, df) for df, loc, scale in theirs]) for ours, theirs in STUDENTS],
    *[(ours, [stats.wishart(*one) for one in theirs]) for ours, theirs in WISHARTS],
    *[(ours, [stats.invwishart(*one) for one in theirs]) for ours, theirs in INVERSES],
]
PAIRS = GAMMA_PAIRS + WISHART_PAIRS
ALL = [ours for ours, _ in WITH_SCIPY] + PAIRS
EXPONENTIAL = [ours for ours in ALL if isinstance(ours, ExponentialFamily)]


def named(value):
    return repr(value)[:60] if isinstance(value, Distribution) else ""


def draws(ours, size, seed=0):
    return ours.sample(np.random.default_rng(seed), size=size)


def picked(x, index):
    """The part of a draw (or of a pair) that belongs to one component, after one axis of repetitions."""
    part = (slice(None), *index)
    return tuple(one[part] for one in x) if isinstance(x, tuple) else x[part]


@pytest.mark.parametrize(("ours", "theirs"), WITH_SCIPY, ids=named)
def test_log_p_agrees_with_scipy(ours, theirs):
    # Draws of the family and, for vectors, points far from where its draws are.
    x = draws(ours, 20)
    x = x if ours.support == "positive definite" else np.concatenate([x, 30 * x, x - 1e4])
    log_p = ours.log_p(x).reshape(len(x), -1)
    for k, frozen in enumerate(theirs):
        points = x[:, k] if ours.batch_shape else x
        points = np.moveaxis(points, 0, -1) if ours.support == "positive definite" else points
        np.testing.assert_allclose(log_p[:, k], frozen.logpdf(points), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("ours", GAMMA_PAIRS, ids=named)
def test_the_log_density_of_a_value_and_a_variance_is_that_of_its_two_parts(ours):
    value, variance = draws(ours, 20)
    mean, count, shape, scale = ours.parameters.values()
    expected = stats.norm(mean, np.sqrt(variance / count)).logpdf(value) + stats.invgamma(shape, scale=scale).logpdf(variance)
    np.testing.assert_allclose(ours.log_p((value, variance)), expected, rtol=1e-10)


@pytest.mark.parametrize("ours", WISHART_PAIRS, ids=named)
def test_the_log_density_of_a_vector_and_a_covariance_is_that_of_its_two_parts(ours):
    for index in np.ndindex(ours.batch_shape):
        mean, count, degrees, scale = ours.component(index).parameters.values()
        value, covariance = picked(draws(ours, 5), index)
        log_p = picked(ours.log_p(draws(ours, 5)), index)
        for n in range(5):
            normal = stats.multivariate_normal(mean, covariance[n] / count).logpdf(value[n])
            expected = normal + stats.invwishart(float(degrees), scale).logpdf(covariance[n])
            np.testing.assert_allclose(log_p[n], expected, rtol=1e-9)


@pytest.mark.parametrize("ours", ALL, ids=named)
@pytest.mark.parametrize("size", [None, 0, 5, (2, 3)])
def test_shapes_of_draws_and_log_p(ours, size):
    lead = () if size is None else (size,) if isinstance(size, int) else size
    x = draws(ours, size)
    parts = x if isinstance(x, tuple) else (x,)
    events = getattr(ours, "event_shapes", (ours.event_shape,))
    assert [np.shape(part) for part in parts] == [lead + ours.batch_shape + event for event in events]
    assert np.shape(ours.log_p(x)) == lead + ours.batch_shape
    assert np.isfinite(ours.log_p(x)).all()


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_a_component_is_the_same_distribution_alone(ours):
    x = draws(ours, 3)
    for index in np.ndindex(ours.batch_shape):
        alone = ours.component(index)
        assert type(alone) is type(ours)
        assert list(alone.parameters) == list(ours.parameters)
        assert alone.batch_shape == ()
        np.testing.assert_allclose(alone.log_p(picked(x, index)), picked(ours.log_p(x), index), rtol=1e-11)


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_one_draw_is_compared_with_every_component(ours):
    x = draws(ours.component((0,) * len(ours.batch_shape)), None)
    many = ours.log_p(x)
    assert np.shape(many) == ours.batch_shape
    for index in np.ndindex(ours.batch_shape):
        np.testing.assert_allclose(many[index], ours.component(index).log_p(x), rtol=1e-11)


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_a_copy_through_pickle_is_the_same(ours):
    x = draws(ours, 3)
    copy = pickle.loads(pickle.dumps(ours))
    assert repr(copy) == repr(ours)
    np.testing.assert_array_equal(copy.log_p(x), ours.log_p(x))


@pytest.mark.parametrize("ours", ALL, ids=named)
def test_draws_follow_the_generator_alone(ours):
    for first, second in zip(draws(ours, 3, seed=5), draws(ours, 3, seed=5), strict=True):
        np.testing.assert_array_equal(first, second)


# Moments


@pytest.mark.parametrize(("ours", "theirs"), NORMALS, ids=named)
def test_moments_of_the_normal(ours, theirs):
    assert ours.mean.shape == ours.variance.shape == ours.batch_shape + ours.event_shape
    mean = np.reshape([mean for mean, _ in theirs], ours.mean.shape)
    covariance = np.reshape([matrix for _, matrix in theirs], ours.covariance.shape)
    np.testing.assert_allclose(ours.mean, mean)
    np.testing.assert_allclose(ours.covariance, covariance, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours.variance, np.diagonal(covariance, axis1=-2, axis2=-1), rtol=1e-10)
    np.testing.assert_allclose(ours.cholesky, np.linalg.cholesky(covariance), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.precision, np.linalg.inv(covariance), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), WISHARTS, ids=named)
def test_moments_of_the_wishart(ours, theirs):
    for index, (degrees, scale) in zip(np.ndindex(ours.batch_shape), theirs, strict=True):
        np.testing.assert_allclose(ours.mean[index], stats.wishart.mean(degrees, scale), rtol=1e-10)
        np.testing.assert_allclose(ours.variance[index], stats.wishart.var(degrees, scale), rtol=1e-10)


@pytest.mark.parametrize(("ours", "theirs"), INVERSES, ids=named)
def test_moments_of_the_inverse_wishart(ours, theirs):
    for index, (degrees, scale) in zip(np.ndindex(ours.batch_shape), theirs, strict=True):
        dimension = len(scale)
        if degrees > dimension + 3:
            np.testing.assert_allclose(ours.mean[index], stats.invwishart.mean(degrees, scale), rtol=1e-10)
            np.testing.assert_allclose(ours.variance[index], stats.invwishart.var(degrees, scale), rtol=1e-10)


def test_moments_that_do_not_exist_are_said_so():
    matrix = [[2.0, 1.0], [1.0, 2.0]]
    np.testing.assert_array_equal(InverseWishart(3.0, scale=matrix).mean, [[np.inf, np.nan], [np.nan, np.inf]])
    np.testing.assert_array_equal(InverseWishart(3.0, scale=matrix).variance, [[np.inf, np.nan], [np.nan, np.inf]])
    np.testing.assert_array_equal(InverseWishart(4.0, scale=matrix).mean, matrix)
    np.testing.assert_array_equal(InverseWishart(5.0, scale=matrix).variance, np.full((2, 2), np.inf))
    student = MultivariateStudentT([1.0, 2.0, 4.0], [3.0, 4.0], scale_matrix=matrix)
    np.testing.assert_array_equal(student.mean, [[np.nan, np.nan], [3.0, 4.0], [3.0, 4.0]])
    np.testing.assert_array_equal(student.variance, [[np.nan, np.nan], [np.inf, np.inf], [4.0, 4.0]])
    np.testing.assert_array_equal(student.covariance[1], [[np.inf, np.nan], [np.nan, np.inf]])
    np.testing.assert_allclose(student.covariance[2], 2 * np.array(matrix))


def test_moments_of_pairs_are_those_of_their_student_marginals():
    joint = NormalInverseGamma(1.0, mean_count=2.0, shape=[0.5, 0.9, 3.0], scale=4.0)
    np.testing.assert_array_equal(joint.mean[0], [np.nan, 1.0, 1.0])
    np.testing.assert_array_equal(joint.variance[0], [np.nan, np.inf, 1.0])
    np.testing.assert_array_equal(joint.mean[1], [np.inf, np.inf, 2.0])
    matrix = np.array([[2.0, 1.0], [1.0, 4.0]])
    pair = NormalInverseWishart([1.0, 2.0], mean_count=2.0, degrees_of_freedom=[2.0, 3.0, 7.0], scale=matrix)
    np.testing.assert_array_equal(pair.mean[0], [[np.nan, np.nan], [1.0, 2.0], [1.0, 2.0]])
    student = MultivariateStudentT(6.0, [1.0, 2.0], scale_matrix=matrix / (2.0 * 6.0))
    np.testing.assert_allclose(pair.variance[0], [[np.nan, np.nan], [np.inf, np.inf], student.variance])
    np.testing.assert_allclose(pair.mean[1][2], matrix / 4)
    np.testing.assert_allclose(pair.variance[1][2], InverseWishart(7.0, scale=matrix).variance)


# Exponential families


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_log_p_is_natural_parameters_times_statistics_up_to_a_constant(ours):
    x = draws(ours, 20)
    products = ours.natural_parameters * ours.sufficient_statistics(x)
    assert ours.natural_parameters.shape == ours.batch_shape + products.shape[-1:]
    constant = ours.log_p(x) - products.sum(axis=-1) - ours.log_base_measure(x)
    # The terms may be huge and cancel: rounding is relative to them.
    size = 1 + np.abs(products).sum(axis=-1).max(axis=0)
    np.testing.assert_array_less(np.ptp(constant, axis=0) / size, 1e-9)


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_statistics_are_not_redundant(ours):
    alone = ours.component((0,) * len(ours.batch_shape))
    statistics = alone.sufficient_statistics(draws(alone, 200))
    spread = statistics - statistics.mean(axis=0)
    assert np.linalg.matrix_rank(spread / spread.std(axis=0), tol=1e-9) == statistics.shape[-1]


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_natural_parameters_lead_back_in_the_same_parametrisation(ours):
    back = ours.with_natural_parameters(ours.natural_parameters)
    assert type(back) is type(ours)
    assert list(back.parameters) == list(ours.parameters)
    for name, value in ours.parameters.items():
        expected = np.broadcast_to(value, back.parameters[name].shape)
        # Covariances are compared in units of their largest entry, means in those of their natural parameters.
        np.testing.assert_allclose(back.parameters[name], expected, rtol=1e-8, atol=1e-9 * np.abs(value).max())


def test_natural_parameters_of_another_member_give_that_member():
    ours = MultivariateNormal([0.0, 0.0], cholesky=np.eye(2))
    other = MultivariateNormal(MEANS, covariance=BATCH)
    moved = ours.with_natural_parameters(other.natural_parameters)
    np.testing.assert_allclose(moved.mean, other.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(moved.cholesky, other.cholesky, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(np.triu(moved.parameters["cholesky"], 1), 0)


def test_a_student_t_is_no_exponential_family():
    assert not isinstance(MultivariateStudentT(3.0, [0.0], scale_matrix=ONE), ExponentialFamily)


@pytest.mark.parametrize("ours", EXPONENTIAL, ids=named)
def test_leaving_the_natural_space_is_an_error(ours):
    with pytest.raises(InputError, match=f"^{type(ours).__name__}: "):
        ours.with_natural_parameters(-ours.natural_parameters)


def test_parameters_are_shown_as_the_user_gave_them():
    assert repr(MultivariateNormal([0, 1], precision=[[2, 1], [1, 2]])) == (
        "MultivariateNormal(mean=[0., 1.], precision=[[2., 1.], [1., 2.]])"
    )
    assert repr(Wishart(5, rate=np.eye(2))) == "Wishart(degrees_of_freedom=5, rate=[[1., 0.], [0., 1.]])"
    assert repr(NormalInverseGamma(0, mean_count=1, shape=2, scale=3)) == (
        "NormalInverseGamma(mean=0, mean_count=1, shape=2, scale=3)"
    )
