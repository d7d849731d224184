"""The schedule: which run length every block of replicates has, and how many replicates it holds.

One sweep is the most efficient length and gets at least 70 % of the sweeps; longer runs remain for what one sweep can not
show. Blocks grow from small to large, so that blatant bugs are convicted at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mcassay.engine.replicate import Course

LENGTHS = (1, 4, 16, 64)
SHARES = {1: 0.87, 4: 0.07, 16: 0.035, 64: 0.025}
FORWARD = 4

_FIRST_BLOCKS = (16, 16, 32, 64, 128)
_BLOCK = 256
_SMALLEST = 4
# Samples after every update cost no sweep, but their statistics cost time; one block in four is enough to localise.
_PREFIXES_EVERY = 4
# Fresh draws sharpen a bet. More of them pay while a bug may still be found soon, fewer where the budget is spent anyway.
_EARLY, _EARLY_FORWARD = 8_192, 3


@dataclass(frozen=True)
class Slot:
    """One block of the schedule: what its replicates do, and how many there are."""

    course: Course
    size: int


def courses(*, prefixes: bool, longer: bool = True) -> dict[int, Course]:
    """Return the course of every run length; longer runs take samples at the shorter lengths too."""
    lengths = LENGTHS if longer else (1,)
    return {
        length: Course(length, tuple(t for t in LENGTHS if t <= length), prefixes=prefixes and length == 1, forward=FORWARD)
        for length in lengths
    }


def schedule(by_length: dict[int, Course], largest: int, *, shares: Mapping[int, float] = SHARES) -> Iterator[Slot]:
    """Yield blocks without end: always of the length that will be least ahead of its share of the sweeps.

    ``largest`` bounds the number of replicates in a block, for states that fill the memory.
    """
    without = {length: replace(course, prefixes=False) for length, course in by_length.items()}
    total = sum(shares[length] for length in by_length)
    spent, count = dict.fromkeys(by_length, 0), dict.fromkeys(by_length, 0)
    while True:
        following = {n: min(largest, max(_SMALLEST, _sweeps_of_block(count[n]) // n)) for n in by_length}
        length = min(by_length, key=lambda n: ((spent[n] + following[n] * n) / (shares[n] / total), n))
        size = following[length]
        spent[length] += size * length
        count[length] += 1
        course = (by_length if count[length] % _PREFIXES_EVERY == 1 else without)[length]
        early = sum(spent.values()) <= _EARLY
        yield Slot(replace(course, forward=_EARLY_FORWARD * course.forward) if early else course, size)


def _sweeps_of_block(number: int) -> int:
    return _FIRST_BLOCKS[number] if number < len(_FIRST_BLOCKS) else _BLOCK
