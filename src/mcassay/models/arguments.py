"""Reading the arguments of models: what is found, or an error that says what would be right."""

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from mcassay.distributions.base import Family
from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.errors import reject

Part = TypeVar("Part")

_WRITTEN: dict[type[Family], str] = {
    Gamma: "a Gamma(shape, rate=...)",
    InverseGamma: "an InverseGamma(shape, scale=...)",
    InverseWishart: "an InverseWishart(degrees_of_freedom, scale=...)",
    NormalInverseWishart: "a NormalInverseWishart(mean, mean_count=..., degrees_of_freedom=..., scale=...)",
}


def require_counts(model: Any, *names: str) -> None:
    """Raise an error unless arguments are whole numbers from 1 on."""
    for name in names:
        number = getattr(model, name)
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            reject(type(model).__name__, name, "be a whole number of at least 1", number)


def require_positive(model: Any, *names: str) -> None:
    """Raise an error unless arguments are positive numbers."""
    for name in names:
        if not is_positive(getattr(model, name)):
            reject(type(model).__name__, name, "be a positive number", getattr(model, name))


def is_positive(value: Any) -> bool:
    """Say whether something is a positive finite number."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and bool(0 < value < math.inf)


def require_concentration(model: Any) -> None:
    """Raise an error unless a concentration is a positive number, or a Gamma prior of one."""
    if isinstance(model.concentration, Gamma):
        require_family(model, "concentration", Gamma)
    elif not is_positive(model.concentration):
        rule = "be a positive number, or a Gamma(shape, rate=...) prior of it"
        reject(type(model).__name__, "concentration", rule, model.concentration)


def with_replaced(where: str, own: Mapping[str, Part], replaced: Mapping[str, Part]) -> dict[str, Part]:
    """Return named parts with some replaced, after an error for a name that is none of theirs."""
    for name in replaced:
        if name not in own:
            reject(where, "every name", f"be one of {', '.join(own)}", name)
    return {**own, **replaced}


def require_family(model: Any, name: str, family: type[Family], dimensions: int | None = None) -> None:
    """Raise an error unless an argument is a distribution of one variable, of this family, and of this dimension if given."""
    prior = getattr(model, name)
    if not isinstance(prior, family) or prior.batch_shape != ():
        reject(type(model).__name__, name, f"be {_WRITTEN[family]} of one variable", prior)
    if dimensions is not None and prior.event_shape[0] != dimensions:
        reject(type(model).__name__, name, f"have as many dimensions as the model, {dimensions}", prior.event_shape[0])
