"""Kernels: general-purpose sampling routines, no model in sight."""

from mcassay.kernels.compose import Cycle, RandomScan
from mcassay.kernels.gibbs import ConditionalUpdate, Gibbs
from mcassay.kernels.hamiltonian import HamiltonianMonteCarlo
from mcassay.kernels.metropolis import MetropolisHastings
from mcassay.kernels.slice import EllipticalSlice, Slice
from mcassay.kernels.structure import apply, bind, ordered_updates, updates_of

__all__ = [
    "ConditionalUpdate",
    "Cycle",
    "EllipticalSlice",
    "Gibbs",
    "HamiltonianMonteCarlo",
    "MetropolisHastings",
    "RandomScan",
    "Slice",
    "apply",
    "bind",
    "ordered_updates",
    "updates_of",
]
