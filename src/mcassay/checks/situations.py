"""Situations in which an exact identity is tried: a state and data, from several sources.

An identity must hold at any input, so the sources go beyond what a chain would visit: data that do not belong to the state,
blocks that do not belong to each other, and discrete blocks that are all of one value (which leaves clusters empty).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.identity import count_numbers
from mcassay.state import blocks, replace_block, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, IntArray, State

_ENOUGH = 10_000
# How many more draws of a small state are searched for rare values of discrete blocks.
_MORE_DRAWS = 6
_TRIES = 5


@dataclass(frozen=True)
class Situation:
    """A state with data, where they come from, and whether they are a draw from the joint rather than put together."""

    source: str
    state: State
    data: Data
    genuine: bool = False


def situations(subject: Subject, rng: Generator, rounds: int = 2) -> Iterator[Situation]:
    """Yield a few situations from each source, prior draws first."""
    seen: list[State] = []
    for number in range(1, rounds + 1):
        state, data = subject.draw(rng)
        other, foreign = subject.draw(rng)
        seen += [state, other]
        yield Situation(f"draw {number} from the joint", state, data, genuine=True)
        if subject.simulate is not None and _same_layout(data, foreign):
            yield Situation(f"draw {number} from the joint with the data of another draw", state, foreign)
        yield Situation(f"mixed blocks of two draws ({number})", _mixed(state, other, rng), data)
        yield Situation(f"draw {number} with one value throughout each discrete block", _concentrated(state, rng), data)
    if _has_discrete_arrays(state):
        seen += [subject.prior(rng) for _ in range(_MORE_DRAWS if count_numbers(state) < _ENOUGH else 0)]
        yield Situation(f"draw {rounds} with all values evenly in each discrete block", _scattered(state, seen, rng), data)
        few = f"draw {rounds} with one value in each discrete block but for few elements"
        yield Situation(few, _with_few(state, seen, rng), data)


def has_derived_blocks(subject: Subject, conditional: Callable[[State, Data], Any], rng: Generator) -> bool:
    """Say whether a conditional uses blocks that the log joint does without, such as counts that are kept up to date.

    They follow from other blocks, so that a state put together from two draws is none.
    """
    return any(_uses_derived(subject, conditional, rng) for _ in range(_TRIES))


def _uses_derived(subject: Subject, conditional: Callable[[State, Data], Any], rng: Generator) -> bool:
    assert subject.log_joint is not None
    (state, data), (other, _) = subject.draw(rng), subject.draw(rng)
    theirs, height = blocks(other), subject.log_joint(state, data)
    for name, value in blocks(state).items():
        if name not in theirs or not _same_layout(value, theirs[name]) or same_state(value, theirs[name]):
            continue
        swapped = replace_block(state, name, theirs[name])
        if subject.log_joint(swapped, data) == height and repr(conditional(swapped, data)) != repr(conditional(state, data)):
            return True
    return False


def _mixed(state: State, other: State, rng: Generator) -> State:
    theirs = blocks(other)
    for name, value in blocks(state).items():
        if name in theirs and _same_layout(value, theirs[name]) and rng.random() < 0.5:
            state = replace_block(state, name, theirs[name])
    return state


def _concentrated(state: State, rng: Generator) -> State:
    for name, value in blocks(state).items():
        if is_discrete(value) and np.size(value) > 1:
            state = replace_block(state, name, np.full_like(value, rng.choice(np.ravel(value))))
    return state


def _has_discrete_arrays(state: State) -> bool:
    return any(is_discrete(value) and np.size(value) > 1 for value in blocks(state).values())


def _scattered(state: State, others: list[State], rng: Generator) -> State:
    """Redraw discrete blocks among the values that they had in several draws, rare ones as often as any."""
    for name, value, seen in _discrete_blocks(state, others):
        state = replace_block(state, name, rng.choice(seen, size=value.shape).astype(value.dtype))
    return state


def _with_few(state: State, others: list[State], rng: Generator) -> State:
    """Give a discrete block one value, but another to one element, a third to two, and so on: small clusters may be special."""
    for name, value, seen in _discrete_blocks(state, others):
        common, *rest = rng.permutation(seen)
        few = np.repeat(np.asarray(rest, dtype=value.dtype), np.arange(1, len(rest) + 1))[: value.size]
        new = np.full_like(value, common)
        new.flat[rng.choice(value.size, size=len(few), replace=False)] = few
        state = replace_block(state, name, new)
    return state


def _discrete_blocks(state: State, others: list[State]) -> Iterator[tuple[str, IntArray, IntArray]]:
    """Yield every discrete block of several elements, by name, with the values that it had in several draws."""
    theirs = [blocks(other) for other in others]
    for name, value in blocks(state).items():
        if is_discrete(value) and np.size(value) > 1:
            seen = [np.ravel(found[name])[:_ENOUGH] for found in theirs if name in found]
            yield name, np.asarray(value), np.unique(np.concatenate(seen))


def is_discrete(value: Any) -> bool:
    """Say whether a block holds whole numbers or truth values."""
    return isinstance(value, (np.ndarray, np.generic, int, bool)) and np.asarray(value).dtype.kind in "iub"


def _same_layout(first: Any, second: Any) -> bool:
    one, other = blocks(first), blocks(second)
    return one.keys() == other.keys() and all(np.shape(one[name]) == np.shape(other[name]) for name in one)
