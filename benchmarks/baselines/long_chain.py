"""One long successive-conditional chain: Geweke (2004), "Getting it right: joint distribution tests of posterior simulators".

Sweeps alternate with new data given the state, so that a right sampler's chain has the joint as its stationary law. Means of
functions over the chain are compared with means over independent draws of the joint; the chain's are given a standard error
by batch means. The functions are the first and second moments of the statistics, mapped to [0, 1] so that each has a
variance. The chain is looked at whenever it has doubled. Nothing is guaranteed: a right chain that mixes slowly fails.
"""

import time
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from .chains import Chain, Gauge, evidence, level_of_look
from .outcome import Outcome


def batch_means_error(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Squared standard error of the mean of every column of a chain, and its degrees of freedom: sqrt(n) batches."""
    length = int(np.sqrt(len(values)))
    count = len(values) // length
    means = values[: count * length].reshape(count, length, -1).mean(axis=1)
    return means.var(axis=0, ddof=1) / count, count - 1


def difference_p_values(chain: np.ndarray, independent: np.ndarray) -> np.ndarray:
    """Two-sided p-values of the differences of means; columns that never vary are passed."""
    error, freedom = batch_means_error(chain)
    error = error + independent.var(axis=0, ddof=1) / len(independent)
    difference = chain.mean(axis=0) - independent.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(error > 0, difference / np.sqrt(error), 0.0)
    return 2 * student.sf(np.abs(z), freedom)


def moments(u: np.ndarray) -> np.ndarray:
    return np.concatenate([u, u**2], axis=1)


@dataclass(frozen=True)
class LongChain:
    """The chain, first looked at after ``first`` sweeps."""

    first: int = 1000

    def run(self, subject, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
        """Run until it rejects or the chain is long enough."""
        began = time.perf_counter()
        gauge, rng = Gauge.of(subject, seed), np.random.default_rng([seed, 0])
        chain, independent = Chain(subject, *subject.draw(rng), rng), np.empty((0, len(gauge.moving)))
        path, look, found, strongest = independent, 0, False, -np.inf
        while not found and max(self.first, 2 * len(path)) <= most_sweeps:
            look, more = look + 1, max(self.first, len(path))
            path = np.concatenate([path, gauge.uniform([_next(chain) for _ in range(more)])])
            independent = np.concatenate([independent, gauge.uniform([subject.draw(rng) for _ in range(more)])])
            p = difference_p_values(moments(path), moments(independent))
            level = level_of_look(alpha, look)
            strongest = max(strongest, evidence(p.min() * len(p), level, alpha))
            found = p.min() * len(p) <= level
        seconds = time.perf_counter() - began
        return Outcome(bool(found), len(path), gauge.forward + len(path), seconds, strongest)


def _next(chain: Chain):
    """Redraw the data, then sweep under them: a sample shows what the sweep saw."""
    chain.redraw_data()
    chain.sweep()
    return chain.sample()
