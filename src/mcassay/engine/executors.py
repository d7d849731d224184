"""Where blocks run: in this process, on a pool of ours, or on any executor that the user brings.

Results come back in the order of the tasks, whatever the number of workers, so that the outcome depends on the seed alone.
"""

import itertools
import multiprocessing
import os
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from mcassay.engine.block import BlockResult, Task, run_block
from mcassay.engine.failures import BlockFailure
from mcassay.errors import reject
from mcassay.subject import Subject

_LOSSES = 3
_GRACE = 30.0

Outcome = BlockResult | BlockFailure


def run_pickled(subject: bytes, task: Task) -> Outcome:
    """Run a block in another process; unpickling gives it its own copy of the kernel."""
    return run_block(pickle.loads(subject), task)


@dataclass
class Workers:
    """Runs blocks of one subject.

    Attributes
    ----------
    executor
        Where blocks are sent; None runs them in this process.
    own
        How many processes the pool of ours has; None for an executor that the user brought.
    notes
        What a reader of the report should know.
    """

    subject: Subject
    executor: Executor | None = None
    own: int | None = None
    notes: list[str] = field(default_factory=list)
    _pickled: bytes | None = None

    @classmethod
    def of(cls, subject: Subject, executor: Any) -> "Workers":
        """Read the ``executor`` of an assay: None, a number of processes, or an executor."""
        if executor is None:
            return cls(subject)
        workers = cls(subject)
        workers._pickled = _pickled(subject)
        if workers._pickled is None:
            workers.notes.append("the subject can not be pickled (install cloudpickle), so it runs in this process")
            return workers
        if isinstance(executor, int) and not isinstance(executor, bool) and executor >= 1:
            workers.own, workers.executor = executor, process_pool(executor)
            return workers
        if not callable(getattr(executor, "submit", None)):
            reject("assay", "executor", "be a concurrent.futures.Executor, a number of processes or None", executor)
        workers.executor = executor
        return workers

    def results(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield the outcome of every task, in order; tasks ahead of the one that is waited for run meanwhile."""
        if self.executor is None:
            for task in tasks:
                yield run_block(self.subject, task)
            return
        waiting: deque[tuple[Task, Future[Outcome]]] = deque()
        tasks = iter(tasks)
        try:
            while True:
                for task in itertools.islice(tasks, self._lookahead - len(waiting)):
                    waiting.append((task, self._submit(task)))
                if not waiting:
                    return
                yield self._wait(*waiting.popleft(), waiting)
        finally:
            for _, future in waiting:
                future.cancel()

    @property
    def _lookahead(self) -> int:
        return 2 * (self.own or 4)

    def _submit(self, task: Task) -> "Future[Outcome]":
        assert self.executor is not None
        assert self._pickled is not None
        return self.executor.submit(run_pickled, self._pickled, task)

    def _wait(self, task: Task, future: "Future[Outcome]", waiting: "deque[tuple[Task, Future[Outcome]]]") -> Outcome:
        """Wait for a block; one that is lost with its worker is run again with its own seed."""
        limit = None if task.seconds is None else task.seconds + _GRACE
        lost: Exception
        for _ in range(_LOSSES):
            try:
                return future.result(timeout=limit)
            except TimeoutError:
                self._stop()
                return BlockFailure(task.path, task.block, 0, f"a block of {task.size} replicates took over {limit:g} s", None)
            except (BrokenExecutor, CancelledError) as error:
                lost = error
            except Exception as error:
                if not _is_lost_worker(error):
                    raise
                lost = error
            if not self._recover(waiting):
                break
            future = self._submit(task)
        reason = f"the worker was lost ({type(lost).__name__}: {lost}); the step may have crashed it"
        return BlockFailure(task.path, task.block, 0, reason, None)

    def _recover(self, waiting: "deque[tuple[Task, Future[Outcome]]]") -> bool:
        """Replace a broken pool of ours and submit again what waited in it; an executor of the user's has to recover itself."""
        if self.own is None:
            return not isinstance(self.executor, ProcessPoolExecutor)
        self._stop()
        self.executor = process_pool(self.own)
        again = [(task, self._submit(task)) for task, _ in waiting]
        waiting.clear()
        waiting.extend(again)
        return True

    def _stop(self) -> None:
        if self.own is not None and isinstance(self.executor, ProcessPoolExecutor):
            for process in list((self.executor._processes or {}).values()):
                process.kill()
            self.executor.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Shut down a pool of ours; an executor that the user brought stays open."""
        if self.own is not None and self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Start a pool of processes."""
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() and os.name == "posix" else "spawn"
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method))


def _pickled(subject: Subject) -> bytes | None:
    """Pickle a subject, with cloudpickle where it is installed; None where neither can."""
    try:
        import cloudpickle

        return bytes(cloudpickle.dumps(subject))
    except ImportError:
        pass
    except Exception:  # cloudpickle raises whatever the object's own reduction raises
        return None
    try:
        return pickle.dumps(subject)
    except Exception:  # likewise
        return None


def _is_lost_worker(error: Exception) -> bool:
    """Recognise the loss of a worker as executors of other libraries report it (Dask's KilledWorker)."""
    return type(error).__name__ in {"KilledWorker", "CommClosedError", "FutureCancelledError", "WorkerCrashedError"}
