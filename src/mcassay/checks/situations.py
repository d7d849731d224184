"""Situations in which an exact identity is tried: a state and data, from several sources.

An identity must hold at any input, so the sources go beyond what a chain would visit: data that do not belong to the state,
blocks that do not belong to each other, and discrete blocks that are all of one value (which leaves clusters empty).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.state import blocks, replace_block
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State


@dataclass(frozen=True)
class Situation:
    """A state with data, and where they come from."""

    source: str
    state: State
    data: Data


def situations(subject: Subject, rng: Generator, rounds: int = 2) -> Iterator[Situation]:
    """Yield a few situations from each source, prior draws first."""
    for number in range(1, rounds + 1):
        state, data = subject.draw(rng)
        other, foreign = subject.draw(rng)
        yield Situation(f"draw {number} from the joint", state, data)
        if subject.simulate is not None and _same_layout(data, foreign):
            yield Situation(f"draw {number} from the joint with the data of another draw", state, foreign)
        yield Situation(f"mixed blocks of two draws ({number})", _mixed(state, other, rng), data)
        yield Situation(f"draw {number} with one value throughout each discrete block", _concentrated(state, rng), data)


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


def is_discrete(value: Any) -> bool:
    """Say whether a block holds whole numbers or truth values."""
    return isinstance(value, (np.ndarray, np.generic, int, bool)) and np.asarray(value).dtype.kind in "iub"


def _same_layout(first: Any, second: Any) -> bool:
    one, other = blocks(first), blocks(second)
    return one.keys() == other.keys() and all(np.shape(one[name]) == np.shape(other[name]) for name in one)
