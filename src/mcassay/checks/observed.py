"""Watching a kernel apply its updates: what it does to its input and to the data, and what it returns."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.parts import Snapshot, aliases, arrays, is_numeric, shared_parts
from mcassay.checks.rules import Findings
from mcassay.checks.walk import called, target_of
from mcassay.engine.replicate import position_of
from mcassay.errors import shown
from mcassay.kernels import apply
from mcassay.state import blocks, fields_of
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State, Step

_KINDS = {"f": "floating numbers", "i": "whole numbers", "u": "whole numbers", "b": "truth values", "c": "complex numbers"}
IN_PLACE = "Return the same object or None if the update works in place, or copy first"


@dataclass(frozen=True)
class Structure:
    """What states look like as the prior draws them."""

    types: frozenset[type]
    names: frozenset[frozenset[str]]
    kinds: dict[str, set[str]]
    shared: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, states: Iterable[State]) -> "Structure":
        """Read the structure off several draws."""
        drawn = list(states)
        kinds: dict[str, set[str]] = {}
        for state in drawn:
            for name, value in blocks(state).items():
                kinds.setdefault(name, set()).add(_kind(value))
        names = frozenset(frozenset(blocks(state)) for state in drawn)
        shared = frozenset(pair for state in drawn for pair in aliases(state))
        return cls(frozenset(type(state) for state in drawn), names, kinds, shared)


def _kind(value: Any) -> str:
    if not is_numeric(value) and not isinstance(value, complex):
        return ""
    kind = np.asarray(value).dtype.kind
    return "i" if kind == "u" else kind


@dataclass
class Observer:
    """Applies updates and notes which rules they break.

    Attributes
    ----------
    written
        The blocks whose memory some update has changed in place.
    aliased
        Blocks that came to share memory, and the update after which they did.
    """

    subject: Subject
    structure: Structure
    findings: Findings
    written: set[str] = field(default_factory=set)
    aliased: dict[tuple[str, str], str] = field(default_factory=dict)

    def apply(self, name: str, step: Step, carry: Any, data: Data, rng: Generator, *, composed: bool = False) -> Any:
        """Apply an update and look at what it has done; of a composition, parts may work in place and others not."""
        state = position_of(self.subject, carry)
        before, given, held = Snapshot.of(state), Snapshot.of(data), arrays(state)
        new = apply(step, carry, data, rng)
        self._data(name, given.changed(data), data)
        self.written |= {path for path, array in held.items() if before.differs(path, array)}
        after = position_of(self.subject, new)
        # A carry that is a tuple is a new one every time, though the state in it may be the old one, updated in place.
        if new is not carry and after is not state and not composed:
            self._input(name, before.changed(state))
        self._returned(name, after, data)
        return new

    def _data(self, name: str, changed: tuple[str, ...], data: Data) -> None:
        if not changed:
            return
        what = f"{called(name)} changes the data{_at(changed)}"
        self.findings.fail(target_of(name), "data", what, "Data never change: copy what you write to")

    def _input(self, name: str, changed: tuple[str, ...]) -> None:
        if not changed:
            return
        what = f"{called(name)} returns another object, but has changed {_blocks(changed)} of the state that it was given"
        leads = "whoever still holds that state (a stored draw, the state to go back to after a rejection) finds it changed"
        self.findings.fail(target_of(name), "input", f"{what}: {leads}", IN_PLACE)

    def _returned(self, name: str, state: State, data: Data) -> None:
        self._blocks(name, state)
        for pair in aliases(state) - self.structure.shared:
            self.aliased.setdefault(pair, name)
        writable = [(block, part) for block, part in shared_parts(state, data) if arrays(data)[part].flags.writeable]
        if writable:
            block, part = writable[0]
            what = f"after {called(name)} {_blocks((block,))} shares memory with the data{_at((part,))}"
            self.findings.doubt(target_of(name), "shared", what, "An update in place would change the data: copy them")

    def _blocks(self, name: str, state: State) -> None:
        """Compare the structure of a state with that of the prior's draws."""
        target, found = target_of(name), blocks(state)
        if len(self.structure.names) == 1 and frozenset(found) not in self.structure.names:
            drawn = ", ".join(sorted(*self.structure.names))
            here = shown(state) if fields_of(state) is None else f"a state with the blocks {', '.join(found)}"
            what = f"{called(name)} returns {here}; the prior draws {drawn}"
            self.findings.fail(target, "blocks", what, "A kernel that carries more than the state needs init and position")
            return
        for block, value in found.items():
            drawn_kinds, kind = self.structure.kinds.get(block, {""}), _kind(value)
            if kind and "" not in drawn_kinds and kind not in drawn_kinds:
                was = " or ".join(_KINDS[k] for k in sorted(drawn_kinds))
                what = f"{_blocks((block,))} holds {was} when the prior draws it, and {_KINDS[kind]} after {called(name)}"
                self.findings.doubt(target, "kind", what, "Statistics and acceptance rules may treat the two differently")
        if fields_of(state) is not None and type(state) not in self.structure.types:
            was = " or ".join(sorted(t.__name__ for t in self.structure.types))
            self.findings.doubt(target, "type", f"{called(name)} returns a {type(state).__name__}; the prior draws a {was}")

    def settle_aliases(self) -> None:
        """Blocks that share memory do harm where some update writes to one of them in place."""
        for pair, name in self.aliased.items():
            what = f"after {called(name)} the blocks {' and '.join(map(_quoted, pair))} share memory (alias)"
            if self.written & set(pair):
                self.findings.fail(target_of(name), "alias", what, "An update in place of one changes both: copy")
            else:
                self.findings.note(f"{what}, which is harmless as long as no update writes to them in place")


def _quoted(path: str) -> str:
    return f'"{path}"'


def _blocks(paths: tuple[str, ...]) -> str:
    """Write paths in a state."""
    if paths == ("",):
        return "the state"
    return f"block{'s' if len(paths) > 1 else ''} {', '.join(map(_quoted, paths[:3]))}"


def _at(paths: tuple[str, ...]) -> str:
    """Write where in the data; nothing for data that are one value."""
    return "" if paths == ("",) else f" at {', '.join(map(_quoted, paths[:3]))}"
