"""A block of replicates: the unit of work, of seeding and of betting."""

import copy
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mcassay.engine.failures import BlockFailure, describe
from mcassay.engine.legacy import global_generators, global_randomness
from mcassay.engine.limits import time_limit
from mcassay.engine.numbers import Sample
from mcassay.engine.replicate import run
from mcassay.engine.tally import Tally, Task
from mcassay.rng import seed_sequence
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray, Generator

__all__ = ["BlockResult", "Task", "fresh", "reference_samples", "run_block"]


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
        For each block of the state, in how many replicates it differs from the start in any sample at an end.
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


# Global random state and the time limit of a thread belong to one block at a time.
_ONE_AT_A_TIME = threading.RLock()


def run_block(subject: Subject, task: Task) -> BlockResult | BlockFailure:
    """Run a block on a subject of its own; what the user's code raises comes back as a failure that says how to repeat it."""
    began = time.perf_counter()
    sequence = seed_sequence(task.seed, *task.path, task.block)
    tally = Tally(subject, task)
    with _ONE_AT_A_TIME, global_randomness(int(sequence.generate_state(1)[0])) as noticed:
        try:
            with time_limit(task.seconds), np.errstate():
                _run_replicates(tally, np.random.default_rng(sequence))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the code raises: SystemExit, GeneratorExit, those of test runners
            return describe(error, task, tally.replicate)
    return _result(tally, time.perf_counter() - began, noticed.used)


def _run_replicates(tally: Tally, rng: Generator) -> None:
    if tally.subject.vectorised:
        tally.replicate = None
        tally.add_rows(run(tally.subject, tally.task.course, rng, tally.task.size))
        return
    for replicate in range(tally.task.size):
        tally.replicate = replicate
        tally.add(run(tally.subject, tally.task.course, rng))
    tally.count()


def _result(tally: Tally, seconds: float, used: list[str]) -> BlockResult:
    groups = np.concatenate(tally.rows, axis=1)
    cuts = np.cumsum([1, tally.ends, tally.prefixes])
    start, ends, prefixes, forward = np.split(groups, cuts)
    return BlockResult(
        task=tally.task,
        start=start[0],
        ends=ends,
        prefixes=prefixes,
        forward=np.moveaxis(forward, 0, 1),
        moved=tally.moved,
        sweeps=tally.task.size * tally.task.course.length,
        seconds=seconds,
        notes=tuple(f"the code draws from the global generator of {name}; it was seeded for each block" for name in used),
    )


def fresh(subject: Subject) -> Subject:
    """Give a block its own copy of the kernel, so that what one block leaves in the object does not reach the next."""
    if subject.compiled:
        return subject
    try:
        # Global generators that the kernel holds (as scikit-learn's check_random_state(None) returns them) stay global.
        step = copy.deepcopy(subject.step, {id(generator): generator for generator in global_generators().values()})
    except Exception:  # an object that can not be copied (a lock, a generator) is shared; the outcome is the user's to judge
        return subject
    own = copy.copy(subject)
    object.__setattr__(own, "step", step)
    for cached in ("updates", "ordered_updates"):
        own.__dict__.pop(cached, None)
    return own


def reference_samples(subject: Subject, seed: int, path: tuple[str, ...], size: int, rows: int | None = None) -> Iterator[Sample]:
    """Draw the reference batch: independent draws from the joint that are never used as starts; many at once, if asked for."""
    sequence = seed_sequence(seed, *path, "reference")
    rng = np.random.default_rng(sequence)
    with global_randomness(int(sequence.generate_state(1)[0])):
        for _ in range(size):
            yield Sample(*subject.draw(rng, rows))
