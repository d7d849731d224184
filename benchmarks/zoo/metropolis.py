"""Four Metropolis-Hastings bugs: no Hastings term, no Jacobian, a reversed ratio, and the density of an older state."""

import math
from functools import partial

import numpy as np
from scipy.special import gammaln

from mcassay import Beta, Cycle, InverseGamma, MetropolisHastings, Normal, Subject
from mcassay.kernels import ConditionalUpdate

from .record import Bug
from .transitions import mean_divergence

# How many animals are there? n ~ Poisson(3), p ~ Beta(2, 3), and of n animals y ~ Binomial(n, p) were caught.
# n walks by one in either direction; below y it can not go, so from y it always goes up.

_RATE, _A, _B = 3.0, 2.0, 3.0


def animals_prior(rng):
    return {"n": int(rng.poisson(_RATE)), "p": float(rng.beta(_A, _B))}


def animals_simulate(state, rng):
    return int(rng.binomial(state["n"], state["p"]))


def animals_log_joint(state, y):
    n, p = state["n"], state["p"]
    if n < y or not 0 < p < 1:
        return -math.inf
    prior = n * math.log(_RATE) + (_A - 1) * math.log(p) + (_B - 1) * math.log1p(-p)
    return prior - gammaln(n - y + 1) + y * math.log(p) + (n - y) * math.log1p(-p)


def walk_of_n(state, y, rng):
    up = state["n"] == y or rng.random() < 0.5
    return {**state, "n": state["n"] + (1 if up else -1)}


def walk_of_n_symmetric(state, y, rng):
    return walk_of_n(state, y, rng), 0.0


def walk_of_n_with_hastings_term(state, y, rng):
    new = walk_of_n(state, y, rng)
    return new, math.log(_chance_of_leaving(new, y)) - math.log(_chance_of_leaving(state, y))


def _chance_of_leaving(state, y):
    """Return the probability of the one neighbour that a walk goes to: all of it at the lower end."""
    return 1.0 if state["n"] == y else 0.5


def cond_p(state, y):
    return Beta(_A + y, _B + state["n"] - y)


def animals(propose):
    kernel = Cycle({"n": MetropolisHastings(propose, blocks="n"), "p": ConditionalUpdate(("p",), cond_p)})
    return Subject(animals_prior, animals_simulate, kernel, log_joint=animals_log_joint, name="animals")


# Five measurements of known precision apart from a scale: mu ~ N(0, 2^2), tau ~ Gamma(3, rate 2), x_i ~ N(mu, 1/tau).
# tau walks on the log scale.

_MEASUREMENTS = 5


def scale_prior(rng):
    return {"mu": 2 * float(rng.standard_normal()), "tau": float(rng.gamma(3.0)) / 2}


def scale_simulate(state, rng):
    return state["mu"] + rng.standard_normal(_MEASUREMENTS) / math.sqrt(state["tau"])


def scale_log_joint(state, x):
    mu, tau = state["mu"], state["tau"]
    if tau <= 0:
        return -math.inf
    shape = 2 + len(x) / 2
    return -(mu**2) / 8 + shape * math.log(tau) - tau * (2 + 0.5 * float(np.sum((x - mu) ** 2)))


def cond_mu(state, x):
    precision = 0.25 + len(x) * state["tau"]
    return Normal(state["tau"] * float(x.sum()) / precision, precision=precision)


def walk_of_log_tau(state, x, rng):
    return {**state, "tau": state["tau"] * math.exp(0.8 * rng.standard_normal())}


def walk_of_log_tau_without_jacobian(state, x, rng):
    return walk_of_log_tau(state, x, rng), 0.0


def walk_of_log_tau_with_jacobian(state, x, rng):
    new = walk_of_log_tau(state, x, rng)
    return new, math.log(new["tau"] / state["tau"])


def scale(propose):
    kernel = Cycle({"mu": ConditionalUpdate(("mu",), cond_mu), "tau": MetropolisHastings(propose, blocks="tau")})
    return Subject(scale_prior, scale_simulate, kernel, log_joint=scale_log_joint, name="scale")


# Two waiting times, the second at a rate that the first one sets: a ~ Gamma(3), b given a ~ Gamma(2, rate a), no data.
# Both are multiplied by gamma factors, and the ratio of the proposal densities enters upside down.

_PEAKED = 40.0


def times_prior(rng):
    a = rng.gamma(3.0)
    return np.array([a, rng.gamma(2.0) / a])


def times_log_joint(state, data):
    a, b = state
    return -math.inf if a <= 0 or b <= 0 else float(4 * math.log(a) - a + math.log(b) - a * b)


def _log_proposal(new, old):
    """Log density of a gamma factor on each time, with mean the old time."""
    return float(np.sum((_PEAKED - 1) * np.log(new) - _PEAKED * np.log(old) - _PEAKED * new / old))


def times_log_ratio(sign, old, new):
    hastings = _log_proposal(old, new) - _log_proposal(new, old)
    return times_log_joint(new, None) - times_log_joint(old, None) + sign * hastings


def propose_times(old, rng):
    return old * rng.gamma(_PEAKED, size=2) / _PEAKED


def times_step(sign, state, data, rng):
    new = propose_times(state, rng)
    return new if math.log(rng.random()) < times_log_ratio(sign, state, new) else state


def times(sign):
    return Subject(times_prior, None, partial(times_step, sign), log_joint=times_log_joint, name="waiting times")


# A cubic, walked one coefficient at a time, with the noise drawn from its conditional. The log density of where the walk is
# was moved out of the loop, and is not brought up to date when a coefficient moves.

_AT = np.array([-1.0, -0.4, 0.0, 0.5, 0.8, 1.2])
_POWERS = _AT[:, np.newaxis] ** np.arange(4)


def cubic_prior(rng):
    return {"beta": rng.standard_normal(4), "noise": 1 / float(rng.gamma(3.0))}


def cubic_simulate(state, rng):
    return _POWERS @ state["beta"] + math.sqrt(state["noise"]) * rng.standard_normal(len(_AT))


def cubic_log_joint(state, y):
    beta, residual = state["beta"], y - _POWERS @ state["beta"]
    shape = 4 + len(y) / 2
    return float(-0.5 * beta @ beta - shape * math.log(state["noise"]) - (1 + 0.5 * residual @ residual) / state["noise"])


def cond_noise(state, y):
    residual = y - _POWERS @ state["beta"]
    return InverseGamma(3 + len(y) / 2, scale=1 + 0.5 * float(residual @ residual))


def walk_coefficients(brings_up_to_date, state, y, rng):
    here = cubic_log_joint(state, y)
    for k in range(4):
        beta = state["beta"].copy()
        beta[k] += 0.8 * rng.standard_normal()
        new = {**state, "beta": beta}
        there = cubic_log_joint(new, y)
        if math.log(rng.random()) < there - here:
            state, here = new, there if brings_up_to_date else here
    return state


def cubic(brings_up_to_date):
    kernel = Cycle({"beta": partial(walk_coefficients, brings_up_to_date), "noise": ConditionalUpdate(("noise",), cond_noise)})
    return Subject(cubic_prior, cubic_simulate, kernel, log_joint=cubic_log_joint, name="cubic")


# The divergence of the wrong moves from the right ones.


def animals_acceptance(start, rng, size):
    state, y = start
    news = [walk_of_n(state, y, rng) for _ in range(size)]
    density = np.array([animals_log_joint(new, y) - animals_log_joint(state, y) for new in news])
    hastings = np.array([math.log(_chance_of_leaving(new, y) / _chance_of_leaving(state, y)) for new in news])
    return density, density + hastings


def draw_animals(rng):
    state = animals_prior(rng)
    return state, animals_simulate(state, rng)


def scale_acceptance(start, rng, size):
    state, x = start
    news = [walk_of_log_tau(state, x, rng) for _ in range(size)]
    density = np.array([scale_log_joint(new, x) - scale_log_joint(state, x) for new in news])
    return density, density + np.array([math.log(new["tau"] / state["tau"]) for new in news])


def draw_scale(rng):
    """Draw from the joint; a right update of mu leaves it there."""
    state = scale_prior(rng)
    return state, scale_simulate(state, rng)


def times_acceptance(start, rng, size):
    news = [propose_times(start, rng) for _ in range(size)]
    return tuple(np.array([times_log_ratio(sign, start, new) for new in news]) for sign in (-1, 1))


BUGS = (
    Bug(
        "Hastings term missing at an edge",
        partial(animals, walk_of_n_symmetric),
        partial(animals, walk_of_n_with_hastings_term),
        "n",
        partial(mean_divergence, draw_animals, animals_acceptance),
    ),
    Bug(
        "Jacobian missing on the log scale",
        partial(scale, walk_of_log_tau_without_jacobian),
        partial(scale, walk_of_log_tau_with_jacobian),
        "tau",
        partial(mean_divergence, draw_scale, scale_acceptance),
    ),
    Bug(
        "proposal ratio upside down",
        partial(times, -1),
        partial(times, 1),
        None,
        partial(mean_divergence, times_prior, times_acceptance),
    ),
    Bug("density of an older state", partial(cubic, False), partial(cubic, True), "beta"),
)
