"""The wager's false alarms, measured: 20,000 runs on null streams, each stopped at its worst moment.

By Ville's inequality a valid wager ever reaches 1/alpha in a share of at most alpha of all runs. The main test passes if
the exact (Clopper-Pearson) upper bound of the share, at level 1 - 1e-4, is at most alpha, which is so for at most 148
false alarms in 20,000. A wager whose true share is 0.5 % fails it with probability 3e-6; one whose true share exceeds 1 %
passes with probability at most 1e-4. A planted invalid wager counts as convicted when the exact lower bound at level
1 - 1e-6 is above alpha.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from mcassay.evidence.strategies import Greedy, Kelly, Ridge
from mcassay.evidence.transforms import Directions, Reference
from mcassay.evidence.wager import DEFAULT, Triple, Wager

ALPHA = 0.01
BLOCKS = (16, 16, 32, 64, 128, *[256] * 15)
RUNS, BATCH = 4000, 250
STAY = 0.7

LAWS = {
    "sparse": lambda rng, shape: (rng.random(shape) < 0.003).astype(float),
    "skewed": lambda rng, shape: rng.standard_exponential(shape) ** 2,
    "heavy-tailed": lambda rng, shape: np.where(rng.random(shape) < 0.01, np.inf, rng.standard_cauchy(shape)),
    "discrete": lambda rng, shape: rng.poisson(0.7, shape).astype(float),
}


def draws(law, rng, shape):
    """Two dependent statistics with the same kind of law."""
    first, second = law(rng, shape), law(rng, shape)
    return np.stack([first, np.where(rng.random(shape) < 0.5, first, second)], axis=-1)


class Stream:
    """Start, end and a forward draw of a kernel that stays with probability 0.7 and else draws afresh."""

    def __init__(self, law, rng):
        self.law, self.rng = law, rng
        batch = draws(law, rng, (1024,))
        self.reference = Reference.from_draws(batch)
        self.directions = Directions.fit(self.reference.uniform(batch), pairs=[(0, 1)], together=(0, 1))
        self.weights, self.controls = self.directions.weights, self.directions.locations

    def __call__(self, runs, size):
        start, fresh, forward = (self.mapped(draws(self.law, self.rng, (runs, size))) for _ in range(3))
        return Triple(np.where(self.rng.random((runs, size, 1)) < STAY, start, fresh), start, forward)

    def mapped(self, values):
        return self.directions(self.reference.uniform(values))


class Coins:
    """A kernel that flips: every difference is a fair coin of plus or minus one."""

    weights, controls = np.ones(4), ()

    def __init__(self, rng):
        self.rng = rng

    def __call__(self, runs, size):
        start = self.rng.integers(0, 2, (runs, size, 4)).astype(float)
        return Triple(1 - start, start)


def begun(stream, runs, strategies=DEFAULT):
    settings = {"weights": stream.weights, "controls": stream.controls, "strategies": strategies}
    return Wager.begin({"short": 0.7, "long": 0.3}, directions=len(stream.weights), runs=(runs,), **settings)


def honest(wager, stream, runs, size):
    return wager.bet({"short": stream(runs, size), "long": stream(runs, max(size // 8, 1))})


def false_alarms(stream, runs, bet=honest, strategies=DEFAULT):
    """How many of the runs ever reach 1 / ALPHA."""
    count = 0
    for _ in range(0, runs, BATCH):
        wager = begun(stream, BATCH, strategies)
        for size in BLOCKS:
            wager = bet(wager, stream, BATCH, size)
        count += int((wager.peak >= np.log(1 / ALPHA)).sum())
    return count


def test_the_wager_raises_false_alarms_in_at_most_a_share_alpha_of_20000_runs():
    assert sum(BLOCKS) >= 4096
    assert binom.sf(148, 5 * RUNS, 0.005) < 3e-6
    seeds = np.random.SeedSequence(20140612).spawn(1 + len(LAWS))
    streams = [Coins(np.random.default_rng(seeds[0]))]
    streams += [Stream(law, np.random.default_rng(seed)) for law, seed in zip(LAWS.values(), seeds[1:], strict=True)]
    counts = [false_alarms(stream, RUNS) for stream in streams]
    bound = binomtest(sum(counts), RUNS * len(streams), alternative="less").proportion_ci(1 - 1e-4).high
    assert bound <= ALPHA, dict(zip(["coins", *LAWS], counts, strict=True))


@pytest.mark.parametrize("strategy", [Ridge(), Greedy((2,))], ids=lambda strategy: strategy.name)
def test_learned_combinations_raise_no_more(strategy):
    """Fails with probability below 1e-6 for a valid wager."""
    stream = Stream(LAWS["skewed"], np.random.default_rng(np.random.SeedSequence(20140613)))
    runs = 1000 if isinstance(strategy, Ridge) else BATCH
    assert binom.sf(false_alarms(stream, runs, strategies=((strategy, 1.0),)) - 1, runs, ALPHA) > 1e-6


def peeking(wager, stream, runs, size):
    """Stakes that were learned from the very block that they are bet on."""
    block = stream(runs, size)
    fresh = begun(stream, runs, tuple((strategy, 1.0) for strategy in wager.purses[0].strategies))
    after = replace(wager, purses=fresh.purses).bet({"short": block})
    purses = tuple(replace(p, memories=q.memories) for p, q in zip(wager.purses, after.purses, strict=True))
    return replace(wager, purses=purses).bet({"short": block})


def products(wager, stream, runs, size):
    """Products of two differences instead of products at one time point: dependence of the two is taken for a bug."""
    end, start, _ = stream(runs, size)
    d = end - start
    half = np.full_like(d, 0.5)
    return wager.bet({"short": Triple(half + 0.5 * d * np.roll(d, 1, axis=-1), half)})


class Recycled(Stream):
    """A slow simulator: the same 64 starts serve again and again, and every end is right."""

    def __init__(self, law, rng):
        super().__init__(law, rng)
        self.pool = self.mapped(draws(law, rng, (BATCH, 64)))

    def __call__(self, runs, size):
        start = np.take(self.pool, np.arange(size) % 64, axis=1)
        fresh, forward = (self.mapped(draws(self.law, self.rng, (runs, size))) for _ in range(2))
        return Triple(np.where(self.rng.random((runs, size, 1)) < STAY, start, fresh), start, forward)


@pytest.mark.parametrize("planted", ["stakes that peek", "products of differences", "starts used again"])
def test_the_same_harness_convicts_planted_invalid_wagers(planted):
    rng = np.random.default_rng(np.random.SeedSequence(20140614))
    make = Recycled if planted == "starts used again" else Stream
    bet = {"stakes that peek": peeking, "products of differences": products}.get(planted, honest)
    count = false_alarms(make(LAWS["skewed"], rng), BATCH, bet, strategies=((Kelly(), 1.0),))
    share = binomtest(count, BATCH, alternative="greater").proportion_ci(1 - 1e-6).low
    assert share > ALPHA, count
