"""Simulation-based calibration: Talts, Betancourt, Simpson, Vehtari & Gelman (2018), "Validating Bayesian inference algorithms".

A state and data are drawn from the joint, and the rank of the state's statistics is taken among those of thinned draws from
the sampler under the same data; with independent draws from the posterior all ranks are as likely. The chain starts at the
state that the data came from (another draw from the joint where there are no data), so that not even the first draw
suffers from a poor start; it is thinned until pilot chains are uncorrelated from draw to draw. Uniformity is tested by
chi-square over cells of ranks, or by a simultaneous band. The ranks are looked at whenever there are twice as many. What
correlation is left makes right samplers fail in the end.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from .bands import smallest_band_p_value
from .chains import Chain, Gauge, evidence, level_of_look
from .outcome import Outcome

DRAWS = 31
FIRST = 128
PILOTS, PILOT_SWEEPS = 8, 400
_CELLS = 16
_CORRELATION, _LAGS = 0.1, (1, 2, 4, 8, 16, 32, 64)


def chi_square_p_values(ranks: np.ndarray, highest: int) -> np.ndarray:
    """Test every column of ranks in 0 .. highest over 16 cells (highest + 1 has to be a multiple)."""
    cells = ranks * _CELLS // (highest + 1)
    counts = np.stack([np.bincount(column, minlength=_CELLS) for column in cells.T])
    expected = len(ranks) / _CELLS
    return chi2.sf(np.square(counts - expected).sum(axis=1) / expected, _CELLS - 1)


def smallest_chi_square(ranks: np.ndarray) -> float:
    return float(chi_square_p_values(ranks, DRAWS).min())


def smallest_band(ranks: np.ndarray) -> float:
    return smallest_band_p_value(ranks, DRAWS + 1)


TESTS: dict[str, Callable[[np.ndarray], float]] = {"chi-square": smallest_chi_square, "band": smallest_band}


def ranks_among(value: np.ndarray, draws: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rank every statistic among its draws; ties are broken evenly."""
    below, equal = (draws < value).sum(axis=0), (draws == value).sum(axis=0)
    return below + rng.integers(equal + 1)


@dataclass(frozen=True)
class Calibration:
    """SBC with one of the tests of uniformity."""

    test: str

    def run(self, subject, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
        """Run until it rejects or twice as many ranks would cost too many sweeps."""
        gauge, rng = Gauge.of(subject, seed), np.random.default_rng([seed, 1])
        thinning = thinning_of(gauge, rng)

        def ranks(count: int) -> np.ndarray:
            return np.stack([rank_once(gauge, thinning, rng) for _ in range(count)])

        return decide(self.test, ranks, gauge, thinning, alpha=alpha, most_sweeps=most_sweeps)


def decide(
    test: str, more_ranks: Callable[[int], np.ndarray], gauge: Gauge, thinning: int, *, alpha: float, most_sweeps: int
) -> Outcome:
    """Look at the ranks whenever there are twice as many, and say what it cost."""
    began, pilot, cost = time.perf_counter(), PILOTS * PILOT_SWEEPS, DRAWS * thinning
    ranks = np.empty((0, int(gauge.moving.sum())), dtype=int)
    look, found, strongest = 0, False, -np.inf
    while not found and pilot + cost * max(FIRST, 2 * len(ranks)) <= most_sweeps:
        look, ranks = look + 1, np.concatenate([ranks, more_ranks(max(FIRST, len(ranks)))])
        level = level_of_look(alpha, look)
        p = TESTS[test](ranks) * ranks.shape[1]
        strongest = max(strongest, evidence(p, level, alpha))
        found = p <= level
    forward = gauge.forward + len(ranks) * (1 + (gauge.subject.simulate is None))
    return Outcome(bool(found), pilot + cost * len(ranks), forward, time.perf_counter() - began, strongest)


def rank_once(gauge: Gauge, thinning: int, rng: np.random.Generator) -> np.ndarray:
    """One replicate: the ranks of all statistics that the state has a part in."""
    state, data = gauge.subject.draw(rng)
    path = _path(gauge.subject, state, data, DRAWS, thinning, rng)
    table = gauge([(state, data), *path])[:, gauge.moving]
    return ranks_among(table[0], table[1:], rng)


def thinning_of(gauge: Gauge, rng: np.random.Generator) -> int:
    """Choose how many sweeps to go from draw to draw: until no statistic of some pilot chains is correlated any more."""
    pairs = [gauge.subject.draw(rng) for _ in range(PILOTS)]
    paths = [_path(gauge.subject, *pair, PILOT_SWEEPS, 1, rng) for pair in pairs]
    u = np.stack([gauge.uniform(path)[:, gauge.moving] for path in paths])
    return next((lag for lag in _LAGS if autocorrelation(u, lag).max() <= _CORRELATION), _LAGS[-1])


def autocorrelation(u: np.ndarray, lag: int) -> np.ndarray:
    """Autocorrelation of every statistic at a lag, averaged over chains: u has the shape (chains, sweeps, statistics)."""
    centred = u - u.mean(axis=1, keepdims=True)
    variance = np.square(centred).mean(axis=(0, 1))
    covariance = (centred[:, lag:] * centred[:, :-lag]).mean(axis=(0, 1))
    return np.where(variance > 0, covariance / np.where(variance > 0, variance, 1.0), 0.0)


def _path(subject, state, data, draws: int, thinning: int, rng: np.random.Generator) -> list:
    start = subject.prior(rng) if subject.simulate is None else state
    chain, samples = Chain(subject, start, data, rng), []
    for _ in range(draws):
        chain.sweep(thinning)
        samples.append(chain.sample())
    return samples
