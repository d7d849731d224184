"""Log densities of large parameters keep their digits, where the usual sums of log gamma functions lose all of them.

The references are limits for large parameters with their first correction, and ratios that are known in closed form.
"""

import math

import numpy as np
import pytest

from mcassay.distributions import Beta, Binomial, Dirichlet, Gamma, InverseGamma, Poisson

SIZES = [1e4, 1e6, 1e9, 1e12, 1e15]
HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)


@pytest.mark.parametrize("size", SIZES)
def test_the_height_of_the_mode(size):
    peak = 0.5 * math.log(size) - HALF_LOG_2_PI
    near = {"rel": 1e-12, "abs": 1 / size**2}
    assert Poisson(size).log_p(size) == pytest.approx(-peak - 2 * HALF_LOG_2_PI - 1 / (12 * size), **near)
    assert Gamma(size, rate=size).log_p(1.0) == pytest.approx(peak - 1 / (12 * size), **near)
    assert InverseGamma(size, scale=size).log_p(1.0) == pytest.approx(peak - 1 / (12 * size), **near)
    assert Binomial(size, 0.5).log_p(size / 2) == pytest.approx(math.log(2) - peak - 2 * HALF_LOG_2_PI - 1 / (4 * size), **near)
    assert Beta(size, size).log_p(0.5) == pytest.approx(peak + 1.5 * math.log(2) - 1 / (8 * size), **near)


@pytest.mark.parametrize("size", SIZES)
def test_ratios_of_neighbours(size):
    # The probabilities of neighbours are far closer to each other than the terms of either are to zero.
    x = np.floor(size + math.sqrt(size))
    ratio = Poisson(size).log_p(x) - Poisson(size).log_p(x - 1)
    assert ratio == pytest.approx(math.log(size / x), abs=1e-8)
    trials = 3 * size
    ratio = Binomial(trials, 1 / 3).log_p(x) - Binomial(trials, 1 / 3).log_p(x - 1)
    assert ratio == pytest.approx(math.log((trials - x + 1) / (2 * x)), abs=1e-8)


@pytest.mark.parametrize("size", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("z", [-3.0, 0.5, 3.0])
def test_near_the_mode_they_are_nearly_normal(size, z):
    step = z / math.sqrt(size)
    for ours in (Gamma(size, rate=size), Gamma(size, scale=1 / size)):
        fall = ours.log_p(1 + step) - ours.log_p(1.0)
        assert fall == pytest.approx(-0.5 * z * z, abs=20 / math.sqrt(size) + 1e-7)


@pytest.mark.parametrize("z", [0.3, 0.9, 1.0, 1.1, 1.6, 5.0, 1e-300, 1e300])
def test_nothing_jumps_where_another_sum_takes_over(z):
    for below, above in ((Gamma(100.0, rate=100.0), Gamma(100.0 + 1e-9, rate=100.0)),):
        assert above.log_p(z) == pytest.approx(float(below.log_p(z)), rel=1e-9, abs=1e-6)
    few, more = Binomial(100, 0.3), Binomial(101, 0.3)
    ways = math.log(101) - math.log(101 - 30) + math.log(0.7)
    assert more.log_p(30) - few.log_p(30) == pytest.approx(ways, abs=1e-11)
    x = min(z, 0.5)
    assert Beta(50.0, 50.0 + 1e-9).log_p(x) == pytest.approx(float(Beta(50.0, 50.0).log_p(x)), rel=1e-9, abs=1e-7)


def test_probabilities_that_hardly_add_up_to_one_are_read_as_they_stand():
    # Ratios have to be those of the products of powers that everyone writes.
    concentration = np.array([1e4, 2e4, 3e4])
    x, y = np.array([0.2, 0.3, 0.5]) * (1 + 5e-9), np.array([0.17, 0.33, 0.5])
    ours = Dirichlet(concentration).log_p(x) - Dirichlet(concentration).log_p(y)
    assert ours == pytest.approx(((concentration - 1) * np.log(x / y)).sum(), rel=1e-11)


@pytest.mark.parametrize("size", [1e6, 1e10])
def test_a_dirichlet_of_two_is_a_beta(size):
    x = 0.25 + 1 / math.sqrt(size)
    assert Dirichlet([size, 3 * size]).log_p([x, 1 - x]) == pytest.approx(Beta(size, 3 * size).log_p(x), abs=1e-14 * size)
