"""A small hierarchical model, its right updates in several forms, and wrong ones: what diagnoses are measured on.

mu ~ N(0, 1), tau ~ Gamma(3, rate 2), theta_k ~ N(mu, 1 / tau) and x_k ~ N(theta_k, 1) for a few groups k.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mcassay import Cycle, Gamma, Gibbs, MetropolisHastings, Normal, RandomScan, Slice, Subject

GROUPS = 4


def prior(rng, groups=GROUPS, shape=3.0):
    mu, tau = rng.standard_normal(), rng.gamma(shape) / 2
    return {"mu": float(mu), "tau": float(tau), "theta": mu + rng.standard_normal(groups) / math.sqrt(tau)}


def simulate(state, rng, sd=1.0):
    return state["theta"] + sd * rng.standard_normal(len(state["theta"]))


def log_joint(state, x, *, prior_of_mu=1.0, normaliser=1.0):
    mu, tau, theta = state["mu"], state["tau"], state["theta"]
    if tau <= 0:
        return -math.inf
    apart, noise = theta - mu, x - theta
    log_p = -0.5 * prior_of_mu * mu**2 + 2 * math.log(tau) - 2 * tau
    return float(log_p + normaliser * 0.5 * len(theta) * math.log(tau) - 0.5 * tau * apart @ apart - 0.5 * noise @ noise)


def subject(step, **changed):
    settings = {
        "prior": prior,
        "simulate": simulate,
        "log_joint": log_joint,
        "resize": partial(_resized, step, changed),
    } | changed
    return Subject(settings.pop("prior"), settings.pop("simulate"), step, **settings)


def _resized(step, changed, groups):
    return subject(step, **{**changed, "prior": partial(changed.get("prior", prior), groups=groups)})


# The right conditionals.


def cond_mu(state, x):
    precision = 1 + len(x) * state["tau"]
    return Normal(state["tau"] * float(state["theta"].sum()) / precision, precision=precision)


def cond_tau(state, x):
    return Gamma(3 + len(x) / 2, rate=2 + 0.5 * float(np.sum((state["theta"] - state["mu"]) ** 2)))


def cond_theta(state, x):
    precision = 1 + state["tau"]
    return Normal((state["tau"] * state["mu"] + x) / precision, precision=precision)


RIGHT = {"mu": cond_mu, "tau": cond_tau, "theta": cond_theta}

# Wrong ones.


def mu_without_prior(state, x):
    precision = len(x) * state["tau"]
    return Normal(float(state["theta"].mean()), precision=precision)


def mu_from_data(state, x):
    precision = 1 + len(x) * state["tau"]
    return Normal(state["tau"] * float(x.sum()) / precision, precision=precision)


def tau_with_squares_not_halved(state, x):
    return Gamma(3 + len(x) / 2, rate=2 + float(np.sum((state["theta"] - state["mu"]) ** 2)))


def tau_with_all_degrees(state, x):
    return Gamma(3 + len(x), rate=2 + 0.5 * float(np.sum((state["theta"] - state["mu"]) ** 2)))


def tau_with_scale(state, x):
    right = cond_tau(state, x).parameters
    return Gamma(right["shape"], scale=right["rate"] / 5)


def theta_with_sd(state, x):
    precision = 1 + state["tau"]
    return Normal((state["tau"] * state["mu"] + x) / precision, sd=1 / precision)


def theta_without_pooling(state, x):
    return Normal(x, precision=1 + state["tau"])


WRONG = {
    "mu without its prior": ("mu", mu_without_prior),
    "mu from the data": ("mu", mu_from_data),
    "squares not halved": ("tau", tau_with_squares_not_halved),
    "all degrees of freedom": ("tau", tau_with_all_degrees),
    "scale for rate": ("tau", tau_with_scale),
    "deviation for variance": ("theta", theta_with_sd),
    "no pooling": ("theta", theta_without_pooling),
}


# The forms that a kernel may have.


def gibbs(**changed):
    return Gibbs({**RIGHT, **changed})


def draws(block, conditional, state, x, rng):
    """Draw a block, without telling anybody how."""
    return {**state, block: conditional(state, x).sample(rng)}


def functions(**changed):
    return {block: partial(draws, block, conditional) for block, conditional in {**RIGHT, **changed}.items()}


def cycle(**changed):
    return Cycle({**functions(), **changed})


def scan(**changed):
    return RandomScan({**functions(), **changed})


def bare(**changed):
    """One function for all of it."""
    return partial(_all_in_turn, tuple(functions(**changed).values()))


def _all_in_turn(updates, state, x, rng):
    for update in updates:
        state = update(state, x, rng)
    return state


# Updates of other kinds, with what is wrong with them.


def walk_of_tau(jacobian, state, x, rng):
    """A walk on the log scale by hand."""
    new = {**state, "tau": state["tau"] * math.exp(rng.standard_normal())}
    change = log_joint(new, x) - log_joint(state, x) + jacobian * math.log(new["tau"] / state["tau"])
    return new if math.log(rng.random()) < change else state


def walk_of_mu(sign, state, x, rng):
    """Propose to shrink mu, which is not symmetric."""
    mean, new = 0.5 * state["mu"], {**state}
    new["mu"] = mean + 0.8 * rng.standard_normal()
    back = 0.5 * new["mu"]
    hastings = ((new["mu"] - mean) ** 2 - (state["mu"] - back) ** 2) / (2 * 0.64)
    change = log_joint(new, x) - log_joint(state, x) + sign * hastings
    return new if math.log(rng.random()) < change else state


def greedy_theta(state, x, rng):
    """Refuse whatever is worse."""
    new = {**state, "theta": state["theta"] + 0.5 * rng.standard_normal(len(x))}
    return new if log_joint(new, x) >= log_joint(state, x) else state


def twice_the_change(state, x, rng):
    new = {**state, "theta": state["theta"] + 0.5 * rng.standard_normal(len(x))}
    return new if math.log(rng.random()) < 2 * (log_joint(new, x) - log_joint(state, x)) else state


def propose_log_tau(jacobian, state, x, rng):
    new = {**state, "tau": state["tau"] * math.exp(rng.standard_normal())}
    return new, jacobian * math.log(new["tau"] / state["tau"])


def metropolis_tau(jacobian):
    return MetropolisHastings(partial(propose_log_tau, jacobian), blocks="tau")


def metropolis_mu(spread):
    return MetropolisHastings(lambda state, x: Normal(0.5 * state["mu"], sd=spread), blocks="mu")


def ratio_without_data(state, new, x):
    return log_joint(new, np.zeros(len(x))) - log_joint(state, np.zeros(len(x)))


def metropolis_theta(log_ratio=None):
    def propose(state, x, rng):
        return {**state, "theta": state["theta"] + 0.6 * rng.standard_normal(len(x))}, 0.0

    return MetropolisHastings(propose, blocks="theta", log_ratio=log_ratio)


def slope_of_theta(state, x):
    return x - state["theta"] - state["tau"] * (state["theta"] - state["mu"])


def hamiltonian(state, x, rng, size=0.5, spread=1.0, accepts=True, kicks=0.5):
    """Leapfrog on theta, by hand."""
    momentum = start = spread * rng.standard_normal(len(x))
    new = state
    for _ in range(3):
        momentum = momentum + kicks * size * slope_of_theta(new, x)
        new = {**new, "theta": new["theta"] + size * momentum}
        momentum = momentum + 0.5 * size * slope_of_theta(new, x)
    change = log_joint(new, x) - log_joint(state, x) + 0.5 * (start @ start - momentum @ momentum)
    return new if not accepts or math.log(rng.random()) < change else state


def slice_of_mu(state, x, rng, depth=1.0, width=2.0, shrinks=True):
    level = log_joint(state, x) - depth * rng.standard_exponential()
    low = state["mu"] - width * rng.random()
    high = low + width
    while True:
        new = {**state, "mu": rng.uniform(low, high)}
        if log_joint(new, x) >= level:
            return new
        if shrinks:
            low, high = (new["mu"], high) if new["mu"] < state["mu"] else (low, new["mu"])


@dataclass(frozen=True)
class Case:
    """A subject with what its diagnosis should say; where log_joint is left out, ``blind`` may be another kind."""

    make: Callable[[], Subject]
    kind: str = "update"
    culprits: tuple[str, ...] = ()
    blind: str | None = None


def _named(kernel, culprit, **settings) -> Case:
    return Case(partial(subject, kernel, **settings), "update", (culprit,))


def cases_of_gibbs() -> dict[str, Case]:
    return {f"Gibbs: {name}": _named(gibbs(**{block: wrong}), block) for name, (block, wrong) in WRONG.items()}


def cases_of_functions() -> dict[str, Case]:
    forms: dict[str, Any] = {"Cycle": cycle, "RandomScan": scan}
    return {
        f"{form}: {name}": _named(make(**{block: partial(draws, block, wrong)}), block)
        for form, make in forms.items()
        for name, (block, wrong) in WRONG.items()
    }


def cases_of_kernels() -> dict[str, Case]:
    return {
        "walk without Jacobian": _named(cycle(tau=partial(walk_of_tau, 0)), "tau"),
        "walk with Jacobian upside down": _named(cycle(tau=partial(walk_of_tau, -1)), "tau"),
        "walk without Hastings term": _named(cycle(mu=partial(walk_of_mu, 0)), "mu"),
        "greedy": _named(cycle(theta=greedy_theta), "theta"),
        "change counted twice": _named(cycle(theta=twice_the_change), "theta"),
        "Metropolis without Jacobian": _named(cycle(tau=metropolis_tau(0)), "tau"),
        "Metropolis with a ratio of its own": _named(cycle(theta=metropolis_theta(ratio_without_data)), "theta"),
        "HMC with a wrong spread": _named(cycle(theta=partial(hamiltonian, spread=1.4)), "theta"),
        "HMC that accepts all": _named(cycle(theta=partial(hamiltonian, size=0.9, accepts=False)), "theta"),
        "HMC with a kick too long": _named(cycle(theta=partial(hamiltonian, kicks=1.0)), "theta"),
        "slice too deep": _named(cycle(mu=partial(slice_of_mu, depth=2.0)), "mu"),
        "slice in a scan": _named(scan(mu=partial(slice_of_mu, depth=2.0)), "mu"),
        "slice too shallow": _named(cycle(mu=partial(slice_of_mu, depth=0.5)), "mu"),
        "Gibbs in a Cycle": _named(
            Cycle({"rates": metropolis_tau(1), "rest": Gibbs({"mu": cond_mu, "theta": theta_with_sd})}), "rest.theta"
        ),
        "Metropolis beside Slice": _named(
            Cycle({"mu": Slice("mu"), "tau": metropolis_tau(0), "theta": partial(hamiltonian)}), "tau"
        ),
    }


# Updates that do not leave the joint invariant by themselves, and need not.


def collapsed_mu(state, x, rng):
    """Draw mu given tau and the data, theta integrated out: x_k ~ N(mu, 1 + 1 / tau)."""
    weight = 1 / (1 + 1 / state["tau"])
    precision = 1 + len(x) * weight
    return {**state, "mu": float(rng.normal(weight * x.sum() / precision, 1 / math.sqrt(precision)))}


def log_marginal(state, x):
    """Log density of mu, tau and the data, theta integrated out."""
    mu, tau = state["mu"], state["tau"]
    variance = 1 + 1 / tau
    return float(
        -0.5 * mu**2 + 2 * math.log(tau) - 2 * tau - 0.5 * np.sum((x - mu) ** 2) / variance - 0.5 * len(x) * math.log(variance)
    )


def collapsed_walk_of_tau(state, x, rng):
    new = {**state, "tau": state["tau"] * math.exp(rng.standard_normal())}
    change = log_marginal(new, x) - log_marginal(state, x) + math.log(new["tau"] / state["tau"])
    return new if math.log(rng.random()) < change else state


def reflect(state, x, rng):
    """Exchange two groups and their data's roles: nothing changes in law, and nothing is random."""
    return {**state, "mu": 2 * _centre(state) - state["mu"]}


def _centre(state):
    """The mean of mu given the rest, about which its law is symmetric."""
    return cond_mu(state, state["theta"]).mean


def collapsed(**changed):
    """tau and mu with theta integrated out, then theta given both."""
    own = {"tau": collapsed_walk_of_tau, "mu": collapsed_mu, "theta": functions()["theta"]}
    return Cycle({**own, **changed})


def right_kernels() -> dict[str, Any]:
    return {
        "Gibbs": gibbs(),
        "Cycle": cycle(),
        "RandomScan": scan(),
        "bare function": bare(),
        "partially collapsed": collapsed(),
        "collapsed walk alone": Cycle({"tau": collapsed_walk_of_tau, "mu": collapsed_mu, "theta": functions()["theta"]}),
        "reflection": Cycle({"reflect": reflect, **functions()}),
        "walks": cycle(tau=partial(walk_of_tau, 1), mu=partial(walk_of_mu, 1)),
        "Metropolis and slice": Cycle({"tau": metropolis_tau(1), "mu": Slice("mu"), "theta": metropolis_theta()}),
        "HMC": cycle(theta=partial(hamiltonian)),
    }


def cases_in_company() -> dict[str, Case]:
    """Right updates that fail alone beside a wrong one, before and after it, and in the wrong order."""
    wrong_theta = partial(draws, "theta", theta_with_sd)
    first = {"theta": functions()["theta"], "tau": collapsed_walk_of_tau, "mu": collapsed_mu}
    return {
        "collapsed, wrong theta": _named(collapsed(theta=wrong_theta), "theta"),
        "collapsed, wrong tau": _named(collapsed(tau=partial(walk_of_tau, 0)), "tau"),
        "collapsed after a wrong mu": _named(
            Cycle({"first": partial(draws, "mu", mu_from_data), "tau": collapsed_walk_of_tau, "theta": functions()["theta"]}),
            "first",
        ),
        "collapsed in the wrong order": Case(partial(subject, Cycle(first)), "composition"),
        "reflection, wrong tau": _named(
            Cycle({"reflect": reflect, **functions(), "tau": partial(draws, "tau", tau_with_all_degrees)}), "tau"
        ),
    }


# A sampler that carries the mean of theta, so as not to add it up again.


def with_mean(state, x, rng):
    return {**state, "mean": float(np.mean(state["theta"]))}


def without_mean(carry):
    return {name: carry[name] for name in ("mu", "tau", "theta")}


def mean_of(state, x):
    return float(np.mean(state["theta"]))


def mu_by_mean(carry, x, rng):
    precision = 1 + len(x) * carry["tau"]
    return {**carry, "mu": float(rng.normal(carry["tau"] * len(x) * carry["mean"] / precision, 1 / math.sqrt(precision)))}


def tau_in_carry(carry, x, rng):
    return {**carry, "tau": cond_tau(carry, x).sample(rng)}


def theta_in_carry(keeps, carry, x, rng):
    theta = cond_theta(carry, x).sample(rng)
    return {**carry, "theta": theta, "mean": float(np.mean(theta)) if keeps else carry["mean"]}


def carrying(keeps, *, declared=False, **changed):
    steps = {"theta": partial(theta_in_carry, keeps), "mu": mu_by_mean, "tau": tau_in_carry} | changed
    hooks = {"init": with_mean, "position": without_mean, "caches": {"mean": mean_of} if declared else {}}
    return subject(Cycle(steps), **hooks)


def walk_with_density(remembers, carry, x, rng):
    """A walk of theta that keeps the log density of where it is, or forgets to."""
    new = {**carry, "theta": carry["theta"] + 0.5 * rng.standard_normal(len(x))}
    there = log_joint(new, x)
    if math.log(rng.random()) < there - carry["mean"]:
        return {**new, "mean": there if remembers else carry["mean"]}
    return carry


def density_after(update, carry, x, rng):
    new = update(carry, x, rng)
    return {**new, "mean": log_joint(new, x)}


def with_density(remembers):
    """Only the walk uses the log density, and the other updates bring it up to date."""
    others = {name: partial(density_after, update) for name, update in functions().items() if name != "theta"}
    hooks = {"init": lambda s, x, rng: {**s, "mean": log_joint(s, x)}, "position": without_mean}
    return subject(
        Cycle({"theta": partial(walk_with_density, remembers), "again": partial(walk_with_density, remembers), **others}), **hooks
    )


def cases_of_composition() -> dict[str, Case]:
    return {
        "stale mean": Case(partial(carrying, False), "composition"),
        "stale mean, declared": Case(partial(carrying, False, declared=True), "composition"),
        "wrong update beside a right cache": Case(partial(carrying, True, tau=tau_wrong_in_carry), "update", ("tau",)),
    }


def tau_wrong_in_carry(carry, x, rng):
    return {**carry, "tau": tau_with_all_degrees(carry, x).sample(rng)}


# log_joint against prior and simulate.


def cases_of_model() -> dict[str, Case]:
    wide, other_prior = partial(simulate, sd=1.5), partial(prior, shape=4.5)
    without = {
        "prior of mu": partial(log_joint, prior_of_mu=0.0),
        "normaliser": partial(log_joint, normaliser=0.0),
    }
    cases = {
        f"{form}, simulate too wide": Case(partial(subject, kernel, simulate=wide), "model")
        for form, kernel in (("Gibbs", gibbs()), ("Cycle", cycle()), ("bare", bare()))
    }
    cases |= {
        f"{form}, another prior": Case(partial(subject, kernel, prior=other_prior), "model")
        for form, kernel in (("Gibbs", gibbs()), ("Cycle", cycle()))
    }
    cases |= {
        f"{form}, log_joint without {name}": Case(partial(subject, kernel, log_joint=wrong), "model", (), "none")
        for form, kernel in (("Gibbs", gibbs()), ("Cycle", cycle()), ("walks", cycle(tau=partial(walk_of_tau, 1))))
        for name, wrong in without.items()
    }
    return cases


def cases_of_bare_functions() -> dict[str, Case]:
    return {
        "bare, squares not halved": Case(
            partial(subject, bare(tau=tau_with_squares_not_halved)), "not localised", (), "kernel or model"
        ),
        "bare, several wrong": Case(
            partial(subject, bare(tau=tau_with_all_degrees, mu=mu_from_data)), "not localised", (), "kernel or model"
        ),
    }


CASES = {
    **cases_of_gibbs(),
    **cases_of_functions(),
    **cases_of_kernels(),
    **cases_in_company(),
    **cases_of_composition(),
    **cases_of_model(),
    **cases_of_bare_functions(),
}
