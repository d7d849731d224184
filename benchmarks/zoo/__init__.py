"""Named bugs of samplers, each with the right sampler beside it: what the tables of detection are measured on."""

from . import ensembles, hamiltonian, metropolis, mixture, slices
from .record import COMPOSITION, Bug

BUGS: dict[str, Bug] = {bug.name: bug for family in (mixture, metropolis, hamiltonian, slices, ensembles) for bug in family.BUGS}

__all__ = ["BUGS", "COMPOSITION", "Bug"]
