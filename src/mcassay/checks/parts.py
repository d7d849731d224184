"""The parts of a state, of data or of a carry: their leaves by path, those inside tuples and lists included.

Blocks of a state do not reach into tuples and lists, but a carry is often a plain tuple such as (state, log density).
"""

import copy
import math
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.errors import InputError
from mcassay.state import copy_state, fields_of, same_state

# A longer list is data rather than structure.
_LONGEST = 64


def sub_parts(value: Any) -> Mapping[str, Any] | None:
    """Return the parts of a container, tuples and short lists included, or None for a leaf."""
    parts = fields_of(value)
    if parts is None and isinstance(value, (tuple, list)) and 0 < len(value) <= _LONGEST:
        return {str(place): part for place, part in enumerate(value)}
    return parts


def leaves(value: Any) -> dict[str, Any]:
    """Return the leaves by their dotted paths; the path of a value that is one leaf is empty.

    Examples
    --------
    >>> leaves(({"x": 1.0, "y": 2.0}, -3.5))
    {'0.x': 1.0, '0.y': 2.0, '1': -3.5}
    """
    return dict(_leaves(value, "", ()))


def _leaves(value: Any, path: str, above: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    parts = sub_parts(value)
    if parts is None or id(value) in above:  # an object that contains itself is not followed round
        yield path, value
        return
    for name, part in parts.items():
        yield from _leaves(part, f"{path}.{name}" if path else name, (*above, id(value)))


def part_at(value: Any, path: str, what: str) -> Any:
    """Return the part at a dotted path; an unknown one is an error that lists what there is."""
    steps = _steps(value, path)
    if steps is None:
        known = ", ".join(name or "(it is one value)" for name in leaves(value))
        raise InputError(f'{what} has no part "{path}"; its parts are: {known}')
    for step in steps:
        value = (sub_parts(value) or {})[step]
    return value


def with_part(value: Any, path: str, new: Any) -> Any:
    """Return a copy of the containers on the way, with the part at a path replaced."""
    steps = _steps(value, path) if path else []
    if steps is None:
        raise InputError(f'there is no part "{path}"')
    return _with(value, steps, new)


def _steps(value: Any, path: str) -> list[str] | None:
    """Find the way to a dotted path; the names on the way may have dots of their own."""
    parts = sub_parts(value) or {}
    if path in parts:
        return [path]
    for name in parts:
        rest = _steps(parts[name], path[len(name) + 1 :]) if path.startswith(f"{name}.") else None
        if rest is not None:
            return [name, *rest]
    return None


def _with(value: Any, steps: list[str], new: Any) -> Any:
    if not steps:
        return new
    step, *rest = steps
    inner = _with((sub_parts(value) or {})[step], rest, new)
    if isinstance(value, tuple):
        place = value._fields.index(step) if hasattr(value, "_fields") else int(step)
        members = [*value[:place], inner, *value[place + 1 :]]
        return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
    copied = copy.copy(value)
    if isinstance(value, Mapping):
        copied[next(key for key in value if str(key) == step)] = inner
    elif isinstance(value, list):
        copied[int(step)] = inner
    else:
        object.__setattr__(copied, step, inner)
    return copied


def is_numeric(value: Any) -> bool:
    """Say whether a leaf is a number or an array of numbers."""
    return isinstance(value, (int, float, np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "fiub"


def close(first: Any, second: Any, relative: float) -> bool:
    """Say whether two numeric leaves agree to a relative precision; NaN agrees with NaN."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=relative, atol=relative, equal_nan=True))


def distance(first: Any, second: Any) -> float:
    """Return the largest difference between the numeric leaves of two values; inf where they differ otherwise."""
    one, other = leaves(first), leaves(second)
    if one.keys() != other.keys():
        return math.inf
    return max((_leaf_distance(one[path], other[path]) for path in one), default=0.0)


def _leaf_distance(first: Any, second: Any) -> float:
    if same_state(first, second):
        return 0.0
    if not (is_numeric(first) and is_numeric(second)) or np.shape(first) != np.shape(second):
        return math.inf
    with np.errstate(all="ignore"):
        gap = np.abs(np.asarray(first, dtype=float) - np.asarray(second, dtype=float))
    return math.inf if np.isnan(gap).any() else float(gap.max())


_COPIED_AS_THEY_ARE = (type(None), type, types.FunctionType, types.BuiltinFunctionType)


@dataclass(frozen=True)
class Snapshot:
    """Copies of the leaves of a value, as far as they can be copied and compared, to find out later what has changed."""

    kept: Mapping[str, Any]
    paths: frozenset[str]

    @classmethod
    def of(cls, value: Any) -> "Snapshot":
        """Copy every leaf that equals its own copy."""
        found = leaves(value)
        return cls({path: kept for path, leaf in found.items() for kept in _copies(leaf)}, frozenset(found))

    def changed(self, value: Any) -> tuple[str, ...]:
        """Return the paths of the leaves that are gone, different or new."""
        now = leaves(value)
        different = [path for path, kept in self.kept.items() if path not in now or not same_state(kept, now[path])]
        return (*different, *(path for path in now if path not in self.paths))

    def differs(self, path: str, leaf: Any) -> bool:
        """Say whether a leaf that was kept has another value now."""
        return path in self.kept and not same_state(self.kept[path], leaf)


def _copies(leaf: Any) -> Iterator[Any]:
    if _equals_itself_alone(leaf):  # and may be large: a compiled model with all that it refers to
        return
    try:
        copied = copy_state(leaf)
        if same_state(copied, leaf):
            yield copied
    except Exception:  # what can not be copied or compared is left out
        return


def _equals_itself_alone(leaf: Any) -> bool:
    """Say whether a leaf can not be equal to any copy of it."""
    kind = type(leaf)
    if isinstance(leaf, _COPIED_AS_THEY_ARE) or hasattr(kind, "__array__") or hasattr(kind, "__len__"):
        return False
    return getattr(kind, "__eq__", None) is object.__eq__


def arrays(value: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays among the leaves, which are what can share memory."""
    return {path: leaf for path, leaf in leaves(value).items() if isinstance(leaf, np.ndarray) and leaf.size}


def share_memory(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> bool:
    """Say whether two arrays share memory; where that is too hard to tell, whether their bounds overlap."""
    try:
        return np.shares_memory(first, second, max_work=10_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return np.may_share_memory(first, second)


def shared_parts(first: Any, second: Any) -> list[tuple[str, str]]:
    """Return the paths of the arrays that two values share memory in."""
    ours, theirs = arrays(first), arrays(second)
    return [(a, b) for a, one in ours.items() for b, other in theirs.items() if share_memory(one, other)]


def aliases(value: Any) -> set[tuple[str, str]]:
    """Return the pairs of leaves of one value that share memory."""
    found = list(arrays(value).items())
    return {(a, b) for k, (a, one) in enumerate(found) for b, other in found[k + 1 :] if share_memory(one, other)}
