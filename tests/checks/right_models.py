"""Small right models of every kind: prior, simulate, exact conditionals and a log joint that agree with each other.

Some log joints do not say where their support ends, as users' often do not.
"""

import math

import numpy as np

from mcassay import (
    Beta,
    Categorical,
    Dirichlet,
    Gamma,
    Gibbs,
    InverseWishart,
    MultivariateNormal,
    Normal,
    StudentT,
    Subject,
    Uniform,
)
from mcassay.models.mixture import IsotropicMixture


def total(log_p):
    return float(np.sum(log_p))


def heavy_tails():
    """No data, and no variance."""
    law = StudentT(1.5)
    return Subject(
        lambda rng: {"x": law.sample(rng, size=3)},
        None,
        Gibbs({"x": lambda state, data: StudentT(np.full(3, 1.5))}),
        log_joint=lambda state, data: total(law.log_p(state["x"])),
        name="heavy tails",
    )


SHARES = np.array([0.5, 0.3, 0.2])
RATES = np.array([1.0, 4.0, 9.0])


def discrete():
    """A label and a count; the log joint looks nothing up for impossible labels, it wraps around."""

    def log_odds(data):
        return np.log(SHARES) + data * np.log(RATES) - RATES

    return Subject(
        lambda rng: {"k": int(rng.choice(3, p=SHARES))},
        lambda state, rng: int(rng.poisson(RATES[state["k"]])),
        Gibbs({"k": lambda state, data: Categorical.from_log_odds(log_odds(data))}),
        log_joint=lambda state, data: float(log_odds(data)[state["k"]]) - math.lgamma(data + 1),
        name="discrete",
    )


def simplex():
    prior = np.array([0.8, 1.5, 3.0])
    return Subject(
        lambda rng: {"w": Dirichlet(prior).sample(rng)},
        lambda state, rng: rng.multinomial(6, state["w"]),
        Gibbs({"w": lambda state, data: Dirichlet(prior + data)}),
        log_joint=lambda state, data: total((prior - 1 + data) * np.log(state["w"])) - sum(math.lgamma(n + 1) for n in data),
        name="simplex",
    )


def positive_definite():
    prior = InverseWishart(6.0, scale=np.array([[2.0, 0.5], [0.5, 1.0]]))

    def conditional(state, data):
        return InverseWishart(6.0 + len(data), scale=np.array([[2.0, 0.5], [0.5, 1.0]]) + data.T @ data)

    def log_joint(state, data):
        likelihood = MultivariateNormal(np.zeros(2), covariance=state["cov"])
        return float(prior.log_p(state["cov"])) + total(likelihood.log_p(data))

    return Subject(
        lambda rng: {"cov": prior.sample(rng)},
        lambda state, rng: rng.multivariate_normal(np.zeros(2), state["cov"], size=4),
        Gibbs({"cov": conditional}),
        log_joint=log_joint,
        name="positive definite",
    )


def constrained():
    """Two uniform variables in order, with Beta data; the log joint does not say where they may not be."""
    return Subject(
        lambda rng: dict(zip(("low", "high"), np.sort(rng.uniform(size=2)).tolist(), strict=True)),
        None,
        Gibbs({"low": lambda s, data: Uniform(0.0, s["high"]), "high": lambda s, data: Uniform(s["low"], 1.0)}),
        log_joint=lambda state, data: math.log(2) + 1e-12 * (state["low"] + state["high"]),
        name="constrained",
    )


def unit_interval():
    """A log joint that is NaN outside the unit interval."""

    def log_joint(state, data):
        with np.errstate(all="ignore"):
            return total(np.log(state["p"]) + (2.0 + data) * np.log(state["p"]) + (3.0 - data) * np.log1p(-state["p"]))

    return Subject(
        lambda rng: {"p": Beta(4.0, 3.0).sample(rng)},
        lambda state, rng: int(rng.random() < state["p"]),
        Gibbs({"p": lambda state, data: Beta(4.0 + data, 4.0 - data)}),
        log_joint=log_joint,
        name="unit interval",
    )


def hierarchical():
    """Rates of groups under a common scale."""

    def log_joint(state, data):
        return (
            float(Gamma(3.0, rate=2.0).log_p(state["scale"]))
            + total(Gamma(2.0, rate=state["scale"]).log_p(state["rates"]))
            + total(Gamma(5.0, rate=state["rates"]).log_p(data))
        )

    return Subject(
        lambda rng: {"scale": (s := float(rng.gamma(3.0, 1 / 2.0))), "rates": rng.gamma(2.0, 1 / s, size=4)},
        lambda state, rng: rng.gamma(5.0, 1 / state["rates"]),
        Gibbs(
            {
                "scale": lambda state, data: Gamma(3.0 + 2.0 * 4, rate=2.0 + np.sum(state["rates"])),
                "rates": lambda state, data: Gamma(2.0 + 5.0, rate=state["scale"] + data),
            }
        ),
        log_joint=log_joint,
        name="hierarchical",
    )


def mixture():
    return IsotropicMixture(clusters=3, points=8, dimensions=1).subject()


def stay(state, data, rng):
    return state


def ordered_levels():
    """An ordered vector whose log joint takes any order."""
    return Subject(
        lambda rng: {"levels": np.sort(rng.normal(size=4))},
        lambda state, rng: rng.normal(state["levels"], 0.5),
        stay,
        log_joint=lambda s, data: total(Normal(0.0, sd=1.0).log_p(s["levels"]) + Normal(s["levels"], sd=0.5).log_p(data)),
        name="ordered levels",
    )


def derived_counts():
    """Counts that are kept beside the labels; the log joint reads either."""

    def prior(rng):
        labels = rng.choice(3, p=SHARES, size=7)
        return {"labels": labels, "counts": np.bincount(labels, minlength=3), "shift": float(rng.normal())}

    def log_joint(state, data):
        fit = Normal(RATES[state["labels"]] + state["shift"], sd=1.0).log_p(data)
        return total(state["counts"] * np.log(SHARES)) + total(fit) - 0.5 * state["shift"] ** 2

    return Subject(
        prior,
        lambda state, rng: rng.normal(RATES[state["labels"]] + state["shift"], 1.0),
        stay,
        log_joint=log_joint,
        name="derived counts",
    )


def squared_beside():
    """A standard deviation and its square in one state."""

    def prior(rng):
        sd = float(rng.gamma(2.0))
        return {"sd": sd, "variance": sd**2, "mean": float(rng.normal())}

    def log_joint(state, data):
        return (
            float(Gamma(2.0, rate=1.0).log_p(state["sd"]))
            + total(Normal(state["mean"], variance=state["variance"]).log_p(data))
            - 0.5 * state["mean"] ** 2
        )

    return Subject(
        prior, lambda state, rng: rng.normal(state["mean"], state["sd"], size=3), stay, log_joint=log_joint, name="squared beside"
    )


def permutation():
    """A ranking seen with noise; any numbers give a finite log joint."""
    return Subject(
        lambda rng: {"ranks": rng.permutation(5)},
        lambda state, rng: rng.normal(state["ranks"], 1.0),
        stay,
        log_joint=lambda state, data: total(Normal(state["ranks"], sd=1.0).log_p(data)),
        name="permutation",
    )


def labels_by_appearance():
    """A Chinese restaurant, labels in order of appearance; the log joint takes any labels."""

    def prior(rng):
        labels = [0]
        for n in range(1, 6):
            sizes = np.append(np.bincount(labels), 1.0)
            labels.append(int(rng.choice(len(sizes), p=sizes / (n + 1.0))))
        return {"seats": np.array(labels)}

    def log_joint(state, data):
        return sum(math.lgamma(size) for size in np.bincount(state["seats"]) if size)

    return Subject(prior, None, stay, log_joint=log_joint, name="labels by appearance")


def total_of_counts():
    """Counts of a fixed total."""
    return Subject(
        lambda rng: {"counts": rng.multinomial(9, SHARES)},
        None,
        stay,
        log_joint=lambda s, data: total(s["counts"] * np.log(SHARES)) - sum(math.lgamma(abs(n) + 1) for n in s["counts"]),
        name="total of counts",
    )


def on_a_disc():
    """Uniform-like points in a disc, and a log joint that does not stop at its edge."""

    def prior(rng):
        radius, angle = math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        return {"place": radius * np.array([math.cos(angle), math.sin(angle)])}

    return Subject(
        prior,
        lambda state, rng: rng.normal(state["place"], 1.0),
        stay,
        log_joint=lambda state, data: total(Normal(state["place"], sd=1.0).log_p(data)),
        name="on a disc",
    )


def on_a_circle():
    """Points on a circle: no element can move alone."""

    def prior(rng):
        angle = rng.uniform(0, 2 * math.pi)
        return {"place": np.array([math.cos(angle), math.sin(angle)])}

    return Subject(
        prior,
        lambda state, rng: rng.normal(state["place"], 1.0),
        stay,
        log_joint=lambda s, data: total(Normal(s["place"], sd=1.0).log_p(data)),
        name="on a circle",
    )


WITH_CONDITIONALS = (
    heavy_tails,
    discrete,
    simplex,
    positive_definite,
    constrained,
    unit_interval,
    hierarchical,
    mixture,
)
WITH_LOG_JOINT = (
    *WITH_CONDITIONALS,
    ordered_levels,
    derived_counts,
    squared_beside,
    permutation,
    labels_by_appearance,
    total_of_counts,
    on_a_disc,
    on_a_circle,
)
