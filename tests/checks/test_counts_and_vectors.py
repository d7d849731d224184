"""Conditionals of counts: large ones, rare ones, vectors of fixed sum; and implied parameters of matrices next to singular."""

import numpy as np
import pytest
import scipy.stats

from mcassay import Bernoulli, Binomial, Categorical, Gibbs, NormalInverseWishart, Poisson, Subject, Verdict
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK
from mcassay.models.mixture import IsotropicMixture

SEEDS = (0, 1, 2)


def result_of(prior, conditional, log_joint, *, simulate=None, seed=0):
    subject = Subject(prior, simulate, Gibbs({"x": conditional}), log_joint=log_joint)
    (result,) = CHECK.apply(subject, Context(seed=seed))
    return result


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rate", [120, 256, 1000, 10**6, 10**9])
@pytest.mark.parametrize(("share", "verdict"), [(0.7, Verdict.PASS), (0.7 + 1e-5, Verdict.FAIL)])
def test_large_counts_are_rounded_more_than_their_log_densities_tell(rate, share, verdict, seed):
    # Of a Poisson number of things, three in ten are seen; how many there are is the seen ones and a Poisson number of others.
    def log_joint(state, data):
        return scipy.stats.poisson.logpmf(state["x"], rate) + float(Binomial(state["x"], 0.3).log_p(data))

    result = result_of(
        lambda rng: {"x": rng.poisson(rate)},
        lambda state, data: scipy.stats.poisson(share * rate, loc=data),
        log_joint,
        simulate=lambda state, rng: rng.binomial(state["x"], 0.3),
        seed=seed,
    )
    assert result.verdict is verdict


RARE = {
    "Poisson": (Poisson(0.01), Poisson(0.014)),
    "scipy's Poisson": (Poisson(0.01), scipy.stats.poisson(0.014)),
    "Poissons": (Poisson([0.01, 0.02]), Poisson([0.01, 0.03])),
    "binomial": (Binomial(5, 1e-3), Binomial(5, 2e-3)),
    "binomials": (Binomial([5, 500], 1e-4), Binomial([5, 500], [1e-4, 2e-4])),
    "scipy's Bernoulli": (Bernoulli(1e-3), scipy.stats.bernoulli(2e-3)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RARE)
def test_wrong_probabilities_of_rare_events_are_found_though_none_happens(name, seed):
    true, claimed = RARE[name]

    def log_joint(state, data):
        return float(np.sum(true.log_p(state["x"])))

    def verdict(conditional):
        return result_of(lambda rng: {"x": true.sample(rng)}, lambda s, d: conditional, log_joint, seed=seed).verdict

    assert verdict(claimed) is Verdict.FAIL
    assert verdict(true) is Verdict.PASS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("shares", "verdict"), [([0.2, 0.3, 0.5], Verdict.PASS), ([0.2, 0.35, 0.45], Verdict.FAIL)])
def test_counts_of_a_fixed_sum_are_one_value(shares, verdict, seed):
    # The log joint does not look at the sum, as nobody's does.
    def log_joint(state, data):
        return float(-scipy.special.gammaln(state["x"] + 1).sum() + state["x"] @ np.log([0.2, 0.3, 0.5]))

    result = result_of(
        lambda rng: {"x": rng.multinomial(10, [0.2, 0.3, 0.5])},
        lambda state, data: scipy.stats.multinomial(10, shares),
        log_joint,
        seed=seed,
    )
    assert result.verdict is verdict


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("where", [(777, 2), (slice(None), 1)], ids=["one point of a thousand", "one cluster"])
def test_a_mistake_in_one_point_or_one_cluster(where, seed):
    model = IsotropicMixture(clusters=4, points=1000)

    def cond_z(state, data):
        log_odds = model.cond_z(state, data).natural_parameters.copy()
        log_odds[where] += 1e-3
        return Categorical.from_log_odds(log_odds)

    verdicts = {result.target: result.verdict for result in CHECK.apply(model.subject(z=cond_z), Context(seed=seed))}
    assert verdicts.pop("update:z") is Verdict.FAIL
    assert set(verdicts.values()) == {Verdict.PASS}


@pytest.mark.parametrize("seed", range(10))
def test_small_clusters_of_every_size_are_tried(seed):
    model = IsotropicMixture(clusters=4, points=1000)

    def cond_mu(state, data):
        right, pairs = model.cond_mu(state, data), model.cluster_sizes(state) == 2
        return type(right)(right.mean + 0.1 * pairs[:, np.newaxis], variance=right.variance)

    verdicts = {result.target: result.verdict for result in CHECK.apply(model.subject(mu=cond_mu), Context(seed=seed))}
    assert verdicts.pop("update:mu") is Verdict.FAIL
    assert set(verdicts.values()) == {Verdict.PASS}


@pytest.mark.parametrize("seed", range(10))
def test_matrices_next_to_singular_do_not_hide_the_family(seed):
    # So few degrees of freedom make draws of which no inverse is good for many digits.
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(2, 2))
    parameters = {"mean": rng.normal(size=2), "degrees_of_freedom": 1.6, "scale": root @ root.T}
    true = NormalInverseWishart(mean_count=0.5, **parameters)
    claimed = NormalInverseWishart(mean_count=0.55, **parameters)
    subject = Subject(
        lambda rng: dict(zip("ab", claimed.sample(rng), strict=True)),
        None,
        Gibbs({("a", "b"): lambda state, data: claimed}),
        log_joint=lambda state, data: float(true.log_p((state["a"], state["b"]))),
    )
    (result,) = CHECK.apply(subject, Context(seed=seed))
    assert abs(result.details["implied"]["mean_count"] - 0.5) <= 0.5 * 10.0 ** -result.details["digits"]["mean_count"]
    assert result.details["digits"]["mean_count"] >= 4
