"""How often the check of distributions calls a right one wrong, and how often it finds a wrong one: measured over many seeds.

At alpha = 0.05, more alarms than the 1 - 1e-6 quantile of a binomial with that probability would show that the claim is wrong.
"""

import numpy as np
import pytest
import scipy.stats

from mcassay import (
    Categorical,
    Dirichlet,
    Gamma,
    InverseGamma,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    Poisson,
    StudentT,
    Wishart,
)
from mcassay.checks.distributions import check_distribution
from mcassay.results import Verdict

ALPHA = 0.05
RUNS = 300
MOST = scipy.stats.binom(RUNS, ALPHA).isf(1e-6)
SPREAD = np.array([[2.0, 0.5], [0.5, 1.0]])

RIGHT = [
    Normal(1.0, sd=2.0),
    Normal(np.zeros(6), sd=1.0),
    StudentT(0.8),
    Gamma(0.3, rate=2.0),
    InverseGamma(2.0, scale=1.0),
    Poisson(3.0),
    Categorical.from_probabilities([[0.2, 0.3, 0.5], [0.0, 0.9, 0.1]]),
    Dirichlet([0.5, 2.0, 3.0]),
    MultivariateNormal([0.0, 1.0], covariance=SPREAD),
    Wishart(3.0, scale=SPREAD),
    NormalInverseGamma(0.0, mean_count=2.0, shape=3.0, scale=4.0),
    scipy.stats.multinomial(5, [0.2, 0.3, 0.5]),
]


@pytest.mark.parametrize("distribution", RIGHT, ids=lambda value: repr(value)[:40])
def test_right_distributions_fail_no_oftener_than_stated(distribution):
    results = [check_distribution(distribution, np.random.default_rng([2014, run]), alpha=ALPHA) for run in range(RUNS)]
    assert sum(result.verdict is Verdict.FAIL for result in results) <= MOST
    assert all(result.verdict in (Verdict.PASS, Verdict.FAIL) for result in results)


class Off:
    """The density of one distribution and the draws of another."""

    def __init__(self, claimed, drawn):
        self.log_p, self.drawn = claimed.log_p, drawn

    def sample(self, rng):
        return self.drawn.sample(rng)


WRONG = {
    "sd 5 % off": Off(Normal(0.0, sd=1.0), Normal(0.0, sd=1.05)),
    "mean 0.1 sd off": Off(Normal(0.0, sd=1.0), Normal(0.1, sd=1.0)),
    "scale 10 % off": Off(Gamma(5.0, scale=1.0), Gamma(5.0, scale=1.1)),
    "degrees of freedom off by one": Off(Wishart(5.0, scale=SPREAD), Wishart(6.0, scale=SPREAD)),
    "no concentration": Off(Dirichlet([2.0, 0.5, 4.0]), Dirichlet([1.0, 1.0, 1.0])),
    "one category off": Off(Categorical.from_probabilities([0.2, 0.3, 0.5]), Categorical.from_probabilities([0.5, 0.2, 0.3])),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_samplers_are_found_at_the_alpha_of_an_assay(name):
    results = [check_distribution(WRONG[name], np.random.default_rng([2015, run])) for run in range(30)]
    # With a power of 0.99, fewer than 25 of 30 are found with a probability below 1e-6.
    assert sum(result.verdict is Verdict.FAIL for result in results) >= 25
