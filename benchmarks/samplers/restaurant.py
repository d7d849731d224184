"""A Chinese restaurant process mixture: collapsed Gibbs, split-merge and a sampled concentration."""

from mcassay.models.restaurant import RestaurantMixture

subject = RestaurantMixture(points=8).subject()
