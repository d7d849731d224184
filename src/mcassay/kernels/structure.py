"""What a kernel may tell of its structure, so that a check can be exact and a bug be localised.

A kernel is any step ``(state, data, rng) -> state``. One that also has ``parts()`` is made of named steps; one with ``bound_to``
can take the subject's log joint; one whose ``reversible`` is True claims detailed balance. A bare function has none of them
and stays a first-class citizen.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from mcassay.errors import InputError, reject, shown
from mcassay.vocabulary import Data, Generator, LogJoint, State, Step


@runtime_checkable
class Composite(Protocol):
    """A kernel made of named steps."""

    def parts(self) -> Mapping[str, Step]:
        """Return the named steps."""
        ...

    @property
    def in_order(self) -> bool:
        """Whether a sweep applies every part once, in the order of ``parts()``."""
        ...


@runtime_checkable
class NeedsLogJoint(Protocol):
    """A kernel that uses the log joint and inherits the subject's where it was not given one."""

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the kernel with the log joint filled in where it is missing."""
        ...


@runtime_checkable
class Compiled(Protocol):
    """A kernel that runs many sweeps of many replicates in one call, compiled once; it changes nothing but what it returns."""

    def advance(self, carry: Any, data: Data, rng: Generator, sweeps: int, redraw: bool) -> tuple[Any, Data]:
        """Return what the kernel works on, and the data, after so many sweeps, each after a redraw of the data if asked for."""
        ...

    @property
    def remarks(self) -> list[str]:
        """What a reader of the report should know, such as how long compiling took."""
        ...


def claims_reversibility(step: Step) -> bool:
    """Say whether a kernel claims detailed balance: any step may, by an attribute ``reversible`` that is True."""
    return getattr(step, "reversible", False) is True


def bind(step: Step, log_joint: LogJoint | None) -> Step:
    """Give a kernel, and every part of it, the subject's log joint where it has none of its own."""
    return step.bound_to(log_joint) if isinstance(step, NeedsLogJoint) else step


def updates_of(step: Step) -> dict[str, Step]:
    """Return every named update of a kernel, those of nested kernels under dotted names; empty for a bare function."""
    return dict(_updates(step, "")) if isinstance(step, Composite) else {}


def _updates(step: Step, path: str) -> Iterator[tuple[str, Step]]:
    if not isinstance(step, Composite):
        yield path, step
        return
    for name, part in step.parts().items():
        yield from _updates(part, f"{path}.{name}" if path else name)


def ordered_updates(step: Step) -> dict[str, Step]:
    """Return the updates that a sweep applies one after another, each once; empty for a kernel without such an order."""
    return dict(_ordered(step, "")) if isinstance(step, Composite) and step.in_order else {}


def _ordered(step: Step, path: str) -> Iterator[tuple[str, Step]]:
    if not isinstance(step, Composite) or not step.in_order:
        yield path, step
        return
    for name, part in step.parts().items():
        yield from _ordered(part, f"{path}.{name}" if path else name)


def apply(step: Step, state: State, data: Data, rng: Generator) -> State:
    """Apply a step by the state rules: None means that the state was updated in place."""
    new = step(state, data, rng)
    if new is None:
        return state
    if type(new) is tuple and type(state) is not tuple:
        raise InputError(
            "the step returned a tuple where a state was expected; return the state alone, or give the subject "
            "`init` and `position` if the kernel carries more than the state"
        )
    return new


def named_steps(where: str, steps: Mapping[str, Step]) -> dict[str, Step]:
    """Read the {name: step} of a kernel."""
    if not isinstance(steps, Mapping) or not steps:
        reject(where, "steps", "be a dict {name: step} with at least one step", steps)
    for name, step in steps.items():
        if not isinstance(name, str) or not name:
            reject(where, "every name", "be a string", name)
        if not callable(step):
            reject(where, f'steps["{name}"]', "be a step(state, data, rng)", step)
        require_callable(where, f'steps["{name}"]', step, "(state, data, rng) -> state")
    return dict(steps)


def block_names(where: str, names: Any) -> tuple[str, ...]:
    """Read the name of one block or a tuple of names."""
    read = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, (tuple, list)) else ()
    if not read or not all(isinstance(name, str) and name for name in read) or len(set(read)) != len(read):
        reject(where, "blocks", "be the name of a block, or a tuple of different names", names)
    return read


def require_callable(where: str, argument: str, value: Any, form: str) -> Callable[..., Any]:
    """Read a function of the user's that takes what stands in brackets in its form, or one of several such lists."""
    if not callable(value):
        raise InputError(f"{where}: {argument} must be a function {form}, but found {shown(value)}")
    if not any(takes(value, inside.count(",") + 1) for inside in re.findall(r"\(([^)]*)\)", form)):
        raise InputError(f"{where}: {argument} must be a function {form}, but found one of {inspect.signature(value)}")
    return value  # type: ignore[no-any-return]


def require_callable_or_none(where: str, argument: str, value: Any, form: str) -> None:
    """Raise an error unless a function was given, or left out."""
    if value is not None and not callable(value):
        reject(where, argument, f"be a function {form} or None", value)
    if value is not None:
        require_callable(where, argument, value, form)


def takes(function: Callable[..., Any], count: int) -> bool:
    """Say whether a function can be called with so many arguments; those that do not tell are found out when called."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # some builtins
        return True
    return True


def require_positive(where: str, argument: str, value: Any) -> None:
    """Raise an error unless a number is positive and finite."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:
        reject(where, argument, "be positive and finite", value)


def require_count(where: str, argument: str, value: Any) -> None:
    """Raise an error unless a number is whole and at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        reject(where, argument, "be a whole number from 1 on", value)


def read_log(where: str, function: str, value: Any) -> float:
    """Read the one number that a log density of the user's returned."""
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "fiub":
        reject(where, function, "return one number", value)
    return float(array.reshape(()))
