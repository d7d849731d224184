"""NumPyro on standard targets: kernels that take a potential, on vectors that numpy draws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcassay.adapters import jax as in_jax
from mcassay.adapters.compiled import Clock, Function
from mcassay.adapters.numpyro import Carry, kept_in, sites_of, with_key
from mcassay.adapters.optional import load
from mcassay.adapters.targets import Density, ManyData, ManyDraws, ManyEnsembles, unsuitable
from mcassay.subject import Subject
from mcassay.targets.skip import Skip
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, State


@dataclass(frozen=True)
class OnVector:
    """A kernel on a density of vectors, as ``potential_fn``.

    Parameters
    ----------
    make
        ``make(potential_fn)`` returns the kernel.
    members
        How many chains an ensemble has; None for a kernel of one chain.
    """

    density: Function
    make: Callable[[Function], Any]
    members: int | None = None

    def on(self, state: State, data: Data, key: Any) -> tuple[Any, Any]:
        """Return the kernel for data, and its state at a vector."""
        jax = load("jax")
        kernel = self.make(lambda vector: -self.density(vector, data))
        keys = key if self.members is None else jax.random.split(key, self.members)
        begun = kernel.init(keys, 0, jax.numpy.asarray(state), (), {})
        return kernel, jax.tree.map(jax.numpy.asarray, begun)

    def init(self, state: State, data: Data, key: Any) -> Carry:
        """Return the carry at a vector."""
        return Carry(state, self.on(state, data, key)[1])

    def step(self, carry: Any, data: Data, key: Any) -> Carry:
        """Return the carry after one transition."""
        jax = load("jax")
        kernel, _ = self.on(carry.sites, data, key)
        state = kernel.sample(with_key(carry.kernel, jax.random.fold_in(key, 1)), (), {})
        kept = jax.tree.map(lambda new, old: jax.numpy.asarray(new, dtype=old.dtype), state, carry.kernel)
        return Carry(getattr(kept, kernel.sample_field), kept)


def on_target(target: Target, kernel: Callable[[Function], Any], *, members: int | None = None) -> Subject | Skip:
    """Return the subject of a kernel on a standard target, whose states are vectors; or why it can not take it.

    Parameters
    ----------
    target
        A target of ``mcassay.targets``.
    kernel
        ``kernel(potential_fn)``, as in ``lambda f: NUTS(potential_fn=f, step_size=0.3)``.
    members
        How many chains an ensemble has; None for a kernel of one chain.
    """
    reason = unsuitable(target)
    if reason is not None:
        return Skip(f"the kernel {reason}")
    if members is not None and target.has_data:
        return Skip("an ensemble needs as many independent draws from the posterior of the same data as it has members")
    load("numpyro")
    log_joint = Density(target)
    own = OnVector(log_joint, kernel, members)
    return in_jax.assembled(
        Clock(),
        ManyDraws(target) if members is None else ManyEnsembles(target, members),
        None if target.simulate is None else ManyData(target),
        {"": own.step},
        log_joint=log_joint if members is None else _OfMembers(log_joint),
        init=own.init,
        position=sites_of,
        kept=kept_in(in_jax.shape_at(target, own.init)) if members is None else (),
        name=target.name,
    )


@dataclass(frozen=True)
class _OfMembers:
    density: Function

    def __call__(self, state: State, data: Data) -> Any:
        return load("jax").vmap(lambda member: self.density(member, None))(state).sum()
