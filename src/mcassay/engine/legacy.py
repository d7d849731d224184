"""Global random state: code that still uses it is seeded for each block of replicates, noticed, and left as it was found."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


class GlobalState(NamedTuple):
    """The states of numpy's and of Python's global generators."""

    numpy: Any
    python: Any


def global_generators() -> dict[str, Any]:
    """Return the global generators themselves, which code may hold by a bound method: ``from random import gauss``."""
    return {"numpy": np.random.mtrand._rand, "python": _python}


def global_generator(name: str) -> Any:
    """Return a global generator of this process."""
    return global_generators()[name]


_python: Any = vars(random)["_inst"]


def global_state() -> GlobalState:
    """Return the states of the global generators."""
    return GlobalState(np.random.get_state(), _python.getstate())  # noqa: NPY002


def restore(state: GlobalState) -> None:
    """Set the global generators back to states that they were in."""
    np.random.set_state(state.numpy)  # noqa: NPY002
    _python.setstate(state.python)


@dataclass
class GlobalRandomness:
    """Which global generators were drawn from."""

    used: list[str] = field(default_factory=list)


@contextmanager
def global_randomness(seed: int) -> Iterator[GlobalRandomness]:
    """Seed numpy's and Python's global generators, notice whether they are used, and restore them."""
    noticed = GlobalRandomness()
    with _kept_from_other_threads(seed):  # from before the seeding until after the restoring
        before = global_state()
        np.random.seed(seed % 2**32)  # noqa: NPY002
        _python.seed(seed)
        seeded = global_state()
        try:
            yield noticed
        finally:
            after = global_state()
            if not _same(after.numpy, seeded.numpy):
                noticed.used.append("numpy.random")
            if after.python != seeded.python:
                noticed.used.append("random")
            restore(before)


# The thread whose draws from ``random`` count at present; None where nobody's do.
_owner: int | None = None


@contextmanager
def _kept_from_other_threads(seed: int) -> Iterator[None]:
    """Let other threads draw from a generator of their own: a Dask worker's event loop draws from ``random`` now and then."""
    global _owner
    others, before, own = random.Random(seed), _owner, threading.get_ident()
    shared = {name: draw for name, draw in vars(random).items() if getattr(draw, "__self__", None) is _python}
    _owner = own
    for name, draw in shared.items():
        setattr(random, name, _dispatch(draw, getattr(others, name)))
    try:
        yield
    finally:
        for name, draw in shared.items():
            setattr(random, name, draw)
        # A block that was given up may end in its thread after everything around it has ended.
        _owner = before if _is_dispatched() else None


def _is_dispatched() -> bool:
    return getattr(random.random, "__self__", None) is not _python


def _dispatch(draw: Any, other: Any) -> Any:
    return lambda *args, **kwargs: (draw if _owner in (None, threading.get_ident()) else other)(*args, **kwargs)


def _same(first: Any, second: Any) -> bool:
    return np.array_equal(first[1], second[1]) and first[2:] == second[2:]
