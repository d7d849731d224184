"""The numbers in a sample: what can be watched of state and data, whatever they are made of.

Numbers and arrays of them are watched as they are. Complex ones are watched by their two parts, text by a code, and lists, sets,
records and objects by what is in them. What holds nothing that can be watched (a function, a lock) is left out.
"""

import zlib
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

import numpy as np

from mcassay.state import WHOLE, blocks, fields_of
from mcassay.vocabulary import Data, State

# Looked up by exact type, which is fast: nearly every value is one of these.
_READY = frozenset({float, bool, np.float64, np.float32, np.int64, np.int32, np.bool_})
_DEEPEST = 50


class Sample(NamedTuple):
    """A state and the data that it was drawn under."""

    state: State
    data: Data


def numbers(sample: Sample) -> dict[str, Any]:
    """Return what can be watched of a sample, by name; of equal names, those of the data give way.

    Examples
    --------
    >>> numbers(Sample({"x": 1.0, "w": 2 + 3j}, [1.5, 2.5]))
    {'x': 1.0, 'w.real': np.float64(2.0), 'w.imag': np.float64(3.0), 'data': [1.5, 2.5]}
    """
    found = of_value(sample.state)
    if sample.data is not None:
        for name, part in of_value(sample.data).items():
            own = "data" if name == WHOLE else f"data.{name}"
            found[own if own not in found else f"observed {own}"] = part
    return found


def of_value(value: Any) -> dict[str, Any]:
    """Return what can be watched of a state, or of data, by the names of blocks."""
    parts = blocks(value)
    if all(map(is_ready, parts.values())):
        return parts
    return {path: number for name, part in parts.items() for path, number in _numbers_in(part, name, 0)}


def is_ready(value: Any) -> bool:
    """Say whether a value can be watched as it is."""
    kind = type(value)
    return kind in _READY or (kind is np.ndarray and value.dtype.kind in "fiub")


def _numbers_in(value: Any, name: str, depth: int) -> Iterator[tuple[str, Any]]:
    if value is None:
        return
    if is_ready(value):
        yield name, value
    elif isinstance(value, np.ma.MaskedArray):  # what lies under a mask is nobody's business
        yield name, np.ma.filled(value, 0)
    elif depth < _DEEPEST:
        array = as_array(value)
        if array.dtype.names is not None:
            yield from _numbers_of_fields({field: array[field] for field in array.dtype.names}, name, depth)
        elif array.dtype.kind == "O":
            yield from _numbers_in_object(value, array, name, depth)
        else:
            yield from _numbers_of_kind(value, array, name)


def _numbers_of_kind(value: Any, array: np.ndarray[Any, Any], name: str) -> Iterator[tuple[str, Any]]:
    if array.dtype.kind in "fiub":
        yield name, value if type(value) in (int, list, tuple) else array[()]
    elif array.dtype.kind == "c":
        yield f"{name}.real", array.real[()]
        yield f"{name}.imag", array.imag[()]
    elif array.dtype.kind in "US":
        yield f"{name}.text", np.array([_code(text) for text in array.ravel().tolist()]).reshape(array.shape)[()]


def _code(text: str | bytes) -> int:
    """Return a small number that tells texts apart, the same in every process."""
    return zlib.crc32(text if isinstance(text, bytes) else text.encode()) % 65_521


def _numbers_in_object(value: Any, array: np.ndarray[Any, Any], name: str, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Set):
        value = sorted(value, key=repr)
    if isinstance(value, (list, tuple)):
        yield from _numbers_of_fields({str(place): part for place, part in enumerate(value)}, name, depth)
    elif (fields := fields_of(value)) is not None:
        yield from _numbers_of_fields(dict(fields), name, depth)
    else:  # whole numbers of any size, fractions and decimals can be written as floating numbers
        try:
            yield name, array.astype(float)[()]
        except (TypeError, ValueError, OverflowError):
            return


def _numbers_of_fields(fields: dict[str, Any], name: str, depth: int) -> Iterator[tuple[str, Any]]:
    for field, part in fields.items():
        yield from _numbers_in(part, f"{name}.{field}", depth + 1)


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """Return a value as an array; a list of arrays of several lengths as one long array, and what is no array as an object."""
    try:
        return np.asarray(value)
    except ValueError:  # of no regular shape
        pass
    try:
        joined = np.concatenate([np.ravel(part) for part in value])
    except ValueError:
        return np.array(None, dtype=object)
    return joined if joined.dtype.kind in "fiub" else np.array(None, dtype=object)
