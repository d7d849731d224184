"""A conditional and log_joint contradict each other: draws from prior and simulate say which of the two is wrong.

Let s be the log of the ratio of the density that log_joint implies to the one that the conditional claims. Draws of a right
conditional are exchangeable with the block that a draw from the joint came with, so s of the block has no place of its
own among s of redraws. And if log_joint is right, a Metropolis step that proposes a draw of the conditional leaves the joint
invariant and is reversible, so s goes up as often as down. Both are bet against. No direction shows the difference of two
densities better than s, so few draws tell.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mcassay.checks.base import Context
from mcassay.checks.redraws import place_differences
from mcassay.engine.block import fresh
from mcassay.evidence.wager import Purse
from mcassay.kernels import ConditionalUpdate
from mcassay.state import get_blocks, replace_blocks
from mcassay.subject import Subject
from mcassay.vocabulary import Data, FloatArray, Generator, State

CONDITIONAL, LOG_JOINT = "conditional", "log_joint"
# Evidence, as log10 of odds, at which one of the two is called wrong.
ENOUGH = 3.0
_REDRAWS = 4
_BATCH = 32
_FEWEST, _MOST = 256, 4096


@dataclass(frozen=True)
class Dispute:
    """The evidence, as log10 of odds, against either side, after so many draws from the joint."""

    name: str
    conditional: float = 0.0
    log_joint: float = 0.0
    draws: int = 0

    @property
    def wrong(self) -> str | None:
        """Which of the two is wrong; None as long as that is open, or where both are."""
        found = {CONDITIONAL: self.conditional, LOG_JOINT: self.log_joint}
        shown = [side for side, evidence in found.items() if evidence >= ENOUGH]
        return shown[0] if len(shown) == 1 else None

    def to_dict(self) -> dict[str, float | int | str | None]:
        """Return the figures for a report."""
        return {
            CONDITIONAL: self.conditional,
            LOG_JOINT: self.log_joint,
            "draws": self.draws,
            "wrong": self.wrong,
        }


def settle_dispute(subject: Subject, name: str, context: Context, limit: float) -> Dispute:
    """Draw from the joint until the evidence against log_joint is beyond the limit, or the conditional is wrong, or for long."""
    own, rng = fresh(subject), context.rng("dispute", name)
    purses: tuple[Purse, ...] = (Purse.begin(1), Purse.begin(1))
    dispute = Dispute(name)
    for differences in _batches(own, name, rng, _most(context)):
        purses = tuple(purse.bet(d) for purse, d in zip(purses, differences, strict=True))
        conditional, joint = (float(purse.log_wealth) / math.log(10) for purse in purses)
        dispute = replace(
            dispute,
            conditional=max(dispute.conditional, conditional),
            log_joint=max(dispute.log_joint, joint),
            draws=dispute.draws + _BATCH,
        )
        if dispute.log_joint >= limit or dispute.wrong == CONDITIONAL:
            break
    return dispute


def _most(context: Context) -> int:
    return _MOST if context.budget.sweeps is None else int(np.clip(context.budget.sweeps, _FEWEST, _MOST))


def _batches(subject: Subject, name: str, rng: Generator, most: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    update = subject.updates[name]
    assert isinstance(update, ConditionalUpdate)
    for _ in range(most // _BATCH):
        lots = np.array([_lot(subject, update, rng) for _ in range(_BATCH)])
        yield _places(lots), _steps(lots, rng)


def _lot(subject: Subject, update: ConditionalUpdate, rng: Generator) -> FloatArray:
    """Return s of the block of a draw from the joint, and then of redraws."""
    state, data = subject.draw(rng)
    distribution = update.distribution(state, data)
    values = [get_blocks(state, update.blocks), *(distribution.sample(rng) for _ in range(_REDRAWS))]
    return np.array([_tilt(subject, update, state, data, value) for value in values])


def _tilt(subject: Subject, update: ConditionalUpdate, state: State, data: Data, value: object) -> float:
    """Return s, up to a constant; -inf where log_joint is, and inf where only the conditional calls a value impossible."""
    assert subject.log_joint is not None
    there = replace_blocks(state, update.blocks, value)
    with np.errstate(all="ignore"):
        joint = float(np.sum(subject.log_joint(there, data)))
        claimed = float(np.sum(update.distribution(state, data).log_p(value)))
    tilt = joint - claimed
    return tilt if not math.isnan(tilt) else -math.inf


def _places(lots: FloatArray) -> FloatArray:
    """Return how much higher than redraws the block of a draw from the joint lies."""
    return place_differences(lots[:, :1], lots[:, 1:].T[..., np.newaxis])[:, :1]


def _steps(lots: FloatArray, rng: Generator) -> FloatArray:
    """Return whether a Metropolis step goes up, down or nowhere."""
    with np.errstate(invalid="ignore"):
        change = lots[:, 1] - lots[:, 0]
    accepted = -rng.standard_exponential(len(lots)) <= change
    return np.where(accepted, np.sign(change), 0.0)[:, np.newaxis]
