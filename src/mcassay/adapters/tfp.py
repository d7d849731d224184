"""TensorFlow Probability on JAX: any transition kernel of ``tfp.mcmc``, with its results carried along."""

from collections.abc import Callable, Iterator, Mapping
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

# What kernel results keep of the present state, so as not to evaluate it twice; those of proposals and of states before a swap
# are of another state.
_KEPT = ("target_log_prob", "grads_target_log_prob")
_OF_OTHERS = ("proposed_results", "pre_swap_replica_results")


class Carry(NamedTuple):
    """What a kernel works on: the state, and the kernel results of the last step."""

    state: Any
    results: Any


@dataclass(frozen=True)
class Transition:
    """A transition kernel on a density of state and data.

    Parameters
    ----------
    make
        ``make(log_density)`` returns the kernel.
    density
        ``density(state, data)``.
    """

    make: Callable[[Function], Any]
    density: Function

    def on(self, data: Data) -> Any:
        """Return the kernel for data; a state of several parts is handed over part by part."""
        return self.make(partial(_given, self.density, data))

    def init(self, state: State, data: Data, key: Any) -> Carry:
        """Return the carry at a state."""
        own = load("jax").tree.map(load("jax").numpy.asarray, list(state) if isinstance(state, tuple) else state)
        return Carry(own, _without_keys(self.on(data).bootstrap_results(own)))

    def step(self, carry: Any, data: Data, key: Any) -> Carry:
        """Return the carry after one step."""
        state, results = self.on(data).one_step(carry.state, carry.results, seed=key)
        return Carry(state, _without_keys(results))


def _without_keys(results: Any) -> Any:
    """Return results with keys as plain numbers: they are kept to be looked at, and no step reads them."""
    jax = load("jax")

    def plain(leaf: Any) -> Any:
        return jax.random.key_data(leaf) if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf

    return jax.tree.map(plain, jax.tree.map(jax.numpy.asarray, results))


def _given(density: Function, data: Data, *parts: Any) -> Any:
    return density(parts[0] if len(parts) == 1 else list(parts), data)


def _state(carry: Any) -> State:
    return _parts(carry.state)


def _parts(state: Any) -> State:
    """Return a state of several parts as a tuple: a list of arrays of one shape would be an array in other words."""
    return tuple(state) if isinstance(state, list) else state


@dataclass(frozen=True)
class _Draw:
    prior: Function

    def __call__(self, key: Any) -> State:
        return _parts(self.prior(key))


def subject(
    prior: Function,
    simulate: Function | None,
    kernel: Callable[[Function], Any],
    *,
    log_joint: Function,
    density: Function | None = None,
    statistics: Mapping[str, Function] | None = None,
    may_stay: Any = (),
    resize: Callable[[int], Subject] | None = None,
    name: str = "tfp",
) -> Subject:
    """Return the subject of a transition kernel of ``tfp.mcmc`` on a model that is written in JAX.

    The kernel results are carried from step to step as ``tfp.mcmc.sample_chain`` does, and the log probabilities and gradients
    in them are compared with recomputed ones. Adaptation has to be over: give the kernel the step size that came of it.

    Parameters
    ----------
    prior, simulate
        ``prior(key) -> state`` and ``simulate(state, key) -> data``, or None. A state is an array or a list of arrays; the other
        functions are given such a list as a tuple.
    kernel
        ``kernel(log_density)``, as in ``lambda log_density: tfp.mcmc.NoUTurnSampler(log_density, step_size=0.4)``. A
        ``ReplicaExchangeMC`` needs ``state_includes_replicas=True``, and a prior that draws every replica at its temperature.
    log_joint
        ``log_joint(state, data)``.
    density
        ``density(state, data)``: what the kernel takes in the place of the log joint, such as the log density of single replicas.
    statistics, may_stay, resize, name
        As for ``mcassay.adapters.jax.subject``.

    Examples
    --------
    >>> from mcassay.adapters.tfp import subject
    >>> import tensorflow_probability.substrates.jax as tfp, jax  # doctest: +SKIP
    >>> walk = subject(  # doctest: +SKIP
    ...     lambda key: jax.random.normal(key, (2,)),
    ...     None,
    ...     lambda log_density: tfp.mcmc.RandomWalkMetropolis(log_density),
    ...     log_joint=lambda state, data: -0.5 * (state**2).sum(),
    ... )
    """
    load("tensorflow_probability", extra="tfp")
    for argument, function, form in (("prior", prior, "prior(key)"), ("kernel", kernel, "kernel(log_density)")):
        if not callable(function):
            reject("tfp.subject", argument, f"be a function {form}", function)
    own = Transition(kernel, density or log_joint)
    draw = _Draw(prior)
    return in_jax.subject(
        draw,
        simulate,
        own.step,
        log_joint=log_joint,
        statistics=statistics,
        init=own.init,
        position=_state,
        kept=kept_in(in_jax.shape_of_carry(draw, simulate, own.init)),
        may_stay=may_stay,
        resize=resize,
        name=name,
    )


def kept_in(carry: Carry) -> tuple[str, ...]:
    """Return the paths to what kernel results hold of the present state."""
    return tuple(f"results.{path}" for path in _paths(carry.results, ""))


def _paths(value: Any, path: str) -> Iterator[str]:
    name = path.rpartition(".")[2]
    if name in _KEPT:
        parts = enumerate(value) if isinstance(value, (list, tuple)) else ()
        yield from [f"{path}.{number}" for number, _ in parts] or [path]
    elif hasattr(value, "_fields") and name not in _OF_OTHERS:
        for field in value._fields:
            yield from _paths(getattr(value, field), f"{path}.{field}" if path else field)


def on_target(target: Target, kernel: Callable[[Function], Any]) -> Subject | Skip:
    """Return the subject of a kernel on a standard target, whose states are vectors; or why it can not take it."""
    reason = unsuitable(target)
    if reason is not None:
        return Skip(f"the kernel {reason}")
    load("tensorflow_probability", extra="tfp")
    log_joint = Density(target)
    own = Transition(kernel, log_joint)
    return in_jax.assembled(
        Clock(),
        ManyDraws(target),
        None if target.simulate is None else ManyData(target),
        {"": own.step},
        log_joint=log_joint,
        init=own.init,
        position=_state,
        kept=kept_in(in_jax.shape_at(target, own.init)),
        name=target.name,
    )
