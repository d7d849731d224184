"""The paper's mixture of Gaussians."""

from mcassay.models.mixture import IsotropicMixture

subject = IsotropicMixture().subject()
