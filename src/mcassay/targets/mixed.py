"""A target with discrete and continuous blocks that depend on each other."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

_SHARES = np.array([0.2, 0.5, 0.3])
_CENTRES = np.array([-1.0, 0.5, 2.0])
_SPREADS = np.array([0.5, 1.0, 1.5])


def mixed() -> Target:
    """Return a label, a number whose mean and spread it chooses, and a count whose rate grows with the number."""

    def prior(rng: Generator) -> State:
        label = int(rng.choice(3, p=_SHARES))
        value = rng.normal(_CENTRES[label], _SPREADS[label])
        return {"label": label, "value": value, "heads": int(rng.binomial(4, _chance(value, np)))}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        label, value, heads = state["label"], state["value"], state["heads"]
        inside = (label >= 0) & (label < 3) & (heads >= 0) & (heads <= 4)
        safe, count = xp.clip(label, 0, 2), xp.clip(heads, 0, 4)
        centre, spread = xp.asarray(_CENTRES)[safe], xp.asarray(_SPREADS)[safe]
        normal = xp.log(xp.asarray(_SHARES)[safe] / spread) - 0.5 * ((value - centre) / spread) ** 2
        choose = xp.log(xp.asarray([1.0, 4.0, 6.0, 4.0, 1.0]))[count]
        # log(p) and log(1 - p) of the logistic chance, without overflow
        binomial = -count * xp.logaddexp(0.0, -value) - (4 - count) * xp.logaddexp(0.0, value)
        return xp.where(inside, normal + choose + binomial, -xp.inf)

    spaces = {"label": Space("labels", sizes=(3,)), "value": Space("real"), "heads": Space("integers", (), 0, 4)}
    return Target("mixed", spaces, prior=prior, log_density=log_density)


def _chance(value: Any, xp: Any) -> Any:
    return 1 / (1 + xp.exp(-value))
