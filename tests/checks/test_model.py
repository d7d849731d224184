"""log_joint against prior and simulate: right models of all kinds of blocks must not fail, and wrong ones be caught."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import gammaln

from mcassay import InverseWishart, StudentT, Subject
from mcassay.checks.base import Context
from mcassay.checks.model import CHECK
from mcassay.engine.budget import Budget
from mcassay.results import Verdict

# Each run of a right model fails with probability ALPHA at most.
ALPHA = 1e-6
SEEDS = range(2)


def still(state, data, rng):
    return state


def subject(prior, simulate, log_joint):
    return Subject(prior, simulate, still, log_joint=log_joint)


def check(checked, seed=0, sweeps=600):
    (result,) = CHECK.apply(checked, Context(seed, ALPHA, budget=Budget(sweeps)))
    return result


# Right models, most of them with a parameter that can be set wrong.


def normals(*, sd=1.0, prior_term=1.0, count=4):
    """mu ~ N(0, 2^2), x_i ~ N(mu, 1)."""

    def log_joint(state, x):
        return -prior_term * state["mu"] ** 2 / 8 - 0.5 * float(np.sum((x - state["mu"]) ** 2))

    return subject(
        lambda rng: {"mu": 2 * rng.standard_normal()}, lambda s, rng: s["mu"] + sd * rng.standard_normal(count), log_joint
    )


def variances(*, normaliser=1.0, jacobian=1.0):
    """v = 1 / Gamma(4), written on the log scale; x_i ~ N(0, v)."""

    def log_joint(state, x):
        v = math.exp(state["log_v"])
        return float(-5 * math.log(v) - 1 / v + jacobian * math.log(v) - normaliser * 2.5 * math.log(v) - 0.5 * x @ x / v)

    return subject(
        lambda rng: {"log_v": -math.log(rng.gamma(4.0))},
        lambda s, rng: math.exp(s["log_v"] / 2) * rng.standard_normal(5),
        log_joint,
    )


def positive(*, shape=3.0):
    """rate ~ Gamma(3), x_i ~ Exponential(rate): a density that is not asked to be finite below zero."""

    def log_joint(state, x):
        if state["rate"] <= 0 or np.any(x < 0):
            return -np.inf
        return float((shape - 1 + len(x)) * math.log(state["rate"]) - state["rate"] * (1 + x.sum()))

    return subject(lambda rng: {"rate": rng.gamma(3.0)}, lambda s, rng: rng.exponential(1 / s["rate"], size=3), log_joint)


def simplex(*, concentration=(0.8, 1.5, 3.0), normalised=True):
    """w ~ Dirichlet, counts ~ Multinomial(6, w)."""
    a = np.array(concentration)

    def log_joint(state, counts):
        return float((a + counts - 1) @ np.log(state["w"]) - (gammaln(counts + 1).sum() if normalised else 0.0))

    return subject(lambda rng: {"w": rng.dirichlet([0.8, 1.5, 3.0])}, lambda s, rng: rng.multinomial(6, s["w"]), log_joint)


def labels(*, shares=(0.5, 0.3, 0.2)):
    """z_i in three clusters with centres -2, 0 and 2, x_i ~ N(centre, 1)."""
    centres, log_shares = np.array([-2.0, 0.0, 2.0]), np.log(shares)

    def log_joint(state, x):
        return float(log_shares[state["z"]].sum() - 0.5 * np.sum((x - centres[state["z"]]) ** 2))

    return subject(
        lambda rng: {"z": rng.choice(3, p=[0.5, 0.3, 0.2], size=5)},
        lambda s, rng: centres[s["z"]] + rng.standard_normal(5),
        log_joint,
    )


def counts(*, factorial=True):
    """n ~ Poisson(4), y ~ Binomial(n, 0.4): the support of each depends on the other."""

    def log_joint(state, y):
        n = state["n"]
        if not 0 <= y <= n:
            return -np.inf
        return float(
            n * math.log(4 * 0.6) - (gammaln(n - y + 1) if factorial else 0.0) + y * math.log(0.4 / 0.6) - gammaln(y + 1)
        )

    return subject(lambda rng: {"n": int(rng.poisson(4))}, lambda s, rng: int(rng.binomial(s["n"], 0.4)), log_joint)


def matrices(*, degrees=6.0):
    """A covariance ~ InverseWishart(6), rows of data ~ N(0, covariance)."""
    right = InverseWishart(degrees, scale=3 * np.eye(2))

    def log_joint(state, x):
        sigma = state["sigma"]
        return (
            float(right.log_p(sigma)) - 1.5 * np.linalg.slogdet(sigma)[1] - 0.5 * float(np.sum(x * np.linalg.solve(sigma, x.T).T))
        )

    drawn = InverseWishart(6.0, scale=3 * np.eye(2))
    return subject(
        lambda rng: {"sigma": drawn.sample(rng)},
        lambda s, rng: rng.multivariate_normal(np.zeros(2), s["sigma"], size=3),
        log_joint,
    )


def constrained(*, correlation=0.0):
    """Two ordered numbers below each other, and a probability."""

    def prior(rng):
        low, high = np.sort(rng.standard_normal(2))
        return {"low": low, "high": high, "p": rng.beta(2, 3)}

    def log_joint(state, data):
        low, high, p = state["low"], state["high"], state["p"]
        if not (low < high and 0 < p < 1):
            return -np.inf
        return -0.5 * (low**2 + high**2) + correlation * low * high + math.log(p) + 2 * math.log1p(-p)

    return subject(prior, None, log_joint)


def heavy_tails(*, degrees=1.0):
    """A Cauchy location with Cauchy data."""
    right = StudentT(degrees)

    def log_joint(state, x):
        return float(StudentT(1.0).log_p(state["m"]) + np.sum(right.log_p(x - state["m"])))

    return subject(lambda rng: {"m": rng.standard_cauchy()}, lambda s, rng: s["m"] + rng.standard_cauchy(3), log_joint)


def tied(*, pooled=1.0):
    """Counts that follow from labels: neither can be moved alone; the weights can."""

    def prior(rng):
        w = rng.beta(2, 2)
        z = (rng.random(6) < w).astype(int)
        return {"w": w, "z": z, "ones": int(z.sum())}

    def log_joint(state, data):
        return float((1 + pooled * state["ones"]) * math.log(state["w"]) + (7 - pooled * state["ones"]) * math.log1p(-state["w"]))

    return subject(prior, None, log_joint)


def hierarchical(*, shared=True):
    """Groups that share their mean and precision; wrongly shared, the prior of the precision counts once a group."""

    def prior(rng):
        mu, tau = rng.standard_normal(), rng.gamma(3.0)
        return {"mu": mu, "tau": tau, "theta": mu + rng.standard_normal(3) / math.sqrt(tau)}

    def log_joint(state, x):
        mu, tau, theta = state["mu"], state["tau"], state["theta"]
        times = 1 if shared else len(theta)
        log_p = -0.5 * mu**2 + times * (2 * math.log(tau) - tau) + 1.5 * math.log(tau)
        return float(log_p - 0.5 * tau * np.sum((theta - mu) ** 2) - 0.5 * np.sum((x - theta) ** 2))

    return subject(prior, lambda s, rng: s["theta"] + rng.standard_normal(3), log_joint)


RIGHT = {
    f.__name__: f
    for f in (
        normals,
        variances,
        positive,
        simplex,
        labels,
        counts,
        matrices,
        constrained,
        heavy_tails,
        tied,
        hierarchical,
    )
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_model_does_not_fail(name, seed):
    result = check(RIGHT[name](), seed, sweeps=400)
    assert result.verdict in (Verdict.PASS, Verdict.UNCLEAR), result.message


WRONG = {
    "data too wide": lambda: normals(sd=1.6),
    "data too narrow": lambda: normals(sd=0.6),
    "prior forgotten": lambda: normals(prior_term=0.0),
    "normaliser forgotten": lambda: variances(normaliser=0.0),
    "Jacobian forgotten": lambda: variances(jacobian=0.0),
    "another shape": lambda: positive(shape=5.0),
    "another concentration": lambda: simplex(concentration=(2.0, 1.5, 3.0)),
    "other shares": lambda: labels(shares=(0.2, 0.3, 0.5)),
    "factorial of the state forgotten": lambda: counts(factorial=False),
    "other degrees of freedom": lambda: matrices(degrees=9.0),
    "correlation invented": lambda: constrained(correlation=0.7),
    "tails too light": lambda: heavy_tails(degrees=5.0),
    "counted twice": lambda: tied(pooled=0.0),
    "prior counted once a group": lambda: hierarchical(shared=False),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_model_is_caught(name):
    result = check(WRONG[name](), sweeps=4000)
    assert result.verdict is Verdict.FAIL, result.message
    assert result.cause.startswith("log_joint and prior")


def test_a_term_of_the_data_alone_may_be_left_out():
    result = check(simplex(normalised=False), sweeps=1500)
    assert result.verdict is Verdict.PASS, result.message


def test_a_support_that_excludes_draws_is_caught_at_once():
    def narrow(state, x):
        return log_joint(state, x) if state["rate"] < 2 else -np.inf

    log_joint = positive().log_joint
    result = check(replace(positive(), log_joint=narrow))
    assert result.verdict is Verdict.FAIL
    assert "what they can draw, log_joint calls impossible" in result.message


def test_a_block_that_log_joint_ignores_is_unclear():
    right = normals()
    ignoring = replace(right, prior=lambda rng: {**right.prior(rng), "extra": rng.standard_normal()})
    result = check(ignoring)
    assert result.verdict is Verdict.UNCLEAR
    assert 'log_joint does not depend on "extra"' in result.message


def test_too_few_runs_are_no_pass():
    result = check(normals(), sweeps=8)
    assert result.verdict is Verdict.UNCLEAR
    assert "too few to rule anything out" in result.message


def test_blocks_that_can_not_be_moved_are_told():
    def prior(rng):
        x = rng.standard_normal(3)
        return {"direction": x / np.linalg.norm(x)}

    result = check(subject(prior, None, lambda state, data: 0.0))
    assert result.verdict is Verdict.SKIPPED
    assert '"direction" (its vectors have a fixed length)' in result.message


def test_it_is_skipped_without_log_joint():
    assert check(Subject(lambda rng: {"x": rng.normal()}, None, still)).verdict is Verdict.SKIPPED
