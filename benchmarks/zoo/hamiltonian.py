"""Four Hamiltonian bugs: momentum not refreshed, a half step missing, a wrong kinetic energy, divergence seen one way only."""

import math
from functools import partial, wraps

import numpy as np

from mcassay import Cycle, Gamma, Subject
from mcassay.kernels import ConditionalUpdate

from .record import Bug


def quietly(function):
    """Let what overflows be infinite without a warning: it is refused."""

    @wraps(function)
    def silent(*arguments, **options):
        with np.errstate(over="ignore", invalid="ignore"):
            return function(*arguments, **options)

    return silent


# A Poisson regression: five counts, two correlated coefficients, and the precision of their prior.

_DESIGN = np.array([[1.0, -1.0], [1.0, -0.3], [1.0, 0.2], [1.0, 0.7], [1.0, 1.4]])


def regression_prior(rng):
    precision = float(rng.gamma(4.0)) / 2
    return {"beta": rng.standard_normal(2) / math.sqrt(precision), "precision": precision}


def regression_simulate(state, rng):
    return rng.poisson(np.exp(np.minimum(_DESIGN @ state["beta"], 40.0)))


@quietly
def regression_log_joint(state, y):
    beta, precision, log_rates = state["beta"], state["precision"], _DESIGN @ state["beta"]
    likelihood = y @ log_rates - np.sum(np.exp(np.minimum(log_rates, 700.0)))
    return float(likelihood + 4 * math.log(precision) - precision * (2 + 0.5 * beta @ beta))


@quietly
def regression_gradient(state, y):
    rates = np.exp(np.minimum(_DESIGN @ state["beta"], 700.0))
    return _DESIGN.T @ (y - rates) - state["precision"] * state["beta"]


def cond_precision(state, y):
    return Gamma(5.0, rate=2 + 0.5 * float(state["beta"] @ state["beta"]))


def regression(update_of_beta):
    kernel = Cycle({"beta": update_of_beta, "precision": ConditionalUpdate(("precision",), cond_precision)})
    return Subject(regression_prior, regression_simulate, kernel, log_joint=regression_log_joint, name="regression")


def accept(rng, change):
    """Decide with probability min(1, exp(change)); what is not finite is refused."""
    return bool(math.log(rng.random()) < change)


@quietly
def hmc(finishes, state, y, rng, step_size=0.3, steps=4):
    """Leapfrog; unless it ``finishes``, nothing brings the momentum up to the last step of the position."""
    start, new = rng.standard_normal(2), state
    momentum = start + 0.5 * step_size * regression_gradient(state, y)
    for step in range(steps):
        new = {**new, "beta": new["beta"] + step_size * momentum}
        if step < steps - 1:
            momentum = momentum + step_size * regression_gradient(new, y)
    if finishes:
        momentum = momentum + 0.5 * step_size * regression_gradient(new, y)
    change = regression_log_joint(new, y) - regression_log_joint(state, y) + 0.5 * (start @ start - momentum @ momentum)
    return new if accept(rng, change) else state


# The same regression with a mass for each coefficient: momentum ~ N(0, mass), kinetic energy p^2 / (2 mass).

_MASS = np.array([3.0, 8.0])


def kinetic(momentum):
    return 0.5 * float(np.sum(momentum**2 / _MASS))


def kinetic_without_mass(momentum):
    return 0.5 * float(np.sum(momentum**2))


@quietly
def hmc_with_mass(energy, state, y, rng, step_size=0.45, steps=4):
    start = momentum = np.sqrt(_MASS) * rng.standard_normal(2)
    new = state
    for _ in range(steps):
        momentum = momentum + 0.5 * step_size * regression_gradient(new, y)
        new = {**new, "beta": new["beta"] + step_size * momentum / _MASS}
        momentum = momentum + 0.5 * step_size * regression_gradient(new, y)
    change = regression_log_joint(new, y) - regression_log_joint(state, y) + energy(start) - energy(momentum)
    return new if accept(rng, change) else state


# Log rates of three counts round a common level, no data: level ~ N(0, 1), log rate_k ~ N(level, 1/4), and a skewed
# coordinate s = log g with g ~ Gamma(2). Momentum is carried from sweep to sweep.


def rates_prior(rng):
    level = rng.standard_normal()
    return np.concatenate([[level], level + 0.5 * rng.standard_normal(2), [math.log(rng.gamma(2.0))]])


def rates_log_joint(x, data=None):
    return float(-0.5 * x[0] ** 2 - 2 * np.sum((x[1:3] - x[0]) ** 2) + 2 * x[3] - math.exp(min(x[3], 700.0)))


def rates_gradient(x):
    apart = x[1:3] - x[0]
    return np.concatenate([[-x[0] + 4 * apart.sum()], -4 * apart, [2 - math.exp(min(x[3], 700.0))]])


def rates_init(state, data, rng):
    return {"x": state, "momentum": rng.standard_normal(len(state))}


def rates_position(carry):
    return carry["x"]


def leapfrog(gradient, x, momentum, step_size, steps):
    for _ in range(steps):
        momentum = momentum + 0.5 * step_size * gradient(x)
        x = x + step_size * momentum
        momentum = momentum + 0.5 * step_size * gradient(x)
    return x, momentum


def hmc_with_carried_momentum(refreshes, carry, data, rng):
    """Move x and momentum together; without fresh momentum, what is refused once is refused by the same trajectory again."""
    x, momentum = carry["x"], rng.standard_normal(4) if refreshes else carry["momentum"]
    new, end = leapfrog(rates_gradient, x, momentum, step_size=0.6, steps=2)
    change = rates_log_joint(new) - rates_log_joint(x) + 0.5 * (momentum @ momentum - end @ end)
    return {"x": new, "momentum": end} if accept(rng, change) else {"x": x, "momentum": momentum}


def rates(refreshes):
    step = partial(hmc_with_carried_momentum, refreshes)
    hooks = {"init": rates_init, "position": rates_position}
    return Subject(rates_prior, None, step, log_joint=rates_log_joint, name="rates", **hooks)


# A funnel, no data: width ~ N(0, 1), y_k given width ~ N(0, exp(width)). A trajectory whose energy strays too far is called
# divergent and refused. "Too far" from where it started is not too far from where the way back starts.

_FAR = 0.5


def funnel_prior(rng):
    width = rng.standard_normal()
    return np.concatenate([[width], math.exp(0.5 * width) * rng.standard_normal(3)])


def funnel_log_joint(x, data=None):
    width = x[0]
    return float(-0.5 * width**2 - 1.5 * width - 0.5 * np.sum(x[1:] ** 2) * math.exp(min(-width, 700.0)))


def funnel_gradient(x):
    shrunk = x[1:] * math.exp(min(-x[0], 700.0))
    return np.concatenate([[-x[0] - 1.5 + 0.5 * float(x[1:] @ shrunk)], -shrunk])


def strays_from_start(energies):
    return max(energies) - energies[0] > _FAR


def strays_from_either_end(energies):
    """The way back starts where this one ends, so both ends count."""
    return max(energies) - min(energies[0], energies[-1]) > _FAR


def hmc_with_divergences(strays, x, data, rng):
    momentum = rng.standard_normal(len(x))
    here, energies = x, [0.5 * momentum @ momentum - funnel_log_joint(x)]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(4):
            here, momentum = leapfrog(funnel_gradient, here, momentum, step_size=0.5, steps=1)
            energies.append(float(0.5 * momentum @ momentum - funnel_log_joint(here)))
    if not np.all(np.isfinite(energies)) or strays(energies):
        return x
    return here if accept(rng, energies[0] - energies[-1]) else x


def funnel(strays):
    return Subject(funnel_prior, None, partial(hmc_with_divergences, strays), log_joint=funnel_log_joint, name="funnel")


def with_half_steps(finishes):
    return regression(partial(hmc, finishes))


def with_mass(energy):
    return regression(partial(hmc_with_mass, energy))


BUGS = (
    Bug("momentum not refreshed", partial(rates, False), partial(rates, True), None),
    Bug("last half step missing", partial(with_half_steps, False), partial(with_half_steps, True), "beta"),
    Bug("kinetic energy without the mass", partial(with_mass, kinetic_without_mass), partial(with_mass, kinetic), "beta"),
    Bug("divergence seen one way only", partial(funnel, strays_from_start), partial(funnel, strays_from_either_end), None),
)
