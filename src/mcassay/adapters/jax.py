"""JAX: a subject is written for one replicate, with keys in the place of rng, and runs many replicates a call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.adapters.compiled import Clock, Function, Kernel, Mapped, NamedKernel, Sweeps, rows_in
from mcassay.adapters.optional import load
from mcassay.errors import reject
from mcassay.subject import Subject, check_arguments
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

_FORMS = {
    "prior": "prior(key)",
    "simulate": "simulate(state, key)",
    "step": "step(state, data, key)",
    "log_joint": "log_joint(state, data)",
    "init": "init(state, data, key)",
    "position": "position(carry)",
    "refresh": "refresh(carry, data, key)",
}


def subject(
    prior: Function,
    simulate: Function | None,
    step: Function | Mapping[str, Function],
    *,
    log_joint: Function | None = None,
    statistics: Mapping[str, Function] | None = None,
    init: Function | None = None,
    position: Function | None = None,
    refresh: Function | None = None,
    caches: Mapping[str, Function] | None = None,
    kept: Sequence[str] = (),
    may_stay: Any = (),
    resize: Callable[[int], Subject] | None = None,
    name: str | None = None,
) -> Subject:
    """Return the subject of a sampler that is written in JAX.

    Every function is that of one replicate, as ``Subject`` takes it, with a key in the place of ``rng``. States, data and
    carries are pytrees of arrays. A block of replicates runs in a few compiled calls, all sweeps between two samples in one of
    them; compiling happens once, and the report says how long it took. Single and double precision are both fine.

    Parameters
    ----------
    prior
        ``prior(key) -> state``.
    simulate
        ``simulate(state, key) -> data``, or None.
    step
        ``step(state, data, key) -> state``, or ``{name: step}``, of which a sweep applies one after another.
    log_joint, statistics, caches, may_stay
        As for ``Subject``.
    init, position, refresh
        ``init(state, data, key)``, ``position(carry)`` and ``refresh(carry, data, key)``.
    kept
        The names of fields of the carry, dotted paths, that follow from state and data, and that ``init`` computes: after every
        step they have to be what it would make of the new state.
    resize
        ``resize(n) -> Subject``, made by this function.
    name
        What reports call it.

    Examples
    --------
    >>> from mcassay.adapters.jax import subject
    >>> import jax  # doctest: +SKIP
    >>> flip = subject(  # doctest: +SKIP
    ...     lambda key: {"x": jax.random.normal(key)},
    ...     None,
    ...     lambda state, data, key: {"x": -state["x"]},
    ...     name="flip",
    ... )
    """
    load("jax")
    given = {"prior": prior, "simulate": simulate, "log_joint": log_joint, "init": init, "position": position, "refresh": refresh}
    for argument, function in given.items():
        _check(argument, function, required=argument == "prior")
    steps = dict(step) if isinstance(step, Mapping) else {"": step}
    for each in steps.values():
        _check("step", each, required=True)
    clock = Clock()
    return assembled(
        clock,
        _Draws(Mapped(prior, "prior", clock, True)),
        None if simulate is None else _Redraws(Mapped(simulate, "simulate", clock, True)),
        steps,
        renew=_renewal(simulate, init, position, refresh),
        log_joint=log_joint,
        statistics=statistics,
        init=init,
        position=position,
        refresh=refresh,
        caches=caches,
        kept=kept,
        may_stay=may_stay,
        resize=resize,
        name=name or getattr(step, "__name__", "jax").strip("<>"),
    )


def assembled(
    clock: Clock,
    prior: Function,
    simulate: Function | None,
    steps: Mapping[str, Function],
    *,
    renew: Function | None = None,
    log_joint: Function | None = None,
    statistics: Mapping[str, Function] | None = None,
    init: Function | None = None,
    position: Function | None = None,
    refresh: Function | None = None,
    caches: Mapping[str, Function] | None = None,
    kept: Sequence[str] = (),
    **options: Any,
) -> Subject:
    """Return the subject of a prior and a simulator of many replicates, and of everything else as it is for one.

    What is ``kept`` are fields of the carry that init computes from state and data, and that have to stay what it would make.
    """
    begin = None if init is None else Mapped(init, "init", clock, True)
    cached = {} if begin is None else {field: _Kept(begin, field) for field in kept}
    sweeps = Sweeps((renew, tuple(steps.values())), "the sweep", clock, True)  # type: ignore[arg-type]
    return Subject(
        prior,
        simulate,
        NamedKernel(sweeps, tuple(steps)) if len(steps) > 1 else Kernel(sweeps),
        log_joint=None if log_joint is None else _Values(Mapped(log_joint, "log_joint", clock, False)),
        statistics={key: _Values(Mapped(f, key, clock, False)) for key, f in (statistics or {}).items()},
        init=None if begin is None else _Begins(begin),
        position=None if position is None else _Positions(position),
        refresh=None if refresh is None else _Begins(Mapped(refresh, "refresh", clock, True)),
        caches={**cached, **{key: _Values(Mapped(f, f"cache {key}", clock, False)) for key, f in (caches or {}).items()}},
        vectorised=True,
        **options,
    )


def shape_of_carry(prior: Function, simulate: Function | None, init: Function) -> Any:
    """Return what a carry is made of, without computing one."""
    jax = load("jax")

    def begun(key: Any) -> Any:
        state = prior(key)
        return init(state, None if simulate is None else simulate(state, key), key)

    return jax.eval_shape(begun, jax.random.PRNGKey(0))


def shape_at(target: Target, init: Function) -> Any:
    """Return what a carry is made of on a standard target."""
    jax, rng = load("jax"), np.random.default_rng(0)
    state = target.prior(rng)
    data = None if target.simulate is None else target.simulate(state, rng)
    return jax.eval_shape(init, target.vector(state), data, jax.random.PRNGKey(0))


def _check(argument: str, function: Any, *, required: bool) -> None:
    if function is None and not required:
        return
    if not callable(function):
        reject("jax.subject", argument, f"be a function {_FORMS[argument]}", function)
    check_arguments("jax.subject", argument, function, _FORMS[argument])


def _renewal(
    simulate: Function | None, init: Function | None, position: Function | None, refresh: Function | None
) -> Function | None:
    """Return what redraws the data of one replicate; None where there are none, or what is carried would go stale."""
    if simulate is None or (init is not None and refresh is None):
        return None
    return _Renew(simulate, position, refresh)


@dataclass(frozen=True)
class _Renew:
    simulate: Function
    position: Function | None
    refresh: Function | None

    def __call__(self, carry: Any, data: Data, key: Any) -> tuple[Any, Data]:
        first, second = load("jax").random.split(key)
        state = carry if self.position is None else self.position(carry)
        new = self.simulate(state, first)
        return (carry if self.refresh is None else self.refresh(carry, new, second)), new


@dataclass(frozen=True)
class _Draws:
    mapped: Mapped

    def __call__(self, rng: Generator, size: int) -> State:
        return self.mapped(size, rng)


@dataclass(frozen=True)
class _Redraws:
    mapped: Mapped

    def __call__(self, state: State, rng: Generator) -> Data:
        return self.mapped(rows_in(state), rng, state)


@dataclass(frozen=True)
class _Begins:
    mapped: Mapped

    def __call__(self, state: Any, data: Data, rng: Generator) -> Any:
        return self.mapped(rows_in(state), rng, state, data)


@dataclass(frozen=True)
class _Kept:
    """A field of the carry as init makes it; the key has no part in it."""

    begin: Mapped
    field: str

    def __call__(self, state: State, data: Data) -> Any:
        found = self.begin(rows_in(state), None, state, data)
        for step in self.field.split("."):
            found = found[int(step)] if step.isdigit() else found[step] if isinstance(found, dict) else getattr(found, step)
        return found


@dataclass(frozen=True)
class _Positions:
    """Taking the state out of a carry is no work that would be worth compiling."""

    function: Function

    def __call__(self, carry: Any) -> State:
        return load("jax").tree.map(np.asarray, load("jax").vmap(self.function)(carry))


@dataclass(frozen=True)
class _Values:
    mapped: Mapped

    def __call__(self, state: State, data: Data) -> Any:
        return self.mapped(rows_in(state), None, state, data)
