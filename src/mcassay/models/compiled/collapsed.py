"""The models whose clusters' parameters are integrated out, with compiled updates of the labels."""

from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled.labels import CompiledFiniteGibbs, CompiledRestaurantGibbs, CompiledSplitMerge
from mcassay.models.compiled.mixtures import CompiledIsotropicMixture
from mcassay.models.restaurant import RestaurantMixture


class CompiledCollapsedGaussianMixture(CollapsedGaussianMixture):
    """The collapsed full mixture, compiled."""

    def label_gibbs(self) -> CompiledFiniteGibbs:
        """Return the Gibbs sampler of the labels."""
        return CompiledFiniteGibbs(self.empty_cluster, lambda state: self.alpha, clusters=self.clusters)


class CompiledCollapsedIsotropicMixture(CollapsedIsotropicMixture):
    """The collapsed isotropic mixture, compiled."""

    _mixture = CompiledIsotropicMixture

    def label_gibbs(self) -> CompiledFiniteGibbs:
        """Return the Gibbs sampler of the labels."""
        return CompiledFiniteGibbs(self.empty_cluster, lambda state: self.alpha, clusters=self.clusters)


class CompiledRestaurantMixture(RestaurantMixture):
    """The restaurant mixture, compiled."""

    def label_gibbs(self) -> CompiledRestaurantGibbs:
        """Return the Gibbs sampler of the labels, algorithm 3 of Neal."""
        return CompiledRestaurantGibbs(self.empty_cluster, self.process.concentration_of)

    def split_merge(self, scans: int = 5) -> CompiledSplitMerge:
        """Return the split-merge sampler of Jain and Neal."""
        return CompiledSplitMerge(self.empty_cluster, self.process.concentration_of, scans=scans)
