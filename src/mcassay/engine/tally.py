"""The tally of a block: samples of its replicates, turned into rows of statistics as many at a time as memory allows."""

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.engine.layout import Layout, sample_bytes, stack_alike
from mcassay.engine.numbers import Sample
from mcassay.engine.replicate import Course, Trace
from mcassay.engine.statistics import Table, first_nan, tabulate, tabulate_rows
from mcassay.errors import InputError
from mcassay.state import blocks, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray

_MEMORY = 2**26


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


@dataclass
class Tally:
    """The samples of a block that wait for their statistics, and the statistics so far.

    Attributes
    ----------
    rows
        Statistics in the order start, ends, prefixes, fresh draws: arrays of shape (samples, replicates, S).
    moved
        For each block of the state, in how many replicates it differs from the start in any sample at an end.
    replicate
        The replicate that is at work; None where no single one is.
    """

    subject: Subject
    task: Task
    rows: list[FloatArray] = field(default_factory=list)
    moved: dict[str, int] = field(default_factory=dict)
    replicate: int | None = 0
    ends: int = 0
    prefixes: int = 0
    _waiting: list[Trace] = field(default_factory=list)
    _most: int = 1
    _counted: int = 0

    def add(self, trace: Trace) -> None:
        """Take the samples of a replicate, and count when they fill the memory."""
        if not self._counted and not self._waiting:
            self.ends, self.prefixes = len(trace.ends), len(trace.prefixes)
            self._most = max(1, _MEMORY // (sample_bytes(trace.start) * len(_samples(trace))))
        self._waiting.append(trace)
        if len(self._waiting) >= self._most:
            self.count()

    def add_rows(self, trace: Trace) -> None:
        """Take the samples of all replicates, which have a leading axis, and evaluate the statistics."""
        size, self.replicate = self.task.size, None
        self.ends, self.prefixes = len(trace.ends), len(trace.prefixes)
        tables = [tabulate_rows(self.subject, sample, size, self.task.layout) for sample in _samples(trace)]
        for table in tables:
            self._refuse_nan(table)
        self.rows.append(np.stack([table.values for table in tables]))
        before, after = blocks(trace.start.state), [blocks(sample.state) for sample in trace.ends]
        for name, start in before.items():
            moved = [_rows_differ(np.asarray(start), np.asarray(state[name])) for state in after if name in state]
            self.moved[name] = int(np.any(moved, axis=0).sum())

    def _refuse_nan(self, table: Table) -> None:
        nan = first_nan(table)
        if nan is not None:
            self.replicate = nan[0] if self.subject.vectorised else self.replicate
            raise InputError(f'statistic "{nan[1]}" is NaN')

    def count(self) -> None:
        """Evaluate the statistics of what waits: one call for each, for all samples at once."""
        if not self._waiting:
            return
        values = self._tabulated(self._waiting)
        self.rows.append(values.reshape(-1, len(self._waiting), values.shape[-1]))
        self._count_moves()
        self._counted += len(self._waiting)
        self._waiting = []

    def _tabulated(self, traces: list[Trace]) -> FloatArray:
        try:
            return self._values(traces)
        except Exception:
            self.replicate = self._blamed(traces)
            raise

    def _blamed(self, traces: list[Trace]) -> int | None:
        """Return the first replicate whose samples can not be evaluated by themselves."""
        for number, trace in enumerate(traces, start=self._counted):
            try:
                self._values([trace])
            except Exception:  # the user's statistics raise what they like
                return number
        return None

    def _values(self, traces: list[Trace]) -> FloatArray:
        samples = [sample for group in zip(*map(_samples, traces), strict=True) for sample in group]
        table = tabulate(self.subject, samples, self.task.layout)
        self._refuse_nan(table)
        return table.values

    def _count_moves(self) -> None:
        """Count the replicates in which a block moved; one that is back after an even number of flips has moved too."""
        before = [blocks(trace.start.state) for trace in self._waiting]
        after = [[blocks(trace.ends[time].state) for trace in self._waiting] for time in range(self.ends)]
        for name in dict.fromkeys(itertools.chain(*before)):
            start = [state.get(name) for state in before]
            moved = [_differing(start, [state.get(name) for state in states]) for states in after]
            self.moved[name] = self.moved.get(name, 0) + int(np.any(moved, axis=0).sum())


def _differing(before: list[Any], after: list[Any]) -> np.ndarray[Any, Any]:
    """Say of each replicate whether a block differs, all at once where their shapes allow; NaN equals NaN."""
    first, last = stack_alike(before), stack_alike(after)
    if first is None or last is None or first.shape != last.shape or first.dtype.kind not in "fiub":
        return np.array([not same_state(a, b) for a, b in zip(before, after, strict=True)])
    return _rows_differ(first, last)


def _rows_differ(first: np.ndarray[Any, Any], last: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    with np.errstate(invalid="ignore"):
        differs = (first != last) & ((first == first) | (last == last))
    return np.asarray(differs.reshape(len(first), -1).any(axis=1))


def _samples(trace: Trace) -> list[Sample]:
    return [trace.start, *trace.ends, *trace.prefixes, *trace.forward]
