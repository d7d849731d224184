"""Every kernel leaves a known target invariant: exactly where the target is finite, else at a stated false alarm probability."""

import math

import numpy as np
import pytest
import scipy.stats

from mcassay import (
    Categorical,
    Cycle,
    EllipticalSlice,
    Gibbs,
    HamiltonianMonteCarlo,
    MetropolisHastings,
    MultivariateNormal,
    Normal,
    RandomScan,
    Slice,
    Uniform,
)

# Of any one of the statistical tests in this file.
FALSE_ALARM = 1e-6
DRAWS = 4000
REPLICATES = 600

TARGET = np.array([0.1, 0.2, 0.3, 0.4])
PROPOSALS = np.array([[0.1, 0.6, 0.2, 0.1], [0.3, 0.1, 0.6, 0.0], [0.25, 0.25, 0.25, 0.25], [0.05, 0.0, 0.9, 0.05]])


def propose_from_table(state, data):
    return Categorical.from_probabilities(PROPOSALS[state["x"]])


def log_target(state, data):
    return math.log(TARGET[state["x"]])


def transition_matrix(kernel):
    """The matrix of a kernel that proposes by the table, from its own log ratio and acceptance."""
    matrix = np.zeros((4, 4))
    for old in range(4):
        for new in range(4):
            if new != old and PROPOSALS[old, new] > 0:
                ratio = kernel.log_acceptance_ratio({"x": old}, {"x": new}, None)
                accepted = math.exp(min(0.0, ratio)) if kernel.accept == "metropolis" else 1 / (1 + math.exp(-ratio))
                matrix[old, new] = PROPOSALS[old, new] * accepted
        matrix[old, old] = 1 - matrix[old].sum()
    return matrix


@pytest.mark.parametrize("accept", ["metropolis", "barker"])
def test_metropolis_hastings_balances_a_finite_target_exactly(accept):
    kernel = MetropolisHastings(propose_from_table, blocks="x", log_joint=log_target, accept=accept)
    flow = TARGET[:, np.newaxis] * transition_matrix(kernel)
    assert np.allclose(flow, flow.T, atol=1e-15)


@pytest.mark.parametrize("accept", ["metropolis", "barker"])
@pytest.mark.parametrize("old", range(4))
def test_metropolis_hastings_moves_as_its_matrix_says(accept, old):
    kernel = MetropolisHastings(propose_from_table, blocks="x", log_joint=log_target, accept=accept)
    rng = np.random.default_rng(old)
    seen = np.bincount([int(kernel({"x": old}, None, rng)["x"]) for _ in range(DRAWS)], minlength=4)
    expected = DRAWS * transition_matrix(kernel)[old]
    assert np.all(seen[expected == 0] == 0)
    p_value = scipy.stats.chisquare(seen[expected > 0], expected[expected > 0]).pvalue
    assert p_value > FALSE_ALARM


JOINT = np.arange(1.0, 7.0).reshape(2, 3) / 21


def test_gibbs_leaves_a_finite_target_invariant():
    gibbs = Gibbs({
        "a": lambda s, d: Categorical.from_probabilities(JOINT[:, s["b"]] / JOINT[:, s["b"]].sum()),
        "b": lambda s, d: Categorical.from_probabilities(JOINT[s["a"]] / JOINT[s["a"]].sum()),
    })  # fmt: skip
    after = np.zeros_like(JOINT)
    a_update, b_update = gibbs.parts().values()
    for a, b in np.ndindex(2, 3):
        for new_a, p in enumerate(a_update.distribution({"a": a, "b": b}, None).probabilities):
            after[new_a] += JOINT[a, b] * p * b_update.distribution({"a": new_a, "b": b}, None).probabilities
    assert np.allclose(after, JOINT, atol=1e-15)


COVARIANCE = np.array([[1.0, 0.5], [0.5, 2.0]])
MEAN = np.array([1.0, -2.0])
PRECISION = np.linalg.inv(COVARIANCE)
NORMAL = MultivariateNormal(MEAN, covariance=COVARIANCE)


def log_normal(state, data):
    return float(NORMAL.log_p(state["x"]))


def log_truncated(state, data):
    return float(NORMAL.log_p(state["x"])) if state["x"][0] > 0 else -math.inf


def gradient(state, data):
    return -PRECISION @ (state["x"] - MEAN)


def walk(state, data):
    return Normal(state["x"], sd=1.5)


def skewed_walk(state, data):
    return Normal(0.5 * state["x"], sd=1.0 + 0.3 * np.abs(state["x"]))


def scaled(state, data, rng):
    factor = rng.choice([0.8, 1.25])
    return {"x": state["x"] * factor}, 2 * math.log(factor)


def prior_of_ellipse(state, data):
    return MultivariateNormal([0.5, -1.0], covariance=[[2.0, 0.3], [0.3, 3.0]])


def likelihood_of_ellipse(state, data):
    return log_normal(state, data) - float(prior_of_ellipse(state, data).log_p(state["x"]))


KERNELS = {
    "random walk": MetropolisHastings(walk, blocks="x", log_joint=log_normal),
    "skewed proposal": MetropolisHastings(skewed_walk, blocks="x", log_joint=log_normal),
    "skewed proposal, Barker": MetropolisHastings(skewed_walk, blocks="x", log_joint=log_normal, accept="barker"),
    "element by element": MetropolisHastings(walk, blocks="x", log_joint=log_normal, elementwise=True),
    "element by element, skewed": MetropolisHastings(skewed_walk, blocks="x", log_joint=log_normal, elementwise=True),
    "deterministic scaling": MetropolisHastings(scaled, blocks="x", log_joint=log_normal),
    "own ratio": MetropolisHastings(walk, blocks="x", log_ratio=lambda s, n, d: log_normal(n, d) - log_normal(s, d)),
    "slice": Slice("x", log_joint=log_normal),
    "slice at its limit": Slice("x", width=0.1, steps_out=3, log_joint=log_normal),
    "slice, too wide": Slice("x", width=50.0, log_joint=log_normal),
    "slice, no stepping out": Slice("x", width=1.0, steps_out=1, log_joint=log_normal),
    "HMC": HamiltonianMonteCarlo("x", gradient=gradient, step_size=0.4, steps=5, log_joint=log_normal),
    "HMC, large steps": HamiltonianMonteCarlo("x", gradient=gradient, step_size=1.6, steps=3, log_joint=log_normal),
    "elliptical slice": EllipticalSlice("x", prior=prior_of_ellipse, log_likelihood=likelihood_of_ellipse),
}
KERNELS["cycle"] = Cycle({"walk": KERNELS["random walk"], "inner": Cycle({"slice": KERNELS["slice"], "hmc": KERNELS["HMC"]})})
KERNELS["random scan"] = RandomScan({"walk": KERNELS["random walk"], "slice": KERNELS["slice"]}, weights={"walk": 1, "slice": 3})


def p_values(ends, draw_exactly):
    """Kolmogorov-Smirnov p-values of projections that see means, spreads and the correlation."""
    starts = np.array([draw_exactly() for _ in range(len(ends))])
    directions = np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    return [scipy.stats.ks_2samp(ends @ direction, starts @ direction).pvalue for direction in directions]


@pytest.mark.parametrize("name", KERNELS)
def test_a_continuous_target_stays_as_it_is(name):
    rng = np.random.default_rng(list(KERNELS).index(name))
    ends = []
    for _ in range(REPLICATES):
        state = {"x": NORMAL.sample(rng)}
        for _ in range(2):
            state = KERNELS[name](state, None, rng)
        ends.append(state["x"])
    assert min(p_values(np.array(ends), lambda: NORMAL.sample(rng))) > FALSE_ALARM / 4


@pytest.mark.parametrize("name", ["random walk", "element by element", "slice", "HMC"])
def test_nothing_leaves_a_support(name):
    from dataclasses import replace

    kernel = replace(KERNELS[name], log_joint=log_truncated)
    rng, state = np.random.default_rng(0), {"x": np.array([0.5, -2.0])}
    for _ in range(200):
        state = kernel(state, None, rng)
        assert state["x"][0] > 0


def test_wrong_kernels_are_noticed():
    """The statistical test above has power: each of these mistakes is caught by it."""
    wrong = [
        MetropolisHastings(skewed_walk, blocks="x", log_ratio=lambda s, n, d: log_normal(n, d) - log_normal(s, d)),
        MetropolisHastings(lambda s, d, r: (scaled(s, d, r)[0], 0.0), blocks="x", log_joint=log_normal),
        EllipticalSlice("x", prior=prior_of_ellipse, log_likelihood=log_normal),
    ]
    for kernel in wrong:
        rng = np.random.default_rng(1)
        ends = []
        for _ in range(REPLICATES):
            state = {"x": NORMAL.sample(rng)}
            for _ in range(10):
                state = kernel(state, None, rng)
            ends.append(state["x"])
        assert min(p_values(np.array(ends), lambda rng=rng: NORMAL.sample(rng))) < FALSE_ALARM / 4


@pytest.mark.parametrize("name", KERNELS)
def test_the_input_state_stays_as_it_is(name):
    before = np.array([0.5, -1.0])
    before.flags.writeable = False
    rng = np.random.default_rng(3)
    for _ in range(5):
        KERNELS[name]({"x": before}, None, rng)
    assert before.tolist() == [0.5, -1.0]


def test_a_uniform_target_with_a_uniform_proposal():
    kernel = MetropolisHastings(
        lambda s, d: Uniform(s["x"] - 0.5, s["x"] + 0.5), blocks="x", log_joint=lambda s, d: 0.0 if 0 < s["x"] < 1 else -math.inf
    )
    rng = np.random.default_rng(5)
    ends = [float(kernel({"x": rng.random()}, None, rng)["x"]) for _ in range(3000)]
    assert scipy.stats.kstest(ends, "uniform").pvalue > FALSE_ALARM
