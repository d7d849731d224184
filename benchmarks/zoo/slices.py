"""Two bugs of slice samplers: an interval shrunk on both sides, and a limit on stepping out that is spent unevenly."""

import math
from functools import partial

import numpy as np

from mcassay import Cycle, Gamma, Slice, Subject
from mcassay.kernels import ConditionalUpdate

from .record import Bug

# Logs of two gamma variables, the second at a rate that the first one sets, no data: skewed and correlated.


def logs_prior(rng):
    a = rng.gamma(1.5)
    return np.log([a, rng.gamma(0.8) / a])


def logs_log_joint(x, data=None):
    a, b = np.exp(np.minimum(x, 700.0))
    return float(1.5 * x[0] - a + 0.8 * (x[1] + x[0]) - a * b)


def shrunk_on_the_side_of(x, here, low, high):
    """Keep the side of the interval on which the state is."""
    return (x, high) if x < here else (low, x)


def shrunk_on_both_sides(x, here, low, high):
    """Bring both ends as near as the point that was refused, though the other side may hold a part of the slice."""
    reach = abs(x - here)
    return max(low, here - reach), min(high, here + reach)


def slice_coordinate(shrunk, x, j, rng, width=6.0):
    def density(value):
        return logs_log_joint(np.where(np.arange(2) == j, value, x))

    here, level = x[j], logs_log_joint(x) - rng.standard_exponential()
    low = here - width * rng.random()
    high = low + width
    while True:
        value = rng.uniform(low, high)
        if density(value) >= level:
            return np.where(np.arange(2) == j, value, x)
        low, high = shrunk(value, here, low, high)


def slice_sweep(shrunk, x, data, rng):
    for j in range(2):
        x = slice_coordinate(shrunk, x, j, rng)
    return x


def logs(shrunk):
    return Subject(logs_prior, None, partial(slice_sweep, shrunk), log_joint=logs_log_joint, name="logs of gammas")


# Log rates of four counts, y_k ~ Poisson(exp(x_k)), x_k ~ N(0, 1 / precision), precision ~ Gamma(2). Intervals are narrow and
# few, so that the limit on stepping out is often reached.

_WIDTH, _STEPS = 0.35, 3


def counts_prior(rng):
    precision = float(rng.gamma(2.0))
    return {"x": rng.standard_normal(4) / math.sqrt(precision), "precision": precision}


def counts_simulate(state, rng):
    return rng.poisson(np.exp(np.minimum(state["x"], 30.0)))


def counts_log_joint(state, y):
    x, precision = state["x"], state["precision"]
    if precision <= 0:
        return -math.inf
    likelihood = float(y @ x - np.sum(np.exp(np.minimum(x, 700.0))))
    return likelihood + 3 * math.log(precision) - precision * (1 + 0.5 * float(x @ x))


def cond_precision(state, y):
    return Gamma(4.0, rate=1 + 0.5 * float(state["x"] @ state["x"]))


def step_out_limited_on_each_side(density, here, level, rng):
    """Either side may take all the steps, so how far an interval reaches depends on where in it the state is."""
    low = here - _WIDTH * rng.random()
    high = low + _WIDTH
    left = right = _STEPS - 1
    while left > 0 and density(low) > level:
        low, left = low - _WIDTH, left - 1
    while right > 0 and density(high) > level:
        high, right = high + _WIDTH, right - 1
    return low, high


def slice_with_limit(state, y, rng):
    for k in range(4):
        state = _move(state, y, k, rng)
    return state


def _move(state, y, k, rng):
    def at(value):
        return {**state, "x": np.where(np.arange(4) == k, value, state["x"])}

    def density(value):
        return counts_log_joint(at(value), y)

    here = state["x"][k]
    level = density(here) - rng.standard_exponential()
    low, high = step_out_limited_on_each_side(density, here, level, rng)
    while True:
        value = rng.uniform(low, high)
        if density(value) >= level:
            return at(value)
        low, high = shrunk_on_the_side_of(value, here, low, high)


def counts(update_of_x):
    kernel = Cycle({"x": update_of_x, "precision": ConditionalUpdate(("precision",), cond_precision)})
    return Subject(counts_prior, counts_simulate, kernel, log_joint=counts_log_joint, name="counts")


def counts_with_uneven_limit():
    return counts(slice_with_limit)


def counts_with_neals_limit():
    return counts(Slice("x", width=_WIDTH, steps_out=_STEPS))


BUGS = (
    Bug("interval shrunk on both sides", partial(logs, shrunk_on_both_sides), partial(logs, shrunk_on_the_side_of), None),
    Bug("limit of stepping out on each side", counts_with_uneven_limit, counts_with_neals_limit, "x"),
)
