"""A draw from the joint as one state: the blocks of the state and those of the data side by side, all of which can be moved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.state import WHOLE, blocks, replace_block
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, LogJoint, State, Statistic, Step

DATA = "data"


class JointDraw(Mapping[str, Any]):
    """A state with its data, as a mapping from the names of all blocks to their values.

    Examples
    --------
    >>> draw = JointDraw({"mu": 0.5}, 2.0)
    >>> dict(draw), dict(draw.replaced("data", 3.0))
    ({'mu': 0.5, 'data': 2.0}, {'mu': 0.5, 'data': 3.0})
    """

    def __init__(self, state: State, data: Data) -> None:
        self.state, self.data = state, data
        self._of_data = {} if data is None else data_names(data)
        self._blocks = {**blocks(state), **{name: blocks(data)[own] for name, own in self._of_data.items()}}

    def __getitem__(self, name: str) -> Any:
        return self._blocks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def __deepcopy__(self, memo: object) -> "JointDraw":
        # Draws are replaced and never changed in place, so that a copy may share everything.
        return self

    def is_data(self, name: str) -> bool:
        """Say whether a block is one of the data."""
        return name in self._of_data

    def replaced(self, name: str, value: Any) -> "JointDraw":
        """Return a draw with another value of one block; this one stays as it is."""
        if self.is_data(name):
            return JointDraw(self.state, replace_block(self.data, self._of_data[name], value))
        return JointDraw(replace_block(self.state, name, value), self.data)


def data_names(data: Data) -> dict[str, str]:
    """Return the names of the blocks of the data beside those of the state, and what they are called in the data."""
    return {DATA if name == WHOLE else f"{DATA}.{name}": name for name in blocks(data)}


def like(original: Any, array: np.ndarray[Any, Any] | FloatArray) -> Any:
    """Return an array in the form in which the user's code wrote the value that it replaces."""
    if isinstance(original, np.ndarray):
        return np.asarray(array, dtype=original.dtype)
    if isinstance(original, np.generic):
        return original.dtype.type(array.reshape(())[()])
    return type(original)(array.tolist())


@dataclass(frozen=True)
class _Prior:
    subject: Subject

    def __call__(self, rng: Generator) -> JointDraw:
        return JointDraw(*self.subject.draw(rng))


@dataclass(frozen=True)
class _OfBoth:
    """A function of state and data as one of the joint draw."""

    function: LogJoint | Statistic

    def __call__(self, draw: JointDraw, nothing: None) -> Any:
        return self.function(draw.state, draw.data)


def subject_of_joint_draws(subject: Subject, step: Step) -> Subject:
    """Return the subject whose state is the joint draw, without further data, under another step."""
    return Subject(
        _Prior(subject),
        None,
        step,
        log_joint=None if subject.log_joint is None else _OfBoth(subject.log_joint),
        statistics={name: _OfBoth(f) for name, f in subject.statistics.items()},
        name=f"{subject.name}, moved by log_joint",
    )
