"""A session: blocks of replicates of one course or schedule, bet on in order until someone has seen enough."""

import time
from collections.abc import Generator as Blocks
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mcassay.engine.block import BlockResult, Task
from mcassay.engine.budget import Budget
from mcassay.engine.executors import Workers
from mcassay.engine.failures import BlockFailure
from mcassay.engine.instrument import Instrument
from mcassay.engine.schedule import Slot


@dataclass
class Session:
    """Runs blocks for one check and target, and counts what they cost.

    Attributes
    ----------
    path
        Check and target; with the seed and the number of a block it gives the seed of that block.
    sweeps, seconds
        What was spent so far.
    pace
        How many seconds a sweep took in the last block.
    log10_evidence
        The evidence so far, where the check gathers any.
    interrupted
        Whether the user broke it off.
    failure
        The block that could not be completed, if there is one. It ends the session, and whatever is concluded from the
        blocks before it, the result about this target becomes an ERROR.
    """

    workers: Workers
    instrument: Instrument
    seed: int
    path: tuple[str, ...]
    budget: Budget
    time_limit: float | None = None
    sweeps: int = 0
    seconds: float = 0.0
    pace: float = 0.0
    interrupted: bool = False
    failure: BlockFailure | None = None
    log10_evidence: float | None = None
    notes: dict[str, None] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """What the session is about, as results name it."""
        return self.path[1]

    @property
    def broken_off(self) -> bool:
        """Whether it ended before its time."""
        return self.interrupted or self.failure is not None

    def blocks(self, slots: Iterable[Slot], first: int = 0) -> Blocks[BlockResult, None, None]:
        """Yield blocks in order until the budget is spent, the caller stops, a block fails, or the user interrupts."""
        began = time.perf_counter() - self.seconds
        self.notes.update(dict.fromkeys(self.instrument.layout.notes))
        results = self.workers.results(self._tasks(slots, first))
        try:
            for outcome in results:
                if isinstance(outcome, BlockFailure):
                    self.failure = outcome
                    return
                self.sweeps += outcome.sweeps
                self.pace = outcome.seconds / outcome.sweeps
                self.seconds = time.perf_counter() - began
                self.notes.update(dict.fromkeys(outcome.notes))
                yield outcome
                if self.budget.seconds is not None and self.seconds >= self.budget.seconds:
                    return
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            results.close()  # type: ignore[attr-defined]

    def _tasks(self, slots: Iterable[Slot], first: int) -> Iterator[Task]:
        """Cut the schedule into tasks; a budget in sweeps ends it at the same block whatever the number of workers."""
        planned = self.sweeps
        for block, slot in enumerate(slots, start=first):
            size = self._affordable(slot, planned)
            if size < 1:
                return
            planned += size * slot.course.length
            yield Task(self.seed, self.path, block, size, slot.course, self.instrument.layout, self.time_limit)

    def _affordable(self, slot: Slot, planned: int) -> int:
        """Return how many of the replicates of a slot the rest of the budget allows; of a time, at least one."""
        if self.budget.sweeps is not None:
            left = self.budget.sweeps - planned
            # The first block is never cut to nothing, or a check with a small share would have seen nothing at all.
            return min(slot.size, left // slot.course.length if planned else max(1, left // slot.course.length))
        assert self.budget.seconds is not None
        each = self.pace * slot.course.length
        left_seconds = self.budget.seconds - self.seconds
        if each * slot.size <= left_seconds:
            return slot.size
        return max(1, int(left_seconds / each)) if each > 0 else 1
