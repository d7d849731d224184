"""What is left of each of several statistics when all the others are known: a quadratic regression on a reference batch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from mcassay.errors import reject
from mcassay.vocabulary import FloatArray

_WIDTH = 9.0
_RIDGE = 30.0
_SMALLEST = 1e-3


@dataclass(frozen=True)
class Rest:
    """Regressions of the normal score of every chosen statistic on those of the others, their squares and products.

    An update draws a block given all the others. What all the others leave of it shows an error that hides behind the
    variation of what the block depends on.

    Attributes
    ----------
    chosen
        The places of the statistics.
    coefficients
        One column a statistic: zero for the statistic itself and its products, so that one product of matrices does all.
    precision
        The reciprocal of the standard deviation of what is left.
    """

    chosen: tuple[int, ...]
    coefficients: FloatArray
    precision: FloatArray

    @classmethod
    def fit(cls, scores: FloatArray, chosen: Sequence[int]) -> "Rest":
        """Fit to the normal scores of a batch, an ``n x S`` array."""
        places = tuple(int(place) for place in chosen)
        if len(set(places)) < len(places) or not all(0 <= place < scores.shape[-1] for place in places):
            reject("Directions", "together", f"be different statistics below {scores.shape[-1]}", list(chosen))
        score = scores[:, list(places)].T
        features = _features(score)
        gram, cross = features @ features.T, features @ score.T
        coefficients = np.zeros(cross.shape)
        for target, apart in enumerate(_without(len(places))):
            kept = gram[np.ix_(apart, apart)] + _RIDGE * np.eye(int(apart.sum()))
            coefficients[apart, target] = np.linalg.solve(kept, cross[apart, target])
        left = (score - coefficients.T @ features).std(axis=1)
        return cls(places, coefficients, 1 / np.maximum(left, _SMALLEST))

    def residuals(self, scores: FloatArray) -> FloatArray:
        """Return what is left of normal scores of shape ``(S, n)``, in standard deviations: shape ``(chosen, n)``."""
        score = scores[list(self.chosen)]
        return np.asarray((score - self.coefficients.T @ _features(score)) * self.precision[:, np.newaxis])


def _features(score: FloatArray) -> FloatArray:
    """Return a constant, the scores, and their squares and products: one row each."""
    first, second = np.triu_indices(len(score))
    return np.concatenate([np.ones((1, score.shape[1])), score, score[first] * score[second]])


def _without(count: int) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Say for each of so many statistics which features it has no part in."""
    first, second = np.triu_indices(count)
    parts = [(np.arange(count) == j, (first == j) | (second == j)) for j in range(count)]
    return [~np.concatenate([[False], alone, product]) for alone, product in parts]


def normal_scores(u: FloatArray) -> FloatArray:
    """Return normal scores, cut off at about 3.7 so that nothing is infinite."""
    return np.asarray(ndtri(np.clip(u, 1e-4, 1 - 1e-4)))


def squeezed(residual: FloatArray, out: FloatArray) -> None:
    """Map numbers to (0, 1), nearly linearly up to about three."""
    np.divide(residual, np.sqrt(_WIDTH + residual * residual), out=out)
    out *= 0.5
    out += 0.5
