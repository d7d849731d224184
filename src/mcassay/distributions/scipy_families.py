"""Which distribution of scipy.stats is which of ours."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mcassay.distributions.base import Family
from mcassay.distributions.bernoulli import Bernoulli
from mcassay.distributions.beta import Beta
from mcassay.distributions.binomial import Binomial
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.exponential import Exponential
from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.multivariate_student_t import MultivariateStudentT
from mcassay.distributions.normal import Normal
from mcassay.distributions.normal_inverse_gamma import NormalInverseGamma
from mcassay.distributions.poisson import Poisson
from mcassay.distributions.student_t import StudentT
from mcassay.distributions.uniform import Uniform
from mcassay.distributions.wishart import Wishart
from mcassay.errors import InputError

# By scipy's name: what loc and scale have to be, and ours in terms of the other arguments.
_UNIVARIATE: Mapping[str, tuple[dict[str, int], Callable[..., Family]]] = {
    "norm": ({}, lambda loc, scale: Normal(loc, sd=scale)),
    "gamma": ({"loc": 0}, lambda a, scale: Gamma(a, scale=scale)),
    "invgamma": ({"loc": 0}, lambda a, scale: InverseGamma(a, scale=scale)),
    "expon": ({"loc": 0}, lambda scale: Exponential(scale=scale)),
    "beta": ({"loc": 0, "scale": 1}, lambda a, b: Beta(a, b)),
    "uniform": ({}, lambda loc, scale: Uniform(loc, np.add(loc, scale))),
    "t": ({}, lambda df, loc, scale: StudentT(df, location=loc, scale=scale)),
    "poisson": ({"loc": 0}, lambda mu: Poisson(mu)),
    "binom": ({"loc": 0}, lambda n, p: Binomial(n, p)),
    "bernoulli": ({"loc": 0}, lambda p: Bernoulli(p)),
}

_MULTIVARIATE: Mapping[str, Callable[[Any], Family]] = {
    "multivariate_normal": lambda d: MultivariateNormal(d.mean, covariance=d.cov),
    "multivariate_t": lambda d: MultivariateStudentT(d.df, d.loc, scale_matrix=d.shape),
    "dirichlet": lambda d: Dirichlet(d.alpha),
    "wishart": lambda d: Wishart(d.df, scale=d.scale),
    "invwishart": lambda d: InverseWishart(d.df, scale=d.scale),
    "normal_inverse_gamma": lambda d: _normal_inverse_gamma(*d._shapes),
}


def _normal_inverse_gamma(mean: Any, mean_count: Any, shape: Any, scale: Any) -> Family:
    return NormalInverseGamma(mean, mean_count=mean_count, shape=shape, scale=scale)


_NEW: Mapping[str, Callable[[Any], Family]] = {
    "Normal": lambda d: Normal(d.mu, sd=d.sigma),
    "StandardNormal": lambda _: Normal(0.0, sd=1.0),
    "Uniform": lambda d: Uniform(d.a, d.b),
    "Binomial": lambda d: Binomial(d.n, d.p),
}


def translated(frozen: Any) -> Family | None:
    """Return the distribution of scipy.stats as one of ours, or None where there is none.

    Examples
    --------
    >>> import scipy.stats
    >>> translated(scipy.stats.gamma(2.0, scale=3.0))
    Gamma(shape=2, scale=3)
    >>> translated(scipy.stats.gamma(2.0, loc=1.0)) is None
    True
    """
    try:
        if hasattr(frozen, "dist"):
            return _univariate(frozen)
        name = scipy_name(type(frozen))
        table = _NEW if type(frozen).__module__ == "scipy.stats._new_distributions" else _MULTIVARIATE
        return table[name](frozen) if name in table else None
    except InputError:
        # Such as a rate of infinity, or a singular covariance: in scipy's family and not in ours.
        return None


def scipy_name(kind: type) -> str:
    """Return the name under which scipy.stats offers a class's members; "" for the classes of others."""
    if not kind.__module__.startswith("scipy.stats"):
        return ""
    return kind.__name__.removesuffix("_gen").removesuffix("_frozen")


def scipy_arguments(frozen: Any) -> dict[str, Any]:
    """Return the arguments of a frozen univariate distribution by name, loc and scale included."""
    names = [name.strip() for name in (frozen.dist.shapes or "").split(",") if name.strip()]
    # A discrete distribution has no scale; it is 1 then.
    given = dict(zip([*names, "loc", "scale"], frozen.args, strict=False))
    return {"loc": 0, "scale": 1, **given, **frozen.kwds}


def _univariate(frozen: Any) -> Family | None:
    name = scipy_name(type(frozen.dist))
    if name not in _UNIVARIATE:
        return None
    required, ours = _UNIVARIATE[name]
    arguments = scipy_arguments(frozen)
    if any(np.any(np.asarray(arguments.pop(name)) != value) for name, value in required.items()):
        return None
    if hasattr(frozen.dist, "logpmf"):
        arguments.pop("scale")
    return ours(**arguments)
