"""The finite mixtures with a compiled draw of the labels and compiled sums over the points.

Conditionals are those of the models themselves. What is compiled are their inner loops, and the draw of the labels, which never
makes the table of all probabilities; it is made where somebody asks for it, as a check does that compares draws with densities.
"""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from mcassay.distributions.base import Shape
from mcassay.distributions.categorical import Categorical
from mcassay.distributions.matrices import Root
from mcassay.models.compiled.assignments import draw_isotropic, draw_whitened
from mcassay.models.compiled.sums import sum_outer, sum_points, sum_squares
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.gaussian_mixture import GaussianMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.vocabulary import Data, FloatArray, Generator, IntArray, State


class CompiledLabels(Categorical):
    """One label a point; draws are compiled, and probabilities are computed only if they are asked for."""

    def __init__(self, points: int, draw: Callable[[FloatArray], IntArray], exact: Callable[[], Categorical]) -> None:
        self.batch_shape = (points,)
        self._draw, self._exact = draw, exact

    @cached_property
    def parameters(self) -> dict[str, Any]:  # type: ignore[override]
        """The log odds of every label."""
        return dict(self._exact().parameters)

    @classmethod
    def _rebuilt(cls, parameters: Mapping[str, Any]) -> Any:
        return Categorical._rebuilt(parameters)  # some of the points: no draw is compiled for them

    def _drawn(self, rng: Generator, shape: Shape) -> IntArray:
        (points,) = self.batch_shape
        if shape is None or len(shape) == 1:
            return self._draw(rng.random(points))
        draws = [self._draw(rng.random(points)) for _ in range(math.prod(shape[:-1]))]
        return np.array(draws, np.int64).reshape(shape)


class CompiledSums(GaussianMixture):
    """The sums over the points of every cluster, compiled."""

    def cluster_sums(self, state: State, data: Data) -> FloatArray:
        """Add up the data points of every cluster: shape (K, D)."""
        return sum_points(_floats(data), state["z"], self.clusters)

    def cluster_squares(self, state: State, data: Data) -> FloatArray:
        """Add up the squared distances of every cluster's points from its mean: shape (K,)."""
        return sum_squares(_floats(data), state["z"], state["mu"])


class CompiledIsotropicMixture(CompiledSums, IsotropicMixture):
    """The isotropic mixture, compiled."""

    def squares(self, state: State, data: Data) -> float:
        """Add up the squared distances of all points from their means."""
        return float(self.cluster_squares(state, data).sum())

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        precisions = np.full(self.clusters, 1 / state["sigma_sq_n"])

        def draw(uniforms: FloatArray) -> IntArray:
            return draw_isotropic(_floats(data), _logs(state["pi"]), state["mu"], precisions, uniforms)

        return CompiledLabels(len(data), draw, lambda: IsotropicMixture.cond_z(self, state, data))


class CompiledUntiedIsotropicMixture(CompiledSums, UntiedIsotropicMixture):
    """The isotropic mixture with untied variances, compiled."""

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        variances = state["sigma_sq_n"]
        log_weights = _logs(state["pi"]) - 0.5 * self.dimensions * np.log(variances)

        def draw(uniforms: FloatArray) -> IntArray:
            return draw_isotropic(_floats(data), log_weights, state["mu"], 1 / variances, uniforms)

        return CompiledLabels(len(data), draw, lambda: UntiedIsotropicMixture.cond_z(self, state, data))


class CompiledFullCovarianceMixture(CompiledSums, FullCovarianceMixture):
    """The mixture with a full covariance, compiled."""

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        whitener = _inverse_factors(state["covariance"][np.newaxis])[0]

        def draw(uniforms: FloatArray) -> IntArray:
            # Whitened about a point among the data, so that no digits are lost far from the origin.
            origin = _floats(data)[0]
            points, centres = (data - origin) @ whitener.T, (state["mu"] - origin) @ whitener.T
            return draw_isotropic(points, _logs(state["pi"]), centres, np.ones(self.clusters), uniforms)

        return CompiledLabels(len(data), draw, lambda: FullCovarianceMixture.cond_z(self, state, data))


class CompiledUntiedCovarianceMixture(CompiledSums, UntiedCovarianceMixture):
    """The mixture with untied covariances, compiled."""

    def cluster_scatter(self, state: State, data: Data) -> FloatArray:
        """Add up the outer squares of every cluster's points about its mean: shape (K, D, D)."""
        return sum_outer(_floats(data), state["z"], state["mu"])

    def cond_z(self, state: State, data: Data) -> Categorical:
        """Return the conditional of the assignments, one row a data point."""
        whiteners = _inverse_factors(state["covariance"])
        log_weights = _logs(state["pi"]) + np.log(np.diagonal(whiteners, axis1=-2, axis2=-1)).sum(axis=-1)

        def draw(uniforms: FloatArray) -> IntArray:
            return draw_whitened(_floats(data), log_weights, state["mu"], whiteners, uniforms)

        return CompiledLabels(len(data), draw, lambda: UntiedCovarianceMixture.cond_z(self, state, data))


def _floats(data: Data) -> FloatArray:
    return np.ascontiguousarray(data, np.float64)


def _logs(probabilities: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        logs: FloatArray = np.log(probabilities)
    return logs


def _inverse_factors(covariances: FloatArray) -> FloatArray:
    identity = np.eye(covariances.shape[-1])
    return np.stack([solve_triangular(lower, identity, lower=True) for lower in Root.of(covariances).lower])
