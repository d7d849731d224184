"""Distributions: named broken ones that must be caught with the right words, and right ones that must not fail."""

import math

import numpy as np
import pytest
import scipy.stats

from mcassay import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Cycle,
    Dirichlet,
    Exponential,
    Gamma,
    Gibbs,
    InputError,
    InverseGamma,
    InverseWishart,
    MetropolisHastings,
    MultivariateNormal,
    MultivariateStudentT,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Poisson,
    StudentT,
    Subject,
    Uniform,
    Wishart,
)
from mcassay.checks import Context
from mcassay.checks.distributions import CHECK, check_distribution
from mcassay.results import Verdict

SEEDS = range(3)
SPREAD = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 1.5]])


class Made:
    """A user's own class: log_p and sample, no more."""

    def __init__(self, log_p, sample, **moments):
        self.log_p, self.sample = log_p, sample
        for name, value in moments.items():
            setattr(self, name, value)


def of(claimed, drawn, **moments):
    """Claim the density of one distribution and draw from another."""
    return Made(claimed.log_p, lambda rng: drawn.sample(rng), **moments)


def scalar_only(log_p):
    def one(x):
        if np.ndim(x):
            raise TypeError("one number at a time")
        return log_p(x)

    return one


RIGHT = {
    "normal": Normal(1e6, sd=1.0),
    "two normals": Normal([0.0, 5.0], sd=[1.0, 3.0]),
    "matrix of normals": Normal(np.zeros((3, 4)), sd=1.0),
    "many normals": Normal(np.zeros(100_000), sd=1.0),
    "gamma near zero": Gamma(0.3, rate=5.0),
    "sharp gamma": Gamma(80.0, scale=1e-5),
    "heavy inverse gamma": InverseGamma(0.7, scale=3.0),
    "sharp inverse gamma": InverseGamma(1e5, scale=1e5),
    "beta at both ends": Beta(0.4, 0.6),
    "beta": Beta(30.0, 1.5),
    "uniform": Uniform(-3.0, 1.0),
    "exponential": Exponential(rate=4.0),
    "no mean": StudentT(0.8, location=2.0, scale=3.0),
    "poisson": Poisson([0.1, 3.0, 60.0]),
    "binomial": Binomial(12, 0.3),
    "bernoulli": Bernoulli([0.3, 0.0, 1.0]),
    "categorical": Categorical.from_probabilities([0.2, 0.0, 0.3, 0.5]),
    "many categoricals": Categorical.from_log_odds(np.tile([0.0, 1.0, -40.0], (100_000, 1))),
    "dirichlet": Dirichlet([1.0, 2.0, 3.0]),
    "dirichlet at its corners": Dirichlet([0.05, 0.4, 0.2]),
    "two dirichlets": Dirichlet([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
    "multivariate normal": MultivariateNormal([0.0, 1.0, 2.0], covariance=SPREAD),
    "multivariate t": MultivariateStudentT(2.0, location=[0.0, 1.0, 2.0], scale_matrix=SPREAD),
    "wishart": Wishart(4.5, scale=SPREAD),
    "inverse wishart": InverseWishart(5.0, scale=SPREAD),
    "normal inverse gamma": NormalInverseGamma(0.0, mean_count=2.0, shape=3.0, scale=4.0),
    "normal inverse wishart": NormalInverseWishart([0.0, 1.0, 2.0], mean_count=2.0, degrees_of_freedom=5.0, scale=SPREAD),
    "scipy's normal": scipy.stats.norm(0, 1),
    "scipy's gamma": scipy.stats.gamma(0.1),
    "scipy's multinomial": scipy.stats.multinomial(10, [0.2, 0.3, 0.5]),
    "scipy's multivariate t": scipy.stats.multivariate_t([0, 1], [[1, 0.5], [0.5, 1]], df=3),
    "scipy's truncated normal": scipy.stats.truncnorm(-1, 2),
    "scipy's zeta": scipy.stats.zipf(2.5),
    "scipy's histogram": scipy.stats.rv_histogram(np.histogram([0.0, 1.0, 1.5, 1.7, 4.0], bins=4)),
    "own, one number at a time": Made(scalar_only(Normal(2.0, sd=3.0).log_p), Normal(2.0, sd=3.0).sample, mean=2.0, variance=9.0),
    "own, sum over a vector": Made(lambda x: Normal(0.0, sd=1.0).log_p(x).sum(), Normal(np.zeros(3), sd=1.0).sample),
    "own table": Made(lambda x: np.log(np.array([0.2, 0.3, 0.5]))[x], lambda rng: rng.choice(3, p=[0.2, 0.3, 0.5])),
    "own exponential, silent about its edge": Made(lambda x: -x, lambda rng: rng.exponential(), mean=1.0),
    "own half normal, silent about its edge": Made(
        lambda x: math.log(2) + Normal(0.0, sd=1.0).log_p(x), lambda rng: abs(rng.normal()), mean=math.sqrt(2 / math.pi)
    ),
    "own mixture far apart": Made(
        lambda x: np.logaddexp(Normal(0.0, sd=1.0).log_p(x), Normal(1e4, sd=1e-3).log_p(x)) - math.log(2),
        lambda rng: rng.normal(0.0, 1.0) if rng.random() < 0.5 else rng.normal(1e4, 1e-3),
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_right_distributions_pass(name, seed):
    result = check_distribution(RIGHT[name], np.random.default_rng(seed))
    assert result.verdict is Verdict.PASS, result.message


def test_a_normal_none_of_whose_draws_is_negative_is_not_taken_for_a_positive_variable():
    # With 24,000 draws, about half of the seeds draw nothing below zero; the rest of the mass moves the mean by 1.3e-4.
    results = [check_distribution(Normal(4.0, sd=1.0), np.random.default_rng(seed)) for seed in range(20)]
    assert [result.message for result in results if result.verdict is not Verdict.PASS] == []


# What has no density that could be compared, as far as floating numbers can tell, is never called wrong.
UNKNOWN = {
    "circle": scipy.stats.vonmises(2.0),
    "sphere": scipy.stats.vonmises_fisher([1, 0, 0], 3.0),
    "underflow": Gamma(1e-3, rate=1.0),
    "underflow at both ends": Beta(1e-3, 1e-3),
    "scipy's underflow": scipy.stats.beta(1e-2, 1.0),
    "atoms": Made(lambda x: math.log(0.5), lambda rng: rng.choice([0.5, 1.7])),
    "points": Dirichlet([1e-4, 1e-4, 1e-4]),
    "orthogonal": Made(lambda x: 0.0, lambda rng: scipy.stats.ortho_group(3).rvs(random_state=rng)),
    "correlations": Made(lambda x: 0.0, lambda rng: scipy.stats.random_correlation.rvs([0.5, 0.8, 1.7], random_state=rng)),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_can_not_be_compared_is_not_called_wrong(name):
    result = check_distribution(UNKNOWN[name], np.random.default_rng(1))
    assert result.verdict in (Verdict.UNCLEAR, Verdict.PASS), result.message


CONCENTRATION = np.array([2.0, 0.5, 4.0])
ROWS = np.array([0.2, 0.3, 0.5])

BROKEN = {
    "not a number": (Made(lambda x: math.nan, Normal(0.0, sd=1.0).sample), "to which log_p gives NaN", "draws)", 0),
    "sd for variance": (of(Normal(0.0, variance=4.0), Normal(0.0, sd=4.0)), "log_p has mean", "and sd 2", 1),
    "variance for sd": (of(Normal([0.0, 1.0], sd=4.0), Normal([0.0, 1.0], variance=4.0)), "does not draw from", "", 1),
    "rate for scale": (of(Gamma(3.0, scale=2.0), Gamma(3.0, rate=2.0)), "does not draw from", "log_p has mean 6", 1),
    "precision for variance": (of(Normal(0.0, variance=4.0), Normal(0.0, precision=4.0)), "does not draw from", "", 1),
    "five per cent": (of(Normal(3.0, sd=1.0), Normal(3.0, sd=1.05)), "does not draw from", "", 1),
    "five per cent too little": (of(Normal(0.0, sd=1.0), Normal(0.0, sd=0.95)), "does not draw", "", 1),
    "no normalisation": (
        Made(lambda x: -0.5 * x**2, Normal(0.0, sd=1.0).sample),
        "adds up to 2.50663 instead of 1",
        "not affected",
        0,
    ),
    "half the line": (
        Made(lambda x: np.where(x > 0, Normal(0.0, sd=1.0).log_p(x), -np.inf), lambda rng: abs(rng.normal())),
        "adds up to 0.5 instead of 1",
        "not affected",
        0,
    ),
    "no factorial": (
        Made(lambda k: k * math.log(3.0) - 3.0, Poisson(3.0).sample),
        "does not draw from",
        "",
        1,
    ),
    "no Jacobian": (
        Made(lambda x: Normal(0.0, sd=0.5).log_p(np.log(x)), lambda rng: math.exp(rng.normal(0.0, 0.5))),
        "log_p adds up to 1.13315",
        "does not draw from",
        1,
    ),
    "wrong mean": (of(Gamma(3.0, rate=2.0), Gamma(3.0, rate=2.0), mean=6.0), "its mean is 6, that of log_p is 1.5", "", 0),
    "sd for variance in moments": (
        of(Normal(0.0, sd=3.0), Normal(0.0, sd=3.0), variance=lambda: 3.0),
        "its variance is 3, that of log_p is 9",
        "",
        0,
    ),
    "wishart with one degree too many": (of(Wishart(5.0, scale=SPREAD), Wishart(6.0, scale=SPREAD)), "does not draw from", "", 1),
    "wishart of the inverse": (
        of(Wishart(5.0, scale=SPREAD), Wishart(5.0, scale=np.linalg.inv(SPREAD))),
        "does not draw from",
        "",
        1,
    ),
    "wishart without normalisation": (
        Made(lambda x: Wishart(5.0, scale=SPREAD).log_p(x) + 1.0, Wishart(5.0, scale=SPREAD).sample),
        "adds up to about 2.",
        "not affected",
        0,
    ),
    "dirichlet without its concentration": (of(Dirichlet(CONCENTRATION), Dirichlet(np.ones(3))), "does not draw from", "", 1),
    "dirichlet in reverse": (of(Dirichlet(CONCENTRATION), Dirichlet(CONCENTRATION[::-1])), "does not draw from", "", 1),
    "one category off": (
        of(Categorical.from_probabilities(ROWS), Categorical.from_probabilities(np.roll(ROWS, 1))),
        "does not draw from",
        "",
        1,
    ),
    "a category that does not exist": (
        Made(lambda x: np.where(x < 3, np.log(ROWS)[np.minimum(x, 2)], -np.inf), lambda rng: 1 + rng.choice(3, p=ROWS)),
        "sample() draws 3, to which log_p gives probability zero",
        "",
        0,
    ),
    "multinomial with other probabilities": (
        Made(scipy.stats.multinomial(10, ROWS).logpmf, lambda rng: rng.multinomial(10, ROWS[::-1])),
        "does not draw from",
        "",
        1,
    ),
    "covariance for cholesky": (
        of(MultivariateNormal([0.0, 1.0, 2.0], covariance=SPREAD), MultivariateNormal([0.0, 1.0, 2.0], cholesky=np.tril(SPREAD))),
        "does not draw from",
        "",
        1,
    ),
    "correlation of the wrong sign": (
        of(
            MultivariateNormal([0.0, 0.0], covariance=[[1.0, 0.3], [0.3, 1.0]]),
            MultivariateNormal([0.0, 0.0], covariance=[[1.0, -0.3], [-0.3, 1.0]]),
        ),
        "does not draw from",
        "",
        1,
    ),
    "one of many": (
        of(Normal(np.zeros(6), sd=1.0), Normal(np.zeros(6), sd=[1.0, 1.0, 1.0, 1.3, 1.0, 1.0])),
        "does not draw from",
        "",
        1,
    ),
    "never negative": (of(Normal(0.0, sd=1.0), Gamma(2.0, rate=2.0)), "does not draw from", "", 1),
    "outside": (of(Uniform(0.0, 1.0), Uniform(0.0, 1.1)), "to which log_p gives probability zero", "", 0),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_distributions_fail_and_the_message_says_why(name, seed):
    distribution, words, more, statistical = BROKEN[name]
    result = check_distribution(distribution, np.random.default_rng(seed))
    assert result.verdict is Verdict.FAIL, result.message
    assert words in result.message
    assert more in result.message
    assert not statistical or result.log10_evidence > 6


def test_blocks_of_size_zero_are_skipped():
    nothing = Gibbs({"x": lambda s, d: Normal(np.zeros((0, 3)), sd=1.0), "z": lambda s, d: Poisson(np.zeros(0))})
    subject = Subject(lambda rng: {"x": np.zeros((0, 3)), "z": np.zeros(0, int)}, None, nothing)
    assert {result.verdict for result in CHECK.apply(subject, Context(0))} == {Verdict.SKIPPED}


def prior(rng):
    return {"place": rng.normal(), "rate": rng.gamma(3.0), "label": int(rng.integers(3))}


CONDITIONALS = {
    "place": lambda state, data: Normal(0.0, sd=1.0),
    "rate": lambda state, data: scipy.stats.gamma(3.0),
    "label": lambda state, data: Categorical.from_probabilities([1 / 3, 1 / 3, 1 / 3]),
}


def check(step, seed=0, **further):
    return CHECK.apply(Subject(prior, None, step, **further), Context(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_conditionals_of_a_sampler_pass(seed):
    results = check(Gibbs(CONDITIONALS), seed)
    assert [result.target for result in results] == ["update:place", "update:rate", "update:label"]
    assert all(result.verdict is Verdict.PASS for result in results), [result.message for result in results]


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_broken_conditional_fails(seed):
    wrong = of(Gamma(3.0, scale=2.0), Gamma(3.0, rate=2.0))
    results = check(Gibbs({**CONDITIONALS, "rate": lambda state, data: wrong}), seed)
    assert [result.verdict for result in results] == [Verdict.PASS, Verdict.FAIL, Verdict.PASS]
    assert 'the conditional of "rate": sample() does not draw from the density that log_p claims' in results[1].cause


def test_a_proposal_without_normalisation_may_matter():
    def propose(state, data):
        sd = 0.5 + abs(state["place"])
        return Made(lambda x: -0.5 * ((x - state["place"]) / sd) ** 2, Normal(state["place"], sd=sd).sample)

    (result,) = check(Cycle({"walk": MetropolisHastings(propose, blocks="place")}))
    assert result.verdict is Verdict.FAIL
    assert "the acceptance ratio is wrong if the missing constant depends on the state" in result.message


def test_what_does_not_apply_says_why():
    (bare,) = check(lambda state, data, rng: state)
    assert (bare.verdict, bare.target) == (Verdict.SKIPPED, "sweep")
    (carry,) = check(Gibbs(CONDITIONALS), init=lambda state, data, rng: state, position=lambda carry: carry)
    assert "carries more than the state" in carry.message


def test_the_same_seed_gives_the_same_result():
    first, second = (check_distribution(Dirichlet([1.0, 2.0]), np.random.default_rng(5)) for _ in range(2))
    assert first == second


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"check_distribution: distribution must be a distribution, but found the number"):
        check_distribution(0.3, np.random.default_rng(1))
    with pytest.raises(InputError, match=r"check_distribution: alpha must be a number above 0 and at most 0.5, but found 'a'"):
        check_distribution(Normal(0.0, sd=1.0), np.random.default_rng(0), alpha="a")
    with pytest.raises(InputError, match=r"check_distribution: alpha must be a number above 0 and at most 0.5, but found 2"):
        check_distribution(Normal(0.0, sd=1.0), np.random.default_rng(1), alpha=2)
