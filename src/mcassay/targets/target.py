"""A target: a distribution with exact draws, a log density and, where it has one, a gradient."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from mcassay.errors import reject
from mcassay.state import blocks
from mcassay.subject import Subject
from mcassay.targets.space import Space
from mcassay.vocabulary import Data, FloatArray, Prior, Simulate, State, Statistic, Step


class LogDensity(Protocol):
    """``log_density(state, data, xp)``: written against an array namespace, numpy or jax.numpy."""

    def __call__(self, state: State, data: Data, xp: Any, /) -> Any:
        """Return the log density, up to a constant."""


@dataclass(frozen=True)
class Target:
    """A distribution that kernels are tested on.

    A target without data is drawn from by ``prior`` directly. A model target has data: ``prior`` and ``simulate`` draw state and
    data, and ``log_density`` is that of the two together.

    Parameters
    ----------
    name
        What reports call it.
    spaces
        The blocks of the state, and what values each takes.
    prior, simulate
        As a subject takes them.
    log_density
        ``log_density(state, data, xp)``, up to a constant: -inf outside the support, for numpy or jax.numpy as ``xp``.
    gradient
        ``gradient(state, data) -> {block: array}`` of the log density, where all blocks are continuous.
    kinks
        Whether the gradient jumps somewhere.
    statistics
        Further statistics to watch.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import Slice, assay
    >>> from mcassay.targets import Space, Target
    >>> target = Target(
    ...     "normal",
    ...     {"x": Space("real", (2,))},
    ...     prior=lambda rng: {"x": rng.normal(size=2)},
    ...     log_density=lambda state, data, xp: -0.5 * xp.sum(state["x"] ** 2),
    ... )
    >>> report = assay(target.subject(Slice("x")), seed=1, budget=500)
    """

    name: str
    spaces: Mapping[str, Space]
    prior: Prior = field(kw_only=True)
    log_density: LogDensity = field(kw_only=True)
    simulate: Simulate | None = field(default=None, kw_only=True)
    gradient: Callable[[State, Data], Mapping[str, Any]] | None = field(default=None, kw_only=True)
    kinks: bool = field(default=False, kw_only=True)
    statistics: Mapping[str, Statistic] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            reject("Target", "name", "be a string that is not empty", self.name)
        spaces: Any = self.spaces
        sound = isinstance(spaces, Mapping) and spaces and all(isinstance(space, Space) for space in spaces.values())
        if not sound:
            reject("Target", "spaces", 'be a dict {"block": Space(...)}', spaces)
        for argument, form in (("prior", "prior(rng)"), ("log_density", "log_density(state, data, xp)")):
            if not callable(getattr(self, argument)):
                reject("Target", argument, f"be a function {form}", getattr(self, argument))

    def __repr__(self) -> str:
        return f'<Target "{self.name}": {", ".join(self.spaces)}>'

    @property
    def has_data(self) -> bool:
        """Whether it is a model target."""
        return self.simulate is not None

    @property
    def real(self) -> bool:
        """Whether the state may be any vector of real numbers."""
        return all(space.kind == "real" for space in self.spaces.values())

    @property
    def continuous(self) -> bool:
        """Whether no block is discrete; a simplex has fewer dimensions than elements, and still counts."""
        return not any(space.discrete for space in self.spaces.values())

    @cached_property
    def size(self) -> int:
        """How many numbers a state has."""
        return sum(space.size for space in self.spaces.values())

    def log_joint(self, state: State, data: Data = None) -> float:
        """Return the log density of state and data as a number."""
        with np.errstate(all="ignore"):
            return float(self.log_density(state, data, np))

    def vector(self, state: State) -> FloatArray:
        """Join the blocks into one vector."""
        found = blocks(state)
        return np.concatenate([np.ravel(np.asarray(found[name], dtype=float)) for name in self.spaces])

    def state(self, vector: FloatArray) -> dict[str, Any]:
        """Cut a vector into blocks, whole numbers where they are discrete."""
        state, begin = {}, 0
        for name, space in self.spaces.items():
            part = vector[begin : begin + space.size].reshape(space.shape)[()]
            state[name] = part.astype(int) if space.discrete else part
            begin += space.size
        return state

    def gradient_vector(self, state: State, data: Data = None) -> FloatArray:
        """Return the gradient as one vector."""
        if self.gradient is None:
            reject(self.name, "the target", "have a gradient", None)
        return self.vector(self.gradient(state, data))

    def subject(self, step: Step, **options: Any) -> Subject:
        """Return the subject of a kernel on this target; further options are those of ``Subject``."""
        given = {"log_joint": self.log_joint, "statistics": self.statistics, "name": self.name, **options}
        return Subject(self.prior, self.simulate, step, **given)
