"""What a distribution is, and what all of ours share."""

import math
from collections.abc import Mapping
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from mcassay.distributions.parameters import points
from mcassay.errors import reject
from mcassay.vocabulary import FloatArray, Generator

MAXIMUM = float(np.finfo(np.float64).max)
SMALLEST = math.ulp(0.0)

Size = int | tuple[int, ...] | None
# The shape to ask of numpy's Generator; None gives a bare number.
Shape = tuple[int, ...] | None


@runtime_checkable
class Distribution(Protocol):
    """Anything with a log density and a sampler; users' own classes need no more than this.

    ``log_p(x)`` gives one value per independent component (callers sum); ``sample(rng)`` one draw of all components.
    """

    def log_p(self, x: Any, /) -> Any:
        """Log density or log probability, one value per independent component; -inf outside the support."""
        ...

    def sample(self, rng: Generator, /) -> Any:
        """One draw of every component."""
        ...


@runtime_checkable
class ExponentialFamily(Distribution, Protocol):
    """``log_p(x) = natural_parameters . sufficient_statistics(x) + log_base_measure(x) + constant``."""

    @property
    def natural_parameters(self) -> FloatArray:
        """One row of natural parameters per component: shape ``batch_shape + (p,)``."""
        ...

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """One row of sufficient statistics per component, in the order of the natural parameters."""
        ...

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Return the part of ``log_p`` that does not depend on the parameters."""
        ...

    def with_natural_parameters(self, natural: FloatArray, /) -> Self:
        """Return the same family, in the same parametrisation, at other natural parameters.

        Raises InputError where no member of the family has them.
        """
        ...


class Family:
    """What our distributions share: parameters in the user's terms, shapes and a printed form.

    Attributes
    ----------
    parameters
        The parameters by the names under which the user gave them (``variance`` stays ``variance``), as arrays.
    batch_shape
        The shape of the independent components; ``log_p`` of one draw has this shape.
    event_shape
        The shape of one component's value: ``()`` for a number, ``(D,)`` for a vector, ``(D, D)`` for a matrix.
    support
        Where it lives: "real", "positive", "unit interval", "interval", "simplex", "positive definite", "integer"
        or "pair".
    """

    parameters: Mapping[str, FloatArray]
    batch_shape: tuple[int, ...]
    event_shape: tuple[int, ...] = ()
    support: str = "real"

    # How many trailing axes of each parameter belong to one component; a parameter not named here has none.
    _parameter_axes: Mapping[str, int] = {}

    def component(self, index: tuple[int, ...], /) -> Self:
        """Return the distribution of the one independent component at this index of the batch."""
        return self._rebuilt({name: self._pick(name, value, index) for name, value in self.parameters.items()})

    def _pick(self, name: str, value: FloatArray, index: tuple[int, ...]) -> FloatArray:
        own = value.shape[value.ndim - self._parameter_axes.get(name, 0) :]
        picked: FloatArray = np.broadcast_to(value, self.batch_shape + own)[index]
        return picked

    @classmethod
    def _rebuilt(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(**parameters)

    def sample(self, rng: Generator, /, size: Size = None) -> Any:
        """Draw every component, ``size`` times over if given: shape ``size + batch_shape + event_shape``."""
        lead = leading_axes(type(self).__name__, rng, size)
        bare = size is None and not self.batch_shape
        return self._drawn(rng, None if bare else lead + self.batch_shape)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        """Draw values of so many components."""
        raise NotImplementedError

    def _per_component(self, value: Any) -> FloatArray:
        """Give every component its own copy of a value that is the same for some of them."""
        spread: FloatArray = np.broadcast_to(value, self.batch_shape + self.event_shape)[()]
        return spread

    def _points(self, x: Any) -> FloatArray:
        """Read the values at which ``log_p`` is asked for, in a type no coarser than that of the parameters."""
        array = points(f"{type(self).__name__}.log_p", x, self.batch_shape, self.event_shape)
        if array.dtype != np.float64:
            array = array.astype(np.result_type(array, *self.parameters.values()), copy=False)
        return array

    def _doubles(self, x: Any) -> FloatArray:
        """Read the values at which statistics are asked for, in double precision."""
        return points(type(self).__name__, x, self.batch_shape, self.event_shape).astype(np.float64, copy=False)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={_written(value)}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({inside})"


def leading_axes(where: str, rng: Generator, size: Size) -> tuple[int, ...]:
    """Read what ``sample`` was given, and return the axes that come before those of one draw."""
    if not hasattr(rng, "random"):
        reject(f"{where}.sample", "rng", "be a numpy.random.Generator", rng)
    if size is None:
        return ()
    axes = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 0 for n in axes):
        reject(f"{where}.sample", "size", "be a whole number, a tuple of them or None", size)
    return axes


def _written(value: FloatArray) -> str:
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{array.item():.6g}"
    if array.size > 16:
        return f"<array of shape {array.shape}>"
    return np.array2string(array, precision=4, separator=", ").replace("\n", "")


def inside(support: np.bool_ | np.ndarray[Any, Any], log_p: Any) -> FloatArray:
    """Replace the log density by -inf outside the support, and where x is not a number."""
    return np.where(support, log_p, -math.inf)[()]


def doubles(draws: Any) -> FloatArray:
    """Return draws as an array: a bare number times a parameter in single precision would take on that precision."""
    return np.asarray(draws, dtype=np.float64)


def kept_between(draws: Any, low: float, high: float = MAXIMUM) -> Any:
    """Round draws that no float could hold, and so came out on or beyond the edge of the support, to the nearest inside.

    A gamma variable of shape 0.001 falls below the smallest float with probability one half. Its density at 0 is
    infinite; at the smallest float it is not.
    """
    return np.minimum(np.maximum(draws, low), high)
