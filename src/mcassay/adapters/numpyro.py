"""NumPyro: a model and a kernel are enough; prior, simulate and log_joint come from the model itself.

States are the values of the latent sites in constrained space, discrete ones included; data are those of the observed sites. The
model is traced and compiled once, with the data as an argument.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from mcassay.adapters import jax as in_jax
from mcassay.adapters.compiled import Function
from mcassay.adapters.optional import load
from mcassay.errors import InputError, reject
from mcassay.subject import Subject
from mcassay.vocabulary import Data, State, Statistic

# What kernels keep of the present state, so as not to evaluate it twice.
_KEPT = ("potential_energy", "z_grad")

_UNSUITABLE = {
    "SA": "keeps a set of past states, which would have to be as many independent draws from the posterior of the same data",
    "HMCECS": "targets the posterior of an estimate of the likelihood, which nobody can draw from",
}


class Carry(NamedTuple):
    """What a kernel works on: the sites in constrained space, and the kernel's own state."""

    sites: Any
    kernel: Any


@dataclass(frozen=True)
class Model:
    """A model of NumPyro as a joint distribution of latent and observed sites.

    Parameters
    ----------
    model
        Called with ``args`` and ``kwargs`` it draws every site, the observed ones too.
    observed
        The names of the sites that are data.
    """

    model: Function
    observed: tuple[str, ...]
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] | None = None

    def trace(self, key: Any, values: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Run the model with some sites given, and return what happened at each."""
        handlers = load("numpyro.handlers", extra="numpyro")
        model = handlers.substitute(handlers.seed(self.model, key), data=dict(values or {}))
        found: Mapping[str, Any] = handlers.trace(model).get_trace(*self.args, **dict(self.kwargs or {}))
        return found

    def latent(self, trace: Mapping[str, Any]) -> list[str]:
        """Return the names of the latent sites."""
        drawn = [name for name, site in trace.items() if site["type"] == "sample" and not site["is_observed"]]
        return [name for name in drawn if name not in self.observed]

    def prior(self, key: Any) -> State:
        """Draw the latent sites."""
        trace = self.trace(key)
        return {name: trace[name]["value"] for name in self.latent(trace)}

    def simulate(self, state: State, key: Any) -> Data:
        """Draw the observed sites given the latent ones."""
        trace = self.trace(key, state)
        return {name: trace[name]["value"] for name in self.observed}

    def given(self, data: Data) -> Function:
        """Return the model with the observed sites set."""
        conditioned: Function = load("numpyro.handlers", extra="numpyro").condition(self.model, data=dict(data or {}))
        return conditioned

    def log_joint(self, state: State, data: Data) -> Any:
        """Return the log density of all sites, in constrained space."""
        infer = load("numpyro.infer.util", extra="numpyro")
        return infer.log_density(self.given(data), self.args, dict(self.kwargs or {}), dict(state))[0]

    def unconstrained(self, state: State, key: Any, constrained: Sequence[str] = ()) -> State:
        """Map continuous sites to all of the real line, but for those that their kernel takes as they are."""
        biject_to = load("numpyro.distributions", extra="numpyro").biject_to
        trace, found = self.trace(key, state), dict(state)
        for name in state:
            support = trace[name]["fn"].support
            if not support.is_discrete and name not in constrained:
                found[name] = biject_to(support).inv(state[name])
        return found


@dataclass(frozen=True)
class Transition:
    """A kernel on a model.

    Parameters
    ----------
    make
        ``make(model)`` returns the kernel, with its tuning fixed.
    members
        How many chains an ensemble has; None for a kernel of one chain.
    """

    model: Model
    make: Callable[[Function], Any]
    members: int | None = None

    def on(self, state: State, data: Data, key: Any) -> tuple[Any, Any]:
        """Return the kernel for data, and its state at these sites.

        Kernels bind the data where they begin, so that one is made anew for every call; what of that is not used is not computed.
        """
        jax = load("jax")
        kernel = self.make(self.model.given(data))
        if type(kernel).__name__ in _UNSUITABLE:
            raise InputError(f"numpyro.subject: {type(kernel).__name__} {_UNSUITABLE[type(kernel).__name__]}")
        first, second = jax.random.split(key)
        free = partial(self.model.unconstrained, key=first, constrained=_taken_as_they_are(kernel))
        if self.members is None:
            start, keys = free(state), second
        else:
            start, keys = jax.vmap(free)(state), jax.random.split(second, self.members)
        if hasattr(kernel, "_init_strategy"):  # BarkerMH does not look at init_params where it has a model
            at_values = load("numpyro.infer", extra="numpyro").init_to_value
            kernel._init_strategy = at_values(values=state)
        begun = kernel.init(keys, 0, start, self.model.args, dict(self.model.kwargs or {}))
        return kernel, jax.tree.map(jax.numpy.asarray, begun)

    def init(self, state: State, data: Data, key: Any) -> Carry:
        """Return the carry at a state."""
        return Carry(state, self.on(state, data, key)[1])

    def step(self, carry: Any, data: Data, key: Any) -> Carry:
        """Return the carry after one transition, with random numbers that come from the key."""
        jax, own = load("jax"), (self.model.args, dict(self.model.kwargs or {}))
        kernel, _ = self.on(carry.sites, data, key)
        state = kernel.sample(with_key(carry.kernel, jax.random.fold_in(key, 1)), *own)
        constrain = kernel.postprocess_fn(*own)
        free = getattr(state, kernel.sample_field)
        found = constrain(free) if self.members is None else jax.vmap(constrain)(free)
        sites = {name: jax.numpy.asarray(found[name], dtype=value.dtype) for name, value in carry.sites.items()}
        kept = jax.tree.map(lambda new, old: jax.numpy.asarray(new, dtype=old.dtype), state, carry.kernel)
        return Carry(sites, kept)


def with_key(state: Any, key: Any) -> Any:
    """Give a kernel's state, and those of the kernels in it, keys of their own."""
    random = load("jax").random
    if not hasattr(state, "_fields"):
        return state
    changed: dict[str, Any] = {}
    for number, field in enumerate(state._fields):
        value, own = getattr(state, field), random.fold_in(key, number)
        if field == "rng_key" and value is not None:
            changed[field] = own
        elif hasattr(value, "_fields"):
            changed[field] = with_key(value, own)
        elif field == "block_states":
            changed[field] = tuple(with_key(part, random.fold_in(own, place)) for place, part in enumerate(value))
    return state._replace(**changed)


def _taken_as_they_are(kernel: Any) -> tuple[str, ...]:
    """Return the sites that functions of the user's draw, in constrained space."""
    blocks = [(part, names) for part, names in getattr(kernel, "blocks", ()) if type(part).__name__ == "CustomGibbs"]
    return tuple(name for _, names in blocks if isinstance(names, tuple) for name in names)


def sites_of(carry: Any) -> State:
    """Return the sites in a carry."""
    return carry.sites


def subject(
    model: Function,
    kernel: Callable[[Function], Any],
    *,
    observed: Sequence[str] = (),
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    members: int | None = None,
    statistics: Mapping[str, Statistic] | None = None,
    may_stay: Any = (),
    name: str | None = None,
) -> Subject:
    """Return the subject of a kernel of NumPyro on a model.

    Parameters
    ----------
    model
        The model; called with ``args`` and ``kwargs`` it draws every site. One that is usually given its data as ``obs=y`` is
        called without them here, as for ``Predictive``.
    kernel
        ``kernel(model)`` returns the kernel, as in ``lambda model: NUTS(model, step_size=0.3)``. There is no warmup, so that
        whatever it would adapt stays as given.
    observed
        The names of the sites that are data.
    args, kwargs
        What the model is called with.
    members
        For ``AIES`` and ``ESS``: how many chains the ensemble has. They are drawn independently, so that the model may have no
        observed sites.
    statistics, may_stay, name
        As for ``Subject``.

    Examples
    --------
    >>> from mcassay.adapters.numpyro import subject
    >>> import numpyro, numpyro.distributions as dist  # doctest: +SKIP
    >>> def model():  # doctest: +SKIP
    ...     mean = numpyro.sample("mean", dist.Normal(0, 1))
    ...     numpyro.sample("y", dist.Normal(mean, 1).expand([5]).to_event(1))
    >>> nuts = subject(  # doctest: +SKIP
    ...     model, lambda model: numpyro.infer.NUTS(model, step_size=0.3), observed=["y"]
    ... )
    """
    load("numpyro")
    for argument, function, form in (("model", model, "model(...)"), ("kernel", kernel, "kernel(model)")):
        if not callable(function):
            reject("numpyro.subject", argument, f"be a function {form}", function)
    own = Model(model, _names(observed), tuple(args), kwargs)
    _check_sites(own)
    if members is not None:
        return _ensemble(own, kernel, members, statistics, may_stay, name)
    move = Transition(own, kernel)
    simulate = own.simulate if own.observed else None
    return in_jax.subject(
        own.prior,
        simulate,
        move.step,
        log_joint=own.log_joint,
        statistics=statistics,
        init=move.init,
        position=sites_of,
        kept=kept_in(in_jax.shape_of_carry(own.prior, simulate, move.init)),
        may_stay=may_stay,
        name=name or getattr(model, "__name__", "numpyro"),
    )


@dataclass(frozen=True)
class _Ensemble:
    """The joint of members that are independent of each other."""

    model: Model
    members: int

    def prior(self, key: Any) -> State:
        jax = load("jax")
        return jax.vmap(self.model.prior)(jax.random.split(key, self.members))

    def log_joint(self, state: State, data: Data) -> Any:
        jax = load("jax")
        return jax.vmap(lambda member: self.model.log_joint(member, None))(state).sum()


def _ensemble(
    model: Model,
    kernel: Callable[[Function], Any],
    members: int,
    statistics: Mapping[str, Statistic] | None,
    may_stay: Any,
    name: str | None,
) -> Subject:
    if isinstance(members, bool) or not isinstance(members, int) or members < 2 or members % 2:
        reject("numpyro.subject", "members", "be an even number from 2 on", members)
    if model.observed:
        raise InputError(
            "numpyro.subject: an ensemble needs as many independent draws from the posterior of the same data as it has "
            "members; take a model without observed sites"
        )
    own, move = _Ensemble(model, members), Transition(model, kernel, members)
    return in_jax.subject(
        own.prior,
        None,
        move.step,
        log_joint=own.log_joint,
        statistics=statistics,
        init=move.init,
        position=sites_of,
        may_stay=may_stay,
        name=name or getattr(model.model, "__name__", "numpyro"),
    )


def _names(observed: Any) -> tuple[str, ...]:
    if isinstance(observed, str) or not isinstance(observed, Sequence) or not all(isinstance(name, str) for name in observed):
        reject("numpyro.subject", "observed", "be a list of names of sites", observed)
    return tuple(observed)


def _check_sites(model: Model) -> None:
    """Raise an error unless the model draws every observed site, and some others."""
    trace = model.trace(load("jax").random.PRNGKey(0))
    sites = {name: site for name, site in trace.items() if site["type"] == "sample"}
    fixed = [name for name, site in sites.items() if site["is_observed"] and not site["infer"].get("is_auxiliary")]
    if fixed:
        raise InputError(
            f'numpyro.subject: the model must draw every site, but "{fixed[0]}" is given a value; call it without data '
            "(obs=None) and name the site in observed"
        )
    for name in model.observed:
        if name not in sites:
            reject("numpyro.subject", "observed", f"name sites of the model ({', '.join(sites)})", name)
    if not model.latent(trace):
        raise InputError("numpyro.subject: the model must have a site that is not observed")


def kept_in(carry: Carry) -> tuple[str, ...]:
    """Return the paths to what the kernel's state holds of the density at the present sites."""
    return tuple(f"kernel.{path}" for path in _paths(carry.kernel, ""))


def _paths(value: Any, path: str) -> Iterator[str]:
    if path.rpartition(".")[2] in _KEPT:
        yield from [f"{path}.{name}" for name in value] if isinstance(value, dict) else [path]
    elif hasattr(value, "_fields"):
        for field in value._fields:
            yield from _paths(getattr(value, field), f"{path}.{field}" if path else field)
    elif path == "block_states":
        for place, part in enumerate(value):
            yield from _paths(part, f"{path}.{place}")
