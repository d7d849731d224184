"""Which combinations of kernel, parameters and target there are, and which of them can be run."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mcassay.errors import InputError, reject, shown
from mcassay.subject import Subject
from mcassay.targets import Skip, Target

Make = Callable[..., Any]


@dataclass(frozen=True)
class Grid:
    """A kernel that is tried with every combination of some values of its parameters.

    Parameters
    ----------
    make
        ``make(target, **parameters)``: the subject of the kernel on a target, or a ``Skip`` with the reason.
    parameters
        ``{parameter: values}``.

    Examples
    --------
    >>> from mcassay import Grid, Slice
    >>> grid = Grid(lambda target, width: target.subject(Slice("x", width=width)), {"width": [0.1, 10.0]})
    >>> [dict(chosen) for chosen in grid]
    [{'width': 0.1}, {'width': 10.0}]
    """

    make: Make
    parameters: Mapping[str, Iterable[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not callable(self.make):
            reject("Grid", "make", "be a function make(target, **parameters)", self.make)
        found: Any = self.parameters
        if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
            reject("Grid", "parameters", "be a dict {parameter: values}", found)
        object.__setattr__(self, "parameters", {name: _values(name, values) for name, values in found.items()})

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for values in itertools.product(*self.parameters.values()):
            yield dict(zip(self.parameters, values, strict=True))


def _values(name: str, values: Any) -> list[Any]:
    listed = [] if isinstance(values, (str, bytes)) or not isinstance(values, Iterable) else list(values)
    if not listed:
        reject("Grid", f'parameters["{name}"]', "be a list of at least one value", values)
    return listed


@dataclass(frozen=True)
class Planned:
    """A combination before it is run: the subject, or why there is none."""

    kernel: str
    parameters: Mapping[str, Any]
    target: Target
    made: Subject | Skip

    @property
    def name(self) -> str:
        """What reports, seeds and expected failures call it."""
        return f"{with_parameters(self.kernel, self.parameters)}/{self.target.name}"


def with_parameters(kernel: str, parameters: Mapping[str, Any]) -> str:
    """Write a kernel and its parameters.

    Examples
    --------
    >>> with_parameters("hmc", {"step_size": 0.1, "steps": 10})
    'hmc(step_size=0.1, steps=10)'
    """
    said = ", ".join(f"{name}={written(value)}" for name, value in parameters.items())
    return f"{kernel}({said})" if said else kernel


def written(value: Any) -> str:
    """Write a value of a parameter; a function or a class by its name."""
    return str(getattr(value, "__name__", None) or (value if isinstance(value, str) else shown(value)))


def planned(kernels: Any, targets: Sequence[Target]) -> list[Planned]:
    """Make every combination of kernels, their parameters and targets."""
    if not isinstance(kernels, Mapping) or not kernels:
        reject("conformance", "kernels", "be a dict {name: f(target) -> Subject or Skip, or a Grid}", kernels)
    found = [one for name, kernel in kernels.items() for one in _of_kernel(name, kernel, targets)]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'conformance: {names.count(name)} combinations are called "{name}"; targets need different names')
    return found


def _of_kernel(name: Any, kernel: Any, targets: Sequence[Target]) -> Iterator[Planned]:
    if not isinstance(name, str) or not name.strip():
        reject("conformance", "every name in kernels", "be a string that is not empty", name)
    if not callable(kernel) and not isinstance(kernel, Grid):
        reject("conformance", f'kernels["{name}"]', "be a function f(target) -> Subject or Skip, or a Grid", kernel)
    grid = kernel if isinstance(kernel, Grid) else Grid(kernel)
    for parameters in grid:
        for target in targets:
            yield _made(Planned(name, parameters, target, Skip("not made")), grid.make)


def _made(one: Planned, make: Make) -> Planned:
    made = make(one.target, **one.parameters)
    if not isinstance(made, (Subject, Skip)):
        reject("conformance", f'what is made for "{one.name}"', "be a Subject, or a Skip with the reason", made)
    if isinstance(made, Subject):
        made = replace(made, name=one.name)
    return replace(one, made=made)
