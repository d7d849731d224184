"""What is under test: prior, simulate and step, and what else the user can tell of them."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mcassay.errors import InputError, reject, shown
from mcassay.kernels import Cycle, Gibbs
from mcassay.kernels.gibbs import ConditionalUpdate
from mcassay.kernels.structure import Compiled, Composite, bind, ordered_updates, takes, updates_of
from mcassay.state import WHOLE, blocks
from mcassay.vocabulary import Data, Generator, LogJoint, Prior, Simulate, State, Statistic, Step


@dataclass(frozen=True)
class Subject:
    """A sampler and the joint distribution that it is meant for.

    Parameters
    ----------
    prior
        ``prior(rng) -> state``: an independent draw of everything that the sampler updates.
    simulate
        ``simulate(state, rng) -> data``; None for a target without data, which ``prior`` then draws from directly.
    step
        ``step(state, data, rng) -> state``, or a kernel. It may also change the state in place and return None.
    log_joint
        ``log_joint(state, data) -> float``, up to a constant.
    statistics
        Further statistics to watch: ``{name: f(state, data)}``.
    init, position
        For a kernel that carries more than the state: ``init(state, data, rng) -> carry`` and ``position(carry) -> state``.
    refresh
        ``refresh(carry, data, rng) -> carry``: brings a carry up to date after the data were redrawn.
    caches
        ``{name: recompute(state, data)}``: parts of the carry that must equal a recomputation after every update. A name is a
        dotted path in what the kernel works on, with the places of members of a tuple: ``{"log_p": ...}``, ``{"1": ...}``.
    may_stay
        The blocks that are allowed never to move.
    resize
        ``resize(n) -> subject``: the same subject with n data points.
    canonical
        ``canonical(state) -> state``: the form that stands for all states that mean the same, such as labels of clusters
        numbered in the order of first points. Only what counts states asks for it.
    vectorised
        Whether the functions work on many replicates at once: ``prior(rng, size)`` draws so many states, every array of state
        and data has a leading axis of replicates, and so has what ``log_joint`` and statistics return. No replicate may have a
        part in what becomes of another.
    name
        What reports call it.

    Examples
    --------
    >>> from mcassay import Gibbs, Normal, Subject
    >>> Subject(
    ...     lambda rng: {"mu": rng.normal()},
    ...     lambda state, rng: rng.normal(state["mu"], 1.0),
    ...     Gibbs({"mu": lambda state, data: Normal(data / 2, variance=1 / 2)}),
    ...     name="one observation",
    ... )
    <Subject "one observation": updates mu>
    """

    prior: Prior
    simulate: Simulate | None
    step: Step
    log_joint: LogJoint | None = field(default=None, kw_only=True)
    statistics: Mapping[str, Statistic] = field(default_factory=dict, kw_only=True)
    init: Callable[[State, Data, Generator], Any] | None = field(default=None, kw_only=True)
    position: Callable[[Any], State] | None = field(default=None, kw_only=True)
    refresh: Callable[[Any, Data, Generator], Any] | None = field(default=None, kw_only=True)
    caches: Mapping[str, Callable[[State, Data], Any]] = field(default_factory=dict, kw_only=True)
    may_stay: Any = field(default=(), kw_only=True)
    resize: Callable[[int], "Subject"] | None = field(default=None, kw_only=True)
    canonical: Callable[[State], State] | None = field(default=None, kw_only=True)
    vectorised: bool = field(default=False, kw_only=True)
    name: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        vectorised = {"prior": ("prior(rng, size)", True)} if self.vectorised is True else {}
        for argument, (form, required) in (_FUNCTIONS | vectorised).items():
            _check_function(argument, getattr(self, argument), form, required)
        if (self.init is None) != (self.position is None):
            missing, given = ("init", "position") if self.init is None else ("position", "init")
            raise InputError(f"Subject: {missing} is missing; {given} was given, and the two go together")
        if self.refresh is not None and self.init is None:
            raise InputError("Subject: refresh needs init and position, which say what a carry is")
        if not isinstance(self.vectorised, bool):
            reject("Subject", "vectorised", "be True or False", self.vectorised)
        statistics = {} if self.statistics is None else self.statistics
        object.__setattr__(self, "statistics", _named_functions("statistics", statistics, "f(state, data)"))
        declared: Any = self.caches  # None and the empty tuple stand for no caches
        caches = {} if declared is None or declared == () else declared
        object.__setattr__(self, "caches", _named_functions("caches", caches, "recompute(state, data)"))
        object.__setattr__(self, "may_stay", _names("may_stay", self.may_stay))
        object.__setattr__(self, "name", _name(self.name, self.step))
        if self.vectorised:
            _require_many(self.step)
        object.__setattr__(self, "step", bind(self.step, self.log_joint))

    @cached_property
    def updates(self) -> dict[str, Step]:
        """Every named update of the kernel; empty for a bare function."""
        return updates_of(self.step)

    @cached_property
    def ordered_updates(self) -> dict[str, Step]:
        """The updates that a sweep applies one after another; empty for a kernel without such an order."""
        return ordered_updates(self.step)

    @property
    def compiled(self) -> bool:
        """Whether the kernel is compiled for many sweeps of many replicates, which takes long and so is done once."""
        return isinstance(self.step, Compiled)

    def draw(self, rng: Generator, size: int | None = None) -> tuple[State, Data]:
        """Draw state and data from the joint; so many replicates at once where the subject is vectorised."""
        state = self.draw_state(rng, size)
        data = self.redraw(state, rng)
        if size is not None:
            require_rows(data, size, "simulate(state, rng) must return data with", "data")
        return state, data

    def draw_state(self, rng: Generator, size: int | None = None) -> State:
        """Draw a state from the prior, or many of them."""
        form = "prior(rng)" if size is None else "prior(rng, size)"
        state = self.prior(rng) if size is None else self.prior(rng, size)  # type: ignore[call-arg]
        if state is None:
            raise InputError(f"{form} returned None; it must return a state")
        if not blocks(state):
            raise InputError(f"{form} returned {shown(state)}, a state without blocks")
        if size is not None:
            require_rows(state, size, f"{form} must return a state with", "block")
        return state

    def redraw(self, state: State, rng: Generator) -> Data:
        """Draw data given the state; None for a subject without data."""
        return None if self.simulate is None else self.simulate(state, rng)

    def __repr__(self) -> str:
        updates = ", ".join(self.updates)
        return f'<Subject "{self.name}": {f"updates {updates}" if updates else "one step"}>'


def require_rows(value: State, size: int, said: str, part: str) -> None:
    """Raise an error unless everything in a state, or in data, has a leading axis of so many replicates."""
    for name, leaf in blocks(value).items():
        shape = np.shape(leaf)
        if leaf is not None and shape[:1] != (size,):
            it = "it" if name == WHOLE else f'{part} "{name}"'
            raise InputError(f"{said} a leading axis of {size} replicates, but {it} has the shape {shape}")


# Kernels of ours that work on any number of replicates at once: distributions with a leading axis draw for all of them.
_FOR_MANY = (Cycle, Gibbs, ConditionalUpdate)


def _require_many(step: Any) -> None:
    """Raise an error where a kernel of ours would decide for all replicates together."""
    for each in [step, *(step.parts().values() if isinstance(step, Composite) else ())]:
        if type(each).__module__.startswith("mcassay.kernels.") and not isinstance(each, _FOR_MANY):
            name = type(each).__name__
            raise InputError(
                f"Subject: {name} moves one replicate, or makes one choice for all of them, so that it can not be vectorised; "
                "write the update as a function of arrays with a leading axis of replicates, or leave vectorised=True out"
            )
        if each is not step:
            _require_many(each)


# What each function of a subject takes, and whether it has to be there.
_FUNCTIONS: dict[str, tuple[str, bool]] = {
    "prior": ("prior(rng)", True),
    "simulate": ("simulate(state, rng)", False),
    "step": ("step(state, data, rng)", True),
    "log_joint": ("log_joint(state, data)", False),
    "init": ("init(state, data, rng)", False),
    "position": ("position(carry)", False),
    "refresh": ("refresh(carry, data, rng)", False),
    "resize": ("resize(n)", False),
    "canonical": ("canonical(state)", False),
}


def _check_function(argument: str, function: Any, form: str, required: bool) -> None:
    if function is None and not required:
        return
    if not callable(function):
        choice = "" if required else " or None"
        reject("Subject", argument, f"be a function {form}{choice}", function)
    if isinstance(function, type):
        name = function.__name__
        raise InputError(
            f"Subject: {argument} must be a function {form}, but found the class {name}; make one, as in {name}(...)"
        )
    check_arguments("Subject", argument, function, form)


def check_arguments(where: str, argument: str, function: Callable[..., Any], form: str) -> None:
    """Raise an error where a function can not be called as its form says."""
    if not takes(function, form.count(",") + 1):
        raise InputError(f"{where}: {argument} must take {form}, but found {argument}{inspect.signature(function)}")


def _named_functions(argument: str, functions: Any, form: str) -> dict[str, Statistic]:
    if not isinstance(functions, Mapping):
        reject("Subject", argument, f"be a dict {{name: {form}}}", functions)
    for name, function in functions.items():
        if not isinstance(name, str) or not name:
            reject("Subject", f"every name in {argument}", "be a string that is not empty", name)
        if not callable(function):
            reject("Subject", f'{argument}["{name}"]', f"be a function {form}", function)
        check_arguments("Subject", f'{argument}["{name}"]', function, form)
    return dict(functions)


def _names(argument: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        reject("Subject", argument, "be a set of names of blocks", names)
    return tuple(names)


def _name(name: Any, step: Any) -> str:
    if name is None:
        return str(getattr(step, "__name__", type(step).__name__)).strip("<>")
    if not isinstance(name, str) or not name.strip() or len(name.splitlines()) > 1:
        reject("Subject", "name", "be one line of text that is not empty", name)
    return name
