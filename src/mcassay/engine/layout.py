"""The layout of samples: what is watched of state and data, in which shapes, and how samples are stacked by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mcassay.engine.numbers import Sample, as_array, is_ready, numbers, of_value
from mcassay.errors import InputError, shown
from mcassay.state import WHOLE, blocks, fields_of
from mcassay.vocabulary import FloatArray

# More blocks than these are watched together: every statistic, and every pair of them, costs time and evidence.
MOST_BLOCKS = 100
_TOGETHER = "all blocks"
# What a number or an array in a dict takes besides its content, in bytes.
_OBJECT = 200
_SCALARS = frozenset({float, int, bool, np.float64, np.float32, np.int64, np.int32, np.bool_})


class Ragged(NamedTuple):
    """A block whose length differs from sample to sample, by what does not depend on it: one row a sample."""

    table: FloatArray


# Length, mean, mean square, smallest and largest, first and last.
RAGGED = ("length of {}", "mean of {}", "mean square of {}", "smallest of {}", "largest of {}", "first of {}", "last of {}")
SMALLEST = RAGGED.index("smallest of {}")


@dataclass(frozen=True)
class Layout:
    """What is watched, as the prior draws it.

    Attributes
    ----------
    shapes, kinds
        Of every block that is watched; the shape is None where it varies.
    groups
        Those that stand for many blocks, or for parts that are not there in every draw (a tree, clusters that come and go).
    of_state
        Those that belong to the state.
    unwatched
        The blocks of the state that hold nothing that can be watched.
    """

    shapes: Mapping[str, tuple[int, ...] | None]
    kinds: Mapping[str, str]
    groups: frozenset[str] = frozenset()
    of_state: frozenset[str] = frozenset()
    unwatched: tuple[str, ...] = ()

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "Layout":
        """Read the layout off a batch of draws from the joint."""
        drawn = [numbers(sample) for sample in samples]
        groups = _groups_of(drawn)
        grouped = [_grouped(parts, groups) for parts in drawn]
        arrays = {name: [as_array(parts[name]) for parts in grouped] for name in grouped[0]}
        shapes = {name: _common([array.shape for array in batch]) for name, batch in arrays.items()}
        kinds = {name: "f" if any(a.dtype.kind == "f" for a in batch) else batch[0].dtype.kind for name, batch in arrays.items()}
        states = [_grouped(of_value(sample.state), groups).keys() for sample in samples[:1]]
        return cls(shapes, kinds, groups, frozenset().union(*states), _unwatched(samples))

    @classmethod
    def of_rows(cls, sample: Sample) -> "Layout":
        """Read the layout off many replicates, whose arrays have a leading axis."""
        parts = {name: as_array(part) for name, part in numbers(sample).items()}
        groups = _groups_of([parts])
        grouped = _joined_rows(parts) if groups else parts
        shapes = {name: array.shape[1:] for name, array in grouped.items()}
        kinds = {name: array.dtype.kind for name, array in grouped.items()}
        states = groups or frozenset(of_value(sample.state))
        return cls(shapes, kinds, groups, states, _unwatched([sample]))

    def parts(self, sample: Sample) -> dict[str, Any]:
        """Return what is watched of a sample; what a step adds to the blocks that the prior draws is not."""
        found = _grouped(numbers(sample), self.groups)
        if found.keys() >= self.shapes.keys():
            return found
        drawn = ", ".join(name for name in self.shapes if name in self.of_state)
        here = shown(sample.state) if fields_of(sample.state) is None else ", ".join(of_value(sample.state))
        raise InputError(f"the step must leave the blocks of the state as the prior draws them ({drawn}), but found {here}")

    @property
    def notes(self) -> list[str]:
        """What a reader of the report should know."""
        said = []
        if self.unwatched:
            names = ", ".join(f'"{name}"' for name in self.unwatched[:3])
            said.append(
                f"nothing is watched of {names}, which holds no numbers; statistics={{name: f(state, data)}} can watch it"
            )
        if _TOGETHER in self.groups:
            said.append(f"more than {MOST_BLOCKS} blocks are watched together, as one vector; statistics can watch single ones")
        return said


def _groups_of(drawn: Sequence[dict[str, Any]]) -> frozenset[str]:
    if all(parts.keys() == drawn[0].keys() for parts in drawn):
        return frozenset({_TOGETHER} if len(drawn[0]) > MOST_BLOCKS else ())
    everywhere = set(drawn[0]).intersection(*drawn)
    if len(everywhere) > MOST_BLOCKS:
        return frozenset({_TOGETHER})
    return frozenset(_group(name) for parts in drawn for name in parts.keys() - everywhere)


def _group(name: str) -> str:
    """Return what parts that come and go are watched as: places in lists and tuples do not count.

    Examples
    --------
    >>> _group("clusters.3.mu"), _group("tree.1.1.text"), _group("0")
    ('clusters.mu', 'tree.text', 'state')
    """
    return ".".join(step for step in name.split(".") if not step.isdigit()) or WHOLE


def _grouped(parts: dict[str, Any], groups: frozenset[str]) -> dict[str, Any]:
    if not groups:
        return parts
    if _TOGETHER in groups:
        return {_TOGETHER: _joined(list(parts.values()))}
    found: dict[str, Any] = {}
    gathered: dict[str, list[Any]] = {group: [] for group in sorted(groups)}
    for name, part in parts.items():
        gathered.get(_group(name), []).append(part)
        if _group(name) not in gathered:
            found[name] = part
    return found | {group: _joined(rows) for group, rows in gathered.items()}


def _joined(values: list[Any]) -> FloatArray:
    if all(type(value) in _SCALARS for value in values):
        return np.array(values, dtype=float)
    return np.concatenate([np.zeros(0), *(np.ravel(as_array(value)) for value in values)])


def _unwatched(samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return the blocks of the state of which no draw shows a number."""
    silent: dict[str, None] = {}
    for sample in samples[:64]:
        parts = blocks(sample.state)
        if not all(map(is_ready, parts.values())):
            silent |= dict.fromkeys(name for name, part in parts.items() if not is_ready(part) and not of_value({name: part}))
    return tuple(name for name in silent if not any(of_value({name: blocks(s.state).get(name)}) for s in samples[:64]))


def _common(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else None


def _joined_rows(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is watched together: one vector a replicate."""
    rows = [np.asarray(part, dtype=float).reshape(len(part), -1) for part in map(as_array, parts.values())]
    return {_TOGETHER: np.concatenate(rows, axis=1)}


def stacked_rows(sample: Sample, size: int, layout: Layout) -> dict[str, Any]:
    """Return what is watched of many replicates, whose arrays have a leading axis already."""
    found: Mapping[str, Any] = numbers(sample)
    if layout.groups:
        found = _joined_rows(found)
    elif not found.keys() >= layout.shapes.keys():
        layout.parts(sample)  # says which blocks are missing
    return {name: _row_block(name, as_array(found[name]), size, layout) for name in layout.shapes}


def _row_block(name: str, batch: np.ndarray[Any, Any], size: int, layout: Layout) -> np.ndarray[Any, Any]:
    expected = (size, *(layout.shapes[name] or ()))
    if batch.shape != expected:
        raise InputError(
            f'block "{name}" of {size} replicates has the shape {expected} when the prior draws it, but {batch.shape} after a '
            "step; the first axis is that of the replicates"
        )
    return batch.astype(float, copy=False) if layout.kinds[name] == "f" else _whole(name, batch)


def stacked(samples: Sequence[Sample], layout: Layout) -> dict[str, Any]:
    """Stack what is watched over a batch of samples."""
    parts = [layout.parts(sample) for sample in samples]
    return {name: _stack(name, [part[name] for part in parts], layout) for name in layout.shapes}


def _stack(name: str, values: list[Any], layout: Layout) -> Any:
    """Stack a block over the batch; one whose shape varies is replaced by summaries of each sample."""
    kind, shape = layout.kinds[name], layout.shapes[name]
    if shape is None:
        return Ragged(np.stack([_of_any_length(as_array(value)) for value in values]))
    batch = stack_alike(values)
    if batch is None or batch.shape[1:] != shape:
        found = next(array.shape for array in map(as_array, values) if array.shape != shape)
        raise InputError(f'block "{name}" has shape {shape} when the prior draws it, but {found} after a step')
    return batch.astype(float, copy=False) if kind == "f" else _whole(name, batch)


def _whole(name: str, batch: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a block that the prior draws as whole numbers; a step may write them as floating ones."""
    if batch.dtype.kind != "f":
        return batch
    with np.errstate(invalid="ignore"):
        whole = batch.astype(np.int64)
    if not (whole == batch).all():
        found = batch[whole != batch].ravel()[0]
        raise InputError(f'block "{name}" holds whole numbers when the prior draws it, but {found} after a step')
    return whole


def stack_alike(values: Sequence[Any]) -> np.ndarray[Any, Any] | None:
    """Stack values of one shape along a new first axis; None where shapes differ."""
    if all(type(value) in _SCALARS for value in values):
        return np.array(values)
    arrays = [value if type(value) is np.ndarray else as_array(value) for value in values]
    shape = arrays[0].shape
    if any(array.shape != shape for array in arrays):
        return None
    if not shape:
        return np.array(arrays)
    # One long concatenation is several times as fast as np.stack, which reshapes every part first.
    return np.concatenate(arrays).reshape(len(arrays), *shape)


def _of_any_length(array: np.ndarray[Any, Any]) -> FloatArray:
    flat = np.asarray(array, dtype=float).ravel()
    if not flat.size:
        return np.zeros(len(RAGGED))
    with np.errstate(all="ignore"):
        return np.array([flat.size, flat.mean(), np.square(flat).mean(), flat.min(), flat.max(), flat[0], flat[-1]])


def sample_bytes(sample: Sample) -> int:
    """Return how much memory a sample takes, about: its numbers, and the objects that hold them."""
    return sum(_OBJECT + as_array(part).nbytes for part in numbers(sample).values()) + _OBJECT
