"""Correct samplers of the kinds that raise false alarms elsewhere: slow, heavy-tailed, discrete, constrained, collapsed."""

import numpy as np

from mcassay import (
    Beta,
    Categorical,
    Cycle,
    Gibbs,
    HamiltonianMonteCarlo,
    InverseGamma,
    MetropolisHastings,
    Normal,
    RandomScan,
    Slice,
    StudentT,
    Subject,
)
from mcassay.models.mixture import IsotropicMixture

COVARIANCE = np.array([[1.0, 0.8, 0.2], [0.8, 1.0, 0.4], [0.2, 0.4, 1.0]])
PRECISION = np.linalg.inv(COVARIANCE)
CHOLESKY = np.linalg.cholesky(COVARIANCE)
COUPLING = 0.4


def mixture():
    return IsotropicMixture(points=8, clusters=2).subject()


def _one_mean_prior(rng):
    return {"mu": rng.normal()}


def _one_mean_data(state, rng):
    return rng.normal(state["mu"], 1.0, size=4)


def _one_mean_joint(state, data):
    return -0.5 * state["mu"] ** 2 - 0.5 * np.sum((data - state["mu"]) ** 2)


def _walk(step):
    return MetropolisHastings(lambda state, data: Normal(state["mu"], sd=step), blocks="mu")


def random_walk():
    return Subject(_one_mean_prior, _one_mean_data, _walk(0.7), log_joint=_one_mean_joint)


def hopelessly_slow():
    return Subject(_one_mean_prior, _one_mean_data, _walk(1e-4), log_joint=_one_mean_joint)


def bare_function():
    """In place, without a log joint, and from numpy's global generator."""

    def step(state, data, rng):
        state["mu"] = np.random.normal(data.sum() / 5, np.sqrt(1 / 5))

    return Subject(_one_mean_prior, _one_mean_data, step)


def slice_on_log_scale():
    def prior(rng):
        return {"log_rate": np.log(rng.gamma(2.0))}

    def simulate(state, rng):
        return rng.poisson(np.exp(state["log_rate"]), size=3)

    def log_joint(state, data):
        eta = state["log_rate"]
        return 2.0 * eta - np.exp(eta) + np.sum(data * eta - np.exp(eta))

    return Subject(prior, simulate, Slice("log_rate", width=1.0), log_joint=log_joint)


def hamiltonian():
    def log_joint(state, data):
        return -0.5 * state["x"] @ PRECISION @ state["x"]

    def gradient(state, data):
        return -PRECISION @ state["x"]

    kernel = HamiltonianMonteCarlo("x", gradient=gradient, step_size=0.3, steps=4)
    return Subject(lambda rng: {"x": CHOLESKY @ rng.standard_normal(3)}, None, kernel, log_joint=log_joint)


def partially_collapsed():
    """a is drawn with b integrated out, then b given a: the first update does not leave the joint invariant by itself."""

    def prior(rng):
        a = rng.normal()
        b = rng.normal(a, 1.0)
        return {"a": a, "b": b}

    def simulate(state, rng):
        return rng.normal(state["b"], 1.0)

    def draw_a(state, data, rng):  # data | a ~ Normal(a, 2)
        return {**state, "a": rng.normal(data / 3, np.sqrt(2 / 3))}

    def draw_b(state, data, rng):
        return {**state, "b": rng.normal((state["a"] + data) / 2, np.sqrt(1 / 2))}

    def log_joint(state, data):
        return -0.5 * (state["a"] ** 2 + (state["b"] - state["a"]) ** 2 + (data - state["b"]) ** 2)

    return Subject(prior, simulate, Cycle({"a": draw_a, "b": draw_b}), log_joint=log_joint)


def deterministic_flip():
    """x is reflected, and then moved by a walk: neither is ergodic alone."""

    def prior(rng):
        return {"x": rng.normal(), "y": rng.normal()}

    def flip(state, data, rng):
        return {**state, "x": -state["x"]}

    def swap(state, data, rng):
        return {"x": state["y"], "y": state["x"]}

    def log_joint(state, data):
        return -0.5 * (state["x"] ** 2 + state["y"] ** 2)

    walk = MetropolisHastings(lambda state, data: Normal(state["x"], sd=1.0), blocks="x")
    return Subject(prior, None, Cycle({"flip": flip, "swap": swap, "walk": walk}), log_joint=log_joint)


def heavy_tailed():
    target = StudentT(1.5)

    def log_joint(state, data):
        return float(target.log_p(state["x"]))

    independence = MetropolisHastings(lambda state, data: StudentT(1.0, scale=2.0), blocks="x")
    return Subject(lambda rng: {"x": target.sample(rng)}, None, independence, log_joint=log_joint)


def discrete():
    """Three spins in a row, drawn exactly by enumeration and updated by random scan Gibbs."""
    states = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    energy = COUPLING * ((states[:, 0] == states[:, 1]).astype(float) + (states[:, 1] == states[:, 2]))
    weights = np.exp(energy) / np.exp(energy).sum()

    def log_joint(state, data):
        s = state["s"]
        return COUPLING * (float(s[0] == s[1]) + float(s[1] == s[2]))

    def update(i):
        def step(state, data, rng):
            odds = [log_joint({"s": np.where(np.arange(3) == i, v, state["s"])}, data) for v in (0, 1)]
            return {"s": np.where(np.arange(3) == i, Categorical.from_log_odds(odds).sample(rng), state["s"])}

        return step

    scan = RandomScan({f"spin {i}": update(i) for i in range(3)})
    return Subject(lambda rng: {"s": states[rng.choice(8, p=weights)]}, None, scan, log_joint=log_joint)


def constrained():
    """A probability on (0, 1) and a variance, with a proposal that is far from symmetric."""

    def prior(rng):
        return {"p": rng.beta(2, 3), "variance": 1 / rng.gamma(3.0)}

    def simulate(state, rng):
        return rng.binomial(10, state["p"]), rng.normal(0, np.sqrt(state["variance"]), size=3)

    def log_joint(state, data):
        p, variance = state["p"], state["variance"]
        if not (0 < p < 1 and variance > 0):
            return -np.inf
        heads, noise = data
        log_p = (1 + heads) * np.log(p) + (2 + 10 - heads) * np.log1p(-p)
        return log_p - 4 * np.log(variance) - 1 / variance - 1.5 * np.log(variance) - 0.5 * np.sum(noise**2) / variance

    def propose(state, data):
        return Beta(1 + 3 * state["p"], 2.0)

    def variance_given_rest(state, data):
        return InverseGamma(3 + 1.5, scale=1 + 0.5 * np.sum(data[1] ** 2))

    kernel = Cycle({"p": MetropolisHastings(propose, blocks="p"), "variance": Gibbs({"variance": variance_given_rest})})
    return Subject(prior, simulate, kernel, log_joint=log_joint)


CORRECT = {
    f.__name__: f
    for f in (
        mixture,
        random_walk,
        hopelessly_slow,
        bare_function,
        slice_on_log_scale,
        hamiltonian,
        partially_collapsed,
        deterministic_flip,
        heavy_tailed,
        discrete,
        constrained,
    )
}
