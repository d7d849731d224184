"""Hamiltonian Monte Carlo by hand: logistic regression with two coefficients, a leapfrog and an acceptance."""

import numpy as np

from mcassay import Subject

STEP, STEPS = 0.35, 4
INPUTS = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5], [1.0, -0.3], [1.0, 2.1], [1.0, 0.8]])


def prior(rng):
    return np.array([1.0, 1.5]) * rng.standard_normal(2)


def simulate(beta, rng):
    return rng.random(len(INPUTS)) < 1 / (1 + np.exp(-INPUTS @ beta))


def log_joint(beta, data):
    slopes = INPUTS @ beta
    log_prior = -0.5 * beta[0] ** 2 - 0.5 * (beta[1] / 1.5) ** 2
    return log_prior + np.sum(data * slopes - np.logaddexp(0, slopes))


def gradient(beta, data):
    expected = 1 / (1 + np.exp(-INPUTS @ beta))
    return -beta / np.array([1.0, 2.25]) + INPUTS.T @ (data - expected)


def leapfrog(beta, momentum, data):
    momentum = momentum + 0.5 * STEP * gradient(beta, data)
    for _ in range(STEPS - 1):
        beta = beta + STEP * momentum
        momentum = momentum + STEP * gradient(beta, data)
    beta = beta + STEP * momentum
    momentum = momentum + 0.5 * STEP * gradient(beta, data)
    return beta, momentum


def step(beta, data, rng):
    momentum = rng.standard_normal(2)
    before = log_joint(beta, data) - 0.5 * np.sum(momentum**2)
    new, pushed = leapfrog(beta, momentum, data)
    after = log_joint(new, data) - 0.5 * np.sum(pushed**2)
    log_ratio = after - before
    return new if np.log(rng.random()) < log_ratio else beta


subject = Subject(prior, simulate, step, log_joint=log_joint, name="Hamiltonian")
