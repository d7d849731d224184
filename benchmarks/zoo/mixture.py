"""Eight bugs in the Gibbs sampler of the paper's mixture; seven in one conditional each, one between two of them.

Every update draws its block once a sweep, and the start and the end of a sweep show what every update saw and drew. So the
divergence of a wrong sweep from a right one is that of the wrong conditional from the right one, averaged over the wrong
sweep's own path.
"""

from functools import partial

import numpy as np
from scipy.special import digamma, gammaln

from mcassay import Cycle, Subject
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.kernels import ConditionalUpdate
from mcassay.models.mixture import IsotropicMixture

from .record import COMPOSITION, Bug

MODEL = IsotropicMixture(clusters=3, dimensions=2, points=20, alpha=1.0)
BLOCKS = ("pi", "z", "mu", "sigma_sq_mu", "sigma_sq_n")


def factor_of_squares(factor, state, data):
    """The squares enter the scale with another factor than one half."""
    prior = MODEL.sigma_sq_n_prior.parameters
    squares = np.sum((data - MODEL.means(state)) ** 2)
    return InverseGamma(prior["shape"] + 0.5 * data.size, scale=prior["scale"] + factor * squares)


def larger_concentration(state, data):
    return Dirichlet(1.05 * MODEL.alpha + MODEL.cluster_sizes(state))


def half_a_degree_too_few(state, data):
    right = MODEL.cond_sigma_sq_mu(state, data).parameters
    return InverseGamma(right["shape"] - 0.5, scale=right["scale"])


def no_prior_precision(state, data):
    """Clusters that have points forget the prior of their mean."""
    sizes = MODEL.cluster_sizes(state)
    precision = np.where(sizes > 0, sizes / state["sigma_sq_n"], 1 / state["sigma_sq_mu"])
    return _centres_with(precision, state, data)


def precision_from_deviation(state, data):
    """The prior precision is taken for one over the standard deviation."""
    precision = MODEL.cluster_sizes(state) / state["sigma_sq_n"] + 1 / np.sqrt(state["sigma_sq_mu"])
    return _centres_with(precision, state, data)


def _centres_with(precision, state, data):
    variance = 1 / precision[:, np.newaxis]
    return Normal(variance * MODEL.cluster_sums(state, data) / state["sigma_sq_n"], variance=variance)


def no_log_pi(state, data):
    """Assignments weigh the likelihood alone."""
    return MODEL.cond_z({**state, "pi": np.ones(MODEL.clusters)}, data)


# A sampler that keeps the centre of every point, so as not to look it up again.


def with_centres(state, data, rng):
    return {**state, "centres": MODEL.means(state)}


def without_centres(carry):
    return {name: carry[name] for name in BLOCKS}


def keep_centres(carry, data, rng):
    """Centres do not depend on the data."""
    return carry


def from_kept_centres(carry, data):
    prior = MODEL.sigma_sq_n_prior.parameters
    squares = np.sum((data - carry["centres"]) ** 2)
    return InverseGamma(prior["shape"] + 0.5 * data.size, scale=prior["scale"] + 0.5 * squares)


def draw_z(carry, data, rng):
    return with_centres({**carry, "z": MODEL.cond_z(carry, data).sample(rng)}, data, rng)


def draw_mu(carry, data, rng):
    return with_centres({**carry, "mu": MODEL.cond_mu(carry, data).sample(rng)}, data, rng)


def draw_mu_and_leave_centres(carry, data, rng):
    return {**carry, "mu": MODEL.cond_mu(carry, data).sample(rng)}


def with_cache(update_of_mu):
    steps = {
        "pi": ConditionalUpdate(("pi",), MODEL.cond_pi),
        "z": draw_z,
        "mu": update_of_mu,
        "sigma_sq_mu": ConditionalUpdate(("sigma_sq_mu",), MODEL.cond_sigma_sq_mu),
        "sigma_sq_n": ConditionalUpdate(("sigma_sq_n",), from_kept_centres),
    }
    hooks = {"init": with_centres, "position": without_centres, "refresh": keep_centres, "caches": {"centres": recomputed}}
    return Subject(MODEL.prior, MODEL.simulate, Cycle(steps), log_joint=MODEL.log_joint, name="mixture", **hooks)


def recomputed(state, data):
    return MODEL.means(state)


# The divergence of a wrong sweep from a right one.


def path_divergence(step, wrong, right, divergence, update, rng, size):
    """Average the divergence of two conditionals at the state in which a sweep of the wrong kernel reaches an update."""
    total = 0.0
    for _ in range(size):
        state = MODEL.prior(rng)
        data = MODEL.simulate(state, rng)
        for name, part in step.parts().items():
            if name == update:
                break
            state = part(state, data, rng)
        total += divergence(wrong(state, data), right(state, data))
    return total / size


def between_inverse_gammas(p, q):
    a, b, c, d = (np.asarray(f.parameters[k], dtype=float) for f in (p, q) for k in ("shape", "scale"))
    return float((a - c) * digamma(a) - gammaln(a) + gammaln(c) + c * np.log(b / d) + a * (d - b) / b)


def between_dirichlets(p, q):
    a, b = (np.asarray(f.parameters["concentration"], dtype=float) for f in (p, q))
    constants = gammaln(a.sum()) - gammaln(b.sum()) - np.sum(gammaln(a) - gammaln(b))
    return float(constants + np.sum((a - b) * (digamma(a) - digamma(a.sum()))))


def between_normals(p, q):
    ratio = p.variance / q.variance
    return float(0.5 * np.sum(np.broadcast_to(ratio - 1 - np.log(ratio), p.mean.shape) + (p.mean - q.mean) ** 2 / q.variance))


def between_categoricals(p, q):
    shares, others = p.probabilities, q.probabilities
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.sum(np.where(shares > 0, shares * np.log(shares / others), 0.0)))


def stale_divergence(rng, size):
    """Average over sweeps: the scale from the centres before the update of mu against that from the centres after it."""
    total = 0.0
    for _ in range(size):
        state = MODEL.prior(rng)
        data = MODEL.simulate(state, rng)
        carry = draw_z({**state, "pi": MODEL.cond_pi(state, data).sample(rng)}, data, rng)
        carry = draw_mu_and_leave_centres(carry, data, rng)
        total += between_inverse_gammas(from_kept_centres(carry, data), MODEL.cond_sigma_sq_n(carry, data))
    return total / size


BETWEEN = {
    "pi": between_dirichlets,
    "z": between_categoricals,
    "mu": between_normals,
    "sigma_sq_mu": between_inverse_gammas,
    "sigma_sq_n": between_inverse_gammas,
}


def _bug(name, block, conditional):
    right = getattr(MODEL, f"cond_{block}")
    make = partial(MODEL.subject, **{block: conditional})
    kernel = MODEL.gibbs(**{block: conditional})
    divergence = partial(path_divergence, kernel, conditional, right, BETWEEN[block], block)
    return Bug(name, make, MODEL.subject, block, divergence)


BUGS = (
    _bug("0.51 for 0.5", "sigma_sq_n", partial(factor_of_squares, 0.51)),
    _bug("0.505 for 0.5", "sigma_sq_n", partial(factor_of_squares, 0.505)),
    _bug("Dirichlet parameter 5 % too large", "pi", larger_concentration),
    _bug("half a degree of freedom", "sigma_sq_mu", half_a_degree_too_few),
    _bug("no prior precision in mu", "mu", no_prior_precision),
    _bug("deviation for variance in mu", "mu", precision_from_deviation),
    _bug("log pi missing in z", "z", no_log_pi),
    Bug(
        "stale centres in sigma_sq_n",
        partial(with_cache, draw_mu_and_leave_centres),
        partial(with_cache, draw_mu),
        COMPOSITION,
        stale_divergence,
    ),
)
