"""Standard targets for kernels in JAX: states are vectors, drawn by numpy and moved by JAX."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.adapters.optional import load
from mcassay.state import map_leaves
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, FloatArray, Generator


def unsuitable(target: Target) -> str | None:
    """Say why a kernel that moves a vector of real numbers can not take a target."""
    if not target.continuous:
        return "moves real numbers, and this target has whole ones"
    if any(space.kind == "simplex" for space in target.spaces.values()):
        return "moves in every dimension, and a simplex has one less than it has elements"
    return None


@dataclass(frozen=True)
class ManyDraws:
    """Independent draws from the prior of a target, one vector a row."""

    target: Target

    def __call__(self, rng: Generator, size: int) -> FloatArray:
        """Return so many draws."""
        return np.stack([self.target.vector(self.target.prior(rng)) for _ in range(size)])


@dataclass(frozen=True)
class ManyEnsembles:
    """Ensembles of independent draws from the prior of a target, one member a row."""

    target: Target
    members: int

    def __call__(self, rng: Generator, size: int) -> FloatArray:
        """Return so many ensembles."""
        draws = ManyDraws(self.target)(rng, size * self.members)
        return draws.reshape(size, self.members, -1)


@dataclass(frozen=True)
class ManyData:
    """Data of many states."""

    target: Target

    def __call__(self, states: FloatArray, rng: Generator) -> Data:
        """Return data with a leading axis of replicates."""
        simulate: Any = self.target.simulate
        return stacked([simulate(self.target.state(state), rng) for state in np.asarray(states)])


def stacked(values: list[Any]) -> Any:
    """Stack pytrees along a new leading axis."""
    return load("jax").tree.map(lambda *leaves: np.stack([np.asarray(leaf) for leaf in leaves]), *values)


@dataclass(frozen=True)
class Density:
    """The log density of a target at a vector, for JAX."""

    target: Target

    def __call__(self, vector: Any, data: Data) -> Any:
        """Return the log density."""
        own = None if data is None else map_leaves(lambda leaf: leaf, data)
        return self.target.log_density(self.blocks(vector), own, load("jax").numpy)

    def blocks(self, vector: Any) -> dict[str, Any]:
        """Cut a vector into blocks."""
        found, begin = {}, 0
        for name, space in self.target.spaces.items():
            found[name] = vector[begin : begin + space.size].reshape(space.shape)
            begin += space.size
        return found
