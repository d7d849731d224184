"""Seeds: one root seed, and from it an independent stream for every named purpose and block."""

import secrets
import zlib

import numpy as np

from mcassay.errors import reject
from mcassay.vocabulary import Generator

_SEED_BITS = 64


def root_seed(seed: int | str | None) -> int:
    """Read a seed: a whole number, its hexadecimal form as reports print it, or None for a fresh one.

    Examples
    --------
    >>> root_seed("7f3a")
    32570
    """
    if seed is None:
        return secrets.randbits(_SEED_BITS)
    if isinstance(seed, str):
        try:
            seed = int(seed, 16)
        except ValueError:
            reject("assay", "seed", "be a whole number, or one written in hexadecimal", seed)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        reject("assay", "seed", "be a whole number from 0 on, or None", seed)
    return int(seed)


def written_seed(seed: int) -> str:
    """Write a root seed as reports print it."""
    return f"{seed:x}"


def seed_sequence(root: int, *path: str | int) -> np.random.SeedSequence:
    """Return the seed sequence of one purpose: the path holds names (a check, a target) and numbers (a block)."""
    key = tuple(zlib.crc32(step.encode()) if isinstance(step, str) else int(step) for step in path)
    return np.random.SeedSequence(root, spawn_key=key)


def generator(root: int, *path: str | int) -> Generator:
    """Return the generator of one purpose; the same root and path give the same stream on every machine.

    Examples
    --------
    >>> float(generator(7, "invariance", 0).random()) == float(generator(7, "invariance", 0).random())
    True
    """
    return np.random.default_rng(seed_sequence(root, *path))
