"""Two bugs of ensembles: a swap that aliases, and a stretch move with the wrong exponent. One state is the whole ensemble."""

import math
from functools import partial

import numpy as np

from mcassay import Cycle, Subject

from .record import Bug

# A ladder of four temperatures over a correlated normal of two dimensions, no data: rung t is normal with the covariance
# divided by beta_t.

_BETAS = np.array([1.0, 0.7, 0.5, 0.35])
_ROOT = np.array([[1.0, 0.0], [0.8, 0.6]])
_PRECISION = np.linalg.inv(_ROOT @ _ROOT.T)


def ladder_prior(rng):
    return rng.standard_normal((4, 2)) @ _ROOT.T / np.sqrt(_BETAS)[:, np.newaxis]


def energy(x):
    return 0.5 * float(x @ _PRECISION @ x)


def ladder_log_joint(x, data=None):
    return -sum(beta * energy(row) for beta, row in zip(_BETAS, x, strict=True))


def walk_rungs(x, data, rng):
    x = x.copy()
    for t, beta in enumerate(_BETAS):
        new = x[t] + rng.standard_normal(2) / math.sqrt(beta)
        if math.log(rng.random()) < beta * (energy(x[t]) - energy(new)):
            x[t] = new
    return x


def exchanged(x, t):
    x[[t, t + 1]] = x[[t + 1, t]]


def exchanged_by_views(x, t):
    """Rows of an array are views: the first assignment changes what the second one reads."""
    x[t], x[t + 1] = x[t + 1], x[t]


def swap_neighbours(exchange, x, data, rng):
    x = x.copy()
    t = int(rng.integers(len(_BETAS) - 1))
    if math.log(rng.random()) < (_BETAS[t] - _BETAS[t + 1]) * (energy(x[t]) - energy(x[t + 1])):
        exchange(x, t)
    return x


def ladder(exchange):
    kernel = Cycle({"walk": walk_rungs, "swap": partial(swap_neighbours, exchange)})
    return Subject(ladder_prior, None, kernel, log_joint=ladder_log_joint, name="tempering ladder")


# Eight walkers in three dimensions, one of them skewed, moved half by half along lines through the other half.

_WALKERS, _DIMENSIONS, _STRETCH = 8, 3, 2.0


def walkers_prior(rng):
    x = rng.standard_normal((_WALKERS, _DIMENSIONS))
    x[:, 1] = 0.9 * x[:, 0] + 0.4 * x[:, 1]
    x[:, 2] = np.log(rng.gamma(2.0, size=_WALKERS))
    return x


def walker_log_density(x):
    return -0.5 * x[0] ** 2 - 0.5 * ((x[1] - 0.9 * x[0]) / 0.4) ** 2 + 2 * x[2] - math.exp(min(x[2], 700.0))


def walkers_log_joint(x, data=None):
    return float(sum(walker_log_density(row) for row in x))


def exponent_of_dimensions(half):
    return half.shape[1] - 1


def exponent_of_walkers(half):
    return half.shape[0] - 1


def stretch(exponent, x, data, rng):
    x = x.copy()
    for first in (0, 1):
        moving, others = x[first::2], x[1 - first :: 2]
        for k in range(len(moving)):
            moving[k] = stretched(exponent(moving), moving[k], others[rng.integers(len(others))], rng)
    return x


def stretched(exponent, here, other, rng):
    z = (1 + (_STRETCH - 1) * rng.random()) ** 2 / _STRETCH
    new = other + z * (here - other)
    log_ratio = exponent * math.log(z) + walker_log_density(new) - walker_log_density(here)
    return new if math.log(rng.random()) < log_ratio else here


def walkers(exponent):
    return Subject(walkers_prior, None, partial(stretch, exponent), log_joint=walkers_log_joint, name="walkers")


BUGS = (
    Bug("swap that aliases rows", partial(ladder, exchanged_by_views), partial(ladder, exchanged), "swap"),
    Bug(
        "stretch with the number of walkers",
        partial(walkers, exponent_of_walkers),
        partial(walkers, exponent_of_dimensions),
        None,
    ),
)
