"""A mixture of Gaussians whose clusters share a full covariance."""

from mcassay.models.full_covariance import FullCovarianceMixture

subject = FullCovarianceMixture().subject()
