"""Which models have a compiled form."""

from dataclasses import fields
from typing import Any

from mcassay.errors import reject
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled.collapsed import (
    CompiledCollapsedGaussianMixture,
    CompiledCollapsedIsotropicMixture,
    CompiledRestaurantMixture,
)
from mcassay.models.compiled.mixtures import (
    CompiledFullCovarianceMixture,
    CompiledIsotropicMixture,
    CompiledUntiedCovarianceMixture,
    CompiledUntiedIsotropicMixture,
)
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.untied import UntiedIsotropicMixture

FORMS: dict[type, type] = {
    IsotropicMixture: CompiledIsotropicMixture,
    UntiedIsotropicMixture: CompiledUntiedIsotropicMixture,
    FullCovarianceMixture: CompiledFullCovarianceMixture,
    UntiedCovarianceMixture: CompiledUntiedCovarianceMixture,
    CollapsedIsotropicMixture: CompiledCollapsedIsotropicMixture,
    CollapsedGaussianMixture: CompiledCollapsedGaussianMixture,
    RestaurantMixture: CompiledRestaurantMixture,
}


def compiled_form(model: Any) -> Any:
    """Return the compiled form of a model; one that is compiled already is its own."""
    if type(model) in FORMS.values():
        return model
    if type(model) not in FORMS:
        reject("compiled", "model", f"be one of {', '.join(kind.__name__ for kind in FORMS)}", model)
    return FORMS[type(model)](**{field.name: getattr(model, field.name) for field in fields(model)})
