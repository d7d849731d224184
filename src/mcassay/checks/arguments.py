"""Functions of the user's that may not change what they are given, and draws that must be new objects."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.named_updates import named_updates
from mcassay.checks.parts import Snapshot, shared_parts
from mcassay.checks.rules import Findings
from mcassay.errors import shown
from mcassay.results import SWEEP, update_target
from mcassay.state import copy_state, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator

_ORDERS = {
    "simulate": ("state", "rng"),
    "step": ("state", "data", "rng"),
    "log_joint": ("state", "data"),
    "init": ("state", "data", "rng"),
    "refresh": ("carry", "data", "rng"),
}
_SAME_DRAWS = 4


@dataclass(frozen=True)
class Function:
    """A function of the user's: what to call it, and how it is called."""

    target: str
    name: str
    call: Callable[[Any, Data, Generator], Any]
    pure: bool = False


def functions(subject: Subject) -> Iterator[Function]:
    """Yield the functions of state and data that take the position."""
    if subject.log_joint is not None:
        log_joint = subject.log_joint
        yield Function(SWEEP, "log_joint", lambda state, data, rng: log_joint(state, data), pure=True)
    for name, statistic in subject.statistics.items():
        yield Function(SWEEP, f'statistic "{name}"', _of_two(statistic), pure=True)
    if subject.simulate is not None:
        simulate = subject.simulate
        yield Function(SWEEP, "simulate", lambda state, data, rng: simulate(state, rng))


def functions_of_updates(subject: Subject) -> Iterator[Function]:
    """Yield the functions that the updates are made of, which take what the kernel works on."""
    for name, update in named_updates(subject).items():
        target, of = update_target(name) if subject.updates else SWEEP, f'of update "{name}"'
        for part in ("conditional", "gradient", "prior", "log_likelihood", "log_joint"):
            function = getattr(update, part, None)
            if callable(function) and function is not subject.log_joint and _takes(function, 2):
                yield Function(target, f"{part} {of}", _of_two(function))
        propose, log_ratio = getattr(update, "propose", None), getattr(update, "log_ratio", None)
        if callable(propose):
            yield Function(target, f"propose {of}", propose if _takes(propose, 3) else _of_two(propose))
        if callable(log_ratio) and _takes(log_ratio, 3):
            yield Function(target, f"log_ratio {of}", _of_pair(log_ratio))


def _of_two(function: Callable[[Any, Data], Any]) -> Callable[[Any, Data, Generator], Any]:
    return lambda state, data, rng: function(state, data)


def _of_pair(function: Callable[[Any, Any, Data], Any]) -> Callable[[Any, Data, Generator], Any]:
    return lambda state, data, rng: function(state, copy_state(state), data)


def _takes(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def check_arguments_kept(function: Function, given: Any, data: Data, rng: Generator, findings: Findings) -> None:
    """Call a function and look whether it has changed what it was given; a pure one must also say the same again."""
    before, before_data = Snapshot.of(given), Snapshot.of(data)
    with np.errstate(all="ignore"):
        first = function.call(given, data, rng)
    for what, changed in (("state", before.changed(given)), ("data", before_data.changed(data))):
        if changed:
            where = "" if changed == ("",) else ", at " + ", ".join(f'"{path}"' for path in changed[:3])
            said = f"{function.name} changes the {what} that it is given{where}"
            findings.fail(function.target, f"{function.name} {what}", said, "Copy what you write to")
            return
    with np.errstate(all="ignore"):
        if function.pure and not _equal(first, function.call(given, data, rng)):
            said = f"{function.name} gives another value when it is called again for the same state and data"
            findings.fail(
                function.target, f"{function.name} again", said, f"It must be a function of them ({shown(first)} first)"
            )


def _equal(first: Any, second: Any) -> bool:
    return not Snapshot.of(first).changed(second)


def check_draws(subject: Subject, rng: Generator, findings: Findings) -> None:
    """Draws of prior and simulate must be new objects, and differ."""
    first = subject.prior(rng)
    kept = Snapshot.of(first)
    others = [subject.prior(rng) for _ in range(_SAME_DRAWS)]
    _fresh("prior", first, others[0], kept, findings)
    if all(same_state(first, other) for other in others):
        said = f"prior draws the same state every time (in {_SAME_DRAWS + 1} draws)"
        findings.doubt(SWEEP, "prior draws", said, "Nothing can be learned from starts that do not vary; does it use its rng?")
    if subject.simulate is None:
        return
    state = copy_state(first)
    data = subject.simulate(state, rng)
    kept_data = Snapshot.of(data)
    _fresh("simulate", data, subject.simulate(state, rng), kept_data, findings)
    if shared_parts(data, state):
        findings.note("simulate returns data that share memory with the state; every chain gets copies of both")


def _fresh(name: str, first: Any, second: Any, kept: Snapshot, findings: Findings) -> None:
    changed = kept.changed(first)
    if changed:
        where = "" if changed == ("",) else " (" + ", ".join(f'"{path}"' for path in changed[:3]) + ")"
        said = f"{name} writes every draw into the same memory{where}: a second draw has changed the first"
        findings.fail(SWEEP, f"{name} fresh", said, "Return new objects")
    elif shared_parts(first, second):
        findings.note(f"two draws of {name} share memory; every chain gets a copy")


def wrong_orders(subject: Subject) -> list[str]:
    """Return, in words, which functions name their arguments in another order than they are given."""
    bare = [] if subject.updates else [("step", subject.step)]
    updates = [(f'update "{name}"', update) for name, update in subject.updates.items()]
    others = [(name, getattr(subject, name)) for name in ("simulate", "log_joint", "init", "refresh")]
    said = []
    for name, function in [*bare, *updates, *others]:
        order = _ORDERS.get(name, _ORDERS["step"])
        found = _names(function)
        if any(argument in found and found.index(argument) != place for place, argument in enumerate(order)):
            said.append(f"{name} takes ({', '.join(found)}); the order is ({', '.join(order)})")
    return said


def _names(function: Any) -> list[str]:
    if function is None:
        return []
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []
