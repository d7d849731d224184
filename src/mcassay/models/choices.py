"""The models that ``fit`` knows by name, with priors for points on a standard scale, and where their chains start."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.errors import reject
from mcassay.kernels.compose import Cycle
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture, CollapsedMixture
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.gaussian_mixture import GaussianMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.seating import canonical
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.vocabulary import FloatArray, Generator, IntArray, State, Step

# The prior mean of the variance within clusters, in units of the variance of all points.
WITHIN = 0.2
CLUSTERS = 10
_AT_ONCE = 50_000

SPLIT_MERGE = "crp+split-merge"


@dataclass(frozen=True)
class Chosen:
    """A model, and which of its updates a sweep has."""

    model: Any
    split_merge: bool = True

    @property
    def sweep(self) -> Step:
        """One sweep of its sampler."""
        if isinstance(self.model, GaussianMixture):
            return self.model.gibbs()
        cycle: Cycle = self.model.sampler()
        return cycle if self.split_merge else Cycle({name: s for name, s in cycle.steps.items() if name != "split_merge"})


def _isotropic(points: int, dimensions: int, clusters: int) -> IsotropicMixture:
    return IsotropicMixture(clusters=clusters, dimensions=dimensions, points=points, sigma_sq_n_prior=_within())


def _untied(points: int, dimensions: int, clusters: int) -> UntiedIsotropicMixture:
    return UntiedIsotropicMixture(clusters=clusters, dimensions=dimensions, points=points, sigma_sq_n_prior=_within())


def _full(points: int, dimensions: int, clusters: int) -> FullCovarianceMixture:
    prior = _covariance(dimensions)
    return FullCovarianceMixture(clusters=clusters, dimensions=dimensions, points=points, covariance_prior=prior)


def _untied_full(points: int, dimensions: int, clusters: int) -> UntiedCovarianceMixture:
    prior = _covariance(dimensions)
    return UntiedCovarianceMixture(clusters=clusters, dimensions=dimensions, points=points, covariance_prior=prior)


def _collapsed_isotropic(points: int, dimensions: int, clusters: int) -> CollapsedIsotropicMixture:
    return CollapsedIsotropicMixture(clusters=clusters, dimensions=dimensions, points=points, sigma_sq_n_prior=_within())


def _collapsed(points: int, dimensions: int, clusters: int) -> CollapsedGaussianMixture:
    return CollapsedGaussianMixture(clusters=clusters, points=points, cluster_prior=_cluster(dimensions))


def _restaurant(points: int, dimensions: int, clusters: int) -> RestaurantMixture:
    return RestaurantMixture(points=points, concentration=Gamma(2.0, rate=4.0), cluster_prior=_cluster(dimensions))


def _within() -> InverseGamma:
    return InverseGamma(2.0, scale=WITHIN)


def _covariance(dimensions: int) -> InverseWishart:
    return InverseWishart(dimensions + 2, scale=WITHIN * np.eye(dimensions))


def _cluster(dimensions: int) -> NormalInverseWishart:
    centre, scale = np.zeros(dimensions), WITHIN * np.eye(dimensions)
    return NormalInverseWishart(centre, mean_count=0.1, degrees_of_freedom=dimensions + 2, scale=scale)


NAMED: dict[str, Callable[[int, int, int], Any]] = {
    "isotropic": _isotropic,
    "untied": _untied,
    "full": _full,
    "untied-full": _untied_full,
    "collapsed-isotropic": _collapsed_isotropic,
    "collapsed": _collapsed,
    "crp": _restaurant,
    SPLIT_MERGE: _restaurant,
}


def choose_model(model: Any, clusters: int | None, points: int, dimensions: int) -> Chosen:
    """Return the model of a name, or the model that was given, for this many points."""
    if isinstance(model, str):
        if model not in NAMED:
            reject("fit", "model", f"be one of {', '.join(NAMED)}, or a model", model)
        if clusters is not None and model.startswith("crp"):
            reject("fit", "clusters", f'be left out where the model is "{model}", which finds how many there are', clusters)
        made = NAMED[model](points, dimensions, CLUSTERS if clusters is None else clusters)
        return Chosen(made, split_merge=model == SPLIT_MERGE)
    if not isinstance(model, (GaussianMixture, CollapsedMixture, RestaurantMixture)):
        reject("fit", "model", f"be one of {', '.join(NAMED)}, or a model", model)
    if clusters is not None:
        reject("fit", "clusters", "be left out where a model is given, which has its own", clusters)
    if model.dimensions != dimensions:  # type: ignore[union-attr]
        rule = f"have as many dimensions as X has columns, {dimensions}"
        reject("fit", "model", rule, model.dimensions)  # type: ignore[union-attr]
    return Chosen(replace(model, points=points))


def start(chosen: Chosen, data: FloatArray, rng: Generator) -> State:
    """Return a state to start from: labels by the nearest of some points, and the rest given them."""
    model = chosen.model
    if isinstance(model, RestaurantMixture):
        seeds = int(rng.integers(1, min(len(data), CLUSTERS) + 1))
        return {**replace(model, points=1).prior(rng), "z": canonical(_nearest(data, seeds, rng))}
    state = {**model.prior(rng), "z": _nearest(data, min(model.clusters, len(data)), rng)}
    if isinstance(model, GaussianMixture):
        updates = model.gibbs().parts()
        for block in ("mu", model.spread, "sigma_sq_mu", "pi"):
            state = updates[block](state, data, rng)
    return state


def _nearest(data: FloatArray, seeds: int, rng: Generator) -> IntArray:
    """Return for every point which of some points chosen at random is nearest, a few points at a time."""
    centres = data[rng.choice(len(data), seeds, replace=False)]
    parts = [cdist(data[i : i + _AT_ONCE], centres, "sqeuclidean").argmin(axis=1) for i in range(0, len(data), _AT_ONCE)]
    return np.concatenate(parts).astype(np.int64)
