"""The Bernoulli distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mcassay.distributions.base import Shape
from mcassay.distributions.binomial import Binomial
from mcassay.distributions.parameters import natural_rows
from mcassay.distributions.parameters import probability as read_probability
from mcassay.vocabulary import FloatArray, Generator

_ONE: FloatArray = np.ones(())


class Bernoulli(Binomial):
    """Bernoulli distribution, the binomial of one trial; array parameters give independent components.

    Parameters
    ----------
    probability
        The probability of 1, from 0 to 1, both included.

    Examples
    --------
    >>> import numpy as np
    >>> bernoulli = Bernoulli([0.0, 0.25])
    >>> bernoulli.log_p([0, 1])
    array([ 0.        , -1.38629436])
    >>> bernoulli.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    def __init__(self, probability: ArrayLike) -> None:
        self._trials = _ONE
        self._probability = read_probability("Bernoulli", "probability", probability)
        self.batch_shape = self._probability.shape
        self.parameters = {"probability": self._probability}

    def _drawn(self, rng: Generator, shape: Shape) -> Any:
        # Far faster than rng.binomial, which sets up anew for every probability.
        return (rng.random(shape) < self._probability).astype(np.int64)

    def log_base_measure(self, x: Any, /) -> FloatArray:
        """Zero: one success can be placed in one way only."""
        return np.zeros(self._doubles(x).shape)

    def with_natural_parameters(self, natural: FloatArray, /) -> "Bernoulli":
        """Return the Bernoulli that has these natural parameters."""
        return Bernoulli(expit(natural_rows("Bernoulli", natural, 1)[..., 0]))
