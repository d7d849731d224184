"""Statistics of states and data: the default ones, log_joint, and the user's own, as one table for a batch of samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mcassay.engine.summaries import Column, summaries
from mcassay.errors import InputError, shown
from mcassay.state import blocks
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, State

# Looked up by exact type, which is fast: nearly every value is one of these.
_SCALARS = frozenset({float, int, bool, np.float64, np.float32, np.int64, np.int32, np.bool_})


class Sample(NamedTuple):
    """A state and the data that it was drawn under."""

    state: State
    data: Data


@dataclass(frozen=True)
class Table:
    """Statistics of a batch of samples: one row a sample, one column a statistic."""

    names: tuple[str, ...]
    blocks: tuple[str, ...]
    paired: tuple[bool, ...]
    values: FloatArray


@dataclass(frozen=True)
class Layout:
    """The shape and kind of every block of state and data, as the prior draws them; None for a shape that varies."""

    shapes: Mapping[str, tuple[int, ...] | None]
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "Layout":
        """Read the layout off a batch of draws from the joint."""
        parts = [_parts(sample) for sample in samples]
        arrays = {name: [_as_array(part.get(name)) for part in parts] for name in parts[0]}
        shapes = {name: _common([array.shape for array in batch]) for name, batch in arrays.items()}
        kinds = {name: "f" if any(a.dtype.kind == "f" for a in batch) else batch[0].dtype.kind for name, batch in arrays.items()}
        return cls(shapes, kinds)


def sample_bytes(sample: Sample) -> int:
    """Return how much memory a sample takes, about."""
    parts = [part for value in sample if value is not None for part in blocks(value).values()]
    return max(1, sum(np.asarray(part).nbytes for part in parts))


def tabulate(subject: Subject, samples: Sequence[Sample], layout: Layout) -> Table:
    """Evaluate all statistics of a batch of samples."""
    columns = [*summaries(_stacked(samples, layout)), *_densities(subject, samples), *_users(subject, samples)]
    if not columns:
        raise InputError("the state has no numbers to watch; give the subject `statistics={name: f(state, data)}`")
    values = np.column_stack([column.values for column in columns]).astype(float)
    names = tuple(column.name for column in columns)
    return Table(names, tuple(c.block for c in columns), tuple(c.paired for c in columns), values)


def _stacked(samples: Sequence[Sample], layout: Layout) -> Mapping[str, Any]:
    parts = [_parts(sample) for sample in samples]
    if parts[0].keys() != layout.shapes.keys():
        raise InputError(
            f"the step must leave the blocks of the state as the prior draws them ({', '.join(layout.shapes)}), "
            f"but found {', '.join(parts[0])}"
        )
    return {name: _stack(name, [part[name] for part in parts], layout) for name in layout.shapes}


def _parts(sample: Sample) -> dict[str, Any]:
    state = blocks(sample.state)
    if sample.data is None:
        return state
    return {**state, **{("data" if name == "state" else f"data.{name}"): part for name, part in blocks(sample.data).items()}}


def _stack(name: str, values: list[Any], layout: Layout) -> Any:
    """Stack a block over the batch; one whose shape varies is replaced by symmetric summaries of each sample."""
    kind, shape = layout.kinds[name], layout.shapes[name]
    if kind not in "fiub":
        return None
    if shape is None:
        return np.stack([_of_any_length(_as_array(value)) for value in values])
    stacked = stack_alike(values)
    if stacked is None or stacked.shape[1:] != shape:
        found = next(array.shape for array in map(_as_array, values) if array.shape != shape)
        raise InputError(f'block "{name}" has shape {shape} when the prior draws it, but {found} after a step')
    return stacked.astype(float, copy=False) if kind == "f" else stacked


def stack_alike(values: Sequence[Any]) -> np.ndarray[Any, Any] | None:
    """Stack values of one shape along a new first axis; None where shapes differ."""
    if all(type(value) in _SCALARS for value in values):
        return np.array(values)
    arrays = [value if type(value) is np.ndarray else _as_array(value) for value in values]
    shape = arrays[0].shape
    if any(array.shape != shape for array in arrays):
        return None
    if not shape:
        return np.array(arrays)
    # One long concatenation is several times as fast as np.stack, which reshapes every part first.
    return np.concatenate(arrays).reshape(len(arrays), *shape)


def _as_array(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, (list, tuple)) and len({np.shape(part) for part in value}) > 1:
        return np.concatenate([np.ravel(part) for part in value])
    return np.asarray(value)


def _common(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else None


def _of_any_length(array: Any) -> FloatArray:
    flat = np.asarray(array, dtype=float).ravel()
    if not flat.size:
        return np.zeros(5)
    return np.array([flat.size, flat.mean(), np.square(flat).mean(), flat.min(), flat.max()])


def _densities(subject: Subject, samples: Sequence[Sample]) -> list[Column]:
    if subject.log_joint is None:
        return []
    with np.errstate(all="ignore"):
        values = [_number(subject.log_joint(*sample), "log_joint") for sample in samples]
    return [Column("log_joint", "log_joint", True, np.array(values))]


def _users(subject: Subject, samples: Sequence[Sample]) -> list[Column]:
    return [column for name, f in subject.statistics.items() for column in _users_columns(name, [f(*s) for s in samples])]


def _users_columns(name: str, values: list[Any]) -> list[Column]:
    arrays = [np.asarray(value, dtype=float).ravel() for value in values]
    if any(array.shape != arrays[0].shape for array in arrays):
        raise InputError(
            f'statistic "{name}" must return as many numbers every time, but found {sorted({a.size for a in arrays})}'
        )
    table = np.stack(arrays)
    if table.shape[1] == 1:
        return [Column(name, name, True, table[:, 0])]
    return [Column(f"{name}[{j}]", name, True, column) for j, column in enumerate(table.T)]


def _number(value: Any, name: str) -> float:
    if type(value) is float:
        return value
    array = np.asarray(value)
    if array.size != 1:
        raise InputError(f"{name}(state, data) must return one number, but found {shown(value)}")
    return float(array.reshape(()))


def first_nan(table: Table) -> tuple[int, str] | None:
    """Return the sample and the name of the first statistic that is NaN."""
    places = np.argwhere(np.isnan(table.values))
    return None if not len(places) else (int(places[0][0]), table.names[int(places[0][1])])
