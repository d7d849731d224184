"""Null and broken streams from the paper's mixture, simulated for thousands of replicates at once.

The model is the isotropic mixture of Grosse and Duvenaud (2014): ``pi ~ Dirichlet(1)``, ``z_i ~ pi``, both variances
``InverseGamma(3, 3)``, ``mu_k ~ Normal(0, sigma_sq_mu I)``, ``x_i ~ Normal(mu_z, sigma_sq_n I)``. A replicate is a draw
from the joint followed by one full Gibbs sweep (pi, z, mu, sigma_sq_mu, sigma_sq_n) in which one conditional may be wrong.
The statistics are the generic ones that can be had for any model with named blocks: coordinates, symmetric summaries,
label-invariant summaries of the assignments, and the log densities.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln

FloatArray = NDArray[np.float64]

POINTS, DIMENSIONS, CLUSTERS = 20, 2, 3
CONCENTRATION, SHAPE, SCALE = 1.0, 3.0, 3.0
UPDATES = ("pi", "z", "mu", "sigma_sq_mu", "sigma_sq_n")
NAMES = (
    *(
        "pi[0]",
        "pi mean log",
        "pi sd",
        "pi max",
        "z largest",
        "z occupied",
        "z evenness",
        "mu[0,0]",
        "mu mean",
        "mu sd",
    ),
    *(
        "mu max",
        "sigma_sq_mu",
        "sigma_sq_n",
        "x[0,0]",
        "x mean",
        "x sd",
        "x max",
        "log_joint",
        "log_likelihood",
        "log_prior",
    ),
)


class State(NamedTuple):
    """Blocks and data of many replicates; the first axis is the replicate."""

    pi: FloatArray
    z: NDArray[np.int64]
    mu: FloatArray
    sigma_sq_mu: FloatArray
    sigma_sq_n: FloatArray
    x: FloatArray


@dataclass(frozen=True)
class Bug:
    """One wrong number in one conditional; the defaults are right."""

    name: str = "correct"
    concentration: float = CONCENTRATION
    noise_factor: float = 0.5
    mu_shape: float = SHAPE + CLUSTERS * DIMENSIONS / 2
    mu_prior: float = 1.0
    mu_power: float = 1.0
    pi_power: float = 1.0
    stale_centres: bool = False


CORRECT = Bug()
BUGS = (
    Bug("0.51 for 0.5", noise_factor=0.51),
    Bug("0.505 for 0.5", noise_factor=0.505),
    Bug("Dirichlet + 5 %", concentration=1.05 * CONCENTRATION),
    Bug("half a degree of freedom", mu_shape=SHAPE + CLUSTERS * DIMENSIONS / 2 - 0.5),
    Bug("no prior precision in mu", mu_prior=0.0),
)


def forward(rng: np.random.Generator, size: int) -> State:
    """Draw parameters and data of ``size`` replicates from the joint."""
    pi = rng.dirichlet(np.full(CLUSTERS, CONCENTRATION), size)
    sigma_sq_mu, sigma_sq_n = SCALE / rng.standard_gamma(SHAPE, (2, size))
    mu = np.sqrt(sigma_sq_mu)[:, None, None] * rng.standard_normal((size, CLUSTERS, DIMENSIONS))
    z = _categorical(rng, np.broadcast_to(pi[:, None], (size, POINTS, CLUSTERS)))
    return State(pi, z, mu, sigma_sq_mu, sigma_sq_n, _data(mu, z, sigma_sq_n, rng))


def sweep(state: State, rng: np.random.Generator, bug: Bug = CORRECT) -> list[State]:
    """Return the states after each update of one sweep, in order."""
    states = []
    for update in (_pi, _z, _mu, _sigma_sq_mu):
        before, state = state, update(state, rng, bug)
        states.append(state)
        if update is _mu:
            residual = _residual(before if bug.stale_centres else state)
    states.append(_sigma_sq_n(state, rng, bug, residual))
    return states


def new_data(state: State, rng: np.random.Generator) -> State:
    """Draw the data anew given the parameters."""
    return state._replace(x=_data(state.mu, state.z, state.sigma_sq_n, rng))


def _data(mu: FloatArray, z: NDArray[np.int64], sigma_sq_n: FloatArray, rng: np.random.Generator) -> FloatArray:
    noise = np.sqrt(sigma_sq_n)[:, None, None] * rng.standard_normal((len(z), POINTS, DIMENSIONS))
    return _centres(mu, z) + noise


def statistics(state: State) -> FloatArray:
    """Generic statistics of every replicate, one column a name of ``NAMES``."""
    counts, (log_prior, log_likelihood) = _counts(state.z), log_densities(state)
    mu, x = state.mu.reshape(len(state.mu), -1), state.x.reshape(len(state.x), -1)
    share = np.sort(counts, axis=1)
    pi_log = np.log(state.pi).mean(axis=1)
    columns = [state.pi[:, 0], pi_log, state.pi.std(axis=1), state.pi.max(axis=1)]
    columns += [share[:, -1], (counts > 0).sum(axis=1), (counts**2).sum(axis=1)]
    columns += [mu[:, 0], mu.mean(axis=1), mu.std(axis=1), mu.max(axis=1), state.sigma_sq_mu, state.sigma_sq_n]
    columns += [x[:, 0], x.mean(axis=1), x.std(axis=1), x.max(axis=1)]
    columns += [log_prior + log_likelihood, log_likelihood, log_prior]
    return np.stack(columns, axis=1)


def log_densities(state: State) -> tuple[FloatArray, FloatArray]:
    """Log density of the prior and log-likelihood of every replicate, up to constants."""
    counts = _counts(state.z)
    assignments = np.where(counts > 0, counts * np.log(state.pi)[:, :], 0.0).sum(axis=1)
    centres = _log_normal((state.mu**2).sum(axis=(1, 2)), state.sigma_sq_mu, CLUSTERS * DIMENSIONS)
    variances = sum(-(SHAPE + 1) * np.log(v) - SCALE / v for v in (state.sigma_sq_mu, state.sigma_sq_n))
    return assignments + centres + variances, _log_normal(_residual(state), state.sigma_sq_n, POINTS * DIMENSIONS)


class Block(NamedTuple):
    """Statistics of a block of replicates: after each update (the last is the end), at the start, of fresh draws."""

    after: FloatArray
    start: FloatArray
    forward: FloatArray


def block(rng: np.random.Generator, size: int, bug: Bug = CORRECT, draws: int = 4, prefixes: bool = False) -> Block:
    """Simulate a block: shapes (5 or 1, size, S), (size, S) and (draws, size, S)."""
    start = forward(rng, size)
    states = sweep(start, rng, bug)
    after = np.stack([statistics(state) for state in (states if prefixes else states[-1:])])
    fresh = statistics(forward(rng, size * draws)).reshape(draws, size, -1)
    return Block(after, statistics(start), fresh)


def information_limit(bug: Bug, alpha: float, rng: np.random.Generator, size: int = 20_000) -> float:
    """Sweeps that a test needs that knows the bug: ln(1/alpha) over the divergence per sweep (NaN where not computed)."""
    start = forward(rng, size)
    right, wrong = sweep(start, rng), Bug()
    if bug.noise_factor != wrong.noise_factor:
        shape, residual = SHAPE + POINTS * DIMENSIONS / 2, _residual(right[-1])
        ratio = (SCALE + bug.noise_factor * residual) / (SCALE + wrong.noise_factor * residual)
        divergence = shape * (np.log(ratio) + 1 / ratio - 1)
    elif bug.mu_shape != wrong.mu_shape:
        divergence = np.array(_gamma_shape_divergence(bug.mu_shape, wrong.mu_shape))
    elif bug.concentration != wrong.concentration:
        counts = _counts(start.z)
        divergence = _dirichlet_divergence(counts + bug.concentration, counts + wrong.concentration)
    else:
        return float("nan")
    return float(np.log(1 / alpha) / divergence.mean())


def _gamma_shape_divergence(a: float, b: float) -> float:
    return float((a - b) * digamma(a) - gammaln(a) + gammaln(b))


def _dirichlet_divergence(a: FloatArray, b: FloatArray) -> FloatArray:
    total = a.sum(axis=1)
    constants = gammaln(total) - gammaln(b.sum(axis=1)) - (gammaln(a) - gammaln(b)).sum(axis=1)
    return constants + ((a - b) * (digamma(a) - digamma(total)[:, None])).sum(axis=1)


def _categorical(rng: np.random.Generator, weights: FloatArray) -> NDArray[np.int64]:
    cumulative = np.cumsum(weights, axis=-1)
    return (cumulative < rng.random(weights.shape[:-1])[..., None] * cumulative[..., -1:]).sum(axis=-1)


def _one_hot(z: NDArray[np.int64]) -> FloatArray:
    return (z[..., None] == np.arange(CLUSTERS)).astype(float)


def _counts(z: NDArray[np.int64]) -> FloatArray:
    return _one_hot(z).sum(axis=1)


def _centres(mu: FloatArray, z: NDArray[np.int64]) -> FloatArray:
    return np.take_along_axis(mu, z[..., None], axis=1)


def _residual(state: State) -> FloatArray:
    return ((state.x - _centres(state.mu, state.z)) ** 2).sum(axis=(1, 2))


def _log_normal(squares: FloatArray, variance: FloatArray, size: int) -> FloatArray:
    return -0.5 * size * np.log(2 * np.pi * variance) - 0.5 * squares / variance


def _pi(state: State, rng: np.random.Generator, bug: Bug) -> State:
    gammas = rng.standard_gamma(bug.concentration + _counts(state.z))
    return state._replace(pi=gammas / gammas.sum(axis=1, keepdims=True))


def _z(state: State, rng: np.random.Generator, bug: Bug) -> State:
    squares = ((state.x[:, :, None] - state.mu[:, None]) ** 2).sum(axis=-1)
    squares -= squares.min(axis=-1, keepdims=True)
    weights = state.pi[:, None] ** bug.pi_power * np.exp(-0.5 * squares / state.sigma_sq_n[:, None, None])
    return state._replace(z=_categorical(rng, weights))


def _mu(state: State, rng: np.random.Generator, bug: Bug) -> State:
    member = _one_hot(state.z)
    counts, sums = member.sum(axis=1)[..., None], np.einsum("rnk,rnd->rkd", member, state.x)
    noise, prior = 1 / state.sigma_sq_n[:, None, None], state.sigma_sq_mu[:, None, None] ** -bug.mu_power
    precision = counts * noise + np.where(counts > 0, bug.mu_prior, 1.0) * prior
    mean = sums * noise / precision
    return state._replace(mu=mean + rng.standard_normal(mean.shape) / np.sqrt(precision))


def _sigma_sq_mu(state: State, rng: np.random.Generator, bug: Bug) -> State:
    scale = SCALE + 0.5 * (state.mu**2).sum(axis=(1, 2))
    return state._replace(sigma_sq_mu=scale / rng.standard_gamma(bug.mu_shape, len(scale)))


def _sigma_sq_n(state: State, rng: np.random.Generator, bug: Bug, residual: FloatArray) -> State:
    scale = SCALE + bug.noise_factor * residual
    return state._replace(sigma_sq_n=scale / rng.standard_gamma(SHAPE + POINTS * DIMENSIONS / 2, len(scale)))
