"""Functions of one replicate, compiled by JAX for many at once.

JAX compiles anew for every shape, and compiling takes longer than running. So there is one shape, that of a full block. What has
fewer replicates is filled up with copies of its last one, and runs as many chunks as it takes: their number is an argument.
"""

import functools
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.adapters.optional import load
from mcassay.errors import InputError
from mcassay.vocabulary import Data, Generator

FULL = 256
CHUNK = 32
# Random numbers reach JAX as words of 32 bits, which need no double precision.
_WORDS = 2
Function = Callable[..., Any]


@dataclass
class Clock:
    """What was compiled for a subject, and how long that took."""

    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def remarks(self) -> list[str]:
        """What a reader of the report should know."""
        if not self.seconds:
            return []
        return [f"JAX compiled {', '.join(self.seconds)} in {sum(self.seconds.values()):.1f} s, once for all blocks"]


# Copies of a compiled function in one process are the same object, or every block would compile it again.
_LIVE: dict[str, "Mapped"] = {}


def _restored(kind: Any, key: str, parts: tuple[Any, ...], double: bool) -> "Mapped":
    """Return a function that was sent; another process computes in the same precision."""
    if key not in _LIVE:
        load("jax").config.update("jax_enable_x64", double)
        kind(*parts, key)
    return _LIVE[key]


class Mapped:
    """A function of one replicate that is called with many.

    Parameters
    ----------
    function
        ``function(*trees)`` of one replicate, with a key as its last argument if it is ``keyed``.
    title
        What reports call it.
    clock
        Counts what compiling takes.
    keyed
        Whether it draws random numbers.
    """

    def __init__(self, function: Function, title: str, clock: Clock, keyed: bool, key: str | None = None) -> None:
        self.function, self.title, self.clock, self.keyed = function, title, clock, keyed
        self.key = key or uuid.uuid4().hex
        self.called: set[int] = set()
        _LIVE[self.key] = self

    def __reduce__(self) -> Any:
        parts = (self.function, self.title, self.clock, self.keyed)
        return _restored, (type(self), self.key, parts, bool(load("jax").config.jax_enable_x64))

    @functools.cached_property
    def compiled(self) -> Function:
        """The function for full blocks."""
        return load("jax").jit(self._for_many, static_argnums=0)  # type: ignore[no-any-return]

    def _for_many(self, full: int, chunks: Any, words: Any, settings: Any, *trees: Any) -> Any:
        """Run so many chunks of a full block."""
        jax = load("jax")

        def chunk(number: Any) -> Any:
            parts = jax.tree.map(lambda leaf: jax.lax.dynamic_slice_in_dim(leaf, number * CHUNK, CHUNK), trees)
            return self._chunk(member_keys(words, number * CHUNK), settings, *parts)

        def body(number: Any, found: Any) -> Any:
            place = jax.lax.dynamic_update_slice_in_dim
            return jax.tree.map(lambda all_rows, rows: place(all_rows, rows, number * CHUNK, 0), found, chunk(number))

        shapes = jax.eval_shape(chunk, jax.numpy.int32(0))
        empty = jax.tree.map(lambda rows: jax.numpy.zeros((full, *rows.shape[1:]), rows.dtype), shapes)
        return jax.lax.fori_loop(0, chunks, body, empty)

    def _chunk(self, keys: Any, settings: Any, *trees: Any) -> Any:
        return load("jax").vmap(self.function)(*trees, *((keys,) if self.keyed else ()))

    def __call__(self, size: int, rng: Generator | None, *trees: Any, settings: Any = None) -> Any:
        """Return what comes of so many replicates."""
        full = FULL * -(-size // FULL)
        words = np.zeros(_WORDS, dtype=np.uint32) if rng is None else words_of(rng)
        chunks = np.int32(-(-size // CHUNK))
        return cut(self._timed(full, chunks, words, settings, *(fill(tree, full) for tree in trees)), size)

    def _timed(self, full: int, *arguments: Any) -> Any:
        if full in self.called:
            return self.compiled(full, *arguments)
        began = time.perf_counter()
        found = load("jax").block_until_ready(self.compiled(full, *arguments))
        self.clock.seconds[self.title] = self.clock.seconds.get(self.title, 0.0) + time.perf_counter() - began
        self.called.add(full)
        return found


def words_of(rng: Generator) -> Any:
    """Draw what a key is made of."""
    return rng.integers(2**32, size=_WORDS, dtype=np.uint32)


def member_keys(words: Any, first: Any) -> Any:
    """Return a key for every replicate of a chunk, which does not depend on how many others there are."""
    jax = load("jax")
    key = jax.random.fold_in(jax.random.PRNGKey(words[0]), words[1])
    return jax.vmap(lambda number: jax.random.fold_in(key, number))(first + jax.numpy.arange(CHUNK))


def fill(tree: Any, full: int) -> Any:
    """Repeat the last replicate until there are so many."""
    return load("jax").tree.map(lambda leaf: _filled(np.asarray(leaf), full), tree)


def _filled(rows: np.ndarray[Any, Any], full: int) -> np.ndarray[Any, Any]:
    return rows if len(rows) == full else np.concatenate([rows, np.repeat(rows[-1:], full - len(rows), axis=0)])


def cut(tree: Any, size: int) -> Any:
    """Return the first replicates as arrays of numpy."""
    return load("jax").tree.map(lambda leaf: np.asarray(leaf)[:size], tree)


def rows_in(tree: Any) -> int:
    """Return the number of replicates in a tree."""
    return len(load("jax").tree.leaves(tree)[0])


class Sweeps(Mapped):
    """Any number of sweeps in one call, each after a redraw of the data if asked for, and of all updates or some.

    Its function is a pair: ``redraw(carry, data, key) -> (carry, data)``, None where data stay, and the updates in order.
    """

    def _chunk(self, keys: Any, settings: Any, *trees: Any) -> Any:
        jax = load("jax")
        renew, updates = self.pair
        sweeps, redraw, chosen = settings

        def sweep(number: Any, both: Any) -> Any:
            now = jax.vmap(lambda key: jax.random.fold_in(key, number))(keys)
            own = jax.vmap(lambda key: jax.random.split(key, len(updates) + 1), out_axes=1)(now)
            if renew is not None:
                both = jax.lax.cond(redraw, lambda: jax.vmap(renew)(*both, own[-1]), lambda: both)
            carry, data = both
            for place, update in enumerate(updates):
                carry = _if(chosen[place], jax.vmap(update), carry, data, own[place])
            return carry, data

        return jax.lax.fori_loop(0, sweeps, sweep, trees)

    @property
    def pair(self) -> tuple[Function | None, tuple[Function, ...]]:
        """What redraws the data, and the updates."""
        pair: Any = self.function
        return pair  # type: ignore[no-any-return]

    def run(
        self, carry: Any, data: Data, rng: Generator, sweeps: int = 1, *, redraw: bool = False, only: int | None = None
    ) -> tuple[Any, Data]:
        """Return carry and data after so many sweeps, of all updates or of one."""
        chosen = np.array([only in (None, place) for place in range(len(self.pair[1]))])
        found: tuple[Any, Data] = self(rows_in(carry), rng, carry, data, settings=(np.int32(sweeps), np.bool_(redraw), chosen))
        return found


def _if(chosen: Any, update: Function, carry: Any, data: Data, keys: Any) -> Any:
    """Apply an update to all replicates or to none; what it returns has to be of the form that it was given."""
    jax = load("jax")
    given, returned = jax.eval_shape(lambda: carry), jax.eval_shape(update, carry, data, keys)
    same = jax.tree.structure(given) == jax.tree.structure(returned) and all(
        (a.shape, a.dtype) == (b.shape, b.dtype) for a, b in zip(jax.tree.leaves(given), jax.tree.leaves(returned), strict=True)
    )
    if not same:
        raise InputError(
            f"a step must return arrays of the shapes and types that it was given, but {_form(given)} became {_form(returned)}"
        )
    return jax.lax.cond(chosen, lambda: update(carry, data, keys), lambda: carry)


def _form(tree: Any) -> str:
    """Write shapes and types, without the axis of replicates."""
    jax = load("jax")
    return str(jax.tree.map(lambda leaf: f"{leaf.dtype}{list(leaf.shape[1:])}", tree)).replace("'", "")


@dataclass(frozen=True)
class Update:
    """One named update of a sweep."""

    sweeps: Sweeps
    place: int

    def __call__(self, carry: Any, data: Data, rng: Generator) -> Any:
        """Return the next carry."""
        return self.sweeps.run(carry, data, rng, only=self.place)[0]


@dataclass(frozen=True)
class Kernel:
    """A step that is compiled for many replicates and many sweeps."""

    sweeps: Sweeps

    def __call__(self, carry: Any, data: Data, rng: Generator) -> Any:
        """Return the next carry."""
        return self.sweeps.run(carry, data, rng)[0]

    def advance(self, carry: Any, data: Data, rng: Generator, sweeps: int, redraw: bool) -> tuple[Any, Data]:
        """Return carry and data after so many sweeps, each after a redraw of the data if asked for."""
        return self.sweeps.run(carry, data, rng, sweeps, redraw=redraw)

    @property
    def remarks(self) -> list[str]:
        """What a reader of the report should know."""
        return self.sweeps.clock.remarks


@dataclass(frozen=True)
class NamedKernel(Kernel):
    """One whose updates have names."""

    names: tuple[str, ...]
    in_order: bool = True

    def parts(self) -> Mapping[str, Update]:
        """Return the named updates."""
        return {name: Update(self.sweeps, place) for place, name in enumerate(self.names)}
