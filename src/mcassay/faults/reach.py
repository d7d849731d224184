"""Which functions run, in which context, and what kinds of values their names hold: seen by running the right subject."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any

import numpy as np

from mcassay.faults.contexts import Input, contexts
from mcassay.faults.find import Ran
from mcassay.faults.package import belongs
from mcassay.state import blocks
from mcassay.subject import Subject


@dataclass(frozen=True)
class Reach:
    """What was seen when every context ran.

    Attributes
    ----------
    files
        For each file of the subject's package the functions that ran, by name and first line.
    where
        The contexts that each function ran in.
    blocks
        The kind of each block of the state.
    """

    files: Mapping[str, Mapping[tuple[str, int], Ran]]
    where: Mapping[tuple[str, str, int], tuple[str, ...]]
    blocks: Mapping[str, str]


@dataclass
class _Watcher:
    """Notes every call of a function in certain folders."""

    folders: tuple[str, ...]
    context: str = ""
    kinds: dict[tuple[str, str, int], dict[str, str]] = field(default_factory=dict)
    where: dict[tuple[str, str, int], dict[str, None]] = field(default_factory=dict)

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or code.co_name == "<module>" or not belongs(code.co_filename, self.folders):
            return
        place = (code.co_filename, code.co_qualname, code.co_firstlineno)
        self.where.setdefault(place, {})[self.context] = None
        if event == "return":
            kinds = self.kinds.setdefault(place, {})
            for name, value in frame.f_locals.items():
                found = kind_of(value)
                if found is not None:
                    kinds.setdefault(name, found)


def reach_of(subject: Subject, folders: Sequence[str], inputs: Sequence[Input]) -> Reach:
    """Run every context on a few inputs and watch."""
    watcher = _Watcher(tuple(folders))
    for name, ask in contexts(subject).items():
        watcher.context = name
        for given in inputs:
            _watched(watcher, partial(ask, given))
    files: dict[str, dict[tuple[str, int], Ran]] = {}
    for (path, function, line), _ in watcher.where.items():
        files.setdefault(path, {})[function, line] = Ran(watcher.kinds.get((path, function, line), {}))
    where = {place: tuple(found) for place, found in watcher.where.items()}
    return Reach(files, where, {name: kind_of(value) or "" for name, value in blocks(inputs[0].state).items()})


def _watched(watcher: _Watcher, ask: Callable[[], Any]) -> None:
    before = sys.getprofile()
    sys.setprofile(watcher)
    try:
        with np.errstate(all="ignore"):
            ask()
    except Exception:  # data of another draw need not suit the state; the baseline says what raises by itself
        pass
    finally:
        sys.setprofile(before)


def kind_of(value: Any) -> str | None:
    """Name the kind of a value, so that two of the same kind could be mistaken for each other; None for what holds no value.

    Examples
    --------
    >>> kind_of(2.0), kind_of(np.zeros((3, 2)))
    ('float64 ()', 'float64 (3, 2)')
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype} {value.shape}"
    if isinstance(value, (bool, str)) or value is None or callable(value) or isinstance(value, np.random.Generator):
        return None
    if isinstance(value, (int, float)):
        return f"{np.asarray(value).dtype} ()"
    return type(value).__qualname__
