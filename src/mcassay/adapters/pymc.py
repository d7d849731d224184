"""PyMC: a subject of a model and a step method. Prior, simulated data and log density come from the model itself.

A model is compiled once: its observed values become shared variables, into which the data of every replicate are set.
"""

import itertools
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from mcassay.adapters.optional import load
from mcassay.errors import InputError, reject
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, State, Statistic

Method = Callable[..., Any]
_SEED_WORDS = 4
_tokens = itertools.count()
# What has been compiled in this process, so that a subject that travels to a block is not compiled again.
_compiled: dict[tuple[int, bytes], "Compiled"] = {}


@dataclass(eq=False)
class Compiled:
    """A model and a step method, compiled once and shared by everything that is made of them.

    Attributes
    ----------
    model
        The model, in which the observed values are shared variables.
    method
        ``method(model)``: the step method, made once within the model.
    observed
        The shared variables of the observed values, by the name of what is observed.
    """

    model: Any
    method: Method
    observed: Mapping[str, Any]
    token: int = field(default_factory=lambda: next(_tokens))

    @classmethod
    def of(cls, model: Any, method: Method) -> "Compiled":
        """Clone a model, and put shared variables in the place of what it observed."""
        clone = load("pymc.model.fgraph", extra="pymc").clone_model(model)
        return cls(clone, method, {rv.name: _shared(clone, rv) for rv in clone.observed_RVs})

    def __deepcopy__(self, memo: Any) -> "Compiled":
        """Return itself: compiled functions are dear, and the state of the step method is set back after every step."""
        return self

    def __reduce__(self) -> Any:
        _compiled.setdefault((self.token, self._parcel), self)
        return _again, (self.token, self._parcel)

    @cached_property
    def _parcel(self) -> bytes:
        dumps = load("cloudpickle").dumps if find_spec("cloudpickle") else pickle.dumps
        return bytes(dumps((self.model, self.method)))

    @cached_property
    def log_p(self) -> Callable[[State], Any]:
        """The log density of the model at a point, given the observed values that are set."""
        return self.model.compile_logp()  # type: ignore[no-any-return]

    @cached_property
    def stepper(self) -> Any:
        """The step method, with its tuning ended."""
        with self.model:
            made = self.method() if isinstance(self.method, type) else self.method(self.model)
        if not hasattr(made, "step") or not hasattr(made, "sampling_state"):
            reject("pymc", "method", "be a class of step methods, or a function of the model that returns a step method", made)
        made.stop_tuning()
        return made

    @cached_property
    def frozen(self) -> Any:
        """The state of the step method before the first step, to which it is set back after every one."""
        return self.stepper.sampling_state

    @cached_property
    def draw_prior(self) -> "Draws":
        """Draws every free variable, transformed as the model transforms it."""
        return Draws.compiled([], [_to_value(self.model, rv, rv) for rv in self.model.free_RVs])

    @cached_property
    def draw_data(self) -> "Draws":
        """Draws every observed variable given the free ones."""
        replace = load("pymc.logprob.utils", extra="pymc").replace_rvs_by_values
        model, free = self.model, self.model.free_RVs
        graphs = replace(
            model.observed_RVs,
            rvs_to_values={rv: model.rvs_to_values[rv] for rv in free},
            rvs_to_transforms={rv: model.rvs_to_transforms[rv] for rv in free},
        )
        return Draws.compiled(model.value_vars, graphs)

    @property
    def names(self) -> list[str]:
        """The blocks of a state: the variables as the model moves them."""
        return [variable.name for variable in self.model.value_vars]

    def point(self, state: State) -> dict[str, Any]:
        """Return a state as PyMC takes it."""
        return {
            variable.name: np.asarray(state[variable.name], dtype=variable.dtype).copy() for variable in self.model.value_vars
        }

    def set(self, data: Data) -> None:
        """Set the observed values."""
        for name, shared in self.observed.items():
            shared.set_value(np.asarray(data[name], dtype=shared.dtype))


def _again(token: int, parcel: bytes) -> Compiled:
    """Return what was compiled in this process before, or compile it."""
    if (token, parcel) not in _compiled:
        model, method = pickle.loads(parcel)
        observed = {rv.name: model.rvs_to_values[rv] for rv in model.observed_RVs}
        _compiled[token, parcel] = Compiled(model, method, observed, token)
    return _compiled[token, parcel]


def _shared(model: Any, rv: Any) -> Any:
    """Put a shared variable in the place of an observed value."""
    old = model.rvs_to_values[rv]
    shared = load("pytensor", extra="pymc").shared(np.asarray(old.eval()), name=f"{rv.name} observed", shape=old.type.shape)
    if shared.dtype != old.dtype:
        raise InputError(f'pymc: what is observed of "{rv.name}" is of type {old.dtype}, which can not be set anew')
    del model.values_to_rvs[old]
    model.rvs_to_values[rv], model.values_to_rvs[shared] = shared, rv
    return shared


def _to_value(model: Any, rv: Any, drawn: Any) -> Any:
    """Transform a draw of a free variable as the model does before it moves it."""
    transform = model.rvs_to_transforms[rv]
    return drawn if transform is None else transform.forward(drawn, *rv.owner.inputs)


@dataclass(frozen=True)
class Draws:
    """A compiled function that draws, with random numbers that come from a generator of ours."""

    function: Callable[..., Sequence[Any]]
    generators: Sequence[Any]

    @classmethod
    def compiled(cls, inputs: Sequence[Any], outputs: Sequence[Any]) -> "Draws":
        """Compile a function that draws these outputs."""
        tools = load("pymc.pytensorf", extra="pymc")
        return cls(tools.compile(list(inputs), list(outputs), on_unused_input="ignore"), tools.find_rng_nodes(outputs))

    def __call__(self, rng: Generator, **inputs: Any) -> Sequence[Any]:
        """Return a draw of every output."""
        for shared in self.generators:
            seed = rng.integers(2**32, size=_SEED_WORDS, dtype=np.uint32)
            shared.set_value(np.random.default_rng(seed), borrow=True)
        return self.function(**inputs)


# Slots, here and below: what is compiled has thousands of parts, which checks would look through for hidden state. There is
# none that matters, for the state of the step method is set back after every step.
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a step method whose tuning is frozen."""

    compiled: Compiled

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        """Return the next state."""
        compiled, stepper = self.compiled, self.compiled.stepper
        frozen = compiled.frozen
        compiled.set(data)
        stepper.set_rng(rng)
        try:
            moved, _ = stepper.step(compiled.point(state))
        finally:
            stepper.sampling_state = frozen
        return {name: np.array(moved[name]) for name in compiled.names}


def subject(model: Any, method: Method, *, statistics: Mapping[str, Statistic] | None = None, name: str | None = None) -> Subject:
    """Return the subject of a step method of PyMC on a model.

    Nothing else has to be told: states are drawn from the prior of the model, data as the model predicts them, and the log
    density is that of the model. A state is a dict of the free variables as PyMC moves them (transformed: ``sd_log__``), data
    are a dict of what is observed. The model is compiled once. The tuning of the step method is ended before the first step,
    and after every step its own state is set back, so that every sweep applies the same kernel.

    Parameters
    ----------
    model
        A model; what its observed values are does not matter, but for their shapes.
    method
        A class of step methods, such as ``pymc.Slice``, or ``method(model)``, which returns one, for the model it is given.
    statistics
        Further statistics, ``{name: f(state, data)}``.
    name
        What reports call it.
    """
    _check_model(model, method)
    compiled = Compiled.of(model, method)
    return Subject(
        _Prior(compiled),
        _Simulate(compiled) if compiled.observed else None,
        Step(compiled),
        log_joint=_LogJoint(compiled),
        statistics=statistics or {},
        name=name or getattr(method, "name", None) or getattr(method, "__name__", "pymc"),
    )


def _check_model(model: Any, method: Any) -> None:
    pymc = load("pymc")
    if not isinstance(model, pymc.Model):
        reject("pymc", "model", "be a pymc.Model", model)
    if not callable(method):
        reject("pymc", "method", "be a class of step methods, or a function method(model)", method)
    if model.potentials:
        raise InputError("pymc: the model has potentials, of which draws from its prior know nothing; use distributions")
    for rv in model.observed_RVs:
        if rv.name.endswith("_observed") and f"{rv.name.removesuffix('_observed')}_unobserved" in model.named_vars:
            raise InputError(f'pymc: some values of "{rv.name.removesuffix("_observed")}" are missing; observe all or none')


@dataclass(frozen=True, slots=True)
class _Prior:
    compiled: Compiled

    def __call__(self, rng: Generator) -> State:
        drawn = self.compiled.draw_prior(rng)
        return {name: np.array(value) for name, value in zip(self.compiled.names, drawn, strict=True)}


@dataclass(frozen=True, slots=True)
class _Simulate:
    compiled: Compiled

    def __call__(self, state: State, rng: Generator) -> Data:
        drawn = self.compiled.draw_data(rng, **self.compiled.point(state))
        return {rv.name: np.array(value) for rv, value in zip(self.compiled.model.observed_RVs, drawn, strict=True)}


@dataclass(frozen=True, slots=True)
class _LogJoint:
    compiled: Compiled

    def __call__(self, state: State, data: Data) -> float:
        self.compiled.set(data)
        return float(self.compiled.log_p(self.compiled.point(state)))
