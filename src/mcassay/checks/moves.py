"""Moves of a Metropolis-Hastings kernel, and the log acceptance ratio it uses for each beside the one it should use."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.candidates import candidates
from mcassay.checks.components import splits
from mcassay.checks.identity import Outcome, Pair, epsilon_of_results
from mcassay.checks.joint import Joint
from mcassay.checks.rounding import measured_noise
from mcassay.checks.situations import Situation, is_discrete, situations
from mcassay.checks.trial import SAME_SIZE, log_p_of
from mcassay.checks.values import draws_of
from mcassay.errors import InputError, shown
from mcassay.kernels import MetropolisHastings
from mcassay.state import get_blocks, replace_blocks
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, LogJoint, State

_ELEMENTS = 6
# Blocks that are tried at the edges of what the prior draws: how many draws, and how large a block may be.
_REMOTE_DRAWS = 30
_LARGEST_REMOTE = 100
_BEYOND = 3
_DRAWS, _REMOTE_PROPOSALS = 3, 12


@dataclass(frozen=True)
class Move:
    """A change of the kernel's blocks in a situation; of one element alone where an index is given."""

    situation: Situation
    new: Any
    index: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Weighed:
    """A move with every log ratio that may enter its acceptance."""

    move: Move
    old: Any
    ratio: float  # what the kernel uses
    joint: float  # the change of the subject's log joint
    own_joint: float  # the change of the log joint that the kernel was given
    proposals: float  # log q(old | new) - log q(new | old)
    tolerance: float

    @property
    def expected(self) -> float:
        """The log ratio that the kernel should use; -inf where the move or its way back is impossible."""
        impossible = self.joint == -math.inf or self.proposals == -math.inf
        return -math.inf if impossible else self.joint + self.proposals

    @property
    def gap(self) -> float:
        """The kernel's log ratio less what it should be."""
        return self.ratio - self.expected

    @property
    def outcome(self) -> Outcome:
        """What the comparison shows."""
        return Pair(self.ratio, 0.0, self.expected, 0.0, self.tolerance).outcome


@dataclass
class Scales:
    """What weighs the moves of one kernel, and remembers what precision the log ratios betray."""

    update: MetropolisHastings
    joint: Joint
    own: Joint
    ratios: list[float] = field(default_factory=list)
    last: tuple[Situation, float] | None = None

    @classmethod
    def of(cls, log_joint: LogJoint, update: MetropolisHastings) -> "Scales":
        """Take the subject's log joint beside the one that the kernel was given."""
        joint = Joint(log_joint)
        same = update.log_joint is None or update.log_joint is log_joint
        return cls(update, joint, joint if same else Joint(update.log_joint or log_joint))

    def weigh(self, move: Move) -> Weighed | None:
        """Weigh a move; None where the kernel never comes to make it."""
        state, data = move.situation.state, move.situation.data
        try:
            before = self._before(move.situation)
            forward = self._log_q(move, state, move.new, data) if math.isfinite(before) else -math.inf
            return self._weighed(move, before, forward) if math.isfinite(forward) else None
        except Exception:
            # A state that was put together may be one that the user's functions need not be able to deal with.
            if move.situation.genuine:
                raise
            return None

    def _before(self, situation: Situation) -> float:
        if self.last is None or self.last[0] is not situation:
            self.last = situation, self.joint(situation.state, situation.data)
        return self.last[1]

    def _weighed(self, move: Move, before: float, forward: float) -> Weighed:
        state, data, update = move.situation.state, move.situation.data, self.update
        old, new = get_blocks(state, update.blocks), replace_blocks(state, update.blocks, move.new)
        after = self.joint(new, data)
        backward = self._log_q(move, new, old, data)
        own = self.own(new, data) - self.own(state, data) if self.own is not self.joint else after - before
        ratio = self._ratio(move, state, new, data)
        tolerance = self.tolerance([before, after, forward, backward, ratio], state, data)
        return Weighed(move, old, ratio, after - before, own, backward - forward, tolerance)

    def weigh_with_care(self, move: Move, rng: Generator) -> Weighed | None:
        """Weigh again, with a tolerance that knows how much rounding there is inside the user's functions."""
        there, usual = move.situation, self.weigh(move)

        def gap(moved: Callable[[Any], Any]) -> float:
            near = Situation(there.source, moved(there.state), moved(there.data))
            weighed = self.weigh(Move(near, move.new, move.index))
            fair = weighed is not None and usual is not None and weighed.tolerance <= SAME_SIZE * usual.tolerance
            return weighed.gap if fair and weighed is not None else math.nan

        self.joint.noise = max(self.joint.noise, measured_noise(gap, rng))
        return self.weigh(move)

    def tolerance(self, magnitudes: list[float], state: State, data: Data) -> float:
        """Return how far rounding may part two log ratios at this state, in the coarsest precision seen."""
        bound = self.joint.tolerance(magnitudes, state, data)
        if self.own is not self.joint:
            bound = max(bound, self.own.tolerance(magnitudes, state, data))
        return bound * max(1.0, epsilon_of_results(self.ratios) / self.joint.epsilon)

    def _ratio(self, move: Move, state: State, new: State, data: Data) -> float:
        with np.errstate(all="ignore"):
            if move.index is None:
                ratio = self.update.log_acceptance_ratio(state, new, data)
            else:
                ratio = self.update.log_element_ratio(state, new, data, move.index)
        if math.isnan(ratio):
            raise InputError(
                f"the log acceptance ratio is NaN on the move {described(get_blocks(state, self.update.blocks), move)}"
            )
        if len(self.ratios) < 64:
            self.ratios.append(ratio)
        return ratio

    def _log_q(self, move: Move, state: State, value: Any, data: Data) -> float:
        with np.errstate(all="ignore"):
            proposal = self.update.proposal(state, data)
        log_q: FloatArray = log_p_of(proposal, value, "+".join(self.update.blocks))
        return float(log_q.sum() if move.index is None else log_q[move.index])


def moves(subject: Subject, update: MetropolisHastings, rng: Generator) -> Iterator[Move]:
    """Yield moves in both directions, in situations from every source."""
    for situation in situations(subject, rng):
        yield from _both_ways(subject, update, situation, _DRAWS, rng)
    # At an edge many proposals of a number: what leaves the support, or has no way back, may be rare among them.
    for situation in _remote(subject, update, rng):
        single = np.size(get_blocks(situation.state, update.blocks)) == 1
        yield from _both_ways(subject, update, situation, _REMOTE_PROPOSALS if single else _DRAWS, rng)


def _both_ways(subject: Subject, update: MetropolisHastings, situation: Situation, draws: int, rng: Generator) -> Iterator[Move]:
    try:
        values = list(_values(subject, update, situation, draws, rng))
    except Exception:
        # A state that was put together may be one that the kernel never comes to, and need not be able to deal with.
        if situation.genuine:
            raise
        return
    for value, index in values:
        forward = Move(situation, value, index)
        yield forward
        yield _reversed(forward, update)


def _remote(subject: Subject, update: MetropolisHastings, rng: Generator) -> Iterator[Situation]:
    """Yield situations with the block at the edges of what the prior draws: a proposal may go wrong at a boundary only."""
    state, data = subject.draw(rng)
    value = get_blocks(state, update.blocks)
    if isinstance(value, tuple) or np.size(value) > _LARGEST_REMOTE or np.asarray(value).dtype.kind not in "iuf":
        return
    draws = [np.asarray(get_blocks(subject.prior(rng), update.blocks)) for _ in range(_REMOTE_DRAWS)]
    if any(draw.shape != draws[0].shape for draw in draws):
        return
    for edge in _edges(np.stack(draws), is_discrete(value)):
        yield Situation("a draw from the joint with the block at an edge", replace_blocks(state, update.blocks, edge[()]), data)


def _edges(draws: np.ndarray[Any, Any], discrete: bool) -> Iterator[np.ndarray[Any, Any]]:
    order = np.argsort(draws.reshape(len(draws), -1).sum(axis=1))
    if draws.ndim == 1 and discrete:
        low, high = int(draws.min()), int(draws.max())
        near = [*range(low - _BEYOND, low + _BEYOND), *range(high - _BEYOND + 1, high + _BEYOND)]
        yield from np.unique(np.array(near))
    else:
        yield from draws[order[[0, -1]]]


def _reversed(move: Move, update: MetropolisHastings) -> Move:
    old = get_blocks(move.situation.state, update.blocks)
    there = replace_blocks(move.situation.state, update.blocks, move.new)
    return Move(Situation(move.situation.source, there, move.situation.data), old, move.index)


def _values(
    subject: Subject, update: MetropolisHastings, situation: Situation, draws: int, rng: Generator
) -> Iterator[tuple[Any, tuple[int, ...] | None]]:
    with np.errstate(all="ignore"):
        proposal = update.proposal(situation.state, situation.data)
        own = draws_of(proposal, draws, rng)
    foreign = [get_blocks(subject.prior(rng), update.blocks) for _ in range(2)]
    old = get_blocks(situation.state, update.blocks)
    if update.elementwise:
        yield from _elements(np.asarray(old), [*own, *foreign], rng)
        return
    log_q = log_p_of(proposal, own[0], "+".join(update.blocks))
    values = _discrete_values([old, *own, *foreign])
    for value in candidates(old, own, foreign, values, splits(old, log_q.shape), rng):
        yield value, None


def _discrete_values(seen: list[Any]) -> list[Any]:
    discrete = [np.ravel(value) for value in seen if not isinstance(value, tuple) and is_discrete(value)]
    return list(np.unique(np.concatenate(discrete))) if discrete else []


def _elements(old: np.ndarray[Any, Any], values: list[Any], rng: Generator) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Change one element at a time, as an elementwise kernel does."""
    places = rng.permutation(old.size)[:_ELEMENTS]
    for value in values:
        if np.shape(value) != old.shape:
            continue
        for place in places:
            index = tuple(int(i) for i in np.unravel_index(place, old.shape))
            new = old.copy()
            new[index] = np.asarray(value)[index]
            yield new[()], index


def described(old: Any, move: Move) -> str:
    """Write a move on one line: the element where there is one, the blocks where they are short."""
    if move.index:
        at = f" at [{', '.join(map(str, move.index))}]"
        return f"from {shown(np.asarray(old)[move.index])} to {shown(np.asarray(move.new)[move.index])}{at}"
    return f"from {shown(old, 40)} to {shown(move.new, 40)}"
