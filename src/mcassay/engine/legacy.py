"""Global random state: code that still uses it is seeded for each block of replicates, noticed, and left as it was found."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class GlobalRandomness:
    """Which global generators were drawn from."""

    used: list[str] = field(default_factory=list)


@contextmanager
def global_randomness(seed: int) -> Iterator[GlobalRandomness]:
    """Seed numpy's and Python's global generators, notice whether they are used, and restore them."""
    before_numpy, before_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    random.seed(seed)
    seeded_numpy, seeded_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    noticed = GlobalRandomness()
    try:
        yield noticed
    finally:
        if not _same(np.random.get_state(), seeded_numpy):  # noqa: NPY002
            noticed.used.append("numpy.random")
        if random.getstate() != seeded_python:
            noticed.used.append("random")
        np.random.set_state(before_numpy)  # noqa: NPY002
        random.setstate(before_python)


def _same(first: Any, second: Any) -> bool:
    return np.array_equal(first[1], second[1]) and first[2:] == second[2:]
