"""How well samplers of a restaurant mixture mix: effective draws of the number of clusters, where Gibbs sampling gets stuck.

Two groups of points overlap in every one of six dimensions, so that all points pass for one cluster until many of them have left
it. Gibbs sampling moves one at a time; a split moves them all. Of each sampler two chains are run, one from all points in one
cluster and one from the two groups. Effective draws count how much both chains together tell: if they disagree, next to nothing.

Which sampler does better depends on the data: where single points find their way, a sweep with a split-merge move only takes
longer; and among many points a move that goes through few scans is seldom accepted.
"""

import time
from typing import Any

import numpy as np

from mcassay import NormalInverseWishart
from mcassay.kernels.compose import Cycle
from mcassay.models.compiled import compiled
from mcassay.models.restaurant import RestaurantMixture

POINTS, DIMENSIONS, APART = 100, 6, 5.0


def mixing(sweeps: int) -> list[dict[str, Any]]:
    """Run both samplers on the same data, each for as many sweeps."""
    size, scale = DIMENSIONS, 9.0 * np.eye(DIMENSIONS)
    prior = NormalInverseWishart(np.zeros(size), mean_count=0.05, degrees_of_freedom=size + 10.0, scale=scale)
    model = compiled(RestaurantMixture(points=POINTS, concentration=0.1, cluster_prior=prior))
    alone = Cycle({"z": model.label_gibbs()})
    samplers = {"Gibbs alone": alone, "split-merge and Gibbs": model.sampler()}
    return [measured(name, step, sweeps) for name, step in samplers.items()]


def two_groups() -> tuple[Any, Any]:
    """Return the points, their groups as far apart as so many standard deviations, and the groups."""
    groups = np.arange(POINTS) * 2 // POINTS
    centre = APART / np.sqrt(DIMENSIONS) * (groups - 0.5)
    return centre[:, np.newaxis] + np.random.default_rng(5).normal(size=(POINTS, DIMENSIONS)), groups


def measured(name: str, step: Any, sweeps: int) -> dict[str, Any]:
    data, groups = two_groups()
    counts(step, data, groups, 10)  # compiles
    began = time.process_time()
    chains = np.array([counts(step, data, start, sweeps) for start in (np.zeros_like(groups), groups)])
    seconds, effective = time.process_time() - began, effective_draws(chains)
    return {
        "sampler": name,
        "sweeps": sweeps,
        "effective": effective,
        "effective_a_second": effective / seconds,
        "means": [round(float(mean), 3) for mean in chains.mean(axis=1)],
    }


def counts(step: Any, data: Any, start: Any, sweeps: int) -> Any:
    """Return the number of clusters after every sweep but the first tenth."""
    rng, state, found = np.random.default_rng(6), {"z": start}, np.empty(sweeps)
    for sweep in range(sweeps):
        state = step(state, data, rng)
        found[sweep] = state["z"].max() + 1
    return found[sweeps // 10 :]


def effective_draws(chains: Any) -> float:
    """Return the effective number of draws of several chains, by Geyer's initial monotone sequence.

    As in Stan: what the chains differ by counts as variance that no draw of one of them tells of.
    """
    draws = chains.shape[1]
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * draws)) ** 2
    covariances = np.fft.irfft(spectrum)[:, :draws].mean(axis=0) / draws
    within = covariances[0] * draws / (draws - 1)
    total = covariances[0] + float(np.var(chains.mean(axis=1), ddof=1))
    if total == 0:
        return 0.0  # nothing ever moved: nobody knows
    correlations = 1 - (within - covariances) / total
    correlations[0] = 1.0
    pairs = correlations[0 : draws // 2 * 2 : 2] + correlations[1 : draws // 2 * 2 : 2]
    positive = pairs[: int(np.argmax(pairs <= 0))] if np.any(pairs <= 0) else pairs
    return chains.size / (2 * float(np.sum(np.minimum.accumulate(positive))) - 1)
