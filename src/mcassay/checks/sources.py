"""A distribution as a source of draws and of log densities at many values, whether or not its methods take arrays of them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.distributions.base import Distribution, Family
from mcassay.distributions.scipy_stats import ScipyDistribution
from mcassay.errors import InputError, shown
from mcassay.vocabulary import FloatArray, Generator

Parts = tuple[Any, ...]


class NotCheckable(Exception):
    """Why something of a distribution can not be checked, in words."""


class NoDensity(NotCheckable):
    """Why comparing ratios of densities would not be sound either."""


@dataclass(frozen=True)
class Source:
    """A distribution, the shapes of its draws, and whether log_p takes many of them at once.

    A value is handled as a tuple of its parts: one part, unless blocks are drawn jointly.
    """

    distribution: Distribution
    batch_shape: tuple[int, ...]
    parts: int
    joint: bool
    draws_many: bool
    reads_many: bool

    @classmethod
    def of(cls, distribution: Distribution, rng: Generator) -> "Source":
        """Find out how a distribution behaves from a few draws."""
        draws = [_drawn(distribution, rng) for _ in range(3)]
        log_p = [_log_p(distribution, draw) for draw in draws]
        many = isinstance(distribution, (Family, ScipyDistribution))
        joint = isinstance(draws[0], tuple)
        parts = len(draws[0]) if joint else 1
        source = cls(distribution, log_p[0].shape, parts, joint, many, many)
        source._require_shapes(draws, log_p)
        return source if many else cls(distribution, source.batch_shape, parts, joint, False, source._takes_many(draws, log_p))

    def _require_shapes(self, draws: list[Any], log_p: list[FloatArray]) -> None:
        shapes = {tuple(np.shape(part) for part in (draw if self.joint else (draw,))) for draw in draws}
        if len(shapes) > 1 or len({found.shape for found in log_p}) > 1:
            raise NotCheckable("its draws differ in shape")
        if any(shape[: len(self.batch_shape)] != self.batch_shape for shape in next(iter(shapes))):
            raise NotCheckable(f"log_p has shape {self.batch_shape} for draws of shape {next(iter(shapes))}")

    def _takes_many(self, draws: list[Any], log_p: list[FloatArray]) -> bool:
        stacked = self._stacked(draws)
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(self.distribution.log_p(self._value(stacked)))
        except Exception:  # it takes one value at a time, which is all that is asked of it
            return False
        return found.shape == (3, *self.batch_shape) and bool(np.array_equal(found, np.stack(log_p), equal_nan=True))

    def draw(self, count: int, rng: Generator) -> Parts:
        """Draw so many values: arrays whose first axis are the draws."""
        if self.draws_many:
            distribution: Any = self.distribution
            found = distribution.sample(rng, size=count)
            return tuple(np.asarray(part) for part in found) if self.joint else (np.asarray(found),)
        return self._stacked([_drawn(self.distribution, rng) for _ in range(count)])

    def log_p(self, values: Parts) -> FloatArray:
        """Return log densities of many values; outside the support they may not raise."""
        if self.reads_many:
            return _log_p(self.distribution, self._value(values))
        each = [self._value(tuple(part[i] for part in values)) for i in range(len(values[0]))]
        return np.stack([_log_p(self.distribution, value) for value in each])

    def elsewhere(self, values: Parts) -> FloatArray:
        """Return log densities at values that were not drawn."""
        try:
            return self.log_p(values)
        except Exception as error:
            raise NotCheckable(f"log_p raises at values that sample() did not draw ({type(error).__name__}: {error})") from None

    def component(self, index: tuple[int, ...], base: Any, at: FloatArray) -> FloatArray:
        """Return the log densities of one component at many values; the others stay where a draw has them."""
        if isinstance(self.distribution, Family) or not self.batch_shape:
            one: Any = self.distribution.component(index) if isinstance(self.distribution, Family) else self.distribution
            return Source(one, (), 1, False, self.draws_many, self.reads_many).elsewhere((at,))
        many = np.broadcast_to(base, (len(at), *np.shape(base))).astype(np.result_type(base, at))
        place: Any = (slice(None), *index)
        many[place] = at
        found: FloatArray = self.elsewhere((many,))[place]
        return found

    def some(self, most: int, rng: Generator) -> "Source":
        """Return the source of at most so many of the components, chosen at random, where they can be taken apart."""
        size = math.prod(self.batch_shape)
        if size <= most or not isinstance(self.distribution, Family):
            return self
        chosen = np.unravel_index(np.sort(rng.permutation(size)[:most]), self.batch_shape)
        family: Any = self.distribution
        return Source(family.component(chosen), (most,), self.parts, self.joint, True, True)

    def _stacked(self, draws: list[Any]) -> Parts:
        if not self.joint:
            return (np.stack([np.asarray(draw) for draw in draws]),)
        return tuple(np.stack([np.asarray(draw[part]) for draw in draws]) for part in range(self.parts))

    def _value(self, parts: Parts) -> Any:
        return parts if self.joint else parts[0]


def _drawn(distribution: Distribution, rng: Generator) -> Any:
    with np.errstate(all="ignore"):
        draw = distribution.sample(rng)
    return tuple(draw) if isinstance(draw, (tuple, list)) else draw


def _log_p(distribution: Distribution, value: Any) -> FloatArray:
    with np.errstate(all="ignore"):
        log_p = np.asarray(distribution.log_p(value))
    if log_p.dtype.kind not in "fiub":
        raise InputError(f"log_p(x) of {shown(distribution)} must return numbers, but found {shown(log_p)}")
    return log_p.astype(float)
