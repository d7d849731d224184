"""The parameters that the joint implies are right to the digits that are claimed for them, in every exponential family."""

import numpy as np
import pytest

from mcassay import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    Gibbs,
    InverseGamma,
    InverseWishart,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Poisson,
    Subject,
    Verdict,
    Wishart,
)
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK

SEEDS = (0, 1, 2)


def positive_definite(dimension, seed=0):
    root = np.random.default_rng(seed).normal(size=(dimension, dimension))
    return root @ root.T + dimension * np.eye(dimension)


def normals():
    for name in ("variance", "sd", "precision"):
        yield f"normal by {name}", Normal(1.0, **{name: 2.0}), Normal(1.3, **{name: 2.1})
    yield "normal far out", Normal(1e6, sd=1.0), Normal(1e6, sd=1.01)
    yield "normal far out, mean", Normal(1e6, sd=1.0), Normal(1e6 + 0.1, sd=1.0)
    yield "normal, tiny", Normal(1e-9, sd=1e-9), Normal(2e-9, sd=1e-9)
    yield "normal 100 times too wide", Normal(0.5, sd=1.0), Normal(0.5, sd=100.0)
    yield "normal 100 times too narrow", Normal(0.5, sd=100.0), Normal(0.5, sd=1.0)
    yield "normal 10^8 sd off", Normal(1e4, sd=1e-4), Normal(0.0, sd=1.0)
    yield "normal 100 sd off", Normal(100.0, sd=1.0), Normal(0.0, sd=1.0)
    yield "batch of normals", Normal([0.0, 1.0, 2.0], sd=1.0), Normal([0.0, 1.1, 2.0], sd=1.0)


def positives():
    for name in ("rate", "scale"):
        yield f"gamma by {name}", Gamma(3.0, **{name: 2.0}), Gamma(3.5, **{name: 2.2})
        yield f"gamma by {name}, 100 times", Gamma(3.0, **{name: 2.0}), Gamma(3.0, **{name: 200.0})
        yield f"gamma by {name}, 1/100", Gamma(3.0, **{name: 2.0}), Gamma(3.0, **{name: 0.02})
    yield "beta at the other end", Beta(1e4, 1.0), Beta(1.0, 1e4)
    yield "gamma of a small shape", Gamma(0.01, scale=2.0), Gamma(0.02, scale=2.0)
    yield "gamma of shape 10^6", Gamma(1e6, rate=1e6), Gamma(1e6 + 1, rate=1e6)
    yield "inverse gamma", InverseGamma(23.0, scale=31.0), InverseGamma(23.0, scale=31.56)
    yield "inverse gamma, 100 times", InverseGamma(3.0, scale=3.0), InverseGamma(3.0, scale=300.0)
    yield "inverse gamma of shape 10^6", InverseGamma(1e6, scale=1e6), InverseGamma(1e6 + 1, scale=1e6)
    yield "inverse gamma, beyond squares", InverseGamma(3.0, scale=1e200), InverseGamma(3.0, scale=1.02e200)
    yield "inverse gamma, below squares", InverseGamma(3.0, scale=1e-200), InverseGamma(3.0, scale=1.02e-200)
    yield "exponential", Exponential(rate=3.0), Exponential(rate=300.0)


def fractions():
    yield "beta", Beta(2.0, 3.0), Beta(3.0, 2.0)
    yield "beta of small shapes", Beta(0.2, 0.3), Beta(0.3, 0.2)
    yield "beta, 100 times", Beta(2.0, 3.0), Beta(200.0, 3.0)
    yield "dirichlet", Dirichlet([11.0, 2.0, 3.0, 5.0, 0.5]), Dirichlet([1.0, 2.5, 3.0, 5.0, 0.5])
    yield "batch of dirichlets", Dirichlet([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]), Dirichlet([[1.0, 2.0, 3.0], [1.0, 1.0, 2.0]])


def integers():
    five = [0.1, 0.2, 0.3, 0.15, 0.25]
    yield "categorical", Categorical.from_probabilities(five), Categorical.from_probabilities(five[::-1])
    yield (
        "categorical, 100 times",
        Categorical.from_probabilities([0.001, 0.399, 0.6]),
        Categorical.from_probabilities([0.1, 0.3, 0.6]),
    )
    yield "categorical by log odds", Categorical.from_log_odds(np.log(five)), Categorical.from_log_odds([3.0, 0.0, 1.0, 1.0, 1.0])
    yield (
        "categorical with zeros",
        Categorical.from_probabilities([0.3, 0.7, 0.0]),
        Categorical.from_probabilities([0.5, 0.5, 0.0]),
    )
    yield (
        "batch of categoricals",
        Categorical.from_probabilities([[0.1, 0.9, 0.0], [0.2, 0.2, 0.6]]),
        Categorical.from_probabilities([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5]]),
    )
    yield "bernoulli", Bernoulli(0.3), Bernoulli(0.7)
    yield "binomial", Binomial(1000, 0.3), Binomial(1000, 0.7)
    yield "poisson", Poisson(3.0), Poisson(4.0)
    yield "poisson, 100 times", Poisson(3.0), Poisson(300.0)
    yield "poisson, 1/100", Poisson(300.0), Poisson(3.0)


def matrices(dimension):
    right, wrong = positive_definite(dimension), 1.1 * positive_definite(dimension)
    mean = np.arange(dimension) + 1.0
    for name in ("covariance", "precision"):
        yield (
            f"normal of {dimension} by {name}",
            MultivariateNormal(mean, **{name: right}),
            MultivariateNormal(mean, **{name: wrong}),
        )
    roots = np.linalg.cholesky(right), np.linalg.cholesky(wrong)
    yield (
        f"normal of {dimension} by root",
        MultivariateNormal(mean, cholesky=roots[0]),
        MultivariateNormal(mean + 1, cholesky=roots[1]),
    )
    for name in ("scale", "rate"):
        yield (
            f"wishart {dimension} by {name}",
            Wishart(dimension + 3.0, **{name: right}),
            Wishart(dimension + 2.0, **{name: wrong}),
        )
    yield f"wishart {dimension}, 100 times", Wishart(dimension + 3.0, scale=right), Wishart(dimension + 3.0, scale=100 * right)
    yield (
        f"inverse wishart {dimension}",
        InverseWishart(dimension + 3.0, scale=right),
        InverseWishart(dimension + 4.0, scale=wrong),
    )


def matrices_of_few_degrees():
    """Flatter members of their families than these do not exist, so that fewer values are at hand."""
    for dimension in (5, 6):
        right = positive_definite(dimension)
        degrees = dimension + 3.0
        yield (
            f"inverse wishart {dimension} of few degrees",
            InverseWishart(degrees, scale=right),
            InverseWishart(degrees + 0.5, scale=right),
        )
        yield f"wishart {dimension} of few degrees", Wishart(dimension, scale=right), Wishart(dimension, scale=1.5 * right)


def pairs():
    yield (
        "normal inverse gamma, far out",
        NormalInverseGamma(2e8, mean_count=2.0, shape=3.0, scale=40.0),
        NormalInverseGamma(2e8, mean_count=3.0, shape=3.0, scale=40.0),
    )
    yield (
        "normal inverse gamma",
        NormalInverseGamma(1e6, mean_count=2.0, shape=3.0, scale=4.0),
        NormalInverseGamma(1e6, mean_count=2.0, shape=4.0, scale=4.0),
    )
    yield (
        "batch of normal inverse gammas",
        NormalInverseGamma([0.5, 1.5, 2.0], mean_count=2.0, shape=3.0, scale=4.0),
        NormalInverseGamma([0.5, 1.0, 2.0], mean_count=2.0, shape=3.0, scale=4.0),
    )
    for dimension in (1, 2, 3):
        rest = {"degrees_of_freedom": dimension + 3.0, "scale": positive_definite(dimension)}
        mean = np.arange(dimension) + 1.0
        yield (
            f"normal inverse wishart {dimension}",
            NormalInverseWishart(mean, mean_count=2.0, **rest),
            NormalInverseWishart(mean, mean_count=3.0, **rest),
        )


CASES = [
    *normals(),
    *positives(),
    *fractions(),
    *integers(),
    *matrices(1),
    *matrices(2),
    *matrices(4),
    *matrices_of_few_degrees(),
    *pairs(),
]


def subject_of(true, claimed):
    """A subject whose joint is the one distribution and whose conditional is the other."""
    if claimed.support != "pair":
        return Subject(
            lambda rng: {"x": claimed.sample(rng)},
            None,
            Gibbs({"x": lambda state, data: claimed}),
            log_joint=lambda state, data: float(np.sum(true.log_p(state["x"]))),
        )
    return Subject(
        lambda rng: dict(zip("ab", claimed.sample(rng), strict=True)),
        None,
        Gibbs({("a", "b"): lambda state, data: claimed}),
        log_joint=lambda state, data: float(np.sum(true.log_p((state["a"], state["b"])))),
    )


def failure_of(true, claimed, seed):
    (result,) = CHECK.apply(subject_of(true, claimed), Context(seed=seed))
    assert result.verdict is Verdict.FAIL, result.message
    return result


def as_claimed(true, implied):
    """The parameters in the words that the answer uses: log odds come back as probabilities."""
    return {"probabilities": true.probabilities} if "probabilities" in implied else true.parameters


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("true", "claimed"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_the_implied_parameters_are_right_to_the_digits_claimed(true, claimed, seed):
    details = failure_of(true, claimed, seed).details
    parameters = as_claimed(true.component(tuple(details["component"])), details["implied"])
    assert details["implied"].keys() == parameters.keys()
    for name, value in details["implied"].items():
        size = np.abs(parameters[name]).max()
        digits = details["digits"][name]
        assert digits >= 6
        assert np.abs(value - parameters[name]).max() <= 10.0**-digits * size


@pytest.mark.parametrize("seed", range(20))
def test_the_digits_hold_for_random_members_of_a_family(seed):
    rng = np.random.default_rng(seed)
    shape, rate = 10 ** rng.uniform(-2, 5, size=2)
    true, claimed = Gamma(shape, rate=rate), Gamma(shape * rng.uniform(0.5, 2), rate=rate * rng.uniform(0.5, 2))
    details = failure_of(true, claimed, seed).details
    for name, value in details["implied"].items():
        assert abs(value - true.parameters[name]) <= 10.0 ** -details["digits"][name] * true.parameters[name]


@pytest.mark.parametrize(("noise", "digits"), [(1e-3, 3), (1e-6, 6), (1e-9, 9)])
def test_noise_in_the_joint_costs_digits(noise, digits):
    from mcassay.checks.implied import implied

    rng = np.random.default_rng(3)
    true = Normal(1.0, sd=2.0)
    found = implied(Normal(0.0, sd=1.0), lambda x: float(true.log_p(x)) + noise * rng.normal(), lambda heights: noise, rng)
    assert found.digits["sd"] <= digits
    assert abs(found.distribution.sd - 2.0) <= 10.0 ** -found.digits["sd"] * 2.0


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_ratios_are_told_at_any_scale(scale):
    result = failure_of(InverseGamma(3.0, scale=scale), InverseGamma(3.0, scale=1.02 * scale), 0)
    assert "scale is 1.02 times too large here" in result.message


def test_a_conditional_too_far_off_for_an_answer_says_so():
    result = failure_of(Normal(0.0, sd=1.0), Normal(1e4, sd=1e-4), 0)
    assert "the joint says otherwise, and its values where that lies do not tell what" in result.message
    assert "?" not in result.message
