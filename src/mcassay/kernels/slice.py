"""Slice sampling: univariate with stepping out, and elliptical for a block with a normal prior."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from mcassay.distributions.base import Family
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.normal import Normal
from mcassay.distributions.scipy_stats import ScipyDistribution, as_distribution
from mcassay.errors import InputError, reject
from mcassay.kernels.structure import (
    block_names,
    read_log,
    require_callable,
    require_callable_or_none,
    require_count,
    require_positive,
)
from mcassay.state import get_block, replace_block
from mcassay.vocabulary import Data, Generator, LogJoint, State


@dataclass(frozen=True)
class Slice:
    """Redraw each element of a real-valued block from its conditional by stepping out and shrinking (Neal 2003).

    Parameters
    ----------
    blocks
        The name of the block.
    width
        The width of the first interval.
    steps_out
        At most how many intervals are laid out on either side together.
    log_joint
        Inherits the subject's where it is not given.
    """

    blocks: Any
    width: float = field(default=1.0, kw_only=True)
    steps_out: int = field(default=100, kw_only=True)
    log_joint: LogJoint | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", _one_block("Slice", self.blocks))
        require_callable_or_none("Slice", "log_joint", self.log_joint, "(state, data) -> float")
        require_positive("Slice", "width", self.width)
        require_count("Slice", "steps_out", self.steps_out)

    def bound_to(self, log_joint: LogJoint | None) -> Self:
        """Return the kernel with the log joint filled in where it is missing."""
        return self if self.log_joint is not None else replace(self, log_joint=log_joint)

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        if self.log_joint is None:
            raise InputError("Slice: log_joint is missing; give it here or to the subject")
        for index in np.ndindex(np.shape(get_block(state, self.blocks[0]))):
            state = self._move_element(state, data, rng, index)
        return state

    def _move_element(self, state: State, data: Data, rng: Generator, index: tuple[int, ...]) -> State:
        block = np.asarray(get_block(state, self.blocks[0]), dtype=float)

        def at(x: float) -> State:
            value = block.copy()
            value[index] = x
            return replace_block(state, self.blocks[0], value[()])

        def log_density(x: float) -> float:
            return read_log("Slice", "log_joint(state, data)", self.log_joint(at(x), data))  # type: ignore[misc]

        here = float(block[index])
        level = log_density(here) - rng.standard_exponential()
        low, high = self._step_out(log_density, here, level, rng)
        return at(_shrink(log_density, here, level, low, high, rng))

    def _step_out(self, log_density: Callable[[float], float], here: float, level: float, rng: Generator) -> tuple[float, float]:
        low = here - self.width * rng.random()
        high = low + self.width
        # How often either side may step is drawn beforehand, which is what keeps the move reversible under a limit.
        left = int(rng.integers(self.steps_out))
        right = self.steps_out - 1 - left
        while left > 0 and log_density(low) > level:
            low, left = low - self.width, left - 1
        while right > 0 and log_density(high) > level:
            high, right = high + self.width, right - 1
        return low, high


def _shrink(log_density: Callable[[float], float], here: float, level: float, low: float, high: float, rng: Generator) -> float:
    while True:
        x = rng.uniform(low, high)
        if log_density(x) >= level or x == here:
            return x
        low, high = (x, high) if x < here else (low, x)


@dataclass(frozen=True)
class EllipticalSlice:
    """Redraw a block whose prior is normal along an ellipse through a fresh draw of that prior (Murray et al. 2010).

    Parameters
    ----------
    blocks
        The name of the block.
    prior
        ``prior(state, data)``: the normal distribution of the block given the rest of the state, without the likelihood.
    log_likelihood
        ``log_likelihood(state, data)``: the rest of the log joint, as far as it depends on the block.
    """

    blocks: Any
    prior: Callable[[State, Data], Any] = field(kw_only=True)
    log_likelihood: LogJoint = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", _one_block("EllipticalSlice", self.blocks))
        require_callable("EllipticalSlice", "prior", self.prior, "(state, data) -> normal distribution")
        require_callable("EllipticalSlice", "log_likelihood", self.log_likelihood, "(state, data) -> float")

    def _height(self, state: State, data: Data) -> float:
        return read_log("EllipticalSlice", "log_likelihood(state, data)", self.log_likelihood(state, data))

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        prior: Any = as_distribution(self.prior(state, data), f'the prior of "{self.blocks[0]}"')
        mean = _mean_of_normal(prior, self.blocks[0])
        here, other = get_block(state, self.blocks[0]) - mean, prior.sample(rng) - mean
        level = self._height(state, data) - rng.standard_exponential()
        angle = rng.uniform(0.0, 2 * math.pi)
        low, high = angle - 2 * math.pi, angle
        while True:
            new = replace_block(state, self.blocks[0], mean + here * math.cos(angle) + other * math.sin(angle))
            if self._height(new, data) >= level or low == high:
                return new
            low, high = (angle, high) if angle < 0 else (low, angle)
            angle = rng.uniform(low, high)


def _mean_of_normal(prior: Any, block: str) -> Any:
    """Return the mean of the prior; the ellipse is only right for a normal one."""
    ours = prior.family() if isinstance(prior, ScipyDistribution) else prior
    wrong = isinstance(ours, Family) and not isinstance(ours, (Normal, MultivariateNormal))
    if wrong or getattr(prior, "mean", None) is None:
        rule = "return a normal distribution (Normal or MultivariateNormal, or one of your own with a mean)"
        reject("EllipticalSlice", f'prior(state, data) of "{block}"', rule, prior)
    return prior.mean() if callable(prior.mean) else prior.mean


def _one_block(where: str, names: Any) -> tuple[str, ...]:
    read = block_names(where, names)
    if len(read) != 1:
        reject(where, "blocks", "be the name of one block", names)
    return read
