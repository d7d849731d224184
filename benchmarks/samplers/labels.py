"""A mixture of Gaussians whose clusters have variances of their own."""

from mcassay.models.untied import UntiedIsotropicMixture

subject = UntiedIsotropicMixture().subject()
