"""What the zoo keeps of every bug."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mcassay import Subject

COMPOSITION = "composition"


@dataclass(frozen=True)
class Bug:
    """A wrong sampler, the right one it departs from, and what a diagnosis should say.

    Attributes
    ----------
    make, correct
        Build the wrong subject and the right one.
    culprit
        The name of the wrong update; "composition" where every update is right alone; None for a bare function.
    divergence
        ``divergence(rng, size)``: the Kullback-Leibler divergence of one wrong sweep from a right one, given its start, averaged
        over ``size`` starts from the joint; None where it is not computed.
    """

    name: str
    make: Callable[[], Subject]
    correct: Callable[[], Subject]
    culprit: str | None
    divergence: Callable[[np.random.Generator, int], float] | None = None

    def limit(self, alpha: float, rng: np.random.Generator, size: int) -> float | None:
        """Sweeps that a test needs that knows the bug: ln(1/alpha) over the divergence."""
        return None if self.divergence is None else float(np.log(1 / alpha) / self.divergence(rng, size))
