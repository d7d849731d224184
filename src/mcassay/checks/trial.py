"""One conditional tried in one situation: what it claims of a new value of its blocks, beside what the joint says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.identity import Pair
from mcassay.checks.joint import Joint
from mcassay.checks.situations import Situation
from mcassay.distributions.base import Distribution
from mcassay.errors import InputError
from mcassay.kernels import ConditionalUpdate
from mcassay.state import blocks, fields_of, get_blocks, replace_block, replace_blocks
from mcassay.vocabulary import FloatArray, Generator

_PERTURBATIONS = 4
_PERTURBATION_STEPS = 64


@dataclass(frozen=True)
class Trial:
    """A conditional in a situation, with everything that does not depend on the new value worked out once."""

    update: ConditionalUpdate
    joint: Joint
    situation: Situation
    claimed: Distribution
    old: Any
    log_p_old: FloatArray
    joint_old: float

    @classmethod
    def at(cls, update: ConditionalUpdate, joint: Joint, situation: Situation) -> "Trial":
        """Ask the conditional and the joint about the present value."""
        joint_old = joint(situation.state, situation.data)
        with np.errstate(all="ignore"):
            claimed = update.distribution(situation.state, situation.data)
        old = get_blocks(situation.state, update.blocks)
        return cls(update, joint, situation, claimed, old, log_p_of(claimed, old, update.name), joint_old)

    @property
    def separable(self) -> bool:
        """Whether the rows of the block are independent components of what is claimed."""
        return self.log_p_old.ndim > 0 and not isinstance(self.old, tuple) and self.log_p_old.shape[0] == len(self.old)

    def log_p(self, value: Any) -> FloatArray:
        """Return the claimed log densities of a value, one a component."""
        return log_p_of(self.claimed, value, self.update.name)

    def joint_at(self, value: Any) -> float:
        """Return the log joint with the block set to a value."""
        return self.joint(replace_blocks(self.situation.state, self.update.blocks, value), self.situation.data)

    def weigh(self, new: Any) -> Pair:
        """Compare the claim and the joint on the move to a new value."""
        log_p_new, joint_new = self.log_p(new), self.joint_at(new)
        sums = [float(np.abs(log_p).sum(where=np.isfinite(log_p))) for log_p in (log_p_new, self.log_p_old)]
        tolerance = self.joint.tolerance([*sums, joint_new, self.joint_old], self.situation.state, self.situation.data)
        return Pair(float(log_p_new.sum()), float(self.log_p_old.sum()), joint_new, self.joint_old, tolerance)

    def weigh_with_care(self, new: Any, rng: Generator) -> Pair:
        """Compare again, with a tolerance that knows what the last digit of every input does to the outcome.

        A sum of large terms inside the user's functions may lose digits that its result does not betray.
        """
        pair = self.weigh(new)
        gaps = [trial.weigh(value).gap for trial, value in self._perturbed(new, rng)]
        spread = [abs(gap - pair.gap) for gap in gaps if np.isfinite(gap)]
        care = max([pair.tolerance, *(_PERTURBATION_STEPS * deviation for deviation in spread)])
        return Pair(pair.claim_new, pair.claim_old, pair.joint_new, pair.joint_old, care)

    def _perturbed(self, new: Any, rng: Generator) -> Iterator[tuple["Trial", Any]]:
        for _ in range(_PERTURBATIONS):
            state, data = perturbed(self.situation.state, rng), perturbed(self.situation.data, rng)
            trial = Trial.at(self.update, self.joint, Situation(self.situation.source, state, data))
            yield trial, new


def log_p_of(claimed: Distribution, value: Any, name: str) -> FloatArray:
    """Return the log densities that a distribution gives to a value, one a component."""
    with np.errstate(all="ignore"):
        log_p = np.asarray(claimed.log_p(value))
    if log_p.dtype.kind not in "fiub" or np.isnan(log_p).any():
        raise InputError(f'conditional "{name}": log_p(x) of {claimed!r} must return numbers, but found {log_p!r}')
    return log_p


def perturbed(value: Any, rng: Generator) -> Any:
    """Move every floating number by its last digit, up or down at random."""
    if fields_of(value) is None:
        return _nudged(value, rng)
    for name, part in blocks(value).items():
        value = replace_block(value, name, _nudged(part, rng))
    return value


def _nudged(part: Any, rng: Generator) -> Any:
    array = np.asarray(part)
    if array.dtype.kind != "f":
        return part
    directions = rng.choice([-np.inf, np.inf], size=array.shape).astype(array.dtype)
    return np.nextafter(array, directions)[()]
