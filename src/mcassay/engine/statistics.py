"""Statistics of states and data: the default ones, log_joint, and the user's own, as one table for a batch of samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.engine.layout import Layout, stacked, stacked_rows
from mcassay.engine.numbers import Sample, as_array
from mcassay.engine.summaries import Column, summaries
from mcassay.errors import InputError, shown
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray


@dataclass(frozen=True)
class Table:
    """Statistics of a batch of samples: one row a sample, one column a statistic."""

    names: tuple[str, ...]
    blocks: tuple[str, ...]
    paired: tuple[bool, ...]
    values: FloatArray


def tabulate(subject: Subject, samples: Sequence[Sample], layout: Layout) -> Table:
    """Evaluate all statistics of a batch of samples."""
    return _table([*summaries(stacked(samples, layout)), *_densities(subject, samples), *_users(subject, samples)])


def tabulate_rows(subject: Subject, sample: Sample, size: int, layout: Layout) -> Table:
    """Evaluate all statistics of many replicates of a vectorised subject, in one call each."""
    columns = list(summaries(stacked_rows(sample, size, layout)))
    with np.errstate(all="ignore"):
        if subject.log_joint is not None:
            values = _rows_of_numbers(subject.log_joint(*sample), size, "log_joint(state, data)")
            if values.shape[1] != 1:
                raise InputError(f"log_joint(state, data) must return one number a replicate, but found {values.shape[1]}")
            columns.append(Column("log_joint", "log_joint", True, values[:, 0]))
        for name, f in subject.statistics.items():
            columns += _columns_of(name, _rows_of_numbers(f(*sample), size, f'statistic "{name}"'))
    return _table(columns)


def _rows_of_numbers(value: Any, size: int, name: str) -> FloatArray:
    array = as_array(value)
    if array.dtype.kind not in "fiub":
        raise InputError(f"{name} must return real numbers, but found {shown(value)}")
    if array.shape[:1] != (size,):
        raise InputError(f"{name} must return an array with a leading axis of {size} replicates, but found shape {array.shape}")
    return array.astype(float).reshape(size, -1)


def _table(columns: list[Column]) -> Table:
    if not columns:
        raise InputError("the state has no numbers to watch; give the subject `statistics={name: f(state, data)}`")
    values = np.column_stack([column.values for column in columns]).astype(float)
    names = tuple(column.name for column in columns)
    return Table(names, tuple(c.block for c in columns), tuple(c.paired for c in columns), values)


def _densities(subject: Subject, samples: Sequence[Sample]) -> list[Column]:
    if subject.log_joint is None:
        return []
    with np.errstate(all="ignore"):
        values = [_number(subject.log_joint(*sample), "log_joint") for sample in samples]
    return [Column("log_joint", "log_joint", True, np.array(values))]


def _users(subject: Subject, samples: Sequence[Sample]) -> list[Column]:
    return [column for name, f in subject.statistics.items() for column in _users_columns(name, [f(*s) for s in samples])]


def _users_columns(name: str, values: list[Any]) -> list[Column]:
    arrays = [_real_numbers(value, f'statistic "{name}"') for value in values]
    if any(array.shape != arrays[0].shape for array in arrays):
        raise InputError(
            f'statistic "{name}" must return as many numbers every time, but found {sorted({a.size for a in arrays})}'
        )
    return _columns_of(name, np.stack(arrays))


def _columns_of(name: str, table: FloatArray) -> list[Column]:
    if table.shape[1] == 1:
        return [Column(name, name, True, table[:, 0])]
    return [Column(f"{name}[{j}]", name, True, column) for j, column in enumerate(table.T)]


def _real_numbers(value: Any, name: str) -> FloatArray:
    array = as_array(value)
    if array.dtype.kind not in "fiub":
        raise InputError(f"{name} must return real numbers, but found {shown(value)}")
    return array.astype(float).ravel()


def _number(value: Any, name: str) -> float:
    if type(value) is float:
        return value
    array = as_array(value)
    if array.size != 1 or array.dtype.kind not in "fiub":
        raise InputError(f"{name}(state, data) must return one number, but found {shown(value)}")
    return float(array.reshape(()))


def first_nan(table: Table) -> tuple[int, str] | None:
    """Return the sample and the name of the first statistic that is NaN."""
    places = np.argwhere(np.isnan(table.values))
    return None if not len(places) else (int(places[0][0]), table.names[int(places[0][1])])
