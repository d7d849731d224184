"""Statistics of an ensemble: one member a row, all of one law, so that symmetric functions of them show more than any one."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mcassay.vocabulary import FloatArray, Statistic

# More coordinates than these would crowd out the statistics of the others.
_MOST_COORDINATES = 3


def ensemble_statistics(members: int, dimensions: int) -> dict[str, Statistic]:
    """Return statistics of all members together: their spread, what their coordinates have in common, half against half."""
    found: dict[str, Callable[[FloatArray], Any]] = {
        f"spread of members in {j}": partial(_spread, j) for j in range(min(dimensions, _MOST_COORDINATES))
    }
    if dimensions > 1:
        found["coordinates together"] = _coordinates_together
    found["half against half"] = _halves_apart
    found["every other against the rest"] = _alternate_apart
    found["closest members"] = _closest
    found["next members apart"] = _neighbours_apart
    return {name: partial(_of_state, statistic) for name, statistic in found.items()} if members > 1 else {}


def _of_state(statistic: Callable[[FloatArray], Any], state: FloatArray, data: Any) -> float:
    return float(statistic(state))


def _spread(coordinate: int, members: FloatArray) -> Any:
    return np.var(members[:, coordinate])


def _coordinates_together(members: FloatArray) -> Any:
    away = members - members.mean(axis=0)
    return np.mean(away[:, 0] * away[:, 1])


def _halves_apart(members: FloatArray) -> Any:
    half = len(members) // 2
    return np.sum((members[:half].mean(axis=0) - members[half:].mean(axis=0)) ** 2)


def _alternate_apart(members: FloatArray) -> Any:
    """Compare the halves that most ensemble samplers move in turn."""
    return np.sum((members[::2].mean(axis=0) - members[1::2].mean(axis=0)) ** 2)


def _closest(members: FloatArray) -> Any:
    """Return the squared distance of the two members that are closest."""
    first, second = np.triu_indices(len(members), 1)
    return np.min(np.sum((members[first] - members[second]) ** 2, axis=1))


def _neighbours_apart(members: FloatArray) -> Any:
    return np.mean((members[1:] - members[:-1]) ** 2)
