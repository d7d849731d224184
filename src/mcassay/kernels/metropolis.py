"""Metropolis-Hastings: a proposal and an acceptance rule, with the log ratio exposed so that it can be checked."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from mcassay.distributions.base import Distribution
from mcassay.distributions.scipy_stats import as_distribution
from mcassay.errors import InputError, reject
from mcassay.kernels.structure import block_names, read_log, require_callable, require_callable_or_none
from mcassay.state import copy_state, get_block, get_blocks, replace_block, replace_blocks
from mcassay.vocabulary import Data, Generator, LogJoint, State

LogRatio = Callable[[State, State, Data], float]

# The probability of acceptance, as a function of the log ratio.
_ACCEPTANCE: dict[str, Callable[[float], float]] = {
    "metropolis": lambda log_ratio: math.exp(min(0.0, log_ratio)),
    "barker": lambda log_ratio: math.exp(-float(np.logaddexp(0.0, -log_ratio))),
}


@dataclass(frozen=True)
class MetropolisHastings:
    """Propose new values for some blocks and accept or reject them.

    Parameters
    ----------
    propose
        Either ``propose(state, data)``, which returns a distribution over the blocks (it may depend on their present value), or
        ``propose(state, data, rng)``, which returns the new state and the log ratio of the proposal densities
        ``log q(old | new) - log q(new | old)``, a Jacobian included.
    blocks
        The name of the block that changes, or a tuple of names.
    log_joint
        Inherits the subject's where it is not given.
    log_ratio
        The user's own ``log_ratio(state, new, data)``, the whole acceptance ratio; it is used, and checked, in place of the one
        computed from the proposal and the log joint.
    accept
        "metropolis" or "barker".
    elementwise
        Propose and accept each element of the block in turn rather than all together.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import MetropolisHastings, Normal
    >>> walk = MetropolisHastings(
    ...     lambda state, data: Normal(state["x"], sd=0.5), blocks="x", log_joint=lambda state, data: -0.5 * state["x"] ** 2
    ... )
    >>> round(walk.log_acceptance_ratio({"x": 1.0}, {"x": 2.0}, None), 3)
    -1.5
    """

    propose: Callable[..., Any]
    blocks: Any = field(kw_only=True)
    log_joint: LogJoint | None = field(default=None, kw_only=True)
    log_ratio: LogRatio | None = field(default=None, kw_only=True)
    accept: str = field(default="metropolis", kw_only=True)
    elementwise: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", block_names("MetropolisHastings", self.blocks))
        require_callable("MetropolisHastings", "propose", self.propose, "(state, data) or (state, data, rng)")
        require_callable_or_none("MetropolisHastings", "log_joint", self.log_joint, "(state, data) -> float")
        require_callable_or_none("MetropolisHastings", "log_ratio", self.log_ratio, "(state, new, data) -> float")
        if not isinstance(self.accept, str) or self.accept not in _ACCEPTANCE:
            reject("MetropolisHastings", "accept", f"be one of {', '.join(_ACCEPTANCE)}", self.accept)
        if self.elementwise and (len(self.blocks) > 1 or not self.gives_density):
            raise InputError(
                "MetropolisHastings: elementwise=True needs one block and a propose(state, data) that returns a distribution"
            )

    @property
    def reversible(self) -> bool:
        """Whether it claims detailed balance, as every single move does that is accepted or rejected."""
        return not self.elementwise

    @property
    def gives_density(self) -> bool:
        """Whether ``propose`` returns a distribution rather than a new state."""
        return _positional_arguments(self.propose) < 3

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the kernel with the log joint filled in where it is missing."""
        return self if self.log_joint is not None else replace(self, log_joint=log_joint)

    def proposal(self, state: State, data: Data) -> Distribution:
        """Return the distribution that new values of the blocks are drawn from."""
        return as_distribution(self.propose(state, data), f'the proposal of "{"+".join(self.blocks)}"')

    def log_proposal_ratio(self, state: State, new: State, data: Data) -> float:
        """Return ``log q(old | new) - log q(new | old)``; -inf where the way back is impossible."""
        forward = _total(self.proposal(state, data).log_p(get_blocks(new, self.blocks)))
        backward = _total(self.proposal(new, data).log_p(get_blocks(state, self.blocks)))
        return -math.inf if backward == -math.inf else backward - forward

    def log_acceptance_ratio(self, state: State, new: State, data: Data) -> float:
        """Return the log of the ratio that decides about acceptance, as the kernel uses it."""
        if self.log_ratio is not None:
            return read_log("MetropolisHastings", "log_ratio(state, new, data)", self.log_ratio(state, new, data))
        return self._with_joint(state, new, data, lambda: self.log_proposal_ratio(state, new, data))

    def log_element_ratio(self, state: State, new: State, data: Data, index: tuple[int, ...]) -> float:
        """Return the log acceptance ratio of a move of one element alone, as an elementwise kernel uses it."""
        return self._element_ratio(self.proposal(state, data), state, new, data, index)

    def _element_ratio(self, there: Distribution, state: State, new: State, data: Data, index: tuple[int, ...]) -> float:
        if self.log_ratio is not None:
            return self.log_acceptance_ratio(state, new, data)

        def log_proposal_ratio() -> float:
            # The other elements stay, so only this element's densities enter the ratio.
            forward = self._element(there.log_p(get_block(new, self.blocks[0])), index)
            backward = self._element(self.proposal(new, data).log_p(get_block(state, self.blocks[0])), index)
            return -math.inf if backward == -math.inf else float(backward - forward)

        return self._with_joint(state, new, data, log_proposal_ratio)

    def _element(self, values: Any, index: tuple[int, ...]) -> Any:
        """Pick the element of a draw, or of log densities, of the proposal."""
        array = np.asarray(values)
        if array.ndim != len(index):
            rule = f"have one component for each element of {self.blocks[0]}, {len(index)} axes of them"
            reject("MetropolisHastings", "with elementwise=True the proposal", rule, f"shape {array.shape}")
        return array[index]

    def _with_joint(self, state: State, new: State, data: Data, log_proposal_ratio: Callable[[], float]) -> float:
        if self.log_joint is None:
            raise InputError("MetropolisHastings: log_joint is missing; give it here or to the subject")
        end = read_log("MetropolisHastings", "log_joint(state, data)", self.log_joint(new, data))
        # An impossible new state is rejected whatever the proposal says, and need not have a proposal of its own.
        if end == -math.inf or (proposals := log_proposal_ratio()) == -math.inf:
            return -math.inf
        return end - read_log("MetropolisHastings", "log_joint(state, data)", self.log_joint(state, data)) + proposals

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        if self.elementwise:
            return self._sweep_elements(state, data, rng)
        if self.gives_density:
            new = replace_blocks(state, self.blocks, self.proposal(state, data).sample(rng))
            return self._decide(state, new, self.log_acceptance_ratio(state, new, data), rng)
        # A copy, since a proposal that changes the state in place would leave nothing to go back to.
        new, log_proposal_ratio = read_proposal(self.propose(copy_state(state), data, rng))
        if self.log_ratio is not None:
            return self._decide(state, new, self.log_acceptance_ratio(state, new, data), rng)
        return self._decide(state, new, self._with_joint(state, new, data, lambda: log_proposal_ratio), rng)

    def _sweep_elements(self, state: State, data: Data, rng: Generator) -> State:
        for index in np.ndindex(np.shape(get_block(state, self.blocks[0]))):
            state = self._move_element(state, data, rng, index)
        return state

    def _move_element(self, state: State, data: Data, rng: Generator, index: tuple[int, ...]) -> State:
        old, there = get_block(state, self.blocks[0]), self.proposal(state, data)
        drawn = self._element(there.sample(rng), index)
        # An array of whole numbers would cut off what comes after the point.
        value = np.array(old, dtype=np.result_type(np.asarray(old), drawn))
        value[index] = drawn
        new = replace_block(state, self.blocks[0], value[()])
        return self._decide(state, new, self._element_ratio(there, state, new, data, index), rng)

    def _decide(self, state: State, new: State, log_ratio: float, rng: Generator) -> State:
        if math.isnan(log_ratio):
            raise InputError(f'MetropolisHastings: the log acceptance ratio of "{"+".join(self.blocks)}" is NaN')
        return new if rng.random() < _ACCEPTANCE[self.accept](log_ratio) else state


def _total(log_p: Any) -> float:
    return float(np.sum(log_p))


def read_proposal(proposed: Any) -> tuple[State, float]:
    """Read what ``propose(state, data, rng)`` returned."""
    if type(proposed) is not tuple or len(proposed) != 2:
        reject("MetropolisHastings", "propose(state, data, rng)", "return (new state, log ratio of proposals)", proposed)
    return proposed[0], read_log("MetropolisHastings", "the log ratio of propose(state, data, rng)", proposed[1])


def _positional_arguments(function: Callable[..., Any]) -> int:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return sum(p.kind in kinds and p.default is inspect.Parameter.empty for p in parameters)
