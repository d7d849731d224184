"""Every path through the random choices of a piece of code: it is run again and again, each time with other choices.

A choice is known by how many options it has and by their probabilities. The code is replayed from its beginning; the choices
that were made before are repeated, and the last one that has options left takes the next of them.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from types import FrameType
from typing import Generic, NamedTuple, NoReturn, TypeVar

from mcassay.errors import is_users_own
from mcassay.vocabulary import Generator

# Paths that are less likely are not followed to their end, so that loops until something fits come to one.
UNLIKELY = 1e-20
# More outcomes of one draw than this are not listed.
MOST_OUTCOMES = 100_000

_HERE = str(File(__file__).parent)
Result = TypeVar("Result")


class NotEnumerable(Exception):
    """The random choices of a piece of code can not be listed; the message says which, and where it is made."""


class TooManyPaths(NotEnumerable):
    """The random choices could be listed, but there are too many of them."""


class Unlikely(Exception):
    """A path is left before its end, since it is too unlikely to matter."""


@dataclass
class Choice:
    """A choice that was come to: the probabilities of its options, which of them are possible, and which is taken now."""

    probabilities: Sequence[float]
    possible: list[int]
    taken: int = 0

    @property
    def is_last(self) -> bool:
        """Whether all its options have been taken."""
        return self.taken + 1 == len(self.possible)


class Path:
    """One way through the random choices: earlier ones are repeated, and a new one takes its first option."""

    def __init__(self, choices: list[Choice]) -> None:
        self.choices, self.place = choices, 0
        self.probability, self.is_cut = 1.0, False
        self.refusal: NotEnumerable | None = None

    def choose(self, probabilities: Sequence[float]) -> int:
        """Take one of several options with these probabilities, and return its number."""
        if self.place == len(self.choices):
            self.choices.append(self.come_to(probabilities))
        choice = self.choices[self.place]
        self.place += 1
        if choice.probabilities != probabilities:
            self.refuse("the same choices do not lead to the same place again: it draws from something else, or remembers")
        option = choice.possible[choice.taken]
        self.probability *= probabilities[option]
        if self.probability < UNLIKELY:
            self.is_cut = True
            raise Unlikely
        return option

    def come_to(self, probabilities: Sequence[float]) -> Choice:
        """Return a choice that no path has come to before."""
        possible = [option for option, probability in enumerate(probabilities) if probability > 0]
        if not possible:
            raise ValueError(f"a draw has no outcome: its probabilities are {list(probabilities)}")
        return Choice(probabilities, possible)

    def evenly(self, options: int) -> int:
        """Take one of several options that are equally likely."""
        if options > MOST_OUTCOMES:
            self.refuse(f"one draw has {options:,} outcomes, more than the {MOST_OUTCOMES:,} that are listed", users_place())
        return self.choose([1 / options] * options)

    def refuse(self, reason: str, place: "Place | None" = None) -> NoReturn:
        """Give up; it is remembered, in case that the user's code catches the exception."""
        self.refusal = NotEnumerable(reason if place is None else f"{reason} ({place})")
        raise self.refusal


class Probe(Path):
    """A path that is chosen at random, and says how many there may be: the product of the options on the way (Knuth, 1975)."""

    def __init__(self, rng: Generator) -> None:
        super().__init__([])
        self.rng, self.estimate = rng, 1.0

    def come_to(self, probabilities: Sequence[float]) -> Choice:
        """Return a choice with an option taken at random."""
        choice = super().come_to(probabilities)
        self.estimate *= len(choice.possible)
        choice.taken = int(self.rng.integers(len(choice.possible)))
        return choice


def every_path(run: Callable[[Path], Result]) -> Iterator[tuple[float, Result]]:
    """Yield the probability of every path through a function, and what it returns there.

    Examples
    --------
    >>> def toss(path):
    ...     return "heads" if path.choose([0.25, 0.75]) == 0 else f"tails, then {path.evenly(2)}"
    >>> list(every_path(toss))
    [(0.25, 'heads'), (0.375, 'tails, then 0'), (0.375, 'tails, then 1')]
    """
    choices: list[Choice] = []
    while True:
        path = Path(choices)
        result = followed(run, path)
        if result is not None:
            yield path.probability, result.value
        while choices and choices[-1].is_last:
            choices.pop()
        if not choices:
            return
        choices[-1].taken += 1


@dataclass
class Ended(Generic[Result]):
    """What a run returned at the end of its path."""

    value: Result


def followed(run: Callable[[Path], Result], path: Path) -> Ended[Result] | None:
    """Run along one path, to its end unless that is too unlikely.

    What could not be enumerated is said even where the code catches the exception and goes on.
    """
    try:
        result = run(path)
    except Exception:
        if path.refusal is not None:
            raise path.refusal from None
        if path.is_cut:
            return None
        raise
    if path.refusal is not None:
        raise path.refusal
    if path.place < len(path.choices):
        path.refuse("the same choices do not lead to the same place again: it draws from something else, or remembers")
    return None if path.is_cut else Ended(result)


class Place(NamedTuple):
    """A line of code in a function; it is put into words only where somebody wants to know."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{File(self.filename).name}:{self.line} in {self.function}"


def users_place() -> Place:
    """Return the innermost line of the user's code that is at work, or else of ours."""
    frame: FrameType | None = sys._getframe(1)
    ours = frame
    while frame is not None and frame.f_code is not followed.__code__:
        name = frame.f_code.co_filename
        if is_users_own(name):
            return _place(frame)
        if ours is None or ours.f_code.co_filename.startswith(_HERE):
            ours = frame
        frame = frame.f_back
    assert ours is not None
    return _place(ours)


def _place(frame: FrameType) -> Place:
    return Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
