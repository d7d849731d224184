"""Each baseline reproduces a published figure or example, or a property that is known exactly.

The tests that simulate state their own false alarm probability; it is at most 1e-6 each.
"""

import itertools
import math

import numpy as np
import pytest
from arviz_stats import ecdf_utils
from baselines import bands, calibration, long_chain, two_sample
from scipy import stats

from mcassay import Subject

TAIL = 1e-6


def within_binomial(count, trials, probability):
    """Whether a count is not in the outer TAIL of its binomial distribution."""
    return stats.binom.cdf(count, trials, probability) > TAIL / 2 and stats.binom.sf(count - 1, trials, probability) > TAIL / 2


class TestSequentialRule:
    """Gandy & Scott (2020)."""

    def decide(self, p_values, **options):
        remaining = iter(p_values)
        return two_sample.sequential_rule(lambda size: np.array([next(remaining)]), **options)

    def test_level_is_exact_for_uniform_p_values(self):
        """Every look rejects with probability level / looks, so that the sum is the level."""
        rng, trials, level = np.random.default_rng(11), 20_000, 0.05
        rejected = sum(self.decide(iter(rng.random, None), level=level).rejected for _ in range(trials))
        assert within_binomial(rejected, trials, level)

    def test_thresholds_at_the_default_level(self):
        beta = 1e-5 / 7
        gamma = beta ** (1 / 7)
        assert self.decide([beta * 0.999]).rejected
        assert self.decide([beta * 1.001, beta / gamma * 0.999]).rejected
        assert self.decide([beta + gamma * 1.001]).accepted

    def test_samples_grow_once(self):
        """With p = 0.001 at every look, beta grows from 1.4e-6 past it at the fifth."""
        looks = self.decide([1e-3] * 7)
        assert looks.rejected
        assert looks.sizes == (1000, 4000, 4000, 4000, 4000)

    def test_bonferroni(self):
        p = np.array([1e-6, 0.5, 0.5, 0.5])
        assert two_sample.sequential_rule(lambda size: p).p_value == pytest.approx(4e-6)

    def test_distance_and_p_value_agree_with_scipy(self):
        rng = np.random.default_rng(3)
        first, second = rng.normal(size=(4000, 2)), np.round(rng.normal(0.05, 1, size=(3000, 2)), 1)
        for j, p in enumerate(two_sample.kolmogorov_smirnov(first, second)):
            found = stats.ks_2samp(first[:, j], second[:, j], method="asymp")
            assert two_sample._distance(np.sort(first[:, j]), np.sort(second[:, j])) == pytest.approx(found.statistic)
            assert p == pytest.approx(found.pvalue, rel=0.05)

    @pytest.mark.parametrize(("deviations", "found"), [(False, False), (True, True)])
    def test_example_of_the_package(self, deviations, found):
        """mcunit's vignette: y = a + b + noise; 100 sweeps; deviations in the place of variances are found at the first look.

        The right sampler is rejected with probability 1e-5.
        """
        outcome = two_sample.TwoSample(100).run(vignette(deviations), seed=10, alpha=1e-5, most_sweeps=10**6)
        assert outcome.found is found
        if found:
            assert outcome.sweeps == 100_000


def vignette(deviations):
    """Two normal terms with standard deviation 10 and their sum observed with variance 0.1, by random-scan Gibbs."""
    precision = 1 / 10 + 1 / math.sqrt(0.1) if deviations else 1 / 100 + 1 / 0.1

    def step(state, y, rng):
        state, i = state.copy(), rng.integers(2)
        state[i] = 100 * (y - state[1 - i]) / 100.1 + rng.standard_normal() / math.sqrt(precision)
        return state

    def log_joint(state, y):
        return -0.5 * float(state @ state) / 100 - 0.5 * (y - state.sum()) ** 2 / 0.1

    def simulate(state, rng):
        return state.sum() + math.sqrt(0.1) * rng.standard_normal()

    return Subject(lambda rng: 10 * rng.standard_normal(2), simulate, step, log_joint=log_joint)


class TestLongChain:
    """Geweke (2004)."""

    def autoregression(self, rho, length, rng, chains=1):
        path = np.empty((length, chains))
        path[0] = rng.standard_normal(chains)
        noise = math.sqrt(1 - rho**2) * rng.standard_normal((length, chains))
        for t in range(1, length):
            path[t] = rho * path[t - 1] + noise[t]
        return path

    def test_error_of_an_autoregression(self):
        """Its long-run variance is (1 + rho) / (1 - rho); with batches of b, less a share of 2 rho / ((1 - rho^2) b)."""
        rho, length = 0.5, 10_000
        path = self.autoregression(rho, length, np.random.default_rng(4), chains=200)
        error, freedom = long_chain.batch_means_error(path)
        expected = (1 + rho) / (1 - rho) / length * (1 - 2 * rho / (1 - rho**2) / 100)
        # The mean of 200 chi-squares with 99 degrees of freedom each; five of its standard errors.
        assert freedom == 99
        assert error.mean() / expected == pytest.approx(1, abs=5 * math.sqrt(2 / 99 / 200) + 0.005)

    def test_p_values_are_uniform_for_a_chain_that_mixes(self):
        rng = np.random.default_rng(5)
        path, fresh = self.autoregression(0.3, 4096, rng, chains=2000), rng.standard_normal((4096, 2000))
        p = long_chain.difference_p_values(path, fresh)
        assert within_binomial(int((p < 0.05).sum()), 2000, 0.05)

    def test_constant_columns_pass(self):
        assert long_chain.difference_p_values(np.ones((100, 1)), np.ones((100, 1))) == 1.0


class TestBands:
    """Säilynoja, Bürkner & Vehtari (2022)."""

    @pytest.mark.parametrize("gamma", [0.02, 0.1, 0.3, 0.7])
    def test_coverage_agrees_with_enumeration(self, gamma):
        size, cells = 6, 4
        low, high = bands.limits(gamma, size, cells)
        inside = 0
        for ranks in itertools.product(range(cells), repeat=size):
            counts = bands.path_of_counts(np.array(ranks), cells)
            inside += bool(np.all((counts >= low) & (counts <= high)))
        assert bands.coverage(gamma, size, cells) == pytest.approx(inside / cells**size, abs=1e-12)

    def test_p_values_are_valid_and_attained(self):
        """Over all paths of a small case: P(p <= p0) = p0 at every p-value p0 that occurs."""
        size, cells = 6, 3
        p = np.array([bands.band_p_value(np.array(r), cells) for r in itertools.product(range(cells), repeat=size)])
        for value in np.unique(p.round(10)):
            assert np.mean(p <= value + 1e-9) == pytest.approx(value, abs=1e-9)

    def test_one_point_is_a_binomial_test(self):
        ranks = np.repeat([0, 1], [70, 30])
        assert bands.band_p_value(ranks, 2) == pytest.approx(stats.binomtest(70, 100, 0.5).pvalue)

    def test_simultaneous_coverage(self):
        rng, size, cells, level, trials = np.random.default_rng(6), 250, 100, 0.05, 4000
        gamma = bands.band_gamma(level, size, cells)
        exact = 1 - bands.coverage(gamma, size, cells)
        low, high = bands.limits(gamma, size, cells)
        paths = [bands.path_of_counts(rng.integers(cells, size=size), cells) for _ in range(trials)]
        left = sum(bool(np.any((path < low) | (path > high))) for path in paths)
        assert exact == pytest.approx(level, abs=0.002)
        assert within_binomial(left, trials, exact)

    @pytest.mark.parametrize(("size", "cells"), [(250, 100), (128, 32)])
    def test_band_agrees_with_that_of_arviz(self, size, cells):
        """ArviZ simulates how wide a band has to be: the share of 2,000 simulations that stay inside is binomial."""
        inside, simulations = 0.95, 2000
        places, rng = np.arange(1, cells) / cells, np.random.default_rng(12)
        pointwise = ecdf_utils.simulate_confidence_bands(size, 1, places, inside, simulations, rng)
        exact = bands.coverage(1 - pointwise, size, cells)
        assert within_binomial(round(inside * simulations), simulations, exact)
        low, high = ecdf_utils.get_pointwise_confidence_band(pointwise, size, places)
        ours = bands.limits(1 - pointwise, size, cells)
        np.testing.assert_allclose(np.stack([low, high]) * size, ours, atol=1)


class TestCalibration:
    """Talts et al. (2018)."""

    def normal(self, factor):
        """theta ~ N(0, 1), y ~ N(theta, 1), and independent draws with so many times the posterior's standard deviation."""

        def step(state, y, rng):
            return y / 2 + factor * math.sqrt(0.5) * rng.standard_normal()

        return Subject(lambda rng: rng.standard_normal(), lambda state, rng: state + rng.standard_normal(), step)

    def ranks(self, factor, replicates=600):
        gauge, rng = calibration.Gauge.of(self.normal(factor), 1), np.random.default_rng(7)
        return np.concatenate([calibration.rank_once(gauge, 1, rng) for _ in range(replicates)])

    def test_right_ranks_are_uniform(self):
        assert calibration.chi_square_p_values(self.ranks(1.0)[:, np.newaxis], calibration.DRAWS)[0] > TAIL

    def test_figures_of_the_paper(self):
        """A posterior that is too narrow gives a histogram like a cup, one that is too wide one like a cap."""
        outer = [np.mean((r < 4) | (r >= 28)) for r in (self.ranks(0.5), self.ranks(1.0), self.ranks(1.5))]
        assert outer[0] > 0.4 > 0.33 > outer[1] > 0.17 > outer[2]

    def test_chi_square_agrees_with_scipy(self):
        ranks = np.random.default_rng(8).integers(32, size=320)
        found = stats.chisquare(np.bincount(ranks // 2, minlength=16)).pvalue
        assert calibration.chi_square_p_values(ranks[:, np.newaxis], 31)[0] == pytest.approx(found)

    def test_ties_are_broken_evenly(self):
        rng = np.random.default_rng(9)
        ranks = [int(calibration.ranks_among(np.zeros(1), np.zeros((3, 1)), rng)[0]) for _ in range(4000)]
        assert stats.chisquare(np.bincount(ranks, minlength=4)).pvalue > TAIL

    def test_thinning_grows_with_correlation(self):
        rng = np.random.default_rng(10)
        rough = np.cumsum(rng.standard_normal((4, 400, 1)), axis=1)
        assert calibration.autocorrelation(rough, 1)[0] > 0.9
        assert abs(calibration.autocorrelation(rng.standard_normal((8, 400, 1)), 1)[0]) < 0.1


def test_shares_of_looks_sum_to_one():
    from baselines.chains import level_of_look

    assert sum(level_of_look(1.0, k) for k in range(1, 10_000)) == pytest.approx(1, abs=2e-4)
