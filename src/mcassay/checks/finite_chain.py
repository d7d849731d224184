"""A kernel on a small problem as a Markov chain with a table of exact probabilities."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from mcassay.checks.joint import Joint
from mcassay.enumeration.chain import Enumeration, Limits, StateSpace, explored, key_of, no_stand_in, same
from mcassay.enumeration.paths import NotEnumerable, TooManyPaths
from mcassay.errors import InputError
from mcassay.kernels import Cycle, Gibbs, RandomScan, apply
from mcassay.state import blocks, copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, State, Step

# The name of a step that has no named updates.
WHOLE = ""
# So many draws are compared with each other to guess how many states there are.
_DRAWS = 200
# How many states are tried in another form that means the same, and what counts as another probability there.
_OTHERS = 20
_ROUNDING = 1e-9


@dataclass(frozen=True)
class FiniteChain:
    """What was enumerated.

    Attributes
    ----------
    data
        What the kernel was conditioned on.
    space
        The states.
    target
        The probability of every state under the joint, given the data and the blocks that do not move.
    matrices
        For each update, the probabilities of its steps.
    refused
        Why other updates could not be enumerated.
    tolerance
        How far rounding may part two probabilities.
    uneven
        Updates that treat two states differently which are said to mean the same, with such a state.
    points
        The number of data points, where there are fewer than the subject has.
    """

    data: Data
    space: StateSpace
    target: FloatArray
    matrices: Mapping[str, sparse.csr_array]
    refused: Mapping[str, str]
    tolerance: float
    uneven: Mapping[str, State]
    points: int | None = None


@dataclass
class Attempt:
    """One subject, one draw of state and data, and what turned out so far."""

    subject: Subject
    limits: Limits
    rng: Generator
    points: int | None = None
    refused: dict[str, str] = field(default_factory=dict)
    too_large: bool = False
    chain: FiniteChain | None = None

    def make(self) -> "Attempt":
        """Enumerate as many updates as can be."""
        state, data = self.subject.draw(self.rng)
        space = StateSpace(self.subject.canonical or same, self.limits)
        enumeration = Enumeration(data, space)
        with np.errstate(all="ignore"):
            steps = self._feasible(enumeration, state)
            if steps:
                self._explore(enumeration, steps, state)
        return self

    def _feasible(self, enumeration: Enumeration, state: State) -> dict[str, Step]:
        """Return the updates whose random choices can be listed, and are few enough."""
        if not any(is_listed(value) for value in blocks(state).values()):
            self.refused = dict.fromkeys(self._updates, "no block of the state holds whole numbers")
            return {}
        paths = {}
        for name, step in self._updates.items():
            try:
                paths[name] = self._paths(enumeration, step, state)
            except NotEnumerable as error:
                self.refused[name] = str(error)
        states = _number_of_states(self.subject, self.rng) if paths else 0.0
        feasible = {name for name, count in paths.items() if count * states <= self.limits.most_paths}
        for name in paths.keys() - feasible:
            self._give_up(name, f"about {paths[name]:.2g} paths lead through its random choices, from each of many states")
        if states > self.limits.most_states:
            return self._none(feasible, f"there are more than {self.limits.most_states:,} states")
        return {name: step for name, step in self._updates.items() if name in feasible}

    @property
    def _updates(self) -> dict[str, Step]:
        return self.subject.updates or {WHOLE: self.subject.step}

    def _give_up(self, name: str, reason: str) -> None:
        self.refused[name], self.too_large = reason, True

    def _none(self, names: Any, reason: str) -> dict[str, Step]:
        for name in names:
            self._give_up(name, reason)
        return {}

    def _paths(self, enumeration: Enumeration, step: Step, state: State) -> float:
        def run(rng: Generator) -> State:
            end = apply(step, copy_state(state), enumeration.data, rng)
            self._check_moves(state, end)
            return end

        try:
            return enumeration.paths_of(run, self.rng)
        except NotEnumerable:
            raise
        except Exception as error:
            apply(step, copy_state(state), copy_state(enumeration.data), self.rng)  # code that fails by itself says so here
            raise NotEnumerable(no_stand_in(error)) from error

    def _check_moves(self, before: State, after: State) -> None:
        """Give up where real numbers move: their density is none with respect to counting."""
        old, new = blocks(before), blocks(after)
        for name, value in new.items():
            if not is_listed(value) and (name not in old or key_of({name: value}) != key_of({name: old[name]})):
                raise NotEnumerable(f'it moves the block "{name}", which holds real numbers')

    def _explore(self, enumeration: Enumeration, steps: dict[str, Step], state: State) -> None:
        space = enumeration.space
        try:
            starts = self._starts(enumeration, state)
            found = explored(steps, starts, enumeration)
            self.refused |= found.refused
            for other in space.states:
                self._check_moves(state, other)
            uneven = _uneven(steps, found.matrices, enumeration)
        except TooManyPaths as error:
            self._none(steps, str(error))
        except NotEnumerable as error:
            self.refused |= dict.fromkeys(steps, str(error))
        else:
            target, tolerance = self._target(enumeration)
            if found.matrices:
                rest = self.refused, tolerance, uneven, self.points
                self.chain = FiniteChain(enumeration.data, space, target, found.matrices, *rest)

    def _starts(self, enumeration: Enumeration, state: State) -> list[State]:
        """Return the draw, and where no block holds real numbers everything else that the prior draws."""
        space = enumeration.space
        space.number(state)
        if not all(is_listed(value) for value in blocks(state).values()):
            return []
        few = replace(self.limits, most_paths=self.limits.most_paths // 4)
        try:
            if enumeration.paths_of(self.subject.prior, self.rng) <= few.most_paths:
                enumeration.law(self.subject.prior)
        except NotEnumerable:
            return [self.subject.prior(self.rng) for _ in range(_DRAWS)]
        return []

    def _target(self, enumeration: Enumeration) -> tuple[FloatArray, float]:
        assert self.subject.log_joint is not None
        joint, states, data = Joint(self.subject.log_joint), enumeration.space.states, enumeration.data
        heights = np.array([joint(state, data) for state in states])
        finite = heights[heights > -math.inf]
        if not finite.size or not np.isfinite(finite).all():
            raise InputError(f"log_joint is {heights.max()} at a draw from the joint")
        target = np.exp(heights - finite.max())
        tolerance = joint.tolerance([float(finite.min()), float(finite.max())], states[0], data)
        return target / target.sum(), tolerance


def _uneven(steps: Mapping[str, Step], matrices: Mapping[str, sparse.csr_array], enumeration: Enumeration) -> dict[str, State]:
    """Find updates whose probabilities depend on which of the states that mean the same they start from."""
    found: dict[str, State] = {}
    for number, state in list(enumeration.space.others.items())[:_OTHERS]:
        for name, matrix in matrices.items():
            row, expected = enumeration.row(steps[name], state), matrix[[number]].toarray().ravel()
            if any(abs(p - (expected[j] if j < len(expected) else 0.0)) > _ROUNDING for j, p in row.items()):
                found.setdefault(name, state)
    return found


def is_listed(value: Any) -> bool:
    """Say whether a block holds values that can be listed: whole numbers, truth values, text."""
    array = np.asarray(value)
    return array.dtype.kind != "f" or bool(np.all(array == np.floor(array)))


def _number_of_states(subject: Subject, rng: Generator) -> float:
    """Guess how many states there are, from how many of some draws are alike; too low where they are uneven."""
    canonical = subject.canonical or same
    draws = [key_of(_listed(canonical(subject.prior(rng)))) for _ in range(_DRAWS)]
    different = len(set(draws))
    if different == _DRAWS:
        return math.inf
    alike = sum(count * (count - 1) / 2 for count in Counter(draws).values())
    return max(float(different), _DRAWS**2 / 2 / alike)


def _listed(state: State) -> dict[str, Any]:
    return {name: value for name, value in blocks(state).items() if is_listed(value)}


def sweep_matrix(step: Step, matrices: Mapping[str, sparse.csr_array], path: str = WHOLE) -> sparse.csr_array | None:
    """Put the table of a sweep together from those of its updates; None where one is missing, or it is unknown how."""
    if path in matrices:
        return matrices[path]
    if not isinstance(step, (Cycle, Gibbs, RandomScan)):
        return None
    parts = [sweep_matrix(part, matrices, f"{path}.{name}" if path else name) for name, part in step.parts().items()]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    if isinstance(step, RandomScan):
        return sparse.csr_array(sum(weight * part for weight, part in zip(step.probabilities, found, strict=True)))
    product = found[0]
    for part in found[1:]:
        product = product @ part
    return product
