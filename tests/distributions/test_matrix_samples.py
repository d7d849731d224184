"""Draws of vectors, matrices and pairs have the laws that their densities say.

Every test compares projections of draws, whose laws are known exactly, by Kolmogorov and Smirnov's exact test. All
comparisons of one test together raise a false alarm with probability at most FALSE_ALARM; the seed is fixed so that a
run can be repeated.
"""

import numpy as np
import pytest
from scipy import stats

from mcassay.distributions import (
    InverseWishart,
    MultivariateNormal,
    MultivariateStudentT,
    NormalInverseGamma,
    NormalInverseWishart,
    Wishart,
)

FALSE_ALARM = 1e-9
SIZE = 4000
TWO = np.array([[2.0, 1.2], [1.2, 1.0]])
THREE = np.array([[3.0, -1.0, 0.5], [-1.0, 2.0, 0.8], [0.5, 0.8, 1.0]])
BATCH = np.stack([TWO, np.array([[1e4, -3.0], [-3.0, 1e-2]])])
DIRECTIONS = np.random.default_rng(1).standard_normal((4, 3))


def assert_laws(comparisons):
    """Compare draws with the laws they should have; a union bound over the comparisons."""
    comparisons = list(comparisons)
    for name, draws, law in comparisons:
        p_value = stats.kstest(draws, law.cdf, method="exact").pvalue
        assert p_value > FALSE_ALARM / len(comparisons), (name, p_value)


def drawn(ours):
    return ours.sample(np.random.default_rng(2024), size=SIZE)


def components(ours):
    return list(np.ndindex(ours.batch_shape))


def projections_of_vectors(x, mean, covariance, law):
    """The coordinates, and a few directions across them."""
    for direction in [*np.eye(len(mean)), *DIRECTIONS[:, : len(mean)]]:
        spread = np.sqrt(direction @ covariance @ direction)
        yield f"direction {direction}", (x - mean) @ direction / spread, law


def projections_of_wisharts(x, degrees, scale):
    """``a' X a`` and ``1 / (a' X^-1 a)`` are chi-squared; a column given its diagonal entry is normal."""
    dimension = len(scale)
    inverse_scale, inverse = np.linalg.inv(scale), np.linalg.inv(x)
    for a in [*np.eye(dimension), *DIRECTIONS[:, :dimension]]:
        yield f"inside {a}", (x @ a) @ a / (a @ scale @ a), stats.chi2(degrees)
        yield f"outside {a}", (a @ inverse_scale @ a) / ((inverse @ a) @ a), stats.chi2(degrees - dimension + 1)
    for i, j in zip(*np.tril_indices(dimension, -1), strict=True):
        slope = scale[i, j] / scale[j, j]
        rest = scale[i, i] - slope * scale[i, j]
        standard = (x[:, i, j] - slope * x[:, j, j]) / np.sqrt(x[:, j, j] * rest)
        yield f"column {i}, {j}", standard, stats.norm()


@pytest.mark.parametrize(
    "ours",
    [
        MultivariateNormal([3.0], covariance=[[4.0]]),
        MultivariateNormal([1.0, -2.0, 0.0], covariance=THREE),
        MultivariateNormal([1.0, -2.0, 0.0], cholesky=np.linalg.cholesky(THREE)),
        MultivariateNormal([1.0, -2.0, 0.0], precision=THREE),
        MultivariateNormal([[1.0, -2.0], [5.0, 1e3]], covariance=TWO),
        MultivariateNormal([1.0, -2.0], precision=BATCH),
    ],
    ids=repr,
)
def test_the_normal(ours):
    x = drawn(ours)
    assert_laws(
        comparison
        for k in components(ours)
        for comparison in projections_of_vectors(x[:, *k], ours.mean[k], ours.covariance[k], stats.norm())
    )


@pytest.mark.parametrize(
    "ours",
    [
        MultivariateStudentT(3.0, [1.0, -2.0, 0.0], scale_matrix=THREE),
        MultivariateStudentT([0.5, 30.0], [1.0, -2.0], cholesky=np.linalg.cholesky(BATCH)),
    ],
    ids=repr,
)
def test_the_student_t(ours):
    x, dimension = drawn(ours), ours.event_shape[0]
    degrees = np.broadcast_to(ours.parameters["degrees_of_freedom"], ours.batch_shape)
    comparisons = []
    for k in components(ours):
        deviation = x[:, *k] - ours.parameters["location"]
        distance = (deviation * np.linalg.solve(ours.scale_matrix[k], deviation.T).T).sum(axis=1)
        comparisons.append(("distance", distance / dimension, stats.f(dimension, degrees[k])))
        comparisons += projections_of_vectors(deviation, np.zeros(dimension), ours.scale_matrix[k], stats.t(degrees[k]))
    assert_laws(comparisons)


@pytest.mark.parametrize(
    "ours",
    [
        Wishart(2.5, scale=[[4.0]]),
        Wishart(3.5, scale=THREE),
        Wishart(7.0, rate=THREE),
        Wishart([1.5, 40.0], scale=BATCH),
        Wishart([1.5, 40.0], rate=TWO),
    ],
    ids=repr,
)
def test_the_wishart(ours):
    x = drawn(ours)
    degrees = np.broadcast_to(ours.parameters["degrees_of_freedom"], ours.batch_shape)
    assert_laws(
        comparison for k in components(ours) for comparison in projections_of_wisharts(x[:, *k], degrees[k], ours.scale[k])
    )


@pytest.mark.parametrize(
    "ours",
    [
        InverseWishart(2.5, scale=[[4.0]]),
        InverseWishart(5.0, scale=THREE),
        InverseWishart([3.0, 40.0], scale=BATCH),
    ],
    ids=repr,
)
def test_the_inverse_wishart(ours):
    x = np.linalg.inv(drawn(ours))
    degrees = np.broadcast_to(ours.parameters["degrees_of_freedom"], ours.batch_shape)
    assert_laws(
        comparison
        for k in components(ours)
        for comparison in projections_of_wisharts(x[:, *k], degrees[k], np.linalg.inv(ours.parameters["scale"])[k])
    )


def test_the_normal_inverse_gamma():
    shapes, scales, count = np.array([0.7, 20.0]), np.array([3.0, 0.1]), 4.0
    value, variance = drawn(NormalInverseGamma([1.0, -2.0], mean_count=count, shape=shapes, scale=scales))
    comparisons = []
    for k, (shape, scale, mean) in enumerate(zip(shapes, scales, (1.0, -2.0), strict=True)):
        spread = np.sqrt(scale / (count * shape))
        given = (value[:, k] - mean) * np.sqrt(count / variance[:, k])
        comparisons.append(("variance", variance[:, k], stats.invgamma(shape, scale=scale)))
        comparisons.append(("value", value[:, k], stats.t(2 * shape, mean, spread)))
        comparisons.append(("value given variance", given, stats.norm()))
    assert_laws(comparisons)


def test_the_normal_inverse_wishart():
    mean, count, degrees = np.array([1.0, -2.0, 0.5]), 4.0, 6.0
    joint = NormalInverseWishart(mean, mean_count=count, degrees_of_freedom=degrees, scale=THREE)
    value, covariance = drawn(joint)
    freedom = degrees - 2
    comparisons = list(projections_of_vectors(value, mean, THREE / (count * freedom), stats.t(freedom)))
    comparisons += projections_of_wisharts(np.linalg.inv(covariance), degrees, np.linalg.inv(THREE))
    for a in [*np.eye(3), *DIRECTIONS]:
        given = (value - mean) @ a * np.sqrt(count) / np.sqrt((covariance @ a) @ a)
        comparisons.append((f"value given covariance {a}", given, stats.norm()))
    assert_laws(comparisons)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (MultivariateNormal([0.0, 0.0], covariance=TWO), MultivariateNormal([0.0, 0.0], covariance=np.diag([2.0, 1.0]))),
        (MultivariateNormal([0.0, 0.0], covariance=TWO), MultivariateNormal([0.0, 0.2], covariance=TWO)),
    ],
    ids=["correlation lost", "mean moved"],
)
def test_the_comparison_finds_wrong_draws(right, wrong):
    with pytest.raises(AssertionError):
        assert_laws(projections_of_vectors(drawn(wrong), right.mean, right.covariance, stats.norm()))


def test_the_comparison_finds_one_degree_of_freedom_too_many():
    with pytest.raises(AssertionError):
        assert_laws(projections_of_wisharts(drawn(Wishart(8.0, scale=THREE)), 7.0, THREE))
