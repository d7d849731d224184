"""Two classical sets of data for mixtures."""

from importlib.resources import files

import numpy as np

from mcassay.vocabulary import FloatArray


def galaxies() -> FloatArray:
    """Return the velocities of 82 galaxies, in thousands of km/s: shape (82, 1).

    Examples
    --------
    >>> galaxies().shape
    (82, 1)
    """
    return _read("galaxies")[:, np.newaxis] / 1000


def old_faithful() -> FloatArray:
    """Return how long 272 eruptions of a geyser lasted, and the wait for the next, in minutes: shape (272, 2).

    Examples
    --------
    >>> old_faithful()[0]
    array([ 3.6, 79. ])
    """
    return _read("old_faithful")


def _read(name: str) -> FloatArray:
    with files("mcassay.models").joinpath("data", f"{name}.txt").open(encoding="utf-8") as lines:
        return np.loadtxt(lines)
