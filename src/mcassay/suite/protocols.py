"""How plain NumPy kernels take a target: as one vector, its log density and, where they want one, the gradient."""

from collections.abc import Callable
from typing import Any

from mcassay.subject import Subject
from mcassay.targets import Skip, Target
from mcassay.vocabulary import Data, FloatArray, Generator, State


def on_vectors(step: Callable[..., Any], *, gradient: bool = False) -> Callable[..., Subject | Skip]:
    """Return how a kernel that moves a vector of real numbers takes a target.

    Parameters
    ----------
    step
        ``step(x, log_density, rng, **parameters)``, which returns the next vector.
    gradient
        Whether it is ``step(x, log_density, gradient, rng, **parameters)``.

    Returns
    -------
    Callable
        ``make(target, **parameters)``, as ``conformance`` takes it.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import conformance
    >>> from mcassay.suite.protocols import on_vectors
    >>> def walk(x, log_density, rng):
    ...     new = x + rng.normal(size=x.shape)
    ...     return new if np.log(rng.random()) < log_density(new) - log_density(x) else x
    >>> suite = conformance({"walk": on_vectors(walk)}, targets=["banana", "ising"], budget=300, checks=["invariance"], seed=1)
    >>> [one.verdict.value for one in suite.combinations]
    ['UNCLEAR', 'SKIPPED']
    """

    def make(target: Target, **parameters: Any) -> Subject | Skip:
        reason = not_a_vector(target, gradient=gradient)
        return Skip(reason) if reason else target.subject(_Sweep(target, step, gradient, parameters))

    return make


def not_a_vector(target: Target, *, gradient: bool = False) -> str | None:
    """Say why a target can not be moved as one vector of real numbers."""
    if not target.continuous:
        return "the kernel moves real numbers, and this target has whole ones"
    if any(space.kind == "simplex" for space in target.spaces.values()):
        return "the kernel moves in every dimension, and a simplex has one less than it has elements"
    if gradient and target.gradient is None:
        return "the kernel needs a gradient, and this target has none"
    return None


class _Sweep:
    """One step of a kernel of vectors on the state of a target."""

    def __init__(self, target: Target, step: Callable[..., Any], gradient: bool, parameters: dict[str, Any]) -> None:
        self.target, self.step, self.gradient, self.parameters = target, step, gradient, parameters

    def __call__(self, state: State, data: Data, rng: Generator) -> State:
        target = self.target

        def log_density(x: FloatArray) -> float:
            return target.log_joint(target.state(x), data)

        def slope(x: FloatArray) -> FloatArray:
            return target.gradient_vector(target.state(x), data)

        slopes = (slope,) if self.gradient else ()
        return target.state(self.step(target.vector(state), log_density, *slopes, rng, **self.parameters))
