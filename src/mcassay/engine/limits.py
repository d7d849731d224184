"""A time limit on user code, kept where the code runs."""

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType

# A handler of the user's that swallows everything is interrupted again after so many seconds.
_AGAIN = 1.0


class TimeLimitReached(BaseException):
    """A block of replicates took longer than its limit.

    Not an Exception, so that an ``except Exception`` in the user's code does not swallow it.
    """


def time_limit(seconds: float | None) -> AbstractContextManager[None]:
    """Raise TimeLimitReached in the code inside after so many seconds.

    The main thread is interrupted by a signal. Other threads (those of a Dask worker) and other platforms are interrupted
    between two bytecodes; code that never returns from C there is noticed by whoever waits for the block.
    """
    if seconds is None:
        return nullcontext()
    main = threading.current_thread() is threading.main_thread()
    return _by_signal(seconds) if main and hasattr(signal, "setitimer") else _by_thread(seconds)


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise TimeLimitReached

    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, interrupt)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
        if left:  # an alarm that someone else had set goes off when it was due
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), 1e-3), interval)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    lock, watched = threading.Lock(), [threading.get_ident()]

    def interrupt() -> None:
        with lock:
            for thread in watched:
                _raise_in(thread, TimeLimitReached)

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            _raise_in(watched.pop(), None)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread; None takes back one that was not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)
