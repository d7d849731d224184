"""The two-sample sequential rule of mcunit: Gandy & Scott (2020), "Unit testing for MCMC and other Monte Carlo methods".

Each look compares n states after L sweeps from the joint with as many fresh draws of the joint by Kolmogorov-Smirnov tests,
one a statistic, with Bonferroni's correction. It rejects below beta, accepts above beta + gamma, and otherwise looks again
at new samples, with beta divided by gamma; from the second look on n is four times as large. With k looks at most,
beta = level / k at the first and gamma = beta^(1/k), so that every look rejects a right sampler with probability level / k.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import kstwobign

from .chains import Chain, Gauge
from .outcome import Outcome


@dataclass(frozen=True)
class Looks:
    """How a sequence of looks ended: its decision, if any, the sizes, and the smallest corrected p-value."""

    rejected: bool
    accepted: bool
    sizes: tuple[int, ...]
    p_value: float

    @property
    def total(self) -> int:
        return sum(self.sizes)


def sequential_rule(
    p_values: Callable[[int], np.ndarray],
    *,
    size: int = 1000,
    level: float = 1e-5,
    looks: int = 7,
    growth: float = 4,
    most: float = np.inf,
) -> Looks:
    """Look until it is decided, or the next look would take the total of sizes beyond ``most``."""
    beta = level / looks
    gamma = beta ** (1 / looks)
    sizes: tuple[int, ...] = ()
    smallest = 1.0
    for look in range(looks):
        if sum(sizes) + size > most:
            break
        p = np.atleast_1d(p_values(size))
        corrected = float(p.min() * len(p))
        sizes, smallest = (*sizes, size), min(smallest, corrected)
        if corrected <= beta or corrected > gamma + beta:
            return Looks(corrected <= beta, corrected > beta, sizes, smallest)
        beta /= gamma
        size = int(np.ceil(size * growth)) if look == 0 else size
    return Looks(False, len(sizes) == looks, sizes, smallest)


def kolmogorov_smirnov(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return asymptotic p-values of two-sample tests, one a column."""
    n, m = len(first), len(second)
    distances = np.array([_distance(np.sort(a), np.sort(b)) for a, b in zip(first.T, second.T, strict=True)])
    return kstwobign.sf(np.sqrt(n * m / (n + m)) * distances)


def _distance(first: np.ndarray, second: np.ndarray) -> float:
    both = np.concatenate([first, second])
    gaps = first.searchsorted(both, "right") / len(first) - second.searchsorted(both, "right") / len(second)
    return float(np.abs(gaps).max())


@dataclass(frozen=True)
class TwoSample:
    """The rule with its default settings, at ``length`` sweeps a replicate."""

    length: int

    def run(self, subject, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
        """Run until the rule decides or the next look would cost too many sweeps."""
        gauge, rng = Gauge.of(subject, seed), np.random.default_rng([seed, self.length])

        def p_values(size: int) -> np.ndarray:
            ends = gauge([self._end(subject, rng) for _ in range(size)])
            fresh = gauge([subject.draw(rng) for _ in range(size)])
            return kolmogorov_smirnov(ends[:, gauge.moving], fresh[:, gauge.moving])

        return decide(p_values, gauge, self.length, alpha=alpha, most_sweeps=most_sweeps)

    def _end(self, subject, rng):
        chain = Chain(subject, *subject.draw(rng), rng)
        chain.sweep(self.length)
        return chain.sample()


def decide(p_values: Callable[[int], np.ndarray], gauge: Gauge, length: int, *, alpha: float, most_sweeps: int) -> Outcome:
    """Follow the rule, and say what it cost."""
    began = time.perf_counter()
    result = sequential_rule(p_values, level=alpha, most=most_sweeps / length)
    sweeps, forward = result.total * length, gauge.forward + 2 * result.total
    evidence, seconds = -np.log10(max(result.p_value, 1e-300)), time.perf_counter() - began
    return Outcome(result.rejected, sweeps, forward, seconds, float(evidence), result.accepted)
