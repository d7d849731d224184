"""The independent components of a block, or of several blocks that are drawn jointly: taking one, and putting some in place."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Index = tuple[int, ...]


def splits(value: Any, batch_shape: Index) -> bool:
    """Say whether a value is made of as many components as there are log densities, along its leading axes."""
    parts = value if isinstance(value, tuple) else (value,)
    return len(batch_shape) > 0 and all(np.shape(part)[: len(batch_shape)] == batch_shape for part in parts)


def component_of(value: Any, index: Index) -> Any:
    """Return one component."""
    if isinstance(value, tuple):
        return tuple(component_of(part, index) for part in value)
    return np.asarray(value)[index]


def with_component(old: Any, index: Index, component: Any) -> Any:
    """Return a value with one component replaced; all of it for the empty index."""
    if not index:
        return component
    if isinstance(old, tuple):
        return tuple(with_component(part, index, piece) for part, piece in zip(old, component, strict=True))
    # An array of whole numbers would cut off what comes after the point.
    new = np.array(old, dtype=np.result_type(np.asarray(old), np.asarray(component)))
    new[index] = component
    return new


def with_components(old: Any, new: Any, indices: Sequence[Index]) -> Any:
    """Return the old value with some components taken from the new one."""
    if isinstance(old, tuple):
        return tuple(with_components(part, other, indices) for part, other in zip(old, new, strict=True))
    mixed = np.array(old, dtype=np.result_type(np.asarray(old), np.asarray(new)))
    chosen = tuple(np.array(indices, dtype=int).T)
    mixed[chosen] = np.asarray(new)[chosen]
    return mixed


def same_component(first: Any, second: Any, index: Index) -> bool:
    """Say whether a component is the same in two values."""
    one, other = component_of(first, index), component_of(second, index)
    if isinstance(one, tuple):
        return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    return bool(np.array_equal(one, other))
