"""One conditional tried in one situation: what it claims of a new value of its blocks, beside what the joint says."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.checks.components import splits
from mcassay.checks.identity import Pair
from mcassay.checks.joint import Joint
from mcassay.checks.rounding import measured_noise
from mcassay.checks.situations import Situation, is_discrete
from mcassay.checks.values import location_of, moved_family, moved_value
from mcassay.distributions.base import Distribution, ExponentialFamily, Family
from mcassay.distributions.scipy_stats import ScipyDistribution
from mcassay.errors import InputError
from mcassay.kernels import ConditionalUpdate
from mcassay.state import WHOLE, blocks, copy_state, get_blocks, replace_blocks, same_state
from mcassay.vocabulary import Data, FloatArray, Generator, State

# Up to what ratio of the magnitudes that cancel rounding is taken to be alike.
SAME_SIZE = 4.0


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
        return cls._asked(update, joint, situation, joint(situation.state, situation.data))

    @classmethod
    def where_sound(cls, update: ConditionalUpdate, joint: Joint, situation: Situation) -> "Trial | None":
        """Ask about the present value; None where a state that was put together is none that the joint allows."""
        try:
            joint_old = joint(situation.state, situation.data)
        except Exception:
            if situation.genuine:
                raise
            return None
        if not situation.genuine and not math.isfinite(joint_old):
            return None
        trial = cls._asked(update, joint, situation, joint_old)
        return None if trial._is_scrambled else trial

    @classmethod
    def _asked(cls, update: ConditionalUpdate, joint: Joint, situation: Situation, joint_old: float) -> "Trial":
        state, data = copy_state(situation.state), copy_state(situation.data)
        with np.errstate(all="ignore"):
            claimed = update.distribution(state, data)
        _require_unchanged(update.name, situation, state, data)
        old = get_blocks(situation.state, update.blocks)
        return cls(update, joint, situation, claimed, old, log_p_of(claimed, old, update.name), joint_old)

    @property
    def separable(self) -> bool:
        """Whether the rows of the block are independent components of what is claimed."""
        return splits(self.old, self.log_p_old.shape)

    @property
    def _is_scrambled(self) -> bool:
        """Whether whole numbers that belong together, such as counts of a fixed sum, were put together at random."""
        together = is_discrete(self.old) and np.size(self.old) > 1 and not self.separable
        return not self.situation.genuine and together and bool(np.any(self.log_p_old == -math.inf))

    def log_p(self, value: Any) -> FloatArray:
        """Return the claimed log densities of a value, one a component."""
        return log_p_of(self.claimed, value, self.update.name)

    def joint_at(self, value: Any) -> float:
        """Return the log joint with the block set to a value."""
        return self.joint(replace_blocks(self.situation.state, self.update.blocks, value), self.situation.data)

    def weigh(self, new: Any, further: Sequence[float] = ()) -> Pair:
        """Compare the claim and the joint on the move to a new value; further magnitudes that cancel may be known."""
        log_p_new = self.log_p(new)
        joint_new = self.joint_at(new) if np.all(log_p_new > -math.inf) else self._joint_outside(new)
        sums = [float(np.abs(log_p).sum(where=np.isfinite(log_p))) for log_p in (log_p_new, self.log_p_old)]
        tolerance = self.joint.tolerance([*sums, joint_new, self.joint_old, *further], self.situation.state, self.situation.data)
        return Pair(float(log_p_new.sum()), float(self.log_p_old.sum()), joint_new, self.joint_old, tolerance)

    def _joint_outside(self, new: Any) -> float:
        """Return the log joint at a value that is claimed to be impossible: a log joint need not be able to deal with it."""
        try:
            return self.joint_at(new)
        except Exception:
            return -math.inf

    @property
    def excludes_own_value(self) -> bool:
        """Whether the conditional calls impossible what was drawn from the joint."""
        claims_zero = bool(np.any(self.log_p_old == -math.inf))
        return self.situation.genuine and claims_zero and math.isfinite(self.joint_old)

    def weigh_with_care(self, new: Any, rng: Generator) -> Pair:
        """Compare again, with a tolerance that knows how much rounding there is inside the user's functions."""
        source, usual = self.situation.source, self.weigh(new).tolerance

        def gap(moved: Callable[[Any], Any]) -> float:
            there = Situation(source, moved(self.situation.state), moved(self.situation.data))
            pair = Trial.at(self.update, self.joint, there).weigh(new)
            return pair.gap if pair.tolerance <= SAME_SIZE * usual else math.nan

        self.joint.noise = max(self.joint.noise, measured_noise(gap, rng))
        return self.weigh(new, list(self._terms(new)))

    def _terms(self, new: Any) -> Iterator[float]:
        """Yield how large the terms of the log ratio are that parameters make, which are rounded themselves."""
        ours: Any = self.claimed.family() if isinstance(self.claimed, ScipyDistribution) else self.claimed
        if isinstance(ours, Family) and isinstance(ours, ExponentialFamily):
            with np.errstate(all="ignore"):
                shift = -location_of(ours)
                family: Any = moved_family(ours, shift)
                ends = [family.sufficient_statistics(moved_value(value, shift)) for value in (new, self.old)]
                sizes = np.abs(family.natural_parameters * (ends[0] - ends[1]))
            yield float(sizes.max(where=np.isfinite(sizes), initial=0.0))

    def depends_on_own_value(self, new: Any) -> bool:
        """Say whether the conditional is another one once its own blocks have the new value."""
        state = replace_blocks(self.situation.state, self.update.blocks, new)
        try:
            there = self.update.distribution(state, self.situation.data)
            other = log_p_of(there, new, self.update.name)
        except Exception:  # a new value may be one that the conditional can not deal with
            return False
        own = self.log_p(new)
        return own.shape == other.shape and not np.allclose(own, other, rtol=1e-6, atol=1e-6)


def _require_unchanged(name: str, situation: Situation, state: State, data: Data) -> None:
    """Raise an error where a conditional, which was given copies, has written to them."""
    for what, before, after in (("state", situation.state, state), ("data", situation.data, data)):
        if not same_state(before, after):
            one, other = blocks(before), blocks(after)
            changed = [block for block in one if block not in other or not same_state(one[block], other[block])]
            which = f' (block "{changed[0]}")' if what == "state" and changed and changed[0] != WHOLE else ""
            raise InputError(f'conditional "{name}" must not change the {what}{which}; it may only read it')


def log_p_of(claimed: Distribution, value: Any, name: str) -> FloatArray:
    """Return the log densities that a distribution gives to a value, one a component."""
    with np.errstate(all="ignore"):
        log_p = np.asarray(claimed.log_p(value))
    if log_p.dtype.kind not in "fiub" or np.isnan(log_p).any():
        raise InputError(f'conditional "{name}": log_p(x) of {claimed!r} must return numbers, but found {log_p!r}')
    return log_p
