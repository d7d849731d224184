"""The exponential distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.gamma import Gamma
from mcassay.distributions.parameters import exactly_one, natural_rows, positive
from mcassay.vocabulary import FloatArray


class Exponential(Gamma):
    """Exponential distribution, the gamma of shape 1; array parameters give independent components.

    Parameters
    ----------
    rate, scale
        Exactly one of them, by name; ``scale`` is the mean.

    Examples
    --------
    >>> import numpy as np
    >>> exponential = Exponential(scale=[1.0, 2.0])
    >>> exponential.log_p(1.0)
    array([-1.        , -1.19314718])
    >>> exponential.mean
    array([1., 2.])
    >>> exponential.sample(np.random.default_rng(1), size=3).shape
    (3, 2)
    """

    def __init__(self, *, rate: ArrayLike | None = None, scale: ArrayLike | None = None) -> None:
        name, value = exactly_one("Exponential", rate=rate, scale=scale)
        spread = positive("Exponential", name, value)
        self.batch_shape = spread.shape
        self.parameters = {name: spread}
        self._shape = np.ones((), spread.dtype)
        self._spread, self._by_rate = spread, name == "rate"

    def sufficient_statistics(self, x: Any, /) -> FloatArray:
        """``(x,)``."""
        return self._doubles(x)[..., np.newaxis]

    @property
    def natural_parameters(self) -> FloatArray:
        """``(-rate,)``."""
        return -np.asarray(self._rate)[..., np.newaxis]

    def with_natural_parameters(self, natural: FloatArray, /) -> "Exponential":
        """Return the exponential that has these natural parameters, given by rate or scale as this one was."""
        rate = -natural_rows("Exponential", natural, 1)[..., 0]
        return Exponential(**self._spread_from(rate))
