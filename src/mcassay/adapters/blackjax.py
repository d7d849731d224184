"""BlackJAX: any algorithm with ``init`` and ``step``, its whole state carried along, many replicates a call.

``subject`` takes a model written in JAX; ``on_target`` a standard target.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from mcassay.adapters import jax as in_jax
from mcassay.adapters.compiled import Clock, Function
from mcassay.adapters.optional import load
from mcassay.adapters.targets import Density, ManyData, ManyDraws, unsuitable
from mcassay.errors import reject
from mcassay.subject import Subject
from mcassay.targets.skip import Skip
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, State

# What states of BlackJAX call the density and its gradient, which they keep so as not to evaluate them twice.
_KEPT = ("logdensity", "logdensity_grad")


class Orbit(NamedTuple):
    """What periodic orbits carry: weighted points, and the number of the one that stands for the chain."""

    points: Any
    member: Any


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of BlackJAX on a density of state and data.

    Parameters
    ----------
    make
        ``make(log_density)`` returns the algorithm: ``lambda log_density: blackjax.nuts(log_density, 0.5, metric)``.
    density
        ``density(state, data)``.
    """

    make: Callable[[Function], Any]
    density: Function

    def on(self, data: Data) -> Any:
        """Return the algorithm for data."""
        return self.make(partial(_given, self.density, data))

    def init(self, state: State, data: Data, key: Any) -> Any:
        """Return the algorithm's state at a position."""
        own = load("jax").tree.map(load("jax").numpy.asarray, state)
        carry = self.on(data).init(own, key)
        return Orbit(carry, load("jax").numpy.int32(0)) if hasattr(carry, "positions") else carry

    def step(self, carry: Any, data: Data, key: Any) -> Any:
        """Return the algorithm's state after one step."""
        if not isinstance(carry, Orbit):
            return self.on(data).step(key, carry)[0]
        jax = load("jax")
        first, second = jax.random.split(key)
        points = self.on(data).step(first, carry.points)[0]
        return Orbit(points, jax.random.categorical(second, jax.numpy.log(points.weights)).astype(carry.member.dtype))

    def position(self, carry: Any) -> State:
        """Return the position; on an orbit that of the point that was drawn by its weight."""
        if not isinstance(carry, Orbit):
            return carry.position
        return load("jax").tree.map(lambda rows: rows[carry.member], carry.points.positions)

    def kept(self, carry: Any) -> tuple[str, ...]:
        """Return what a carry holds that follows from state and data."""
        arrays = [name for name in getattr(carry, "_fields", ()) if hasattr(getattr(carry, name), "shape")]
        return tuple(name for name in _KEPT if name in arrays)


def _given(density: Function, data: Data, position: State) -> Any:
    return density(position, data)


def subject(
    prior: Function,
    simulate: Function | None,
    algorithm: Callable[[Function], Any],
    *,
    log_joint: Function,
    density: Function | None = None,
    init: Function | None = None,
    statistics: Mapping[str, Function] | None = None,
    may_stay: Any = (),
    resize: Callable[[int], Subject] | None = None,
    name: str = "blackjax",
) -> Subject:
    """Return the subject of an algorithm of BlackJAX on a model that is written in JAX.

    The state that the algorithm keeps (density, gradient, momentum, slice) is carried from step to step as it is, and the
    density and gradient in it are compared with recomputed ones. Tuning has to be fixed: what adapts leaves nothing invariant.

    Parameters
    ----------
    prior, simulate
        ``prior(key) -> state`` and ``simulate(state, key) -> data``, or None.
    algorithm
        ``algorithm(log_density)`` returns the algorithm, as in ``lambda log_density: blackjax.nuts(log_density, 0.5, metric)``.
    log_joint
        ``log_joint(state, data)``.
    density
        ``density(state, data)``: what the algorithm takes in the place of the log joint, such as the log likelihood for
        ``elliptical_slice`` and ``mgrad_gaussian``.
    init
        ``init(algorithm, state, key)``, where the algorithm's own ``init(state, key)`` does not draw what it carries from the
        law that it keeps.
    statistics, may_stay, resize, name
        As for ``mcassay.adapters.jax.subject``.

    Examples
    --------
    >>> from mcassay.adapters.blackjax import subject
    >>> import blackjax, jax  # doctest: +SKIP
    >>> hmc = subject(  # doctest: +SKIP
    ...     lambda key: jax.random.normal(key, (2,)),
    ...     None,
    ...     lambda log_density: blackjax.hmc(log_density, 0.5, jax.numpy.ones(2), 5),
    ...     log_joint=lambda state, data: -0.5 * (state**2).sum(),
    ... )
    """
    load("blackjax")
    for argument, function, form in (
        ("algorithm", algorithm, "algorithm(log_density)"),
        ("log_joint", log_joint, "log_joint(state, data)"),
    ):
        if not callable(function):
            reject("blackjax.subject", argument, f"be a function {form}", function)
    own = Algorithm(algorithm, density or log_joint)
    begin = own.init if init is None else _Begin(own, init)
    return in_jax.subject(
        prior,
        simulate,
        own.step,
        log_joint=log_joint,
        statistics=statistics,
        init=begin,
        position=own.position,
        kept=own.kept(in_jax.shape_of_carry(prior, simulate, begin)),
        may_stay=may_stay,
        resize=resize,
        name=name,
    )


@dataclass(frozen=True)
class _Begin:
    algorithm: Algorithm
    own: Function

    def __call__(self, state: State, data: Data, key: Any) -> Any:
        return self.own(self.algorithm.on(data), state, key)


def on_target(target: Target, algorithm: Callable[[Function], Any], *, density: Function | None = None) -> Subject | Skip:
    """Return the subject of an algorithm on a standard target, or why it can not take it.

    Parameters
    ----------
    target
        A target of ``mcassay.targets``.
    algorithm
        ``algorithm(log_density)``, of a position that is one vector.
    density
        As ``subject`` takes it, of vectors.
    """
    reason = unsuitable(target)
    if reason is not None:
        return Skip(f"BlackJAX {reason}")
    load("blackjax")
    log_joint = Density(target)
    own = Algorithm(algorithm, density or log_joint)
    return in_jax.assembled(
        Clock(),
        ManyDraws(target),
        None if target.simulate is None else ManyData(target),
        {"": own.step},
        log_joint=log_joint,
        init=own.init,
        position=own.position,
        kept=own.kept(in_jax.shape_at(target, own.init)),
        name=target.name,
    )
