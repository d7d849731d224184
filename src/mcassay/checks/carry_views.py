"""Subjects derived from a subject with a carry, in which other parts of the carry are what is looked at.

Each of them draws state, data and carry together, has the same step, and differs in what it shows as its state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mcassay.checks.parts import leaves, part_at, with_part
from mcassay.engine.replicate import begin_carry, position_of
from mcassay.kernels import apply
from mcassay.state import blocks, copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State

_CHAINS = 6
_LAGS = (16, 64)
_FORGOTTEN = 0.15


class View(dict[str, Any]):
    """Named blocks, with the carry and the data behind them."""

    carry: Any
    data: Data


def parts_view(subject: Subject, paths: tuple[str, ...]) -> Subject:
    """Return a subject whose state is some parts of the carry, drawn by init."""
    return _view(subject, partial(_begin, subject), partial(_parts, paths), None)


def position_view(subject: Subject, settled: "Settled | None" = None) -> Subject:
    """Return a subject whose state is the position and the data; with settled parts in the carry where they are given."""
    begin: _Begin = partial(_begin, subject) if settled is None else settled
    log_joint = subject.log_joint
    density = None if log_joint is None else lambda view, _: log_joint(position_of(subject, view.carry), view.data)
    return _view(subject, begin, partial(_position, subject), density)


_Begin = Callable[[Generator], tuple[Any, Data]]
_Show = Callable[[Any, Data], dict[str, Any]]


def _view(subject: Subject, begin: _Begin, show: _Show, log_joint: Callable[[State, Data], float] | None) -> Subject:
    def prior(rng: Generator) -> View:
        return _shown(*begin(rng), show)

    def step(view: View, nothing: None, rng: Generator) -> View:
        return _shown(apply(subject.step, view.carry, view.data, rng), view.data, show)

    return Subject(prior, None, step, log_joint=log_joint, name=f"{subject.name}, seen by its carry")


def _shown(carry: Any, data: Data, show: _Show) -> View:
    view = View(show(carry, data))
    view.carry, view.data = carry, data
    return view


def _begin(subject: Subject, rng: Generator) -> tuple[Any, Data]:
    state, data = subject.draw(rng)
    data = copy_state(data)
    return begin_carry(subject, state, data, rng), data


def _parts(paths: tuple[str, ...], carry: Any, data: Data) -> dict[str, Any]:
    return {path or "carry": copy_state(part_at(carry, path, "the carry")) for path in paths}


def _position(subject: Subject, carry: Any, data: Data) -> dict[str, Any]:
    shown = dict(blocks(position_of(subject, carry)))
    if data is not None:
        shown |= {f"data.{name}": part for name, part in blocks(data).items()}
    copied: dict[str, Any] = copy_state(shown)
    return copied


@dataclass(frozen=True)
class Settled:
    """Draws carries whose free parts come from another chain that has run for so many sweeps."""

    subject: Subject
    paths: tuple[str, ...]
    sweeps: int

    def __call__(self, rng: Generator) -> tuple[Any, Data]:
        """Return a carry and its data."""
        donor, their_data = _begin(self.subject, rng)
        for _ in range(self.sweeps):
            donor = apply(self.subject.step, donor, their_data, rng)
        carry, data = _begin(self.subject, rng)
        for path in self.paths:
            carry = with_part(carry, path, copy_state(part_at(donor, path, "the carry")))
        return carry, data


def sweeps_to_settle(subject: Subject, paths: tuple[str, ...], rng: Generator) -> int | None:
    """Return after how many sweeps parts of the carry have forgotten their start, by autocorrelation; None if too many."""
    runs = [_history(subject, paths, rng) for _ in range(_CHAINS)]
    if any(run.shape != runs[0].shape for run in runs):
        return None
    values = np.stack(runs, axis=1)[_LAGS[0] :]
    values = values - values.mean(axis=(0, 1))
    scale = np.square(values).mean(axis=(0, 1))
    if not scale.size or (scale == 0).all():
        return None
    for lag in _LAGS:
        correlation = (values[lag:] * values[:-lag]).mean(axis=(0, 1))[scale > 0] / scale[scale > 0]
        if np.abs(correlation).max() < _FORGOTTEN + 3 / np.sqrt(values.shape[1] * len(values)):
            return 2 * lag
    return None


def _history(subject: Subject, paths: tuple[str, ...], rng: Generator) -> Any:
    carry, data = _begin(subject, rng)
    rows = []
    for _ in range(SWEEPS_TO_LEARN // _CHAINS):
        carry = apply(subject.step, carry, data, rng)
        found = leaves(carry)
        rows.append(np.concatenate([np.ravel(np.asarray(found[path], dtype=float)) for path in paths]))
    return np.array(rows)


SWEEPS_TO_LEARN = _CHAINS * 3 * _LAGS[-1]
