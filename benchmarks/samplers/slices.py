"""Slice sampling by hand: stepping out and shrinking, one coordinate after the other."""

import numpy as np

from mcassay import Subject

WIDTH = 1.5


def prior(rng):
    return rng.normal(size=2) * np.array([1.0, 1.4])


def simulate(x, rng):
    return rng.poisson(np.exp(0.5 * x[0] + 0.3 * x[1]), size=4)


def log_joint(x, data):
    log_rate = 0.5 * x[0] + 0.3 * x[1]
    return -0.5 * x[0] ** 2 - 0.5 * (x[1] / 1.4) ** 2 + np.sum(data) * log_rate - data.size * np.exp(log_rate)


def moved(x, j, value):
    new = x.copy()
    new[j] = value
    return new


def step_coordinate(x, j, data, rng):
    level = log_joint(x, data) - rng.exponential()
    low = x[j] - WIDTH * rng.random()
    high = low + WIDTH
    while log_joint(moved(x, j, low), data) > level:
        low -= WIDTH
    while log_joint(moved(x, j, high), data) > level:
        high += WIDTH
    while True:
        value = rng.uniform(low, high)
        if log_joint(moved(x, j, value), data) >= level:
            return moved(x, j, value)
        if value < x[j]:
            low = value
        else:
            high = value


def step(x, data, rng):
    for j in range(2):
        x = step_coordinate(x, j, data, rng)
    return x


subject = Subject(prior, simulate, step, log_joint=log_joint, name="slice")
