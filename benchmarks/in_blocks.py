"""The tools on the paper's mixture, with sweeps simulated for whole blocks of replicates at once.

The law of starts, sweeps and fresh draws is that of the subjects of the zoo; statistics, reference batch, schedule, bets and
tests are the tools' own. Only the order in which random numbers are drawn differs, and the time: a hundredth.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import streams
from baselines import calibration, two_sample
from baselines.chains import Gauge
from baselines.outcome import Outcome

from mcassay import Subject
from mcassay.checks import betting
from mcassay.engine.block import BlockResult, Task
from mcassay.engine.instrument import REFERENCE_SIZE, Instrument
from mcassay.engine.schedule import LENGTHS, Slot, courses, schedule
from mcassay.engine.summaries import summaries

WRONG = {
    "0.51 for 0.5": streams.Bug(noise_factor=0.51),
    "0.505 for 0.5": streams.Bug(noise_factor=0.505),
    "Dirichlet parameter 5 % too large": streams.Bug(concentration=1.05 * streams.CONCENTRATION),
    "half a degree of freedom": streams.Bug(mu_shape=streams.CORRECT.mu_shape - 0.5),
    "no prior precision in mu": streams.Bug(mu_prior=0.0),
    "deviation for variance in mu": streams.Bug(mu_power=0.5),
    "log pi missing in z": streams.Bug(pi_power=0.0),
    "stale centres in sigma_sq_n": streams.Bug(stale_centres=True),
}
"""The mixture's bugs of the zoo."""


@dataclass(frozen=True)
class Statistics:
    """The statistics that the instrument of the mixture watches, of many replicates at once."""

    constant: float

    @classmethod
    def of(cls, subject: Subject) -> "Statistics":
        """Take the constant of the log density from one draw of the subject."""
        state, data = subject.draw(np.random.default_rng(0))
        return cls(subject.log_joint(state, data) - float(sum(streams.log_densities(stacked([(state, data)])))[0]))

    def __call__(self, state: streams.State) -> np.ndarray:
        """Return one row a replicate and one column a statistic."""
        names = ("pi", "z", "mu", "sigma_sq_mu", "sigma_sq_n", "data")
        columns = [column.values for column in summaries(dict(zip(names, state, strict=True)))]
        return np.column_stack([*columns, sum(streams.log_densities(state)) + self.constant])


def stacked(pairs: list[tuple]) -> streams.State:
    """Stack states of the subject and their data."""
    names = streams.State._fields[:-1]
    parts = {name: np.stack([np.asarray(state[name]) for state, _ in pairs]) for name in names}
    return streams.State(**parts, x=np.stack([data for _, data in pairs]))


def simulated(slot: Slot, number: int, bug: streams.Bug, table: Statistics, instrument: Instrument, seed: int) -> BlockResult:
    """Run a block as the engine does: sweeps with new data between them, and fresh draws."""
    rng, course, size = np.random.default_rng([seed, number]), slot.course, slot.size
    start = state = streams.forward(rng, size)
    ends = []
    for time_ in range(1, course.length + 1):
        state = streams.sweep(state if time_ == 1 else streams.new_data(state, rng), rng, bug)[-1]
        if time_ in course.times:
            ends.append(table(state))
    fresh = table(streams.forward(rng, size * course.forward)).reshape(size, course.forward, -1)
    task = Task(seed, ("invariance", "sweep"), number, size, course, instrument.layout)
    return BlockResult(task, table(start), np.stack(ends), np.empty((0, *fresh.shape[::2])), fresh, {}, size * course.length, 0.0)


def blocks(bug: streams.Bug, table: Statistics, instrument: Instrument, seed: int) -> Iterator[BlockResult]:
    """Yield blocks of the schedule without end."""
    for number, slot in enumerate(schedule(courses(prefixes=False), instrument.largest_block)):
        yield simulated(slot, number, bug, table, instrument, seed)


def bet(subject: Subject, bug: streams.Bug, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
    """Bet on blocks until the evidence suffices or the sweeps are spent."""
    began, limit = time.perf_counter(), betting.limit(alpha)
    instrument, table = Instrument.of(subject, seed), Statistics.of(subject)
    wager = betting.begin(instrument, betting.length_groups(LENGTHS))
    sweeps, forward, stream = 0, REFERENCE_SIZE, blocks(bug, table, instrument, seed)
    while wager.log10_evidence < limit and sweeps < most_sweeps:
        block = next(stream)
        wager = wager.bet(betting.triples(instrument, block))
        sweeps, forward = sweeps + block.sweeps, forward + block.task.size * (1 + block.task.course.forward)
    found = bool(wager.log10_evidence >= limit)
    return Outcome(found, sweeps, forward, time.perf_counter() - began, float(wager.log10_evidence))


def compare(length: int, subject: Subject, bug: streams.Bug, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
    """Compare states after so many sweeps with fresh draws, by the sequential rule of two samples."""
    gauge, table, rng = Gauge.of(subject, seed), Statistics.of(subject), np.random.default_rng([seed, length])

    def p_values(size: int) -> np.ndarray:
        ends, fresh = table(_swept(streams.forward(rng, size), length, bug, rng)), table(streams.forward(rng, size))
        return two_sample.kolmogorov_smirnov(ends[:, gauge.moving], fresh[:, gauge.moving])

    return two_sample.decide(p_values, gauge, length, alpha=alpha, most_sweeps=most_sweeps)


def calibrate(test: str, subject: Subject, bug: streams.Bug, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
    """Rank starts among the draws of the chains that they begin."""
    gauge, table, rng = Gauge.of(subject, seed), Statistics.of(subject), np.random.default_rng([seed, 1])
    thinning = calibration.thinning_of(gauge, rng)

    def ranks(count: int) -> np.ndarray:
        batches = [min(256, count - done) for done in range(0, count, 256)]
        return np.concatenate([_ranks(gauge, table, bug, thinning, size, rng) for size in batches])

    return calibration.decide(test, ranks, gauge, thinning, alpha=alpha, most_sweeps=most_sweeps)


def _ranks(gauge: Gauge, table: Statistics, bug: streams.Bug, thinning: int, size: int, rng: np.random.Generator) -> np.ndarray:
    state = streams.forward(rng, size)
    start, draws = table(state)[:, gauge.moving], []
    for _ in range(calibration.DRAWS):
        state = _swept(state, thinning, bug, rng)
        draws.append(table(state)[:, gauge.moving])
    return calibration.ranks_among(start, np.stack(draws), rng)


def _swept(state: streams.State, sweeps: int, bug: streams.Bug, rng: np.random.Generator) -> streams.State:
    for _ in range(sweeps):
        state = streams.sweep(state, rng, bug)[-1]
    return state


TOOLS: dict[str, Callable[..., Outcome]] = {
    "ours": bet,
    **{f"two-sample, L={length}": partial(compare, length) for length in (1, 5, 20)},
    **{f"SBC, {test}": partial(calibrate, test) for test in calibration.TESTS},
}
"""One long chain can not be simulated in blocks."""


def run(tool: str, subject: Subject, name: str, *, correct: bool, seed: int, alpha: float, most_sweeps: int) -> Outcome:
    """Run a tool on a bug of the mixture, or on the right sampler."""
    bug = streams.CORRECT if correct else WRONG[name]
    return TOOLS[tool](subject, bug, seed=seed, alpha=alpha, most_sweeps=most_sweeps)
