"""Pools: processes of ours, or an executor that the user brings.

Processes of ours are spawned. A fork copies one thread of the parent and every lock that the others hold (those of numpy's
linear algebra, of a notebook, of JAX, of a Dask client), and Python warns of it from 3.12 on: it may wait for ever.
A spawned process starts clean. It usually imports the user's script again, and a script without an ``if __name__ ==
"__main__"`` would start an assay in every process; the script is hidden from ours, since its functions are sent by value.
"""

import multiprocessing
import signal
import sys
import types
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any

from mcassay.errors import InputError, reject

_UNKNOWN_SLOTS = 4


@dataclass
class Sent:
    """Work that was sent: its future, and where it went."""

    future: "Future[Any]"
    executor: Executor


class Pool:
    """Where blocks are sent.

    Attributes
    ----------
    executor
        The executor that works now; one of ours is replaced when it breaks.
    own
        How many processes of ours it has; None for an executor that the user brought.
    """

    def __init__(self, executor: Executor | None, own: int | None = None) -> None:
        self.own = own
        self.executor = process_pool(own) if executor is None and own is not None else executor

    @classmethod
    def of(cls, executor: Any) -> "Pool":
        """Read the ``executor`` of an assay: a number of processes, or an executor that still takes work."""
        if isinstance(executor, cls):
            return executor
        if isinstance(executor, int) and not isinstance(executor, bool) and executor >= 1:
            return cls(None, executor)
        if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
            reject("assay", "executor", "be a concurrent.futures.Executor, a number of processes from 1 on, or None", executor)
        try:
            executor.submit(int).cancel()
        except Exception as error:
            found = f"{type(executor).__name__}: {error}"
            raise InputError(f"assay: executor must still take work, but found {found}") from error
        return cls(executor)

    @property
    def lookahead(self) -> int:
        """How many blocks may be under way: enough to keep everyone busy, and few enough to be thrown away."""
        if self.own is not None:
            return 2 * self.own
        return 2 * max(1, min(_slots(self.executor), 64))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Sent:
        """Send work; what an executor refuses comes back as a future that failed."""
        try:
            return self._sent(function, *arguments)
        except BrokenExecutor as error:
            if self.own is not None:
                self.replace()
                return self._sent(function, *arguments)
            return self._refused(error)
        except Exception as error:  # an executor that was shut down meanwhile raises what it likes
            return self._refused(error)

    def _sent(self, function: Callable[..., Any], *arguments: Any) -> Sent:
        assert self.executor is not None
        if self.own is None:
            return Sent(self.executor.submit(function, *arguments), self.executor)
        with _clean_start():
            return Sent(self.executor.submit(function, *arguments), self.executor)

    def _refused(self, error: Exception) -> Sent:
        assert self.executor is not None
        future: Future[Any] = Future()
        future.set_exception(error)
        return Sent(future, self.executor)

    def knows_what_runs(self) -> bool:
        """Say whether futures tell that they still wait in a queue, behind work that is none of ours."""
        return self.own is None and isinstance(self.executor, (ProcessPoolExecutor, ThreadPoolExecutor))

    def lost_a_process(self) -> bool:
        """Say whether a process of ours is dead."""
        if self.own is None or not isinstance(self.executor, ProcessPoolExecutor):
            return False
        return any(not process.is_alive() for process in list((self.executor._processes or {}).values()))

    def replace(self) -> None:
        """Replace processes of ours that broke or hang."""
        assert self.own is not None
        self.close()
        self.executor = process_pool(self.own)

    def close(self) -> None:
        """Stop processes of ours, whatever they do; an executor that the user brought stays open."""
        if self.own is None or not isinstance(self.executor, ProcessPoolExecutor):
            return
        for process in list((self.executor._processes or {}).values()):
            process.kill()
        _end_results(self.executor)
        self.executor.shutdown(wait=True, cancel_futures=True)


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of processes, which start when work is sent."""
    return ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))


def _end_results(executor: ProcessPoolExecutor) -> None:
    """Let nobody wait for the rest of a result whose process was killed while it wrote.

    The executor keeps the writing end of its results open in this process too, so that the end of them would never be seen.
    """
    results: Any = executor._result_queue
    if results is not None:
        results._writer.close()


def _slots(executor: Any) -> int:
    """Return how many blocks an executor runs at once, as far as it tells."""
    workers = getattr(executor, "_max_workers", None)
    if isinstance(workers, int):
        return workers
    try:  # Dask's
        return int(sum(executor._client.nthreads().values()))
    except Exception:
        return _UNKNOWN_SLOTS


@contextmanager
def _clean_start() -> Iterator[None]:
    """Start processes that neither import the user's script nor hear Ctrl-C, which is for the process that waits for them."""
    main = sys.modules["__main__"]
    with _without_interrupts():
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Hold back SIGINT; processes that start meanwhile never receive it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # multiprocessing starts it with the first process, and lets SIGINT through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
