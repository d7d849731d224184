"""Standard targets as models of PyMC: flat variables of the right support, and the log density of the target as a potential."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mcassay.adapters.ensembles import ensemble_statistics
from mcassay.adapters.optional import load
from mcassay.adapters.pymc import Compiled, Method, Step
from mcassay.errors import reject
from mcassay.subject import Subject
from mcassay.targets import Skip, Space, Target
from mcassay.vocabulary import Data, FloatArray, Generator, State

_DATA = "data"
# A flat variable has to be proper where it is discrete; no kernel gets as far as this from where a target has its mass.
_FAR = 1_000_000


def on_target(target: Target, method: Method) -> Subject | Skip:
    """Return the subject of a step method on a standard target, or why it can not take it.

    Parameters
    ----------
    target
        A target of ``mcassay.targets``.
    method
        A class of step methods, or ``method(model)``, which returns a step method, or a ``Skip`` with the reason.
    """
    bridge = Bridge.of(target)
    with bridge.model:
        made = method() if isinstance(method, type) else method(bridge.model)
    if isinstance(made, Skip):
        return made
    compiled = Compiled(bridge.model, _Made(made), bridge.observed)
    return Subject(
        Start(bridge),
        Simulated(bridge) if target.has_data else None,
        Step(compiled),
        log_joint=Height(bridge, compiled),
        name=target.name,
    )


@dataclass(frozen=True)
class _Made:
    """A step method that has been made already."""

    stepper: Any

    def __call__(self, model: Any) -> Any:
        return self.stepper


@dataclass(eq=False)
class Bridge:
    """A target and the model that stands for it, with the way from the states of the one to those of the other."""

    target: Target
    model: Any
    observed: Mapping[str, Any]

    @classmethod
    def of(cls, target: Target) -> "Bridge":
        """Make the model of a target; its data are a shared variable, which is set anew for every replicate."""
        pymc, namespace = load("pymc"), _namespace()
        observed = {}
        if target.has_data:
            rng = np.random.default_rng(0)
            assert target.simulate is not None
            drawn = np.asarray(target.simulate(target.prior(rng), rng))
            observed[_DATA] = load("pytensor", extra="pymc").shared(drawn, name=_DATA, shape=drawn.shape)
        with pymc.Model() as model:
            blocks = {name: _variable(pymc, name, space) for name, space in target.spaces.items()}
            pymc.Potential("target", target.log_density(blocks, observed.get(_DATA), namespace))
        return cls(target, model, observed)

    def __deepcopy__(self, memo: Any) -> "Bridge":
        """Return itself: what is compiled is shared."""
        return self

    @property
    def names(self) -> list[str]:
        """The variables as PyMC moves them."""
        return [variable.name for variable in self.model.value_vars]

    @cached_property
    def _to_values(self) -> Callable[..., Any]:
        inputs = [rv.type(rv.name) for rv in self.model.free_RVs]
        pairs = zip(self.model.free_RVs, inputs, strict=True)
        return _compiled(inputs, [self._transformed(rv, value, "forward") for rv, value in pairs])

    @cached_property
    def _to_state(self) -> Callable[..., Any]:
        pairs = zip(self.model.free_RVs, self.model.value_vars, strict=True)
        return _compiled(self.model.value_vars, [self._transformed(rv, value, "backward") for rv, value in pairs])

    def _transformed(self, rv: Any, value: Any, way: str) -> Any:
        transform = self.model.rvs_to_transforms[rv]
        return value if transform is None else getattr(transform, way)(value, *rv.owner.inputs)

    def values(self, state: State) -> dict[str, Any]:
        """Return a state of the target as PyMC moves it."""
        given = [np.asarray(state[rv.name], dtype=rv.dtype) for rv in self.model.free_RVs]
        return {name: np.array(value) for name, value in zip(self.names, self._to_values(*given), strict=True)}

    def state(self, values: State) -> dict[str, Any]:
        """Return the state of the target that is meant by what PyMC moves."""
        given = [np.asarray(values[name]) for name in self.names]
        return {rv.name: np.array(x) for rv, x in zip(self.model.free_RVs, self._to_state(*given), strict=True)}


def _compiled(inputs: Any, outputs: Any) -> Callable[..., Any]:
    function: Callable[..., Any] = load("pymc.pytensorf", extra="pymc").compile(inputs, outputs, on_unused_input="ignore")
    return function


def _variable(pymc: Any, name: str, space: Space) -> Any:
    """Return a variable whose density is constant over the support of a block."""
    shape = space.shape
    most = max(space.sizes, default=1)
    low, high = max(space.low, -_FAR), min(space.high, _FAR)
    make: dict[str, Callable[[], Any]] = {
        "real": lambda: pymc.Flat(name, shape=shape),
        "positive": lambda: pymc.HalfFlat(name, shape=shape),
        "interval": lambda: pymc.Uniform(name, low, high, shape=shape),
        "angle": lambda: pymc.Uniform(name, low, high, shape=shape),
        "simplex": lambda: pymc.Dirichlet(name, np.ones(shape)),
        "integers": lambda: pymc.DiscreteUniform(name, low, high, shape=shape),
        "labels": lambda: pymc.Categorical(name, np.full(most, 1 / most), shape=shape),
        "binary": lambda: pymc.Bernoulli(name, 0.5, shape=shape),
    }
    return make[space.kind]()


def _namespace() -> Any:
    """Return the functions of PyTensor under the names that numpy has for them."""
    tensor = load("pytensor.tensor", extra="pymc")

    class Linear:
        slogdet = staticmethod(tensor.nlinalg.slogdet)
        solve = staticmethod(tensor.slinalg.solve)

    class Namespace:
        inf, linalg = np.inf, Linear
        asarray, equal = staticmethod(tensor.as_tensor_variable), staticmethod(tensor.eq)

        def __getattr__(self, name: str) -> Any:
            return getattr(tensor, name)

    return Namespace()


@dataclass(frozen=True, slots=True)
class Start:
    """Draws a state of the target, as PyMC moves it."""

    bridge: Bridge

    def __call__(self, rng: Generator) -> State:
        """Return a draw."""
        return self.bridge.values(self.bridge.target.prior(rng))


@dataclass(frozen=True, slots=True)
class Simulated:
    """Draws the data of the target."""

    bridge: Bridge

    def __call__(self, state: State, rng: Generator) -> Data:
        """Return data given a state as PyMC moves it."""
        simulate = self.bridge.target.simulate
        assert simulate is not None
        return {_DATA: np.asarray(simulate(self.bridge.target.state(self.bridge.target.vector(self.bridge.state(state))), rng))}


@dataclass(frozen=True, slots=True)
class Height:
    """The log density of the target where PyMC moves: that of the model, Jacobians of its transforms included."""

    bridge: Bridge
    compiled: Compiled

    def __call__(self, state: State, data: Data) -> float:
        """Return the log density of a state."""
        self.compiled.set(data)
        return float(self.compiled.log_p(self.compiled.point(state)))


def population(target: Target, method: Method, *, chains: int = 6, at_once: bool = True) -> Subject | Skip:
    """Return the subject of a step method that moves a population of chains, such as ``pymc.DEMetropolis``.

    A state is the whole population, one chain a row, each drawn independently from the target.

    Parameters
    ----------
    target
        A target without data, of real numbers.
    method
        As ``on_target`` takes it.
    chains
        How many chains there are; at least three.
    at_once
        Whether all chains move given where the others were before, as ``pymc.sample`` has it; or one after another, each given
        where the others are now.
    """
    if chains < 3:
        reject("population", "chains", "be at least 3, for every chain needs two others", chains)
    if not target.real or target.has_data:
        return Skip("a population needs real numbers, and as many independent draws as it has chains: a target without data")
    bridge = Bridge.of(target)
    compiled = Compiled(bridge.model, method, {})
    return Subject(
        _Population(bridge, chains),
        None,
        Generation(bridge, compiled, at_once),
        log_joint=_PopulationHeight(bridge),
        statistics=ensemble_statistics(chains, target.size),
        name=target.name,
    )


@dataclass(frozen=True, slots=True)
class _Population:
    bridge: Bridge
    chains: int

    def __call__(self, rng: Generator) -> FloatArray:
        target = self.bridge.target
        return np.stack([target.vector(target.prior(rng)) for _ in range(self.chains)])


@dataclass(frozen=True, slots=True)
class _PopulationHeight:
    bridge: Bridge

    def __call__(self, state: FloatArray, data: Data) -> float:
        target = self.bridge.target
        return float(sum(target.log_joint(target.state(row)) for row in state))


@dataclass(frozen=True, slots=True)
class Generation:
    """One step of every chain of a population."""

    bridge: Bridge
    compiled: Compiled
    at_once: bool

    def __call__(self, state: FloatArray, data: Data, rng: Generator) -> FloatArray:
        """Return the next population."""
        stepper, frozen, target = self.compiled.stepper, self.compiled.frozen, self.bridge.target
        points = [self.compiled.point(target.state(row)) for row in state]
        now = list(points) if self.at_once else points
        stepper.set_rng(rng)
        try:
            for chain in range(len(points)):
                stepper.link_population(points, chain)
                now[chain], _ = stepper.step(points[chain])
        finally:
            stepper.sampling_state = frozen
        return np.stack([target.vector(point) for point in now])
