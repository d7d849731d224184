"""Distributions of scipy.stats in our terms, and the error for what is no distribution at all.

Importing scipy.stats takes longer than everything else here together, so nothing is imported from it: its objects are
recognised by the modules of their classes, and bring their methods along.
"""

import math
from collections.abc import Callable
from functools import partial
from numbers import Number
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from mcassay.distributions.base import Distribution, Family, Size, inside, leading_axes
from mcassay.distributions.parameters import points
from mcassay.distributions.scipy_events import NoDraws, event_shape_of, log_density_of_events
from mcassay.distributions.scipy_families import scipy_name, translated
from mcassay.errors import InputError, shown
from mcassay.vocabulary import FloatArray, Generator

# Families that scipy.stats makes to measure: they have no parameters left to give.
_CUSTOMISED = {"rv_histogram", "rv_sample"}


class ScipyDistribution:
    """A distribution of scipy.stats whose parameters are given, with ``log_p`` and ``sample``.

    Parameters
    ----------
    frozen
        A frozen distribution, such as ``scipy.stats.norm(0, 1)``, or one of the new kind, such as
        ``scipy.stats.Normal(mu=0, sigma=1)``.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.stats
    >>> wrapped = ScipyDistribution(scipy.stats.gamma(3.0, scale=[1.0, 2.0]))
    >>> wrapped.log_p(1.0)
    array([-1.69314718, -3.27258872])
    >>> wrapped.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    >>> wrapped.family()
    Gamma(shape=3, scale=[1., 2.])
    """

    def __init__(self, frozen: Any) -> None:
        self.frozen = frozen
        self._family: Any = translated(frozen)
        self.batch_shape, self.event_shape = _shapes(frozen, self._family)

    def family(self) -> Family | None:
        """Return the same distribution as one of ours, or None where there is none."""
        ours: Family | None = self._family
        return ours

    @property
    def mean(self) -> FloatArray:
        """The mean of every component, where scipy.stats or we know it."""
        return self._moment("mean", "mean")

    @property
    def variance(self) -> FloatArray:
        """The variance of every component, where scipy.stats or we know it."""
        return self._moment("variance", "variance" if _is_new(self.frozen) else "var")

    def _moment(self, name: str, scipy_name: str) -> FloatArray:
        if self._family is not None:
            ours: FloatArray = getattr(self._family, name)
            return ours
        moment = getattr(self.frozen, scipy_name)
        return np.asarray(moment() if callable(moment) else moment)[()]

    def log_p(self, x: Any, /) -> FloatArray:
        """Log density or log probability of every component; -inf outside the support."""
        # Ours is faster and exact further out, and has several matrices along the first axis of x, not the last.
        if self._family is not None:
            return np.asarray(self._family.log_p(x))[()]
        x = points("ScipyDistribution.log_p", x, self.batch_shape, self.event_shape)
        with np.errstate(all="ignore"):
            if _is_univariate(self.frozen):
                return inside(np.isfinite(x), _log_density(self.frozen)(x))
            return log_density_of_events(self.frozen, x, len(self.event_shape))

    def sample(self, rng: Generator, /, size: Size = None) -> Any:
        """Draw every component, ``size`` times over if given: shape ``size + batch_shape + event_shape``."""
        lead = leading_axes("ScipyDistribution", rng, size)
        if _is_new(self.frozen):
            return self.frozen.sample(lead, rng=rng)
        if not self.event_shape:
            return self.frozen.rvs(size=lead + self.batch_shape or None, random_state=rng)
        # scipy.stats drops axes of length one, and draws once where it should draw nothing.
        count = math.prod(lead)
        draws = np.reshape(self.frozen.rvs(size=max(count, 1), random_state=rng), (max(count, 1), *self.event_shape))
        return np.reshape(draws[:count], lead + self.event_shape)

    def __repr__(self) -> str:
        return f"ScipyDistribution({_written(self.frozen)})"


def as_distribution(candidate: Any, where: str) -> Distribution:
    """Return something with ``log_p`` and ``sample``: the candidate itself, or scipy's distribution wrapped.

    Parameters
    ----------
    candidate
        What the user gave.
    where
        Where a distribution belongs; the first words of the error.

    Examples
    --------
    >>> as_distribution(0.3, "Gibbs: the conditional of 'mu'")
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: Gibbs: the conditional of 'mu' must be a distribution, but found the number 0.3;
    give the distribution itself, not a draw from it
    """
    if not isinstance(candidate, type):
        if callable(getattr(candidate, "log_p", None)) and callable(getattr(candidate, "sample", None)):
            ready: Distribution = candidate
            return ready
        if _is_complete(candidate):
            return _wrapped(candidate, where)
    raise InputError(f"{where} must be a distribution, but found {_described(candidate)}")


def _wrapped(candidate: Any, where: str) -> ScipyDistribution:
    frozen = candidate() if "rv_generic" in _scipy_bases(candidate) else candidate
    if _is_univariate(frozen) and np.isnan(frozen.support()).any():
        found = f"{_written(frozen)}, whose parameters scipy.stats does not allow"
        raise InputError(f"{where} must be a distribution, but found {found}")
    try:
        return ScipyDistribution(frozen)
    except NoDraws as reason:
        found = f"{_written(frozen)}, {reason}; wrap it in a class with log_p(x) and sample(rng)"
        raise InputError(f"{where} must be a distribution, but found {found}") from None


def _scipy_bases(candidate: Any) -> set[str]:
    return {kind.__name__ for kind in type(candidate).__mro__ if kind.__module__.startswith("scipy.stats")}


def _is_complete(candidate: Any) -> bool:
    bases = _scipy_bases(candidate)
    has_density = hasattr(candidate, "logpdf") or hasattr(candidate, "logpmf")
    # Not all classes of frozen distributions share a base.
    frozen = any(name.endswith("_frozen") for name in bases)
    return has_density and (_is_new(candidate) or frozen or bool(bases & _CUSTOMISED))


def _is_new(frozen: Any) -> bool:
    return bool(_scipy_bases(frozen) & {"ContinuousDistribution", "DiscreteDistribution", "Mixture"})


def _is_univariate(frozen: Any) -> bool:
    return hasattr(frozen, "support")


def _log_density(frozen: Any) -> Callable[[Any], Any]:
    discrete = "DiscreteDistribution" in _scipy_bases(frozen) or not hasattr(frozen, "logpdf")
    log_density: Callable[[Any], Any] = frozen.logpmf if discrete else frozen.logpdf
    return log_density


def _shapes(frozen: Any, family: Family | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if family is not None:
        return family.batch_shape, family.event_shape
    if _is_univariate(frozen):
        return np.broadcast_shapes(*map(np.shape, frozen.support())), ()
    return (), event_shape_of(frozen)


def _written(frozen: Any) -> str:
    if _is_new(frozen):
        return f"scipy.stats.{frozen!r}"
    if not hasattr(frozen, "dist"):
        return f"scipy.stats.{scipy_name(type(frozen))}(...)"
    given = [shown(value) for value in frozen.args]
    given += [f"{name}={shown(value)}" for name, value in frozen.kwds.items()]
    return f"{_family_name(frozen.dist)}({', '.join(given)})"


def _family_name(family: Any) -> str:
    name = scipy_name(type(family))
    return f"scipy.stats.{name}" if name else type(family).__name__


def _described(candidate: Any) -> str:
    """Say what was found in place of a distribution, and what to do about it."""
    if candidate is None:
        return "None; is a return missing?"
    if isinstance(candidate, type):
        return f"the class {candidate.__name__}; give its parameters, as in {candidate.__name__}(...)"
    if _scipy_bases(candidate) & {"rv_generic", "multi_rv_generic"}:
        family = _family_name(candidate)
        return f"the family {family}; give its parameters, as in {family}(...)"
    return _described_value(candidate) or _described_object(candidate)


def _described_value(candidate: Any) -> str:
    advice = "give the distribution itself, not a draw from it"
    if isinstance(candidate, (Number, np.generic)):
        return f"the number {shown(candidate)}; {advice}"
    if isinstance(candidate, np.ndarray):
        return f"an array of shape {candidate.shape}; {advice}"
    if isinstance(candidate, (list, tuple, dict, str)):
        return f"{shown(candidate)}; {advice}"
    if isinstance(candidate, (FunctionType, MethodType, BuiltinFunctionType, partial)):
        return f"the function {getattr(candidate, '__name__', 'partial')}; give what it returns"
    return ""


def _described_object(candidate: Any) -> str:
    kind = type(candidate)
    name = kind.__name__ if kind.__module__ in {"builtins", "__main__"} else f"{kind.__module__}.{kind.__name__}"
    missing = [method for method in ("log_p", "sample") if not callable(getattr(candidate, method, None))]
    instead = ", though it has log_prob" if callable(getattr(candidate, "log_prob", None)) else ""
    return (
        f"an object of class {name}, which has no {' and no '.join(missing)}{instead}; "
        "wrap it in a class with log_p(x) and sample(rng)"
    )
