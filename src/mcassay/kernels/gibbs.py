"""Gibbs sampling: named conditionals that return distributions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mcassay.distributions.base import Distribution
from mcassay.distributions.scipy_stats import as_distribution
from mcassay.errors import reject
from mcassay.kernels.structure import block_names, require_callable
from mcassay.state import replace_blocks
from mcassay.vocabulary import Data, Generator, State, Step

Conditional = Callable[[State, Data], Distribution]


@dataclass(frozen=True)
class ConditionalUpdate:
    """Redraw one block, or several jointly, from a conditional distribution."""

    blocks: tuple[str, ...]
    conditional: Conditional
    reversible: bool = field(default=True, init=False, repr=False)

    @property
    def name(self) -> str:
        """The name under which reports speak of it: its blocks, joined by +."""
        return "+".join(self.blocks)

    def distribution(self, state: State, data: Data) -> Distribution:
        """Return the distribution that the blocks are drawn from, given the rest of the state and the data."""
        return as_distribution(self.conditional(state, data), f'conditional "{self.name}"')

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        return replace_blocks(state, self.blocks, self.distribution(state, data).sample(rng))


@dataclass(frozen=True)
class Gibbs:
    """Redraw every block in turn from its conditional given all the others.

    Parameters
    ----------
    conditionals
        ``{block: conditional}`` in the order of the sweep, where ``conditional(state, data)`` returns a distribution: one of
        ours, a frozen ``scipy.stats`` one, or anything with ``log_p(x)`` and ``sample(rng)``. A tuple of blocks is drawn jointly.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import Gibbs, Normal
    >>> rho = 0.5
    >>> gibbs = Gibbs({
    ...     "x": lambda state, data: Normal(rho * state["y"], variance=1 - rho**2),
    ...     "y": lambda state, data: Normal(rho * state["x"], variance=1 - rho**2),
    ... })
    >>> sorted(gibbs({"x": 0.0, "y": 0.0}, None, np.random.default_rng(0)))
    ['x', 'y']
    """

    conditionals: Mapping[str | tuple[str, ...], Conditional]
    in_order: bool = field(default=True, init=False, repr=False)
    _parts: dict[str, Step] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.conditionals, Mapping) or not self.conditionals:
            reject("Gibbs", "conditionals", "be a dict {block: conditional} with at least one block", self.conditionals)
        drawn = [name for names in self.conditionals for name in block_names("Gibbs", names)]
        for names, conditional in self.conditionals.items():
            require_callable("Gibbs", f"the conditional of {names!r}", conditional, "(state, data) -> distribution")
        updates = [ConditionalUpdate(block_names("Gibbs", names), f) for names, f in self.conditionals.items()]
        object.__setattr__(self, "_parts", {update.name: update for update in updates})
        if len(self._parts) < len(self.conditionals):
            reject("Gibbs", "blocks", "have names that stay different when joined by +", list(self.conditionals))
        for name in drawn:
            if drawn.count(name) > 1:
                reject("Gibbs", "blocks", "be drawn once a sweep each (use a Cycle to draw one twice)", name)

    def parts(self) -> dict[str, Step]:
        """Return one update a conditional, under the name of its blocks."""
        return self._parts

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        for update in self._parts.values():
            state = update(state, data, rng)
        return state
