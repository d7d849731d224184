"""Vectors, matrices and pairs at the edge: outside the support, far out, nearly singular, in single precision."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import linalg, stats

from mcassay.distributions import (
    InverseWishart,
    MultivariateNormal,
    MultivariateStudentT,
    NormalInverseGamma,
    NormalInverseWishart,
    Wishart,
)

ONE = np.array([[0.7]])
TWO = np.array([[6.4, -2.0], [-2.0, 5.3]])
BATCH = np.stack([TWO, np.diag([1e6, 1e-6]), TWO[::-1, ::-1]])


def draws(ours, size, seed=0):
    return ours.sample(np.random.default_rng(seed), size=size)


BAD_MATRICES = {
    "asymmetric": [[2.0, 1.0], [0.9, 2.0]],
    "one triangle": [[2.0, 1.0], [0.0, 2.0]],
    "indefinite": [[1.0, 2.0], [2.0, 1.0]],
    "negative": [[-1.0, 0.0], [0.0, -1.0]],
    "half negative": [[1.0, 0.0], [0.0, -1.0]],
    "singular": [[1.0, 1.0], [1.0, 1.0]],
    "zero": [[0.0, 0.0], [0.0, 0.0]],
    "nan": [[1.0, np.nan], [np.nan, 1.0]],
    "nan on the diagonal": [[np.nan, 0.0], [0.0, 1.0]],
    "inf": [[np.inf, 0.0], [0.0, 1.0]],
    "inf beside the diagonal": [[1.0, np.inf], [np.inf, 1.0]],
    "minus inf": [[1.0, 0.0], [0.0, -np.inf]],
}


@pytest.mark.parametrize("bad", BAD_MATRICES.values(), ids=BAD_MATRICES)
def test_what_is_no_covariance_has_probability_zero(bad):
    good = TWO
    both = np.array([good, bad, good])
    pair = NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=5.0, scale=TWO)
    for log_p in (
        Wishart(5.0, scale=TWO).log_p,
        Wishart(3.0, rate=TWO).log_p,
        InverseWishart(5.0, scale=TWO).log_p,
        lambda x: pair.log_p(([0.0, 0.0], x)),
    ):
        assert log_p(bad) == -np.inf
        np.testing.assert_array_equal(np.isfinite(log_p(both)), [True, False, True])
        np.testing.assert_allclose(log_p(both)[[0, 2]], log_p(good))


@pytest.mark.parametrize("bad", BAD_MATRICES.values(), ids=BAD_MATRICES)
def test_statistics_of_what_is_no_covariance_raise_nothing(bad):
    pair = NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=5.0, scale=TWO)
    for ours, x in (
        (Wishart(5.0, scale=TWO), bad),
        (InverseWishart(5.0, scale=TWO), bad),
        (pair, ([1.0, 2.0], bad)),
    ):
        assert np.isnan(ours.sufficient_statistics(x)).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_vectors_that_are_not_finite_have_probability_zero(bad):
    x = np.array([[0.0, 1.0], [0.0, bad], [bad, bad]])
    pair = NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=5.0, scale=TWO)
    for log_p in (
        MultivariateNormal([0.0, 0.0], covariance=TWO).log_p,
        MultivariateNormal([0.0, 0.0], precision=TWO).log_p,
        MultivariateStudentT(2.0, [0.0, 0.0], scale_matrix=TWO).log_p,
        lambda x: pair.log_p((x, TWO)),
    ):
        np.testing.assert_array_equal(np.isfinite(log_p(x)), [True, False, False])
        assert (log_p(x)[1:] == -np.inf).all()


def test_variances_outside_the_support_have_probability_zero():
    joint = NormalInverseGamma(0.0, mean_count=2.0, shape=3.0, scale=4.0)
    variance = np.array([1.0, 0.0, -1.0, np.nan, np.inf, -np.inf])
    np.testing.assert_array_equal(np.isfinite(joint.log_p((0.0, variance))), variance == 1)
    assert joint.log_p((np.nan, 1.0)) == joint.log_p((np.inf, 1.0)) == -np.inf
    assert joint.sufficient_statistics((0.0, variance)).shape == (6, 4)


def test_points_whose_square_overflows():
    far = np.array([[1e200, -1e200], [1e300, 1e300]])
    assert (MultivariateNormal([0.0, 0.0], covariance=TWO).log_p(far) == -np.inf).all()
    # A t density falls like a power: (degrees + D) log 1e100 between these points.
    student = MultivariateStudentT(3.0, [0.0, 0.0], scale_matrix=TWO)
    np.testing.assert_allclose(
        student.log_p(1e100 * np.ones(2)) - student.log_p(1e200 * np.ones(2)), 5 * math.log(1e100), rtol=1e-12
    )
    assert np.isfinite(student.log_p(1e308 * np.ones(2)))
    moved = MultivariateStudentT(3.0, [-1e308, 0.0], scale_matrix=TWO)
    assert np.isfinite(moved.log_p([1.5e308, 0.0]))


def test_many_degrees_of_freedom_approach_the_normal():
    student = MultivariateStudentT(1e14, [0.0, 1.0], scale_matrix=TWO)
    x = draws(student, 5)
    np.testing.assert_allclose(student.log_p(x), MultivariateNormal([0.0, 1.0], covariance=TWO).log_p(x), rtol=1e-10)


def exact_log_density(deviation, covariance):
    """The normal log density by exact elimination in rational numbers."""
    rows = [[Fraction(v) for v in row] + [Fraction(d)] for row, d in zip(covariance, deviation, strict=True)]
    square, determinant = Fraction(0), Fraction(1)
    for i in range(len(rows)):
        pivot = rows[i][i]
        determinant *= pivot
        square += rows[i][-1] ** 2 / pivot
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / pivot
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return -0.5 * float(square) - 0.5 * math.log(determinant) - 0.5 * len(rows) * math.log(2 * math.pi)


@pytest.mark.parametrize("name", ["covariance", "precision"])
def test_a_nearly_singular_normal_against_exact_arithmetic(name):
    matrix = linalg.hilbert(8)
    assert 1e10 < np.linalg.cond(matrix) < 2e10
    ours = MultivariateNormal(np.zeros(8), **{name: matrix})
    if name == "covariance":
        x = draws(ours, 3)
        expected = [exact_log_density(one, matrix) for one in x]
    else:
        # The density at x with precision P: the quadratic form needs no inverse, the determinant changes sign.
        x = draws(ours, 3)
        determinant = exact_log_density(np.zeros(8), matrix) + 4 * math.log(2 * math.pi)
        square = [float(sum(Fraction(a) * Fraction(p) * Fraction(b) for a, row in zip(one, matrix, strict=True)
                            for p, b in zip(row, one, strict=True))) for one in x]  # fmt: skip
        expected = -0.5 * np.array(square) - determinant - 4 * math.log(2 * math.pi)
    # Rounding the matrix alone moves the answer by about the rounding unit times the condition number.
    np.testing.assert_allclose(ours.log_p(x), expected, atol=8 * 2**-52 * 2e10)


@pytest.mark.parametrize(
    "ours",
    [
        Wishart(9.0, scale=linalg.hilbert(8)),
        Wishart(9.0, rate=linalg.hilbert(8)),
        InverseWishart(9.0, scale=linalg.hilbert(8)),
        Wishart(1.01, scale=TWO),
        InverseWishart(1.01, scale=TWO),
        Wishart(0.001, scale=ONE),
        InverseWishart(0.001, scale=ONE),
        Wishart([1.5, 3.0, 9.0], scale=1e-200 * TWO),
        InverseWishart([1.5, 3.0, 9.0], scale=1e200 * TWO),
        Wishart([1.5, 3.0, 9.0], rate=BATCH),
        InverseWishart([1.5, 3.0, 9.0], scale=BATCH),
    ],
    ids=repr,
)
def test_draws_are_exactly_symmetric_and_positive_definite(ours):
    x = draws(ours, 200)
    np.testing.assert_array_equal(x, x.mT)
    np.linalg.cholesky(x)
    assert np.isfinite(ours.log_p(x)).all()


def test_float32_stays_float32_in_the_parameters():
    ours = MultivariateNormal(np.zeros(2, np.float32), covariance=TWO.astype(np.float32))
    assert {value.dtype for value in ours.parameters.values()} == {np.dtype(np.float32)}
    np.testing.assert_allclose(ours.log_p([1.0, 2.0]), stats.multivariate_normal([0, 0], TWO).logpdf([1, 2]), rtol=1e-5)
    half = MultivariateNormal(np.zeros(2, np.float16), covariance=np.eye(2, dtype=np.float16))
    np.testing.assert_allclose(half.log_p([0.0, 0.0]), -math.log(2 * math.pi), rtol=1e-6)


def test_asymmetry_of_the_size_of_rounding_is_forgiven():
    matrix = np.linalg.inv(linalg.hilbert(5))
    assert (matrix != matrix.T).any()
    ours = MultivariateNormal(np.zeros(5), precision=matrix)
    np.testing.assert_array_equal(ours.precision, ours.precision.T)
    wishart = Wishart(6.0, scale=np.eye(5))
    np.testing.assert_allclose(wishart.log_p(matrix), wishart.log_p((matrix + matrix.T) / 2))


ANY = [0.0, -0.0, 1.0, -1.0, 5e-324, 1e-200, 1e-150, 1e150, 1e200, 1.79e308, -1.79e308, np.nan, np.inf, -np.inf]
WILD = [
    MultivariateNormal([0, 1e300], covariance=np.diag([1e-300, 1e300])),
    MultivariateStudentT(1e-3, [0, -1e308], scale_matrix=np.diag([1e-300, 1e300])),
    Wishart(1.2, scale=np.eye(2)),
    Wishart(40, rate=[[1e8, 1e3], [1e3, 1.0]]),
    InverseWishart(1.01, scale=np.diag([1e-9, 1e9])),
    NormalInverseGamma(1e200, mean_count=1e-300, shape=1e-3, scale=1e300),
    NormalInverseWishart([0, 1e200], mean_count=1e-3, degrees_of_freedom=1.5, scale=np.eye(2)),
]


@pytest.mark.parametrize("ours", WILD, ids=repr)
def test_log_p_of_any_numbers_is_a_number_below_infinity_without_a_warning(ours):
    rng = np.random.default_rng(8)
    matrices = rng.choice(ANY, (2000, 2, 2))
    matrices[::2, 0, 1] = matrices[::2, 1, 0]
    vectors = rng.choice(ANY, (2000, 2))
    pair = (vectors[:, 0], vectors[:, 1]) if isinstance(ours, NormalInverseGamma) else (vectors, matrices)
    x = {"real": vectors, "positive definite": matrices, "pair": pair}[ours.support]
    assert (ours.log_p(x) < np.inf).all()
    if not isinstance(ours, MultivariateStudentT):
        assert len(ours.sufficient_statistics(x)) == 2000
    assert np.isfinite(ours.log_p(draws(ours, 200))).all()
