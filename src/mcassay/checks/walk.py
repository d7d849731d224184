"""Walking through a chain update by update, for the checks that look at every one of them."""

from collections.abc import Iterator
from typing import Any

from mcassay.kernels import apply
from mcassay.kernels.structure import Composite
from mcassay.results import SWEEP, update_target
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, Step


def units(step: Step, rng: Generator, path: str = "") -> Iterator[tuple[str, Step]]:
    """Yield the updates of one sweep by name, in order; of parts that are chosen at random, one. A bare step has no name."""
    if not isinstance(step, Composite):
        yield path, step
        return
    parts = step.parts()
    names = list(parts) if step.in_order else [list(parts)[int(rng.integers(len(parts)))]]
    for name in names:
        yield from units(parts[name], rng, f"{path}.{name}" if path else name)


def target_of(name: str) -> str:
    """Return the target of a result about a unit of a sweep."""
    return update_target(name) if name else SWEEP


def called(name: str) -> str:
    """Write the name of a unit of a sweep."""
    return f'update "{name}"' if name else "the step"


def sweep(subject: Subject, carry: Any, data: Data, rng: Generator) -> Any:
    """Apply a whole sweep."""
    return apply(subject.step, carry, data, rng)
