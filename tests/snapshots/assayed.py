"""Samplers, right and wrong, whose reports show every kind of message."""

import numpy as np

from mcassay import Cycle, Gibbs, Normal, Subject

RHO = 0.9


def prior(rng):
    return {"mu": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["mu"], 1.0)


def log_joint(state, data):
    return Normal(0, sd=1).log_p(state["mu"]) + Normal(state["mu"], sd=1).log_p(data)


def log_joint_of_another_prior(state, data):
    return Normal(3, sd=1).log_p(state["mu"]) + Normal(state["mu"], sd=1).log_p(data)


def gibbs(variance=1 / 2, log_joint=log_joint):
    return Subject(
        prior, simulate, Gibbs({"mu": lambda s, d: Normal(d / 2, variance=variance)}), log_joint=log_joint, name="gibbs"
    )


def too_high(state, data, rng):
    return {"mu": rng.normal(data / 2 + 1, np.sqrt(1 / 2))}


def raises(state, data, rng):
    return {"mu": state["mu"] / (data - data)}


def not_a_number(state, data):
    return np.nan


# Two blocks that depend on each other, drawn in turn; the second update may see a stale value of the first.
def pair(rng):
    x = rng.normal()
    return {"x": x, "y": given(x, rng)}


def given(value, rng, rho=RHO):
    return rho * value + np.sqrt(1 - RHO**2) * rng.normal()


def log_pair(state, data):
    return -0.5 * (state["x"] ** 2 - 2 * RHO * state["x"] * state["y"] + state["y"] ** 2) / (1 - RHO**2)


def draw_y(state, data, rng):
    return {**state, "y": given(state["x"], rng)}


def draw_x(state, data, rng):
    return {**state, "x": given(state["y"], rng)}


def draw_x_otherwise(state, data, rng):
    return {**state, "x": given(state["y"], rng, rho=0.5)}


def draw_x_stale(carry, data, rng):
    return {**carry, "x": given(carry["seen"], rng), "seen": carry["y"]}


def seen(state, data, rng):
    return {**state, "seen": state["y"]}


def x_and_y(carry):
    return {"x": carry["x"], "y": carry["y"]}


def wrong_update():
    return Subject(pair, None, Cycle({"y": draw_y, "x": draw_x_otherwise}), log_joint=log_pair, name="pair")


def stale():
    step = Cycle({"y": draw_y, "x": draw_x_stale})
    return Subject(pair, None, step, init=seen, position=x_and_y, log_joint=log_pair, name="pair")


def bare(**options):
    return Subject(prior, simulate, too_high, name="bare", **options)


def bits(agree=0.8):
    """Return two bits that like to be equal; an update may know by how much, or not."""

    def prior_of_bits(rng):
        first = int(rng.integers(2))
        return {"a": first, "b": int(first ^ (rng.random() < 0.2))}

    def log_bits(state, data):
        return float(np.log(0.8 if state["a"] == state["b"] else 0.2))

    def update(block, other, agree):
        return lambda state, data, rng: {**state, block: int(state[other] if rng.random() < agree else 1 - state[other])}

    step = Cycle({"a": update("a", "b", 0.8), "b": update("b", "a", agree)})
    return Subject(prior_of_bits, None, step, log_joint=log_bits, name="bits")
