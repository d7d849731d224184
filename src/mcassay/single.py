"""One replicate of a vectorised subject: what checks are given that look at single states.

Every function gets arrays with a leading axis of one replicate, and that axis is taken off what it returns. A carry keeps it.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mcassay.distributions.base import Distribution, Family
from mcassay.distributions.scipy_stats import as_distribution
from mcassay.errors import InputError
from mcassay.kernels import ConditionalUpdate, Cycle, Gibbs
from mcassay.kernels.structure import Composite, apply
from mcassay.state import map_leaves
from mcassay.subject import Subject, require_rows
from mcassay.vocabulary import Data, FloatArray, Generator, State, Step


def one_replicate(subject: Subject) -> Subject:
    """Return the subject whose functions take and return one replicate; one that is not vectorised is that already.

    Examples
    --------
    >>> many = Subject(
    ...     lambda rng, size: {"x": rng.normal(size=size)},
    ...     None,
    ...     lambda state, data, rng: {"x": -state["x"]},
    ...     vectorised=True,
    ... )
    >>> one_replicate(many).step({"x": 2.0}, None, np.random.default_rng(0))
    {'x': np.float64(-2.0)}
    """
    return _one_replicate(subject) if subject.vectorised else subject


@functools.lru_cache(maxsize=16)
def _kept(subject: "_ByIdentity") -> Subject:
    return subject.one()


def _one_replicate(subject: Subject) -> Subject:
    return _kept(_ByIdentity(subject))


class _ByIdentity:
    """A subject as a key: the same object gives the same single subject, so that what checks share is shared."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def __hash__(self) -> int:
        return id(self.subject)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.subject is self.subject

    def one(self) -> Subject:
        many = self.subject
        carries = many.init is not None
        return replace(
            many,
            prior=_Prior(many),
            simulate=None if many.simulate is None else _Simulate(many.simulate),
            step=_one_step(many.step, carries=carries),
            log_joint=None if many.log_joint is None else _Value(many.log_joint),
            statistics={name: _Value(f) for name, f in many.statistics.items()},
            init=None if many.init is None else _Init(many.init),
            position=None if many.position is None else _Position(many.position),
            refresh=None if many.refresh is None else _Refresh(many.refresh),
            caches={name: _Recompute(f, carries) for name, f in many.caches.items()},
            resize=None if many.resize is None else _Resize(many.resize),
            vectorised=False,
        )


def _many(value: State) -> State:
    """Put a leading axis of one replicate before every array."""
    return map_leaves(lambda leaf: np.asarray(leaf)[np.newaxis], value)


def _one(value: State, said: str = "a step must return a state with") -> State:
    """Take the leading axis of one replicate off every array."""
    require_rows(value, 1, said, "block")
    return map_leaves(lambda leaf: np.asarray(leaf)[0], value)


@dataclass(frozen=True)
class _Prior:
    many: Subject

    def __call__(self, rng: Generator) -> State:
        return _one(self.many.draw_state(rng, 1))


@dataclass(frozen=True)
class _Simulate:
    many: Callable[[State, Generator], Data]

    def __call__(self, state: State, rng: Generator) -> Data:
        return _one(self.many(_many(state), rng), "simulate(state, rng) must return data with")


@dataclass(frozen=True)
class _Step:
    many: Step

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        return _one(apply(self.many, _many(state), _many(data), rng))


@dataclass(frozen=True)
class _StepOfCarry:
    many: Step

    def __call__(self, carry: Any, data: Data, rng: Generator) -> Any:
        return self.many(carry, _many(data), rng)


@dataclass(frozen=True)
class _Init:
    many: Callable[[State, Data, Generator], Any]

    def __call__(self, state: State, data: Data, rng: Generator) -> Any:
        return self.many(_many(state), _many(data), rng)


@dataclass(frozen=True)
class _Position:
    many: Callable[[Any], State]

    def __call__(self, carry: Any) -> State:
        return _one(self.many(carry), "position(carry) must return a state with")


@dataclass(frozen=True)
class _Refresh:
    many: Callable[[Any, Data, Generator], Any]

    def __call__(self, carry: Any, data: Data, rng: Generator) -> Any:
        return self.many(carry, _many(data), rng)


@dataclass(frozen=True)
class _Recompute:
    """What a cache should be; one in a carry keeps its leading axis."""

    many: Callable[[State, Data], Any]
    carries: bool

    def __call__(self, state: State, data: Data) -> Any:
        found = self.many(_many(state), _many(data))
        return found if self.carries else _one(found, "a cache must be recomputed with")


@dataclass(frozen=True)
class _Resize:
    many: Callable[[int], Subject]

    def __call__(self, points: int) -> Subject:
        return one_replicate(self.many(points))


@dataclass(frozen=True)
class _Value:
    """A log density or a statistic."""

    many: Callable[[State, Data], Any]

    def __call__(self, state: State, data: Data) -> Any:
        found = np.asarray(self.many(_many(state), _many(data)))
        if found.shape[:1] != (1,):
            name = getattr(self.many, "__name__", "log_joint")
            raise InputError(f"{name} must return an array with a leading axis of 1 replicates, but found shape {found.shape}")
        return found[0]


def _one_step(step: Step, *, carries: bool) -> Step:
    """Return a step for one replicate; one with structure keeps it."""
    if isinstance(step, Gibbs):
        return Gibbs({names: _Conditional(conditional) for names, conditional in step.conditionals.items()})
    if isinstance(step, ConditionalUpdate):
        return ConditionalUpdate(step.blocks, _Conditional(step.conditional))
    if isinstance(step, Composite) and step.in_order:
        return Cycle({name: _one_step(part, carries=carries) for name, part in step.parts().items()})
    return _StepOfCarry(step) if carries else _Step(step)


@dataclass(frozen=True)
class _Conditional:
    """A conditional of one replicate; one of our distributions stays what it is, so that its parameters can be read."""

    many: Callable[[State, Data], Distribution]

    def __call__(self, state: State, data: Data) -> Distribution:
        found = as_distribution(self.many(_many(state), _many(data)), "a conditional")
        if not isinstance(found, Family):
            return _Drawn(found)
        if found.batch_shape[:1] != (1,):
            raise InputError(
                f"a conditional must return a distribution with a leading axis of 1 replicates, but found {found!r}, whose "
                f"components have the shape {found.batch_shape}"
            )
        return found.component((0,))


@dataclass(frozen=True)
class _Drawn:
    """Another distribution of many replicates, seen as that of one."""

    many: Distribution

    def log_p(self, x: Any) -> FloatArray:
        """Return the log density, one value a component."""
        value = tuple(map(_many, x)) if isinstance(x, tuple) else _many(x)
        log_p: FloatArray = np.asarray(self.many.log_p(value))[0]
        return log_p

    def sample(self, rng: Generator) -> Any:
        """Return a draw."""
        drawn = self.many.sample(rng)
        return tuple(map(_one, drawn)) if isinstance(drawn, tuple) else _one(drawn)
