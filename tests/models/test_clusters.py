"""What clusters remember of their points: as computed otherwise, and as made anew, however points come and go."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mcassay import MultivariateNormal, MultivariateStudentT, NormalInverseWishart
from mcassay.models.arithmetic import downdate_factor, log_determinant, squared_distance, update_factor
from mcassay.models.clusters import CentredCluster, GaussianCluster
from mcassay.models.seating import Seating, canonical


def prior_of(dimension, seed=0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(dimension, dimension)) + 2 * np.eye(dimension)
    return NormalInverseWishart(
        rng.normal(size=dimension), mean_count=0.3, degrees_of_freedom=dimension + 1.5, scale=root @ root.T
    )


def filled(cluster, points):
    for x in points:
        cluster.add(x)
    return cluster


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_marginal_is_prior_times_likelihood_over_posterior_at_any_parameters(dimension):
    rng, prior = np.random.default_rng(1), prior_of(dimension)
    points = rng.normal(size=(7, dimension)) * 3
    cluster = filled(GaussianCluster(prior), points)
    for _ in range(3):
        mean, covariance = pair = prior.sample(rng)
        likelihood = np.sum(MultivariateNormal(mean, covariance=covariance).log_p(points))
        expected = prior.log_p(pair) + likelihood - cluster.posterior.log_p(pair)
        assert cluster.log_marginal() == pytest.approx(expected, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_predictive_is_the_student_t_of_the_posterior(dimension):
    rng = np.random.default_rng(2)
    cluster = filled(GaussianCluster(prior_of(dimension)), rng.normal(size=(4, dimension)))
    p = cluster.posterior.parameters
    degrees = p["degrees_of_freedom"] - dimension + 1
    scale = p["scale"] * (p["mean_count"] + 1) / p["mean_count"] / degrees
    x = rng.normal(size=dimension)
    expected = MultivariateStudentT(degrees, p["mean"], scale_matrix=scale).log_p(x)
    assert cluster.log_predictive(x) == pytest.approx(float(expected), rel=1e-11)


def centred(dimension):
    return CentredCluster(dimension, between=2.5, within=0.7)


def test_centred_marginal_is_that_of_points_with_a_common_part():
    points = np.random.default_rng(3).normal(size=(5, 2)) + 10
    law = scipy.stats.multivariate_normal(np.zeros(5), 0.7 * np.eye(5) + 2.5)
    expected = sum(law.logpdf(column) for column in points.T)
    assert filled(centred(2), points).log_marginal() == pytest.approx(expected, rel=1e-11)


MAKERS = {"gaussian": lambda: GaussianCluster(prior_of(2)), "centred": lambda: centred(2)}


@pytest.mark.parametrize("name", MAKERS)
def test_predictive_is_a_ratio_of_marginals(name):
    points = np.random.default_rng(4).normal(size=(6, 2))
    cluster = MAKERS[name]()
    for x in points:
        before, predictive = cluster.log_marginal(), cluster.log_predictive(x)
        cluster.add(x)
        assert cluster.log_marginal() - before == pytest.approx(predictive, rel=1e-10, abs=1e-11)


def test_factors_follow_rank_one_changes():
    rng = np.random.default_rng(5)
    root = rng.normal(size=(4, 4))
    matrix, v = root @ root.T + np.eye(4), rng.normal(size=4)
    factor = np.linalg.cholesky(matrix)
    update_factor(factor, v.copy())
    np.testing.assert_allclose(factor, np.linalg.cholesky(matrix + np.outer(v, v)), rtol=1e-12, atol=1e-13)
    assert downdate_factor(factor, v.copy())
    np.testing.assert_allclose(factor, np.linalg.cholesky(matrix), rtol=1e-12, atol=1e-13)
    assert log_determinant(factor) == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)
    assert squared_distance(factor, v.copy()) == pytest.approx(v @ np.linalg.solve(matrix, v), rel=1e-12)


def test_a_downdate_that_leaves_nothing_says_so():
    assert not downdate_factor(np.eye(2), np.array([1.0, 0.0]))
    assert not downdate_factor(np.eye(2), np.array([0.5, 2.0]))


def summary(cluster):
    probes = [np.zeros(2), np.array([3.0, -1.0])]
    return [cluster.log_marginal(), *(cluster.log_predictive(x) for x in probes)]


class ComingAndGoing(RuleBasedStateMachine):
    """Points leave and join at will; every cluster always equals one made anew of its points."""

    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(6)
        data = rng.normal(size=(12, 2))
        data[:3] *= 1e4  # far away: what is left when they leave again has lost digits
        self.seating = Seating(rng.integers(3, size=12), data, self.make)

    @rule(point=st.integers(0, 11))
    @precondition(lambda self: (self.seating.labels >= 0).any())
    def leave(self, point):
        if self.seating.labels[point] >= 0:
            self.seating.leave(point)

    @rule(point=st.integers(0, 11), label=st.integers(0, 4))
    def join(self, point, label):
        if self.seating.labels[point] < 0:
            self.seating.join(point, label)

    @rule(point=st.integers(0, 11))
    def join_a_new_one(self, point):
        if self.seating.labels[point] < 0:
            label = self.seating.unused_label()
            assert label not in self.seating.clusters
            self.seating.join(point, label)

    @invariant()
    def clusters_equal_new_ones(self):
        seating = self.seating
        assert set(seating.clusters) == set(seating.labels[seating.labels >= 0].tolist())
        for label, cluster in seating.clusters.items():
            anew = seating.made_from(seating.members(label))
            assert cluster.count == anew.count
            np.testing.assert_allclose(summary(cluster), summary(anew), rtol=1e-7, atol=1e-7)


class GaussiansComingAndGoing(ComingAndGoing):
    make = staticmethod(MAKERS["gaussian"])


class CentredComingAndGoing(ComingAndGoing):
    make = staticmethod(MAKERS["centred"])


BRIEFLY = settings(max_examples=15, stateful_step_count=30, deadline=None)
TestGaussians = GaussiansComingAndGoing.TestCase
TestGaussians.settings = BRIEFLY
TestCentred = CentredComingAndGoing.TestCase
TestCentred.settings = BRIEFLY


@pytest.mark.parametrize("name", MAKERS)
def test_ten_thousand_moves_keep_ten_digits(name):
    rng = np.random.default_rng(7)
    data = rng.normal(size=(40, 2)) + 100
    seating = Seating(rng.integers(3, size=40), data, MAKERS[name])
    for point, label in zip(rng.integers(40, size=10_000), rng.integers(3, size=10_000), strict=True):
        seating.leave(point)
        seating.join(point, int(label))
    for label, cluster in seating.clusters.items():
        np.testing.assert_allclose(summary(cluster), summary(seating.made_from(seating.members(label))), rtol=1e-10)


def test_an_empty_cluster_is_the_prior_to_the_bit():
    for make in MAKERS.values():
        cluster = filled(make(), [np.array([1e8, 0.1])])
        assert cluster.remove(np.array([1e8, 0.1]))
        assert summary(cluster) == summary(make())


def test_canonical_labels():
    assert canonical([5, 5, 2, 9, 2]).tolist() == [0, 0, 1, 2, 1]
    assert math.isclose(canonical([0]).sum(), 0)
