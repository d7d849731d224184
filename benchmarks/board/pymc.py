"""The step methods of PyMC, with the proposals and options that they offer; all of them with their tuning ended."""

import numpy as np
import pymc as pm
from pymc.step_methods import metropolis

from mcassay import Grid, Skip
from mcassay.adapters.pymc_targets import on_target, population

PACKAGE = "pymc"


def only(kinds, make):
    """Return how a step method for blocks of some kinds takes a target."""

    def made(target, **options):
        if {space.kind for space in target.spaces.values()} <= set(kinds):
            return on_target(target, lambda model: make(model.free_RVs, target, **options))
        return Skip(f"the step method moves {', '.join(kinds)} alone")

    return made


REAL = ("real", "positive", "interval", "angle", "simplex")
WHOLE = ("integers", "labels", "binary")


def proposals(variables, target, proposal):
    return pm.Metropolis(variables, proposal_dist=getattr(metropolis, f"{proposal}Proposal"))


def scaled(variables, target, scaling):
    return pm.Metropolis(variables, scaling=scaling)


def correlated(target):
    if len(target.spaces) > 1 or target.size < 2 or not target.real:
        return Skip("a covariance is for one vector of real numbers")
    covariance = 0.1 * np.eye(target.size) + 0.9
    return on_target(target, lambda model: pm.Metropolis(model.free_RVs, S=covariance))


def past(target):
    """Differential evolution from a past of draws from the target, which stays the same."""
    if not target.real or target.has_data:
        return Skip("the past of a chain has to be drawn independently: a target without data, of real numbers")
    rng = np.random.default_rng(1)
    draws = [target.vector(target.prior(rng)) for _ in range(20)]

    def make(model):
        method = pm.DEMetropolisZ(model.free_RVs, tune_drop_fraction=0.0)
        method._history = draws
        return method

    return on_target(target, make)


def kernels():
    """Return a grid for every step method."""
    return {
        "Metropolis": Grid(only(REAL + WHOLE, scaled), {"scaling": [0.1, 1.0, 10.0]}),
        "Metropolis proposal": Grid(only(REAL + WHOLE, proposals), {"proposal": ["Uniform", "Cauchy", "Laplace", "Poisson"]}),
        "Metropolis covariance": Grid(correlated),
        "Slice": Grid(only(REAL, lambda v, t, w: pm.Slice(v, w=w)), {"w": [0.1, 1.0, 20.0]}),
        "NUTS": Grid(only(REAL, lambda v, t, step_scale: pm.NUTS(v, step_scale=step_scale)), {"step_scale": [0.25, 1.0]}),
        "HamiltonianMC": Grid(
            only(REAL, lambda v, t, path_length: pm.HamiltonianMC(v, path_length=path_length)), {"path_length": [0.1, 2.0]}
        ),
        "BinaryMetropolis": Grid(
            only(("binary",), lambda v, t, scaling: pm.BinaryMetropolis(v, scaling=scaling)), {"scaling": [0.2, 1.0]}
        ),
        "BinaryGibbsMetropolis": Grid(
            only(("binary",), lambda v, t, transit_p: pm.BinaryGibbsMetropolis(v, transit_p=transit_p)),
            {"transit_p": [0.3, 0.8, 1.0]},
        ),
        "CategoricalGibbsMetropolis": Grid(
            only(("labels", "binary"), lambda v, t, proposal: pm.CategoricalGibbsMetropolis(v, proposal=proposal)),
            {"proposal": ["uniform", "proportional"]},
        ),
        "DEMetropolisZ with a fixed past": Grid(past),
        "DEMetropolis": Grid(
            lambda target, chains: population(target, lambda model: pm.DEMetropolis(model.free_RVs), chains=chains),
            {"chains": [3, 8]},
        ),
    }  # fmt: skip
