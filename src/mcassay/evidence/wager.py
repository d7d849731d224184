"""The wager: wealth that a right kernel makes a martingale, averaged over strategies, directions and groups.

A *purse* bets on one group of differences (one run length, or one time point of a run); the *wager* averages the purses. All
stakes, pairings and shares of a block are settled before the block is seen, so that with mean zero differences the
wealth is a nonnegative martingale that starts at 1, and ever reaches 1/alpha with probability at most alpha.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from mcassay.errors import InputError, reject
from mcassay.evidence.paired import Pairing
from mcassay.evidence.strategies import Grid, Kelly, Memory, Strategy
from mcassay.vocabulary import FloatArray

_CHUNK = 256
_ROUNDING = 1e-9

DEFAULT: tuple[tuple[Strategy, float], ...] = ((Kelly((4.0,)), 0.4), (Grid((0.15, 0.4, 0.9)), 0.6))
"""The strategies and the shares of the wealth that they start with."""


@dataclass(frozen=True)
class Purse:
    """The wealth on one group of differences.

    Examples
    --------
    >>> purse = Purse.begin(directions=2)
    >>> for _ in range(20):
    ...     purse = purse.bet(np.tile([0.5, 0.0], (8, 1)))
    >>> bool(purse.log_wealth > 20), purse.drift
    (True, array([1., 0.]))
    """

    strategies: tuple[Strategy, ...]
    shares: tuple[float, ...]
    weights: FloatArray
    memories: tuple[Memory, ...]
    log_arms: tuple[FloatArray, ...]
    total: FloatArray
    replicates: int = 0

    @classmethod
    def begin(
        cls,
        directions: int,
        *,
        weights: ArrayLike | None = None,
        strategies: Sequence[tuple[Strategy, float]] = DEFAULT,
        runs: tuple[int, ...] = (),
    ) -> "Purse":
        """Start with wealth 1, shared among strategies and, by ``weights``, among directions."""
        share = _shares("Purse", "weights", np.ones(directions) if weights is None else weights, directions)
        chosen = tuple(strategy for strategy, _ in strategies)
        memories = tuple(strategy.begin(directions, runs) for strategy in chosen)
        arms = [strategy.stakes(memory).shape for strategy, memory in zip(chosen, memories, strict=True)]
        logs = [np.zeros(s[:-1] if c.combined else s) for s, c in zip(arms, chosen, strict=True)]
        shares = _shares("Purse", "strategies", [s for _, s in strategies], len(chosen))
        return cls(chosen, tuple(shares.tolist()), share, memories, tuple(logs), np.zeros((*runs, directions)))

    @property
    def log_wealth(self) -> FloatArray:
        """Log of the wealth now: the average over strategies, arms and directions."""
        parts = [self._log_average(k) for k in range(len(self.strategies))]
        return np.asarray(logsumexp(np.stack(parts, axis=-1), axis=-1, b=np.array(self.shares)))

    def _log_average(self, k: int) -> FloatArray:
        arms = self.log_arms[k]
        if self.strategies[k].combined:
            return np.asarray(logsumexp(arms, axis=-1) - np.log(arms.shape[-1]))
        return np.asarray(logsumexp(arms, axis=(-2, -1), b=self.weights) - np.log(arms.shape[-2]))

    @property
    def by_direction(self) -> FloatArray:
        """Log10 of the wealth on each direction alone, had nothing been staked on the others: for reports."""
        single = [k for k, strategy in enumerate(self.strategies) if not strategy.combined]
        if not single:
            return np.zeros_like(self.total)
        logs = [logsumexp(self.log_arms[k], axis=-2) - np.log(self.log_arms[k].shape[-2]) for k in single]
        shares = np.array([self.shares[k] for k in single])
        average = logsumexp(np.stack(logs, axis=-1), axis=-1, b=shares / shares.sum())
        return np.asarray(average / np.log(10))

    @property
    def drift(self) -> FloatArray:
        """Whether each direction ends too high (1), too low (-1) or neither so far (0)."""
        return np.sign(self.total)

    def bet(self, differences: ArrayLike) -> "Purse":
        """Bet on a block of shape ``(..., n, J)``; what was learned from it serves the next block."""
        d = checked_differences(differences, self.total.shape)
        stakes = [s.stakes(m) for s, m in zip(self.strategies, self.memories, strict=True)]
        log_arms = tuple(
            log + (log_growth_combined(stake, d) if strategy.combined else log_growth(stake, d))
            for strategy, stake, log in zip(self.strategies, stakes, self.log_arms, strict=True)
        )
        memories = tuple(
            strategy.learn(memory, d, stake)
            for strategy, memory, stake in zip(self.strategies, self.memories, stakes, strict=True)
        )
        total, replicates = self.total + d.sum(axis=-2), self.replicates + d.shape[-2]
        return replace(self, memories=memories, log_arms=log_arms, total=total, replicates=replicates)

    def to_dict(self) -> dict[str, Any]:
        """Everything that changes while betting, as plain lists."""
        return {
            "memories": [{name: value.tolist() for name, value in memory.items()} for memory in self.memories],
            "log_arms": [log.tolist() for log in self.log_arms],
            "total": self.total.tolist(),
            "replicates": self.replicates,
        }

    def restored(self, saved: Mapping[str, Any]) -> "Purse":
        """Return this purse, begun with the same settings, as it was when saved."""
        memories = tuple({name: np.array(value) for name, value in memory.items()} for memory in saved["memories"])
        logs = tuple(np.array(log) for log in saved["log_arms"])
        return replace(self, memories=memories, log_arms=logs, total=np.array(saved["total"]), replicates=saved["replicates"])


class Triple(NamedTuple):
    """Directions of a block: at the end, at the start, and averaged over each replicate's forward draws (or None)."""

    end: FloatArray
    start: FloatArray
    forward: FloatArray | None = None


@dataclass(frozen=True)
class Wager:
    """The wealth on all groups together, with its running maximum.

    Examples
    --------
    >>> wager = Wager.begin({"1 sweep": 0.7, "4 sweeps": 0.3}, directions=1)
    >>> half = np.full((10, 1), 0.5)
    >>> for _ in range(20):
    ...     wager = wager.bet({"1 sweep": Triple(half + 0.3, half, half)})
    >>> bool(wager.log10_evidence > 10), wager.leaders(names=["height"], count=1)
    (True, (Leader(group='1 sweep', direction='height', log10_evidence=..., drift=1),))
    """

    groups: tuple[str, ...]
    shares: tuple[float, ...]
    pairings: tuple[Pairing, ...]
    purses: tuple[Purse, ...]
    peak: FloatArray
    blocks: int = 0

    @classmethod
    def begin(
        cls,
        groups: Mapping[str, float],
        *,
        directions: int,
        weights: ArrayLike | None = None,
        controls: Sequence[int] = (),
        strategies: Sequence[tuple[Strategy, float]] = DEFAULT,
        runs: tuple[int, ...] = (),
    ) -> "Wager":
        """Start with wealth 1, shared among the groups as given."""
        shares = _shares("Wager", "groups", list(groups.values()), len(groups))
        pairing = Pairing.begin(directions, controls=controls, runs=runs)
        purse = Purse.begin(directions, weights=weights, strategies=strategies, runs=runs)
        many = len(groups)
        return cls(tuple(groups), tuple(shares.tolist()), (pairing,) * many, (purse,) * many, np.zeros(runs))

    @property
    def log_wealth(self) -> FloatArray:
        """Log of the wealth now."""
        parts = np.stack([purse.log_wealth for purse in self.purses], axis=-1)
        return np.asarray(logsumexp(parts, axis=-1, b=np.array(self.shares)))

    @property
    def log10_evidence(self) -> FloatArray:
        """Log10 of the largest wealth after any block so far: a right kernel reaches x with probability at most 10^-x."""
        return np.asarray(self.peak / np.log(10))

    def bet(self, blocks: Mapping[str, Triple]) -> "Wager":
        """Bet on one block of some or all groups, then learn from it."""
        unknown = set(blocks) - set(self.groups)
        if unknown:
            reject("Wager", "blocks", f"be groups among {', '.join(self.groups)}", sorted(unknown))
        purses, pairings = list(self.purses), list(self.pairings)
        for k, group in enumerate(self.groups):
            if group in blocks:
                triple = checked_triple(blocks[group])
                purses[k] = purses[k].bet(pairings[k].differences(*triple))
                pairings[k] = pairings[k].learn(*triple)
        after = replace(self, purses=tuple(purses), pairings=tuple(pairings), blocks=self.blocks + 1)
        return replace(after, peak=np.maximum(self.peak, after.log_wealth))

    def leaders(self, *, names: Sequence[str], count: int = 3) -> "tuple[Leader, ...]":
        """Return the directions with the most evidence, over all groups (of a single run)."""
        found = [
            Leader(group, name, float(evidence), int(sign))
            for group, purse in zip(self.groups, self.purses, strict=True)
            for name, evidence, sign in zip(names, purse.by_direction, purse.drift, strict=True)
        ]
        return tuple(sorted(found, key=lambda leader: -leader.log10_evidence)[:count])

    def to_dict(self) -> dict[str, Any]:
        """Everything that changes while betting, as plain lists and numbers."""
        pairings = [{name: value.tolist() for name, value in p.moments.items()} for p in self.pairings]
        purses = [purse.to_dict() for purse in self.purses]
        return {"pairings": pairings, "purses": purses, "peak": self.peak.tolist(), "blocks": self.blocks}

    def restored(self, saved: Mapping[str, Any]) -> "Wager":
        """Return this wager, begun with the same settings, as it was when saved."""
        moments = [{name: np.array(value) for name, value in pairing.items()} for pairing in saved["pairings"]]
        pairings = tuple(replace(p, moments=m) for p, m in zip(self.pairings, moments, strict=True))
        purses = tuple(p.restored(s) for p, s in zip(self.purses, saved["purses"], strict=True))
        return replace(self, pairings=pairings, purses=purses, peak=np.array(saved["peak"]), blocks=saved["blocks"])


@dataclass(frozen=True)
class Leader:
    """A direction that carries evidence: in which group, how much, and whether it ends too high or too low."""

    group: str
    direction: str
    log10_evidence: float
    drift: int = field(default=0)


def log_growth(stakes: FloatArray, d: FloatArray) -> FloatArray:
    """Log of the product over a block of ``1 + stake d``: stakes ``(..., arms, J)``, d ``(..., n, J)``.

    Examples
    --------
    >>> np.exp(log_growth(np.array([[0.5]]), np.array([[1.0], [-1.0]])))
    array([[0.75]])
    """
    arms = np.moveaxis(stakes, -2, 0)
    return np.stack([_log_product(1 + arm[..., None, :] * d, -2) for arm in arms], axis=-2)


def log_growth_combined(stakes: FloatArray, d: FloatArray) -> FloatArray:
    """Log of the product over a block of ``1 + sum_j stake_j d_j``, shape ``(..., arms)``."""
    return _log_product(1 + d @ np.swapaxes(stakes, -1, -2), -2)


def _log_product(factors: FloatArray, axis: int) -> FloatArray:
    """Multiply in chunks too short to overflow, then take logs: an order of magnitude faster than logs of all factors."""
    cuts = range(_CHUNK, factors.shape[axis], _CHUNK)
    return np.asarray(sum(np.log(part.prod(axis=axis)) for part in np.split(factors, cuts, axis=axis)))


def checked_differences(differences: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Return the differences as an array; NaN, wrong shapes and anything outside [-1, 1] are errors."""
    d = np.asarray(differences, dtype=float)
    if d.ndim != len(shape) + 1 or d.shape[:-2] + d.shape[-1:] != shape:
        reject("Purse", "differences", f"have shape {(*shape[:-1], 'n', shape[-1])}", d.shape)
    if not (np.abs(d) <= 1 + _ROUNDING).all():
        bad = ~(np.abs(d) <= 1 + _ROUNDING)
        direction = int(np.argmax(bad.reshape(-1, d.shape[-1]).any(axis=0)))
        raise InputError(f"Purse: differences must lie in [-1, 1], but found {d[bad][0]} in direction {direction}")
    return d


def checked_triple(triple: Triple) -> Triple:
    """Return the triple; directions outside [0, 1] and NaN are errors."""
    for name, array in zip(Triple._fields, triple, strict=True):
        if array is not None and not ((array >= 0) & (array <= 1)).all():
            bad = array[~((array >= 0) & (array <= 1))]
            reject("Wager", name, "have values in [0, 1]", bad[0])
    return triple


def _shares(where: str, argument: str, values: ArrayLike, count: int) -> FloatArray:
    shares = np.asarray(values, dtype=float)
    if shares.shape != (count,) or not count or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        reject(where, argument, f"be {count} shares, none negative, not all zero", shares)
    return np.asarray(shares / shares.sum())
