"""The states that a kernel reaches, and the probabilities of its steps between them."""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from mcassay.enumeration.generator import EnumeratingGenerator
from mcassay.enumeration.levels import Level
from mcassay.enumeration.paths import NotEnumerable, Probe, TooManyPaths, every_path, followed
from mcassay.enumeration.substitutes import substituted
from mcassay.kernels.structure import apply
from mcassay.state import blocks, copy_state
from mcassay.vocabulary import Data, Generator, State, Step

MOST_PATHS = 1_000_000
MOST_STATES = 5_000
_PROBES = 16

Canonical = Callable[[State], State]
Key = tuple[Any, ...]
Row = dict[int, float]


@dataclass
class Limits:
    """How many paths and states there may be, and seconds of the processor and of the clock; and what was used so far."""

    most_paths: int = MOST_PATHS
    most_states: int = MOST_STATES
    seconds: float = math.inf
    patience: float = math.inf
    paths: int = 0
    began: tuple[float, float] = field(default_factory=lambda: (time.process_time(), time.perf_counter()))

    def count_path(self) -> None:
        """Count a path that was followed."""
        self.paths += 1
        if self.paths > self.most_paths:
            raise TooManyPaths(f"more than {self.most_paths:,} paths lead through its random choices")
        used, passed = time.process_time() - self.began[0], time.perf_counter() - self.began[1]
        if used > self.seconds or passed > self.patience:
            raise TooManyPaths(f"after {passed:.0f} s not all paths through its random choices were followed")


def key_of(state: State) -> Key:
    """Return what tells a state from others; a state with a draw from a continuous law in it has no key."""
    return tuple((name, *_key_of_block(value)) for name, value in blocks(state).items())


def _key_of_block(value: Any) -> tuple[Any, ...]:
    array = np.asarray(value)
    if array.dtype == object:
        for part in array.flat:
            if isinstance(part, Level):
                part.refuse("kept in the state")
        return (repr(value),)
    if array.dtype.kind in "biu":
        return array.shape, array.astype(np.int64).tobytes()
    return array.shape, (array + 0.0 if array.dtype.kind == "f" else array).tobytes()


def same(state: State) -> State:
    """Return a state as it is: the canonical form where every state is its own."""
    return state


@dataclass
class StateSpace:
    """States with numbers, two of them the same where their canonical forms are.

    Attributes
    ----------
    canonical
        Returns the form of a state that stands for all that mean the same.
    states
        The canonical forms, in the order in which they were found.
    others
        For some numbers, a state that is not the canonical form.
    """

    canonical: Canonical = same
    limits: Limits = field(default_factory=Limits)
    states: list[State] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)
    others: dict[int, State] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.states)

    def number(self, state: State) -> int:
        """Return the number of a state, a new one if it was not seen before."""
        form = state if self.canonical is same else self.canonical(copy_state(state))
        key = key_of(form)
        if key not in self.numbers:
            if len(self.states) >= self.limits.most_states:
                raise TooManyPaths(f"it reaches more than {self.limits.most_states:,} states")
            self.numbers[key] = len(self.states)
            self.states.append(copy_state(form))
        if self.canonical is not same and key_of(state) != key:
            self.others.setdefault(self.numbers[key], copy_state(state))
        return self.numbers[key]


class Enumeration:
    """Enumerates the steps of a kernel on given data."""

    def __init__(self, data: Data, space: StateSpace) -> None:
        self.data, self.space = data, space
        self.rng = EnumeratingGenerator()

    def row(self, step: Step, state: State) -> Row:
        """Return the probability of every state that a step may lead to."""
        return self._row(lambda rng: apply(step, copy_state(state), self.data, rng))

    def law(self, draw: Callable[[Generator], State]) -> Row:
        """Return the probability of every state that may be drawn."""
        return self._row(draw)

    def _row(self, run: Callable[[Generator], State]) -> Row:
        row: Row = {}
        with substituted(self.rng):
            for probability, number in every_path(self.rng.followed(lambda rng: self._number(run, rng))):
                row[number] = row.get(number, 0.0) + probability
        return row

    def _number(self, run: Callable[[Generator], State], rng: Generator) -> int:
        self.space.limits.count_path()
        return self.space.number(run(rng))

    def paths_of(self, run: Callable[[Generator], State], rng: Generator) -> float:
        """Estimate how many paths there are, by a few that are chosen at random."""
        estimates = []
        with substituted(self.rng):
            for _ in range(_PROBES):
                probe = Probe(rng)
                end = followed(self.rng.followed(run), probe)
                if end is not None:
                    key_of(end.value)  # a draw from a continuous law may be kept in the state
                estimates.append(probe.estimate)
        return float(np.mean(estimates))


@dataclass
class Explored:
    """The matrix of the probabilities of each step, and why there is none for other steps."""

    matrices: dict[str, sparse.csr_array]
    refused: dict[str, str]


def explored(steps: Mapping[str, Step], starts: Iterable[State], enumeration: Enumeration) -> Explored:
    """Find every state that steps lead to from the starts, and the probability of each step between them."""
    space = enumeration.space
    for start in starts:
        space.number(start)
    rows: dict[str, list[Row]] = {name: [] for name in steps}
    refused: dict[str, str] = {}
    number = 0
    while number < len(space):  # which grows
        for name in [name for name in steps if name not in refused]:
            _take_row(name, steps[name], number, rows, refused, enumeration)
        number += 1
    for name in [name for name in steps if name not in refused]:
        _take_row(name, steps[name], 0, rows, refused, enumeration)  # once more, after all the others
        if name not in refused and rows[name].pop() != rows[name][0]:
            refused[name] = "the same choices lead elsewhere the second time: it draws from a generator of its own, or remembers"
    return Explored({name: _matrix(rows[name], len(space)) for name in steps if name not in refused}, refused)


def _take_row(
    name: str, step: Step, number: int, rows: dict[str, list[Row]], refused: dict[str, str], enumeration: Enumeration
) -> None:
    try:
        rows[name].append(enumeration.row(step, enumeration.space.states[number]))
    except TooManyPaths:
        raise
    except NotEnumerable as error:
        refused[name] = str(error)
    except (
        TypeError
    ) as error:  # the code fails by itself with a generator, too, or it is what takes its place that it can not take
        refused[name] = no_stand_in(error)


def no_stand_in(error: Exception) -> str:
    """Say that code does not work with what takes the generator's place."""
    return f"it does not take a stand-in for the generator ({type(error).__name__}: {error})"


def _matrix(rows: list[Row], size: int) -> sparse.csr_array:
    entries = [(i, j, p) for i, row in enumerate(rows) for j, p in row.items()]
    first, second, values = zip(*entries, strict=True)
    return sparse.csr_array((np.array(values), (np.array(first), np.array(second))), shape=(size, size))


def transition_matrix(
    step: Step,
    starts: Iterable[State],
    data: Data = None,
    *,
    canonical: Canonical = same,
    most_paths: int = MOST_PATHS,
    most_states: int = MOST_STATES,
) -> tuple[list[State], sparse.csr_array]:
    """Return the states that a kernel reaches, and the exact probabilities of its steps between them.

    Parameters
    ----------
    step
        ``step(state, data, rng)``, or a kernel.
    starts
        States to begin at.
    data
        What the step is given as data.
    canonical
        ``canonical(state)`` returns the form that stands for all states that mean the same.
    most_paths, most_states
        Where to give up, with a ``NotEnumerable`` that says so.

    Examples
    --------
    >>> import numpy as np
    >>> def flip(state, data, rng):
    ...     return 1 - state if np.log(rng.random()) < np.log(0.25) else state
    >>> states, matrix = transition_matrix(flip, [0])
    >>> states, matrix.toarray().tolist()
    ([0, 1], [[0.75, 0.25], [0.25, 0.75]])
    """
    enumeration = Enumeration(data, StateSpace(canonical, Limits(most_paths, most_states)))
    found = explored({"step": step}, starts, enumeration)
    if found.refused:
        raise NotEnumerable(found.refused["step"])
    return enumeration.space.states, found.matrices["step"]
