"""Comparing a cache with its recomputation: what rounding may part them, and how far apart they are."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.identity import COARSEST, coarsest_epsilon, count_numbers, floating_parts, tolerance
from mcassay.checks.parts import is_numeric, leaves, part_at
from mcassay.checks.rounding import measured_noise
from mcassay.engine.replicate import position_of
from mcassay.state import copy_state, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State


@dataclass(frozen=True)
class Reading:
    """A cache beside its recomputation."""

    cached: Any
    fresh: Any
    gap: float
    tolerance: float

    @property
    def stale(self) -> bool:
        """Whether they differ by more than rounding."""
        return not self.gap <= self.tolerance

    @property
    def hidden(self) -> bool:
        """Whether rounding is so coarse that agreement proves nothing."""
        return self.tolerance > COARSEST * (1.0 + _magnitude(self.fresh))


@dataclass
class Gauge:
    """Reads one cache; it remembers how large the cache has been, for a cache kept up to date by sums inherits their rounding."""

    subject: Subject
    name: str
    recompute: Callable[[State, Data], Any]
    peak: float = 0.0
    readings: int = 0
    noise: float = 0.0

    def read(self, carry: Any, data: Data, rng: Generator) -> Reading:
        """Compare the cache with its recomputation; where they differ, the rounding inside the recomputation is measured."""
        state = position_of(self.subject, carry)
        cached = part_at(carry, self.name, "the carry" if self.subject.init else "the state")
        fresh = self._recomputed(state, data)
        self.readings += 1
        self.peak = max(self.peak, _magnitude(cached), _magnitude(fresh))
        reading = self._reading(cached, fresh, state, data)
        if reading.stale and math.isfinite(reading.gap):
            self.noise = max(self.noise, self._noise(reading, state, data, rng))
            reading = self._reading(cached, fresh, state, data)
        return reading

    def _recomputed(self, state: State, data: Data) -> Any:
        with np.errstate(all="ignore"):
            return self.recompute(copy_state(state), copy_state(data))

    def _reading(self, cached: Any, fresh: Any, state: State, data: Data) -> Reading:
        terms = count_numbers(state, data) * (1 + self.readings)
        epsilon = coarsest_epsilon(floating_parts(state, data, *_numbers(cached), *_numbers(fresh)))
        allowed = tolerance([self.peak], terms, epsilon, self.noise)
        # What is compared may be used later on: an update in place would change it.
        return Reading(copy_state(cached), copy_state(fresh), gap(cached, fresh), allowed)

    def _noise(self, reading: Reading, state: State, data: Data, rng: Generator) -> float:
        path, place = _widest(reading.cached, reading.fresh)

        def element(moved: Callable[[Any], Any]) -> float:
            return float(np.ravel(leaves(self._recomputed(moved(state), moved(data)))[path])[place])

        return measured_noise(element, rng)


def gap(first: Any, second: Any) -> float:
    """Return the largest difference between two values; inf where they differ in more than numbers."""
    one, other = leaves(first), leaves(second)
    if one.keys() != other.keys():
        return math.inf
    return max((float(np.max(_gaps(one[path], other[path]), initial=0.0)) for path in one), default=0.0)


def _gaps(first: Any, second: Any) -> Any:
    if not (is_numeric(first) and is_numeric(second)):
        return np.array([0.0 if same_state(first, second) else math.inf])
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape:
        return np.array([math.inf])
    with np.errstate(all="ignore"):
        apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
    return np.where(np.isnan(apart), math.inf, apart)


def _widest(first: Any, second: Any) -> tuple[str, int]:
    """Return the path and the place of the largest difference."""
    one, other = leaves(first), leaves(second)
    path = max(one, key=lambda name: float(np.max(_gaps(one[name], other[name]), initial=0.0)))
    return path, int(np.argmax(_gaps(one[path], other[path])))


def _numbers(value: Any) -> list[Any]:
    return [leaf for leaf in leaves(value).values() if is_numeric(leaf)]


def _magnitude(value: Any) -> float:
    finite = [np.abs(np.asarray(leaf, dtype=float)) for leaf in _numbers(value)]
    return max((float(np.max(leaf, initial=0.0, where=np.isfinite(leaf))) for leaf in finite), default=0.0)
