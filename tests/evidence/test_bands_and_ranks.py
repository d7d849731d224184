import itertools

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from mcassay.errors import InputError
from mcassay.evidence.bands import Band, dkw_band, ecdf_band, pp_band
from mcassay.evidence.ranks import pooled_ranks, randomised_ranks, randomised_uniforms


def ecdf(sample, places):
    return np.searchsorted(np.sort(sample), places, "right") / len(sample)


def inside(curve, lower, upper):
    slack = 1e-12
    return bool(((curve >= lower - slack) & (curve <= upper + slack)).all())


def test_the_coverage_of_an_ecdf_band_is_exact_by_enumeration():
    places = [0.25, 0.5, 0.75]
    band = ecdf_band(4, level=0.9, places=places)
    total = 0.0
    for cells in itertools.product(range(4), repeat=4):
        curve = np.array([sum(c <= k for c in cells) for k in range(3)]) / 4
        total += inside(curve, band.lower, band.upper) / 4**4
    assert total == pytest.approx(band.coverage, abs=1e-12)
    assert total >= 0.9


def test_the_coverage_of_a_pp_band_is_exact_by_enumeration():
    band = pp_band(4, 3, level=0.8, places=3)
    total, orders = 0.0, list(itertools.combinations(range(7), 3))
    for reference in orders:
        below = np.array([place - k for k, place in enumerate(reference)]) / 4
        total += inside(below, band.lower, band.upper) / len(orders)
    assert total == pytest.approx(band.coverage, abs=1e-9)
    assert total >= 0.8


def test_a_pp_band_of_more_places_than_references_begins_at_the_first_of_them():
    np.testing.assert_allclose(pp_band(50, 4, places=20).z, np.arange(1, 5) / 5)


@pytest.mark.parametrize("size", [1, 2, 10, 300])
def test_bands_are_limits_between_zero_and_one_and_cover(size):
    band = ecdf_band(size, level=0.95)
    assert ((band.lower >= 0) & (band.lower <= band.upper) & (band.upper <= 1)).all()
    assert band.coverage >= 0.95


def test_a_larger_sample_than_is_computed_exactly_is_covered_too():
    """Fails with probability below 1e-6 if the coverage is 0.95."""
    band = ecdf_band(20_000, level=0.95, places=20)
    assert not band.exact
    rng = np.random.default_rng(1)
    hits = sum(inside(ecdf(rng.random(20_000), band.z), band.lower, band.upper) for _ in range(400))
    assert 1e-6 < binom.cdf(hits, 400, 0.95) < 1 - 1e-6


def test_the_band_is_narrower_than_dkw():
    exact, simple = ecdf_band(500), dkw_band(500)
    assert (exact.upper - exact.lower).mean() < 0.9 * (simple.upper - simple.lower).mean()


def test_atoms_are_covered_by_the_extended_band():
    """Fails with probability below 1e-6 if the coverage is at least 0.95."""
    rng, band = np.random.default_rng(2), ecdf_band(100, level=0.95)
    shares = np.array([0.5, 0.83, 0.97])
    limits = band.at(shares)
    hits = sum(inside((rng.random((100, 1)) < shares).mean(axis=0), *limits) for _ in range(1000))
    assert binom.cdf(hits, 1000, 0.95) > 1e-6


def test_the_difference_is_the_band_less_the_diagonal():
    band = Band(np.array([0.5]), np.array([0.4]), np.array([0.7]), 0.9, 0.9, True)
    np.testing.assert_allclose(band.difference, [[-0.1], [0.2]])


def test_bad_arguments_are_errors():
    with pytest.raises(InputError, match="places"):
        ecdf_band(10, places=[0.5, 0.2])
    with pytest.raises(InputError, match="size"):
        ecdf_band(0)
    with pytest.raises(InputError, match="level"):
        pp_band(10, 10, level=1.0)
    with pytest.raises(InputError, match="NaN"):
        pooled_ranks([0.0, np.nan], np.random.default_rng(1))
    with pytest.raises(InputError, match="draws"):
        randomised_ranks([0.0, 1.0], [0.0, 1.0], np.random.default_rng(1))


@pytest.mark.parametrize("kind", ["constant", "coin", "normal", "infinite"])
def test_randomised_ranks_are_uniform_whatever_the_ties(kind):
    """Each case fails with probability 1e-6."""
    rng = np.random.default_rng(3)
    size = (20_000, 10)
    coins = rng.integers(0, 2, size).astype(float)
    infinite = np.where(coins == 1, np.inf, coins)
    values = {"constant": np.ones(size), "coin": coins, "normal": rng.normal(size=size), "infinite": infinite}[kind]
    ranks = randomised_ranks(values[:, 0], values[:, 1:], rng)
    assert chisquare(np.bincount(ranks, minlength=10)).pvalue > 1e-6


def test_pooled_ranks_are_a_permutation_with_ties_at_random():
    rng = np.random.default_rng(4)
    ranks = np.array([pooled_ranks([1.0, 1.0, 0.0], rng) for _ in range(2000)])
    assert (np.sort(ranks, axis=1) == [1, 2, 3]).all()
    assert (ranks[:, 2] == 1).all()
    assert 1e-6 < binom.cdf((ranks[:, 0] == 2).sum(), 2000, 0.5) < 1 - 1e-6


def test_randomised_uniforms_of_a_discrete_sample_are_uniform():
    """Fails with probability 1e-6."""
    rng = np.random.default_rng(5)
    u = np.concatenate([randomised_uniforms(rng.poisson(1.0, 1), rng.poisson(1.0, 9), rng) for _ in range(10_000)])
    assert chisquare(np.histogram(u, bins=10, range=(0, 1))[0]).pvalue > 1e-6
