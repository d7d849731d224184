"""A block of replicates: the unit of work, of seeding and of betting."""

import copy
import time
from dataclasses import dataclass, replace

import numpy as np

from mcassay.engine.failures import BlockFailure, describe
from mcassay.engine.legacy import global_randomness
from mcassay.engine.limits import TimeLimitReached, time_limit
from mcassay.engine.replicate import Course, Trace, UnusableStart, run
from mcassay.engine.statistics import Layout, Sample, Table, first_nan, tabulate
from mcassay.rng import seed_sequence
from mcassay.state import blocks, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray


@dataclass(frozen=True)
class Task:
    """One block of replicates to run: everything but the subject.

    Attributes
    ----------
    path
        What it is for (check and target); with the root seed and the number of the block it gives the seed.
    block
        The number of the block.
    size
        How many replicates.
    """

    seed: int
    path: tuple[str, ...]
    block: int
    size: int
    course: Course
    layout: Layout
    seconds: float | None = None


@dataclass(frozen=True)
class BlockResult:
    """The statistics of a block of replicates.

    Attributes
    ----------
    start, forward
        At the start, shape (size, S); of the fresh draws, shape (size, m, S).
    ends, prefixes
        After each of the course's times, and after each update of the first sweep but the last: shape (times, size, S).
    moved
        For each block of the state, in how many replicates it differs between start and last sample.
    """

    task: Task
    start: FloatArray
    ends: FloatArray
    prefixes: FloatArray
    forward: FloatArray
    moved: dict[str, int]
    sweeps: int
    seconds: float
    notes: tuple[str, ...] = ()


def run_block(subject: Subject, task: Task) -> BlockResult | BlockFailure:
    """Run a block; what the user's code raises comes back as a failure that says how to repeat it."""
    began = time.perf_counter()
    sequence = seed_sequence(task.seed, *task.path, task.block)
    rng = np.random.default_rng(sequence)
    own = fresh(subject)
    done: list[Trace] = []
    with global_randomness(int(sequence.generate_state(1)[0])) as noticed:
        try:
            with time_limit(task.seconds):
                for _ in range(task.size):
                    done.append(run(own, task.course, rng))
                result = _summarise(own, task, done)
        except (TimeLimitReached, UnusableStart, Exception) as error:
            return describe(error, task, len(done))
    if isinstance(result, BlockFailure):
        return result
    notes = tuple(f"the code draws from the global generator of {name}; it was seeded for each block" for name in noticed.used)
    return replace(result, seconds=time.perf_counter() - began, notes=notes)


def fresh(subject: Subject) -> Subject:
    """Give a block its own copy of the kernel, so that what one block leaves in the object does not reach the next."""
    try:
        step = copy.deepcopy(subject.step)
    except Exception:  # an object that can not be copied (a lock, a generator) is shared; the outcome is the user's to judge
        return subject
    own = copy.copy(subject)
    object.__setattr__(own, "step", step)
    return own


def _summarise(subject: Subject, task: Task, traces: list[Trace]) -> BlockResult | BlockFailure:
    """Tabulate all samples of the block at once: one call for each statistic."""
    groups = [
        [trace.start for trace in traces],
        *zip(*(trace.ends for trace in traces), strict=True),
        *zip(*(trace.prefixes for trace in traces), strict=True),
        *zip(*(trace.forward for trace in traces), strict=True),
    ]
    samples: list[Sample] = [sample for group in groups for sample in group]
    table = tabulate(subject, samples, task.layout)
    nan = first_nan(table)
    if nan is not None:
        return BlockFailure(task.path, task.block, nan[0] % task.size, f'statistic "{nan[1]}" is NaN', None)
    return _cut(task, table, traces, len(groups))


def _cut(task: Task, table: Table, traces: list[Trace], groups: int) -> BlockResult:
    values = table.values.reshape(groups, task.size, -1)
    times, prefixes = len(traces[0].ends), len(traces[0].prefixes)
    cuts = np.cumsum([1, times, prefixes])
    start, ends, middles, forward = np.split(values, cuts)
    return BlockResult(
        task=task,
        start=start[0],
        ends=ends,
        prefixes=middles,
        forward=np.moveaxis(forward, 0, 1),
        moved=_moved(traces),
        sweeps=task.size * task.course.length,
        seconds=0.0,
    )


def _moved(traces: list[Trace]) -> dict[str, int]:
    moved: dict[str, int] = {}
    for trace in traces:
        before, after = blocks(trace.start.state), blocks(trace.ends[-1].state)
        for name, value in before.items():
            moved[name] = moved.get(name, 0) + (not same_state(value, after.get(name)))
    return moved


def reference_samples(subject: Subject, seed: int, path: tuple[str, ...], size: int) -> list[Sample]:
    """Draw the reference batch: independent draws from the joint that are never used as starts."""
    sequence = seed_sequence(seed, *path, "reference")
    rng = np.random.default_rng(sequence)
    with global_randomness(int(sequence.generate_state(1)[0])):
        return [Sample(*subject.draw(rng)) for _ in range(size)]
