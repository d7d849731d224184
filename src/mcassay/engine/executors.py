"""Where blocks run: in this process, on a pool of ours, or on any executor that the user brings.

Results come back in the order of the tasks, whatever the number of workers, so that the outcome depends on the seed alone.
"""

import itertools
import math
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass, field
from typing import Any

from mcassay.engine.block import BlockResult, Task, fresh, run_block
from mcassay.engine.failures import BlockFailure, failed
from mcassay.engine.pools import Pool, Sent
from mcassay.engine.portable import NotLoaded, Parcel, has_cloudpickle, load, pack
from mcassay.subject import Subject

_LOSSES = 3
_GRACE = 60.0
# How many seconds pass between two looks at whether our processes live.
_LOOK = 5.0

Outcome = BlockResult | BlockFailure


def run_parcel(parcel: Parcel, task: Task) -> Outcome | NotLoaded:
    """Run a block in another process."""
    subject = load(parcel)
    return subject if isinstance(subject, NotLoaded) else run_block(subject, task)


@dataclass
class Workers:
    """Runs blocks of one subject.

    Attributes
    ----------
    pool
        Where blocks are sent; None runs them in this process.
    parcel
        The subject as it is sent; None where it can not be pickled.
    notes
        What a reader of the report should know.
    """

    subject: Subject
    pool: Pool | None = None
    parcel: Parcel | None = None
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, subject: Subject, executor: Any) -> "Workers":
        """Read the ``executor`` of an assay: None, a number of processes, or an executor."""
        pool = None if executor is None else Pool.of(executor)
        packed = pack(subject)
        if isinstance(packed, Parcel):
            return cls(subject, pool, packed)
        workers = cls(subject)
        if pool is not None:
            workers._stay_here(packed)
        return workers

    def _stay_here(self, reason: str) -> None:
        advice = "" if has_cloudpickle() else "; cloudpickle may help (pip install 'mcassay[distributed]')"
        self.notes.append(f"the subject can not be sent to other processes ({reason}{advice}), so it ran in this one")
        self.pool = None

    def results(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield the outcome of every task, in order; tasks ahead of the one that is waited for run meanwhile."""
        waiting: deque[tuple[Task, Sent]] = deque()
        tasks = iter(tasks)
        try:
            while True:
                ahead = self.pool.lookahead - len(waiting) if self.pool is not None else 0
                waiting.extend((task, self._send(task)) for task in itertools.islice(tasks, max(ahead, 0)))
                if waiting:
                    yield self._outcome(*waiting.popleft())
                    continue
                task = next(tasks, None)
                if task is None:
                    return
                yield self._here(task)
        finally:
            for _, sent in waiting:
                sent.future.cancel()

    def _here(self, task: Task) -> Outcome:
        if self.subject.compiled:  # a copy would be compiled again
            return run_block(self.subject, task)
        return run_block(fresh(self.subject) if self.parcel is None else self.parcel.load(), task)

    def _send(self, task: Task) -> Sent:
        assert self.pool is not None
        return self.pool.submit(run_parcel, self.parcel, task)

    def _outcome(self, task: Task, sent: Sent) -> Outcome:
        """Wait for a block; one that is lost with its worker is run again with its own seed.

        Losing a process of ours loses all blocks under way. Until this one is done no other is sent, so that from the second
        loss on it is this block that does it.
        """
        losses = 0
        while self.pool is not None:
            counts = sent.executor is self.pool.executor
            try:
                outcome = self._wait(task, sent)
            except (BrokenExecutor, CancelledError) as error:
                losses += counts
                if self.pool.own is None and isinstance(error, BrokenExecutor):
                    return failed(task, f"the executor broke ({_named(error)}); the step may have crashed a process of it")
                if losses == _LOSSES:
                    return failed(task, f"the process was lost {losses} times ({_named(error)}); the step may crash it")
                if counts and self.pool.own is not None:
                    self.pool.replace()
            except Exception as error:  # whatever the executor of the user raises, such as Dask's KilledWorker
                return failed(task, f"the executor could not run it ({_named(error)})")
            else:
                if not isinstance(outcome, NotLoaded):
                    return outcome
                self._pack_by_value(outcome)
            sent = self._send(task) if self.pool is not None else sent
        return self._here(task)

    def _wait(self, task: Task, sent: Sent) -> Outcome | NotLoaded:
        assert self.pool is not None
        limit = None if task.seconds is None else task.seconds + _GRACE
        while True:
            queued = self.pool.knows_what_runs() and not sent.future.running()
            try:
                return self._result(sent, limit)
            except TimeoutError:
                if sent.future.done():
                    raise
                if not queued:
                    break
        if self.pool.own is not None:
            self.pool.replace()
        return failed(task, f"a block of {task.size} replicates took over {limit:g} s")

    def _result(self, sent: Sent, limit: float | None) -> Outcome | NotLoaded:
        """Wait so long for a result; look after processes of ours meanwhile.

        A process that is killed while it writes a result leaves the executor reading for the rest of it, without a word.
        """
        assert self.pool is not None
        began, dead = time.monotonic(), False
        while self.pool.own is not None and sent.executor is self.pool.executor:
            left = math.inf if limit is None else limit - (time.monotonic() - began)
            try:
                return sent.future.result(timeout=min(_LOOK, max(left, 0.0)))  # type: ignore[no-any-return]
            except TimeoutError:
                if sent.future.done() or left <= _LOOK:
                    raise
                if dead:
                    raise BrokenExecutor("a process was killed while it wrote its result") from None
                dead = self.pool.lost_a_process()
        return sent.future.result(timeout=limit)  # type: ignore[no-any-return]

    def _pack_by_value(self, missing: NotLoaded) -> None:
        """Send the code itself where it can not be imported; where that was done before, run here."""
        assert self.parcel is not None
        if missing.checksum != self.parcel.checksum:
            return
        packed = pack(self.subject, missing)
        if isinstance(packed, Parcel) and packed.checksum != missing.checksum and has_cloudpickle():
            self.parcel = packed
        else:
            self._stay_here(missing.reason)


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
