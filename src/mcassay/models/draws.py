"""What is kept of a chain: summaries that do not depend on how clusters are numbered, and the form in which ArviZ reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mcassay.models.seating import canonical
from mcassay.vocabulary import FloatArray, IntArray, State

if TYPE_CHECKING:
    import xarray

SHARES = 10
# Blocks that only serve to draw others.
_AUXILIARY = ("eta", "branch")


@dataclass
class Record:
    """What is kept of one chain, draw by draw.

    Parameters
    ----------
    chosen
        The points that are looked at in pairs.
    with_labels
        Whether the labels of all points are kept.
    """

    chosen: IntArray
    with_labels: bool
    columns: dict[str, list[Any]] = field(default_factory=dict)
    labels: list[IntArray] = field(default_factory=list)
    together: FloatArray | None = None

    def __call__(self, state: State, log_joint: float) -> None:
        """Keep what is wanted of a state."""
        z = np.asarray(state["z"])
        for name, value in {"log_joint": log_joint, **summaries(z), **_scalars(state)}.items():
            self.columns.setdefault(name, []).append(value)
        some = z[self.chosen]
        same = (some[:, np.newaxis] == some).astype(float)
        self.together = same if self.together is None else self.together + same
        if self.with_labels:
            self.labels.append(canonical(z).astype(np.int32))

    @property
    def draws(self) -> int:
        """How many draws were kept."""
        return len(self.columns["log_joint"])


def summaries(labels: IntArray) -> dict[str, Any]:
    """Return what can be said of a partition whatever the labels of its clusters are.

    Examples
    --------
    >>> summaries(np.array([7, 7, 7, 2]))["cluster_count"]
    2
    """
    sizes = np.bincount(labels)
    shares = np.sort(sizes[sizes > 0])[::-1] / len(labels)
    largest = np.zeros(SHARES)
    largest[: len(shares)] = shares[:SHARES]
    return {"cluster_count": len(shares), "entropy": float(-np.sum(shares * np.log(shares))), "share": largest}


def _scalars(state: State) -> dict[str, float]:
    return {name: float(value) for name, value in state.items() if np.ndim(value) == 0 and name not in _AUXILIARY}


def to_tree(records: Sequence[Record], points: FloatArray, attributes: Mapping[str, Any]) -> "xarray.DataTree":
    """Return what was kept of all chains as groups of datasets."""
    import xarray

    posterior = _dataset({name: np.array([r.columns[name] for r in records]) for name in records[0].columns})
    groups = {
        "posterior": posterior.assign_attrs(attributes),
        "coclustering": _pairs(records),
        "observed_data": xarray.Dataset({"x": (("point", "dimension"), points)}),
    }
    if records[0].with_labels:
        groups["labels"] = xarray.Dataset({"z": (("chain", "draw", "point"), np.array([r.labels for r in records]))})
    tree: xarray.DataTree = xarray.DataTree.from_dict(groups)
    tree.attrs.update(attributes)
    return tree


def _dataset(columns: Mapping[str, FloatArray]) -> "xarray.Dataset":
    import xarray

    dimensions = ("chain", "draw", "rank")
    chains, draws = columns["log_joint"].shape
    coordinates = {"chain": np.arange(chains), "draw": np.arange(draws), "rank": np.arange(1, SHARES + 1)}
    return xarray.Dataset({name: (dimensions[: column.ndim], column) for name, column in columns.items()}, coordinates)


def _pairs(records: Sequence[Record]) -> "xarray.Dataset":
    """Return the share of all draws in which two points were in one cluster."""
    import xarray

    together = sum(np.asarray(record.together) for record in records) / sum(record.draws for record in records)
    chosen = records[0].chosen
    return xarray.Dataset({"probability": (("point", "other_point"), together)}, {"point": chosen, "other_point": chosen})
