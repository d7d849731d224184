"""What a kernel can reach besides its arguments: attributes, closed-over variables, globals, and the generators among them."""

import functools
import inspect
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.parts import Snapshot

_DEEPEST = 6
_MOST = 2000
_LIBRARIES = ("site-packages", "/lib/python", "<frozen")
_UNSEEDED = {"default_rng", "RandomState", "urandom", "SystemRandom", "token_bytes", "randbits", "uuid4", "time_ns"}


@dataclass
class Reachable:
    """What can be reached from a kernel.

    Attributes
    ----------
    generators
        Random generators by the path on which they were found.
    memory
        Values that a call could change: attributes of objects, closed-over variables and globals of the user's functions.
    names
        Names that the user's functions use.
    """

    generators: dict[str, Any] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)

    @classmethod
    def from_kernel(cls, kernel: Any) -> "Reachable":
        """Search a kernel."""
        found = cls()
        found._visit(kernel, "", 0)
        return found

    @property
    def makes_generators(self) -> tuple[str, ...]:
        """The functions in use that yield other numbers every time."""
        return tuple(sorted(self.names & _UNSEEDED))

    def _visit(self, value: Any, path: str, depth: int) -> None:
        if id(value) in self.seen or depth > _DEEPEST or len(self.seen) > _MOST:
            return
        self.seen.add(id(value))
        if isinstance(value, (np.random.Generator, np.random.RandomState, random.Random)):
            if not _is_global(value):  # those are seeded for every block
                self.generators[path or "itself"] = value
            return
        for name, part in _parts_of(value):
            where = f"{path}.{name}" if path else name
            if _is_memory(part):
                self.memory[where] = part
            self._visit(part, where, depth + 1)
        code = getattr(value, "__code__", None)
        if isinstance(code, types.CodeType):
            self.names |= _names_in(code)


@dataclass(frozen=True)
class Watched:
    """A kernel, and everything that can be reached from it as it was at one time."""

    kernel: Any
    before: Reachable
    generators: dict[str, str]
    memory: Snapshot

    @classmethod
    def of(cls, kernel: Any) -> "Watched":
        """Remember what can be reached now."""
        found = Reachable.from_kernel(kernel)
        states = {path: _generator_state(generator) for path, generator in found.generators.items()}
        return cls(kernel, found, states, Snapshot.of(found.memory))

    def drawn_from(self) -> tuple[str, ...]:
        """Return the generators that were drawn from since."""
        return tuple(p for p, generator in self.before.generators.items() if _generator_state(generator) != self.generators[p])

    def changed(self) -> tuple[str, ...]:
        """Return the values that are different since."""
        return self.memory.changed(Reachable.from_kernel(self.kernel).memory)


def _generator_state(generator: Any) -> str:
    if isinstance(generator, np.random.Generator):
        return repr(generator.bit_generator.state)
    with np.printoptions(threshold=2000):
        return repr(generator.get_state() if isinstance(generator, np.random.RandomState) else generator.getstate())


def _is_global(generator: Any) -> bool:
    return generator is np.random.mtrand._rand or generator is random._inst


def _is_memory(value: Any) -> bool:
    plain = isinstance(value, (np.ndarray, np.generic, int, float, str, dict, list, tuple, set, type(None)))
    return plain and not isinstance(value, types.ModuleType)


def _parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
        return
    if isinstance(value, types.MethodType):
        yield "self", value.__self__
        yield getattr(value.__func__, "__name__", "function"), value.__func__  # that of a partial has no name
    elif isinstance(value, functools.partial):
        yield from (("function", value.func), *((str(k), part) for k, part in enumerate(value.args)), *value.keywords.items())
    elif isinstance(value, types.FunctionType):
        yield from _parts_of_function(value)
    elif isinstance(value, dict):
        yield from ((str(key), part) for key, part in list(value.items())[:64])
    elif isinstance(value, (list, tuple)):
        yield from ((str(place), part) for place, part in enumerate(value[:64]))
    elif hasattr(value, "__dict__") and _is_users(type(value)):
        yield from vars(value).items()
        call = inspect.getattr_static(type(value), "__call__", None)
        if isinstance(call, types.FunctionType):
            yield "__call__", call


def _parts_of_function(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    if not _is_users(function):
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a variable that has no value yet
            continue
    for name in sorted(_names_in(function.__code__) & function.__globals__.keys()):
        yield name, function.__globals__[name]
    yield from ((f"{function.__name__}.{name}", part) for name, part in vars(function).items())
    yield from ((f"default {place}", part) for place, part in enumerate(function.__defaults__ or ()))


def _names_in(code: types.CodeType) -> set[str]:
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))


def _is_users(thing: Callable[..., Any] | type) -> bool:
    """Say whether a function or class is the user's own, or one of ours that holds the user's, rather than a library's."""
    code = getattr(thing, "__code__", None)
    if isinstance(code, types.CodeType):
        return not any(part in code.co_filename for part in _LIBRARIES)
    root = (getattr(thing, "__module__", None) or "").partition(".")[0]
    return root not in {"numpy", "scipy", "builtins", "functools", "jax", "torch", "numba"}
