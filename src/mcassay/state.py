"""States: their named blocks, and copying, comparing and replacing them.

A state is an array or a number, or a dict, a dataclass, a tuple, a list or a plain object with attributes, nested at
will. Its blocks are its leaves; a nested leaf has a dotted name, and a state that is one array has the one block "state".
"""

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from mcassay.errors import InputError, shown
from mcassay.vocabulary import State

WHOLE = "state"

_LEAF_TYPES = (np.ndarray, np.generic, int, float, complex, str, bytes, bool, type(None))
# Looked up by exact type, which is fast: nearly every leaf is one of these.
_PLAIN = frozenset({np.ndarray, np.float64, np.float32, np.int64, np.int32, np.bool_, *_LEAF_TYPES} - {np.generic})
_NUMBERS = (int, float, complex, np.number, np.bool_)
_FROZEN = _PLAIN - {np.ndarray}
_ARRAYS = _PLAIN - {type(None)}


def fields_of(value: Any) -> Mapping[str, Any] | None:
    """Return the named parts of a container, or None for a leaf."""
    if type(value) in _PLAIN or isinstance(value, _LEAF_TYPES):
        return None
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    names = getattr(value, "_fields", None)
    if names is not None and isinstance(value, tuple):
        return dict(zip(names, value, strict=True))
    if type(value) is tuple:  # of numbers it is like an array, of anything else a container
        return None if all(map(_is_number, value)) else _members(value)
    if type(value) is list:
        return None if _is_like_array(value) else _members(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if hasattr(value, "__array__") or callable(value):
        return None
    return _attributes(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _is_like_array(value: list[Any]) -> bool:
    """Say whether a list is an array in other words; one of documents, or of groups of different sizes, is none."""
    try:
        return np.asarray(value).dtype != object
    except ValueError:
        return False


def _members(value: tuple[Any, ...] | list[Any]) -> dict[str, Any]:
    return {str(place): part for place, part in enumerate(value)}


def _attributes(value: Any) -> dict[str, Any] | None:
    """Return the attributes of a plain object, those in slots first; None where it can have none."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    if not slots and not hasattr(value, "__dict__"):
        return None
    found = {name: getattr(value, name) for name in dict.fromkeys(slots) if hasattr(value, name)}
    return {**found, **getattr(value, "__dict__", {})}


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    # Private names are stored under the name of their class; a class of builtins or numpy has slots that are no state.
    return tuple(name for name in names if not name.startswith("__")) if kind.__module__ != "builtins" else ()


def blocks(state: State) -> dict[str, Any]:
    """Return the named blocks of a state.

    Examples
    --------
    >>> blocks({"mu": 0.0, "cluster": {"size": 3}})
    {'mu': 0.0, 'cluster.size': 3}
    """
    if type(state) is dict and all(type(key) is str and type(part) in _PLAIN for key, part in state.items()):
        return state.copy()
    return dict(_leaves(state, "")) if fields_of(state) is not None else {WHOLE: state}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    parts = fields_of(value)
    if parts is None:
        yield path, value
        return
    for name, part in parts.items():
        yield from _leaves(part, f"{path}.{name}" if path else name)


def get_block(state: State, name: str) -> Any:
    """Return one block, or a container of blocks, by its name."""
    if type(state) is dict and name in state:
        return state[name]
    value = state
    for step in _path(state, name):
        value = _parts(value)[step]
    return value


def _parts(value: Any) -> Mapping[str, Any]:
    """Return what has a name inside a value: the fields of a container, and the members of any tuple or list."""
    return _members(value) if type(value) in (tuple, list) else fields_of(value) or {}


def _path(state: State, name: str) -> list[str]:
    """Return the steps that lead to a block: none for a state that is one block."""
    if name == WHOLE and fields_of(state) is None:
        return []
    path = _steps(state, name)
    if path is None:
        known = ", ".join(blocks(state)) or "none"
        raise InputError(f'the state has no block "{name}"; its blocks are: {known}')
    return path


def _steps(value: Any, name: str) -> list[str] | None:
    """Find the way to a dotted name; the names on the way may have dots of their own."""
    parts = _parts(value)
    if name in parts:
        return [name]
    for part in parts:
        rest = _steps(parts[part], name[len(part) + 1 :]) if name.startswith(f"{part}.") else None
        if rest is not None:
            return [part, *rest]
    return None


def get_blocks(state: State, names: tuple[str, ...]) -> Any:
    """Return the value of one block, or the tuple of values of several."""
    return get_block(state, names[0]) if len(names) == 1 else tuple(get_block(state, name) for name in names)


def replace_block(state: State, name: str, value: Any) -> State:
    """Return a state with one block replaced; the one passed in stays as it is, and the other blocks are shared."""
    if type(state) is dict and name in state:  # the common case, many times a sweep
        return {**state, name: value}
    path = _path(state, name)
    return _replaced(state, path, value) if path else value


def replace_blocks(state: State, names: tuple[str, ...], values: Any) -> State:
    """Return a state with one block, or several from a tuple of as many values, replaced."""
    if len(names) == 1:
        return replace_block(state, names[0], values)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        raise InputError(f"expected one value for each of the blocks {', '.join(names)}, but found {shown(values)}")
    for name, value in zip(names, values, strict=True):
        state = replace_block(state, name, value)
    return state


def _replaced(container: Any, path: list[str], value: Any) -> Any:
    step, *rest = path
    if rest:
        value = _replaced(_parts(container)[step], rest, value)
    if isinstance(container, Mapping):
        key = next(key for key in container if str(key) == step)
        return _like(container, {**container, key: value})
    if type(container) in (tuple, list):
        return type(container)(value if i == int(step) else part for i, part in enumerate(container))
    if isinstance(container, tuple):
        return container._replace(**{step: value})  # type: ignore[attr-defined]
    # A shallow copy keeps what the class computed at construction and works for frozen dataclasses too.
    new = copy.copy(container)
    object.__setattr__(new, step, value)
    return new


def _like(container: Mapping[Any, Any], entries: dict[Any, Any]) -> Any:
    if type(container) is dict:
        return entries
    new = copy.copy(container)
    new.update(entries)  # type: ignore[attr-defined]
    return new


def map_leaves(function: Callable[[Any], Any], value: State) -> State:
    """Return a state, or data, with a function applied to every leaf; containers keep their types, and None stays None.

    Examples
    --------
    >>> map_leaves(lambda leaf: leaf[0], {"mu": np.array([1.0, 2.0]), "cluster": {"size": np.array([3, 4])}})
    {'mu': np.float64(1.0), 'cluster': {'size': np.int64(3)}}
    """
    if type(value) is dict:  # the common case, many times a sweep
        return {name: function(part) if type(part) in _ARRAYS else map_leaves(function, part) for name, part in value.items()}
    parts = _members(value) if type(value) is tuple else fields_of(value)
    if parts is None:
        return None if value is None else function(value)
    for name, part in parts.items():
        value = _replaced(value, [name], map_leaves(function, part))
    return value


def copy_state(state: State) -> State:
    """Return a copy that shares nothing with the original that a step could change in place."""
    if isinstance(state, np.ndarray) and state.dtype != object:
        return state.copy()
    if isinstance(state, (int, float, complex, str, bytes, bool, np.generic, type(None))):
        return state
    if type(state) is dict:
        return {key: value if type(value) in _FROZEN else copy_state(value) for key, value in state.items()}
    try:
        return copy.deepcopy(state)
    except Exception as error:
        found = f"{type(state).__name__}: {type(error).__name__}: {error}"
        raise InputError(f"state and data must be of a kind that copy.deepcopy can copy, but found {found}") from error


def same_state(first: State, second: State) -> bool:
    """Say whether two states are equal to the bit; NaN equals NaN."""
    one, other = fields_of(first), fields_of(second)
    if one is not None or other is not None:
        if one is None or other is None or type(first) is not type(second) or one.keys() != other.keys():
            return False
        return all(same_state(one[name], other[name]) for name in one)
    return _same_leaf(first, second)


def _same_leaf(first: Any, second: Any) -> bool:
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(same_state(a, b) for a, b in pairs)
    try:
        a, b = np.asarray(first), np.asarray(second)
    except (TypeError, ValueError):
        return bool(first == second)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind in "fc":
        return bool(np.array_equal(a, b, equal_nan=True))
    return bool(np.array_equal(a, b))
