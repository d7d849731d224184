"""The instrument of an assay: statistics, a frozen reference batch, and the directions that are bet on."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.engine.block import reference_samples
from mcassay.engine.statistics import Layout, Table, first_nan, tabulate
from mcassay.errors import InputError
from mcassay.evidence.transforms import Directions, Reference
from mcassay.state import blocks
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray

REFERENCE_SIZE = 2048
_MOST_PAIRS = 150
_MEMORY = 2**26
_LARGEST_BLOCK = 256


@dataclass(frozen=True)
class Instrument:
    """Maps statistics to directions with values in [0, 1].

    Attributes
    ----------
    layout
        The blocks of state and data as the prior draws them.
    blocks
        The block that each statistic is about.
    reference
        The empirical distribution of every statistic under the joint.
    directions
        Location, spread, a periodic one, and products and residuals of pairs of statistics.
    largest_block
        How many replicates of this size fit into a block.
    varying
        The blocks of the state that vary under the prior.
    """

    layout: Layout
    blocks: tuple[str, ...]
    reference: Reference
    directions: Directions
    largest_block: int
    varying: tuple[str, ...]

    @classmethod
    def of(cls, subject: Subject, seed: int, path: tuple[str, ...] = ()) -> "Instrument":
        """Draw the reference batch and fit the directions to it."""
        samples = reference_samples(subject, seed, path, REFERENCE_SIZE)
        layout = Layout.of(samples)
        table = tabulate(subject, samples, layout)
        nan = first_nan(table)
        if nan is not None:
            raise InputError(f'statistic "{nan[1]}" is NaN at draw {nan[0]} from the joint')
        reference = Reference.from_draws(table.values, names=table.names)
        directions = Directions.fit(reference.uniform(table.values), pairs=_pairs(table), names=table.names)
        return cls(layout, table.blocks, reference, directions, _largest_block(samples[0]), _varying(samples))

    def uniform(self, values: FloatArray) -> FloatArray:
        """Map statistics to u in [0, 1]."""
        return self.reference.uniform(values)

    def __call__(self, values: FloatArray) -> FloatArray:
        """Map statistics of shape ``(..., S)`` to directions, shape ``(..., J)``."""
        return self.directions(self.reference.uniform(values))


def _pairs(table: Table) -> list[tuple[int, int]]:
    """Choose which statistics are bet on together: those of different blocks first, coordinates of one block after them."""
    varying = [j for j in range(len(table.names)) if table.paired[j] and np.ptp(_finite(table.values[:, j])) > 0]
    pairs = list(itertools.combinations(varying, 2))
    apart = [pair for pair in pairs if table.blocks[pair[0]] != table.blocks[pair[1]]]
    within = [pair for pair in pairs if table.blocks[pair[0]] == table.blocks[pair[1]]]
    return [*apart, *within][:_MOST_PAIRS]


def _finite(values: FloatArray) -> FloatArray:
    finite = values[np.isfinite(values)]
    return finite if finite.size else np.zeros(1)


def _largest_block(sample: Any) -> int:
    size = sum(np.asarray(part).nbytes for value in sample if value is not None for part in blocks(value).values())
    return int(np.clip(_MEMORY // max(size, 1), 4, _LARGEST_BLOCK))


def _varying(samples: list[Any]) -> tuple[str, ...]:
    first = blocks(samples[0].state)
    others = [blocks(sample.state) for sample in samples[1:64]]
    return tuple(name for name, value in first.items() if any(not _equal(value, other.get(name)) for other in others))


def _equal(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and bool(np.all(np.asarray(a) == np.asarray(b)))
