"""The categorical distribution."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.parameters import adding_to_one, natural_rows, require, rows
from mcassay.errors import InputError
from mcassay.vocabulary import FloatArray, Generator, IntArray

_CACHED = 2**15


class Categorical(Family):
    """Categorical distribution over 0 to K - 1; further leading axes give independent components.

    Made by ``Categorical.from_probabilities`` or ``Categorical.from_log_odds``: an array of shape (N, K) gives N
    integers, one a row, and one of shape (K,) a single integer.

    Examples
    --------
    >>> import numpy as np
    >>> coin = Categorical.from_probabilities([0.5, 0.5, 0.0])
    >>> coin.log_p([0, 1, 2])
    array([-0.69314718, -0.69314718,        -inf])
    >>> assignments = Categorical.from_log_odds([[0.0, 1e4, -np.inf], [2.0, 2.0, 2.0]])
    >>> assignments.sample(np.random.default_rng(1))
    array([1, 2])
    >>> assignments.probabilities
    array([[0.        , 1.        , 0.        ],
           [0.33333333, 0.33333333, 0.33333333]])
    """

    support = "integer"
    _parameter_axes: Mapping[str, int] = {"probabilities": 1, "log_odds": 1}

    def __init__(self, *_: Any, **__: Any) -> None:
        raise InputError(
            "Categorical: say what the numbers are, by Categorical.from_probabilities(probabilities) "
            "or Categorical.from_log_odds(log_odds)"
        )

    @classmethod
    def from_probabilities(cls, probabilities: ArrayLike) -> Self:
        """Return the categorical with these probabilities, each row adding up to 1; zeros are allowed."""
        array = rows("Categorical", "probabilities", probabilities)
        # Rounding may well leave 1 + 2e-16; the sum decides whether that is too much.
        require("Categorical", "probabilities", "be from 0 to 1", array, (array >= 0) & (array <= 1.0001))
        holds = adding_to_one(array)
        if not holds.all():
            require("Categorical", "the sum of probabilities", "be 1", array.sum(axis=-1), holds)
        return cls._of("probabilities", array)

    @classmethod
    def from_log_odds(cls, log_odds: ArrayLike) -> Self:
        """Return the categorical with probabilities proportional to ``exp(log_odds)``, in each row; -inf is a zero."""
        array = rows("Categorical", "log_odds", log_odds)
        require("Categorical", "log_odds", "be numbers below inf", array, array < math.inf)
        categorical = cls._of("log_odds", array)
        peak = categorical._peak[..., 0]
        require("Categorical", "the largest of log_odds", "be finite", peak, peak > -math.inf)
        return categorical

    @classmethod
    def _of(cls, name: str, array: FloatArray) -> Self:
        categorical = cls.__new__(cls)
        categorical.parameters = {name: array}
        categorical.batch_shape = array.shape[:-1]
        return categorical

    @classmethod
    def _rebuilt(cls, parameters: Mapping[str, Any]) -> Self:
        ((name, value),) = parameters.items()
        return cls.from_log_odds(value) if name == "log_odds" else cls.from_probabilities(value)

    @property
    def _given(self) -> FloatArray:
        (array,) = self.parameters.values()
        return array

    @cached_property
    def _peak(self) -> FloatArray:
        peak: FloatArray = self._given.max(axis=-1, keepdims=True)
        return peak

    @cached_property
    def _log_total(self) -> FloatArray:
        total: FloatArray = np.log(self._weights.sum(axis=-1, keepdims=True))
        return total

    @property
    def _weights(self) -> FloatArray:
        """Return what is proportional to the probabilities in each row, without overflow."""
        if "probabilities" in self.parameters:
            return self._given
        with np.errstate(over="ignore"):
            weights = self._given - self._peak
        return np.exp(weights, out=weights)

    @property
    def probabilities(self) -> FloatArray:
        """The probabilities, of shape ``batch_shape + (K,)``."""
        weights = self._weights
        return weights if "probabilities" in self.parameters else weights / weights.sum(axis=-1, keepdims=True)

    @property
    def mean(self) -> FloatArray:
        """The mean of the integers, which is of use only where their order means something."""
        mean: FloatArray = self.probabilities @ np.arange(self._given.shape[-1])
        return mean

    @property
    def variance(self) -> FloatArray:
        """The variance of the integers."""
        deviations = np.arange(self._given.shape[-1]) - np.asarray(self.mean)[..., np.newaxis]
        variance: FloatArray = (self.probabilities * deviations**2).sum(axis=-1)
        return variance

    def log_p(self, x: Any, /) -> FloatArray:
        """Log probability of every component; -inf for what is no integer from 0 to K - 1."""
        x = self._points(x)
        valid = (x >= 0) & (x < self._given.shape[-1]) & (x == np.floor(x))
        label = np.where(valid, x, 0).astype(np.intp)
        chosen = _entries(self._given, label)
        with np.errstate(divide="ignore", over="ignore"):
            if "probabilities" in self.parameters:
                return inside(valid, np.log(chosen))
            return inside(valid, (chosen - self._peak[..., 0]) - self._log_total[..., 0])

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        if shape == self.batch_shape and len(shape) == 1:
            return self._sample_rows(rng)
        cumulative = np.cumsum(self._weights, axis=-1, dtype=np.float64)
        # The first category whose cumulative weight lies above the level. The level is below the last of these even
        # after rounding, so that a category of weight 0 is never drawn, at the end of a row neither.
        level = rng.random(shape) * cumulative[..., -1]
        if not self.batch_shape:
            return np.searchsorted(cumulative, level, side="right")
        labels: IntArray = (cumulative > level[..., np.newaxis]).argmax(axis=-1)
        return labels

    def _sample_rows(self, rng: Generator) -> IntArray:
        """Draw one integer a row, some rows at a time: their weights stay in the processor's cache."""
        (count,), categories = self.batch_shape, self._given.shape[-1]
        level, labels = rng.random(count), np.empty(count, np.int64)
        size = max(1, _CACHED // categories)
        for begin in range(0, count, size):
            rows = slice(begin, begin + size)
            cumulative = self._weights_of(rows)
            for category in range(1, categories):
                cumulative[category] += cumulative[category - 1]
            # As many categories lie at or below the level as the label says; the level is below the last of them.
            np.add.reduce(cumulative <= cumulative[-1] * level[rows], axis=0, out=labels[rows])
        return labels

    def _weights_of(self, rows: slice) -> FloatArray:
        """Return the weights of some rows, one column a row."""
        weights = self._given[rows].T.astype(np.float64, order="C")
        if "log_odds" in self.parameters:
            with np.errstate(over="ignore"):
                weights -= self._peak[rows, 0]
            np.exp(weights, out=weights)
        return weights

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """One-hot rows: 1 at x and 0 elsewhere."""
        hot: FloatArray = (self._doubles(x)[..., np.newaxis] == np.arange(self._given.shape[-1])).astype(float)
        return hot

    @property
    def natural_parameters(self) -> FloatArray:
        """The log probabilities, -inf for a probability of 0."""
        with np.errstate(divide="ignore", over="ignore"):
            if "probabilities" in self.parameters:
                return np.log(self._given)
            return (self._given - self._peak) - self._log_total

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: the probability has no part free of the parameters."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "Categorical":
        """Return the categorical with these log probabilities up to a constant in each row."""
        natural = natural_rows("Categorical", natural, self._given.shape[-1])
        categorical = Categorical.from_log_odds(natural)
        if "log_odds" in self.parameters:
            return Categorical.from_log_odds(categorical.natural_parameters)
        return Categorical.from_probabilities(categorical.probabilities)

    def __repr__(self) -> str:
        name, inner = next(iter(self.parameters)), super().__repr__()
        return inner.replace(f"({name}=", f".from_{name}(", 1)


def _entries(table: FloatArray, label: IntArray) -> FloatArray:
    """Pick one entry from the last axis of each row; the labels broadcast against the rows."""
    flat = table.reshape(-1, table.shape[-1])
    row = np.arange(len(flat)).reshape(table.shape[:-1])
    picked: FloatArray = flat[row, label]
    return picked
