"""The binomial distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, expit, xlog1py, xlogy

from mcassay.distributions.base import Family, Shape, inside
from mcassay.distributions.parameters import common_shape, count, natural_rows
from mcassay.distributions.parameters import probability as read_probability
from mcassay.distributions.stirling import binomial_log_p
from mcassay.vocabulary import FloatArray, Generator


class Binomial(Family):
    """Binomial distribution, the number of successes; array parameters give independent components.

    Parameters
    ----------
    trials
        The number of trials.
    probability
        The probability of success in each, 0 and 1 included.

    Examples
    --------
    >>> import numpy as np
    >>> binomial = Binomial(4, [0.0, 0.5])
    >>> binomial.log_p([0, 2])
    array([ 0.        , -0.98082925])
    >>> binomial.mean
    array([0., 2.])
    >>> binomial.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    support = "integer"

    def __init__(self, trials: ArrayLike, probability: ArrayLike) -> None:
        self._trials = count("Binomial", "trials", trials)
        self._probability = read_probability("Binomial", "probability", probability)
        self.batch_shape = common_shape("Binomial", trials=self._trials, probability=self._probability)
        self.parameters = {"trials": self._trials, "probability": self._probability}

    @property
    def mean(self) -> FloatArray:
        """The mean of every component."""
        return self._per_component(self._trials * self._probability)

    @property
    def variance(self) -> FloatArray:
        """The variance of every component."""
        return self._per_component(self._trials * self._probability * (1 - self._probability))

    def log_p(self, x: Any, /) -> FloatArray:
        """Log probability of every component."""
        x = self._points(x)
        with np.errstate(invalid="ignore"):
            chances = xlogy(x, self._probability) + xlog1py(self._trials - x, -self._probability)
            log_p = binomial_log_p(self._trials, self._probability, x, chances + self.log_base_measure(x))
        return inside((x >= 0) & (x <= self._trials) & (x == np.floor(x)), log_p)

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        return rng.binomial(self._trials.astype(np.int64), self._probability, shape)

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(x,)``."""
        return self._doubles(x)[..., np.newaxis]

    @property
    def natural_parameters(self) -> FloatArray:
        """``(log(probability / (1 - probability)),)``, infinite for the probabilities 0 and 1."""
        with np.errstate(divide="ignore"):
            log_odds = np.log(self._probability) - np.log1p(-self._probability)
        return self._per_component(log_odds)[..., np.newaxis]

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Return the logarithm of the number of ways to place x successes among the trials."""
        x = self._doubles(x)
        # By the beta function, which keeps its digits where few of many trials succeed, and three log gammas cancel.
        ways = -betaln(self._trials - x + 1, x + 1) - np.log1p(self._trials)
        one_way: FloatArray = np.where((x == 0) | (x == self._trials), 0.0, ways)
        return one_way[()]

    def with_natural_parameters(self, natural: FloatArray, /) -> "Binomial":
        """Return the binomial of the same trials that has these natural parameters."""
        return Binomial(self._trials, expit(natural_rows("Binomial", natural, 1)[..., 0]))
