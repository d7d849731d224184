"""A Chinese restaurant process whose clusters have one of a few atoms: everything about it can be enumerated."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from mcassay import Cycle, Gibbs, Subject
from mcassay.distributions import Categorical
from mcassay.models.auxiliary_gibbs import AuxiliaryGibbs
from mcassay.models.partitions import draw_partition, log_partition
from mcassay.models.seating import canonical


@dataclass(frozen=True, kw_only=True)
class AtomMixture:
    """Points of Normal(atom, 1), the atom of each cluster drawn from a law on two or three numbers."""

    points: int = 4
    atoms: tuple = (-1.0, 1.5)
    weights: tuple = (0.7, 0.3)
    concentration: float = 1.3
    auxiliary: int = 2
    turn: object = field(default=lambda right: right)

    def prior(self, rng):
        labels = draw_partition(self.points, self.concentration, rng)
        return {"z": labels, "atom": rng.choice(len(self.atoms), size=labels.max() + 1, p=self.weights)}

    def simulate(self, state, rng):
        return np.array(self.atoms)[state["atom"][state["z"]]] + rng.normal(size=self.points)

    def log_density(self, x, parameters, state):
        return -0.5 * (x - self.atoms[int(parameters[0])]) ** 2

    def log_joint(self, state, data):
        z, atom = state["z"], state["atom"]
        if not np.array_equal(z, canonical(z)) or len(atom) != z.max() + 1:
            return -math.inf
        base = sum(math.log(self.weights[a]) for a in atom)
        fit = sum(self.log_density(x, (atom[label],), state) for x, label in zip(data, z, strict=True))
        return log_partition(z, self.concentration) + base + fit

    def cond_atom(self, state, data):
        log_odds = np.tile(np.log(self.weights), (len(state["atom"]), 1))
        for x, label in zip(data, state["z"], strict=True):
            log_odds[label] += [self.log_density(x, (a,), state) for a in range(len(self.atoms))]
        return Categorical.from_log_odds(log_odds)

    def labels(self):
        draw = lambda state, rng: (rng.choice(len(self.atoms), p=self.weights),)  # noqa: E731
        right = AuxiliaryGibbs(draw, self.log_density, lambda state: self.concentration, ("atom",), auxiliary=self.auxiliary)
        return self.turn(right)

    def subject(self):
        step = Cycle({"z": self.labels().of_each_point(self.points), "atoms": Gibbs({"atom": self.cond_atom})})
        return Subject(self.prior, self.simulate, step, log_joint=self.log_joint, name="atoms")

    def with_bug(self, bug):
        return replace(self, turn=bug)
