"""The mixtures' samplers at depth: nightly assays, a million additions and removals, and the galaxies beside other samplers.

A right sampler fails its assay here with a probability of at most 1e-6.
"""

import jags
import numpy as np
import pytest
import stick_breaking
from scipy.stats import norm

from mcassay import NormalInverseWishart, Verdict, assay
from mcassay.models import fit
from mcassay.models.clusters import CentredCluster, GaussianCluster
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled import compiled
from mcassay.models.datasets import galaxies
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.points import Scale
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.seating import Seating
from mcassay.models.untied import UntiedIsotropicMixture

SMALL = {"points": 5, "clusters": 2}
SUBJECTS = {
    "isotropic": compiled(IsotropicMixture(**SMALL)).subject(),
    "untied": compiled(UntiedIsotropicMixture(**SMALL)).subject(),
    "full": compiled(FullCovarianceMixture(**SMALL)).subject(),
    "untied full": compiled(UntiedCovarianceMixture(**SMALL)).subject(),
    "collapsed isotropic": compiled(CollapsedIsotropicMixture(**SMALL)).subject(),
    "collapsed full": compiled(CollapsedGaussianMixture(**SMALL)).subject(),
    "collapsed isotropic, pointwise": CollapsedIsotropicMixture(points=3, clusters=2).pointwise(),
    "collapsed full, pointwise": CollapsedGaussianMixture(points=3, clusters=2).pointwise(),
    "restaurant": compiled(RestaurantMixture(points=5)).subject(),
}


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", SUBJECTS)
def test_a_nightly_assay_passes(name):
    report = assay(SUBJECTS[name], seed=1, budget="nightly")
    assert report.verdict is Verdict.PASS, str(report)


CLUSTERS = {
    "gaussian": lambda: GaussianCluster(
        NormalInverseWishart(np.zeros(3), mean_count=0.1, degrees_of_freedom=5.0, scale=0.2 * np.eye(3))
    ),
    "centred": lambda: CentredCluster(3, between=2.0, within=0.5),
}


@pytest.mark.parametrize("shift", [0.0, 100.0])
@pytest.mark.parametrize("name", CLUSTERS)
def test_a_million_additions_and_removals_keep_nine_digits(name, shift):
    """Half a million points leave one of three clusters and join one; the statistics are then those of clusters made anew."""
    rng, moves = np.random.default_rng(1), 500_000
    data = rng.normal(size=(60, 3)) + shift
    seating = Seating(rng.integers(3, size=60), data, CLUSTERS[name])
    for point, label in zip(rng.integers(60, size=moves).tolist(), rng.integers(3, size=moves).tolist(), strict=True):
        seating.leave(point)
        seating.join(point, label)
    probes = data[:5] + 1.0
    for label, cluster in seating.clusters.items():
        anew = seating.made_from(seating.members(label))
        found, expected = ([c.log_marginal(), *(c.log_predictive(x) for x in probes)] for c in (cluster, anew))
        np.testing.assert_allclose(found, expected, rtol=1e-9)


PRIOR = {"count": 0.1, "degrees": 3.0, "scale": 0.2}
HIGHEST = 9
# The probability that two right samplers differ by more than this anywhere, the estimates being normal.
FALSE_ALARM = 1e-6


def shares(counts):
    """Return how often every number of clusters was drawn, with standard errors from means of 50 batches in each chain."""
    chains = np.atleast_2d(counts)
    hits = np.array([chains == k for k in range(1, HIGHEST + 1)], float)
    batches = hits[..., : chains.shape[1] // 50 * 50].reshape(HIGHEST, len(chains) * 50, -1).mean(axis=2)
    return batches.mean(axis=1), batches.std(axis=1, ddof=1) / np.sqrt(batches.shape[1])


def require_agreement(found, expected):
    (mean, error), (other_mean, other_error) = shares(found), shares(expected)
    allowed = norm.isf(FALSE_ALARM / (2 * HIGHEST)) * np.hypot(error, other_error)
    print(np.round([mean, error, other_mean, other_error], 4))
    assert (np.abs(mean - other_mean) <= allowed + 1e-9).all()


def ours():
    return fit(galaxies(), sweeps=50_000, warmup=1_000, seed=1)["posterior"]["cluster_count"].values


def points():
    return Scale.of(galaxies()).applied(galaxies())[:, 0]


@pytest.mark.timeout(0)
def test_galaxies_have_as_many_clusters_as_an_independent_sampler_says():
    counts = stick_breaking.cluster_counts(points(), **PRIOR, shape=2.0, rate=4.0, sweeps=400_000, warmup=2_000, seed=1)
    require_agreement(ours(), counts)


@pytest.mark.timeout(0)
@pytest.mark.skipif(not jags.is_installed(), reason=jags.ABSENT)
def test_galaxies_have_as_many_clusters_as_jags_says():
    given = {**PRIOR, "x": points(), "N": 82, "S": stick_breaking.STICKS, "a": 2.0, "b": 4.0}
    require_agreement(ours(), jags.draws(stick_breaking.JAGS, given, {"alpha": 1.0}, "clusters", 2_000, 100_000))
