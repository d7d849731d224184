"""The moves of emcee: every one, its options, and ensembles of even, odd and small sizes."""

import numpy as np
from emcee import moves

from mcassay import Grid
from mcassay.adapters.emcee import on_target

PACKAGE = "emcee"


def scaling(coordinates, random):
    """Scale every coordinate; the ratio is the Jacobian."""
    logs = 0.5 * random.randn(*coordinates.shape)
    return coordinates * np.exp(logs), logs.sum(axis=1)


MOVES = {
    "stretch": lambda: moves.StretchMove(),
    "stretch a=1.1": lambda: moves.StretchMove(a=1.1),
    "stretch a=10": lambda: moves.StretchMove(a=10.0),
    "stretch in 3 fixed groups": lambda: moves.StretchMove(nsplits=3, randomize_split=False),
    "walk": lambda: moves.WalkMove(),
    "walk s=3": lambda: moves.WalkMove(s=3),
    "differential evolution": lambda: moves.DEMove(),
    "differential evolution sigma=0.5": lambda: moves.DEMove(sigma=0.5),
    "differential evolution gamma0=1": lambda: moves.DEMove(gamma0=1.0),
    "snooker": lambda: moves.DESnookerMove(),
    "kernel density": lambda: moves.KDEMove(),
    "kernel density bw_method=1": lambda: moves.KDEMove(bw_method=1.0),
    "gaussian": lambda: moves.GaussianMove(0.5),
    "gaussian factor=4": lambda: moves.GaussianMove(0.5, factor=4.0),
    "gaussian mode=random": lambda: moves.GaussianMove(2.0, mode="random"),
    "gaussian mode=sequential": lambda: moves.GaussianMove(0.5, mode="sequential", factor=2.0),
    "metropolis by scaling": lambda: moves.MHMove(scaling),
    "stretch and differential evolution": lambda: [(moves.StretchMove(), 0.5), (moves.DEMove(), 0.5)],
}
SIZES = {"even": lambda n: max(8, 2 * n + 2), "odd": lambda n: max(9, 2 * n + 3), "small": lambda n: 2 * n + 2}


def full_covariance(target, walkers):
    """Gaussian steps with a matrix, of the size of the target."""
    return on_target(target, moves.GaussianMove(0.5 * np.eye(target.size) + 0.2), walkers=SIZES[walkers](target.size))


def made_by(move):
    def make(target, walkers):
        return on_target(target, move(), walkers=SIZES[walkers](target.size))

    return make


def kernels():
    """Return a grid for every move."""
    sizes = {"walkers": list(SIZES)}
    grids = {name: Grid(made_by(move), sizes if name == "stretch" else {"walkers": ["odd"]}) for name, move in MOVES.items()}
    return {**grids, "gaussian full covariance": Grid(full_covariance, {"walkers": ["even"]})}
