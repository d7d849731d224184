"""The instrument of an assay: statistics, a frozen reference batch, and the directions that are bet on."""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mcassay.engine.block import reference_samples
from mcassay.engine.layout import Layout, sample_bytes
from mcassay.engine.numbers import Sample
from mcassay.engine.statistics import Table, first_nan, tabulate, tabulate_rows
from mcassay.errors import InputError
from mcassay.evidence.transforms import Directions, Reference
from mcassay.state import blocks, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray

REFERENCE_SIZE = 2048
_MOST_PAIRS = 120
# Two statistics are a pair already; more than these would have too many products to fit to the reference batch.
_FEWEST_TOGETHER, _MOST_TOGETHER = 3, 16
# What a statistic that does not vary, or that is of the data alone, starts with beside one of the state.
_CONSTANT, _UNMOVED = 0.02, 0.1
_ROUNDING = 1e-9
_MEMORY = 2**26
_LARGEST_BLOCK = 256
# A block of which fewer draws than these differ from the one before may stay for long under a right kernel.
_CHANGES = 8


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
    weights
        The share of the wealth that each direction starts with.
    largest_block
        How many replicates of this size fit into a block.
    varying
        The blocks of the state that vary under the prior, and how often two draws of each differ.
    """

    layout: Layout
    blocks: tuple[str, ...]
    reference: Reference
    directions: Directions
    weights: FloatArray
    largest_block: int
    varying: Mapping[str, float]

    @classmethod
    def of(cls, subject: Subject, seed: int, path: tuple[str, ...] = ()) -> "Instrument":
        """Draw the reference batch and fit the directions to it."""
        layout, table, largest, varying = (_drawn_together if subject.vectorised else _drawn)(subject, seed, path)
        nan = first_nan(table)
        if nan is not None:
            raise InputError(f'statistic "{nan[1]}" is NaN at draw {nan[0]} from the joint')
        reference = Reference.from_draws(table.values, names=table.names)
        u = reference.uniform(table.values)
        directions = Directions.fit(u, pairs=_pairs(table), together=_together(table), names=table.names)
        weights = _weights(directions, _promise(table, layout), table.blocks)
        return cls(layout, table.blocks, reference, directions, weights, largest, varying)

    def uniform(self, values: FloatArray) -> FloatArray:
        """Map statistics to u in [0, 1]."""
        return self.reference.uniform(values)

    def __call__(self, values: FloatArray) -> FloatArray:
        """Map statistics of shape ``(..., S)`` to directions, shape ``(..., J)``."""
        return self.directions(self.reference.uniform(values))


_Drawn = tuple[Layout, Table, int, dict[str, float]]


def _drawn(subject: Subject, seed: int, path: tuple[str, ...]) -> _Drawn:
    """Draw the reference batch, one draw after another."""
    draws = reference_samples(subject, seed, path, REFERENCE_SIZE)
    samples = [next(draws)]
    largest = _largest_block(sample_bytes(samples[0]))
    # Where states are so large that not all draws fit into the memory, the first of them have to tell the layout.
    samples += itertools.islice(draws, REFERENCE_SIZE if largest == _LARGEST_BLOCK else 2 * largest)
    layout = Layout.of(samples)
    table = _tabulated(subject, itertools.chain(samples, draws), layout, largest)
    return layout, table, largest, _varying([blocks(sample.state) for sample in samples[:_LARGEST_BLOCK]])


def _drawn_together(subject: Subject, seed: int, path: tuple[str, ...]) -> _Drawn:
    """Draw the reference batch of a vectorised subject, some hundreds at once."""
    draws = reference_samples(subject, seed, path, REFERENCE_SIZE // _LARGEST_BLOCK, _LARGEST_BLOCK)
    first = next(draws)
    layout = Layout.of_rows(first)
    tables = [tabulate_rows(subject, sample, _LARGEST_BLOCK, layout) for sample in itertools.chain([first], draws)]
    table = replace(tables[0], values=np.concatenate([table.values for table in tables]))
    leaves = {name: np.asarray(leaf) for name, leaf in blocks(first.state).items()}
    varying = _varying([{name: leaf[row] for name, leaf in leaves.items()} for row in range(_LARGEST_BLOCK)])
    return layout, table, _largest_block(sample_bytes(first) / _LARGEST_BLOCK), varying


def _tabulated(subject: Subject, draws: Iterator[Sample], layout: Layout, largest: int) -> Table:
    """Evaluate the statistics of all draws, as many at a time as memory allows."""
    size = REFERENCE_SIZE if largest == _LARGEST_BLOCK else largest
    tables = [tabulate(subject, batch, layout) for batch in iter(lambda: list(itertools.islice(draws, size)), [])]
    return replace(tables[0], values=np.concatenate([table.values for table in tables]))


def _pairs(table: Table) -> list[tuple[int, int]]:
    """Choose which statistics are bet on together: those of different blocks first, coordinates of one block after them."""
    varying = _varying_paired(table)
    pairs = list(itertools.combinations(varying, 2))
    apart = [pair for pair in pairs if table.blocks[pair[0]] != table.blocks[pair[1]]]
    within = [pair for pair in pairs if table.blocks[pair[0]] == table.blocks[pair[1]]]
    return [*apart, *within][:_MOST_PAIRS]


def _together(table: Table) -> list[int]:
    """Choose the statistics that are each bet on given all the others: the first ones of every block before the second ones."""
    varying = _varying_paired(table)
    turn = {j: sum(table.blocks[i] == table.blocks[j] for i in varying if i < j) for j in varying}
    chosen = sorted(varying, key=lambda j: turn[j])[:_MOST_TOGETHER]
    return sorted(chosen) if len(chosen) >= _FEWEST_TOGETHER else []


def _varying_paired(table: Table) -> list[int]:
    return [j for j in range(len(table.names)) if table.paired[j] and _varies(table.values[:, j])]


def _promise(table: Table, layout: Layout) -> FloatArray:
    """Say how likely each statistic is to show a bug: little if it does not vary, or if no sweep can change it."""
    of_data = np.isin(table.blocks, list(layout.shapes.keys() - layout.of_state))
    # How a block of the state splits the data is no statistic of the data alone.
    of_data &= np.array([" within " not in name for name in table.names])
    varies = np.array([_varies(column) for column in table.values.T])
    return np.where(varies, np.where(of_data, _UNMOVED, 1.0), _CONSTANT)


def _weights(directions: Directions, promise: FloatArray, owners: Sequence[str]) -> FloatArray:
    """Share the wealth among directions by kind, and within a kind by what their statistics promise.

    A block with few statistics, such as a variance, is as likely to be wrong as one with many: the share of a statistic falls
    with the root of how many there are of its block, and that of a pair with the root of how many there are of its two blocks.
    """
    a, b = directions.pairs.T
    constant = np.minimum(promise[a], promise[b]) <= _CONSTANT
    together = np.where(constant, _CONSTANT, np.maximum(promise[a], promise[b]))
    together = together / _crowd([frozenset((owners[i], owners[j])) for i, j in directions.pairs])
    chosen = list(directions.rest.chosen)
    each = {"product": together, "given": np.concatenate([together, together])}
    each |= dict.fromkeys(("rest", "rest_spread"), promise[chosen] / _crowd([owners[j] for j in chosen]))
    single = promise / _crowd(owners)
    weights = np.concatenate([_of_kind(directions, kind, each.get(kind, single)) for kind in dict.fromkeys(directions.kinds)])
    return np.asarray(weights / weights.sum())


def _of_kind(directions: Directions, kind: str, factors: FloatArray) -> FloatArray:
    """Share what a kind has by these factors."""
    total = directions.weights[np.array(directions.kinds) == kind].sum()
    return np.asarray(total * factors / factors.sum())


def _crowd(owners: Sequence[Hashable]) -> FloatArray:
    """Return for each owner the root of how often it occurs."""
    counts = Counter(owners)
    return np.sqrt([counts[owner] for owner in owners])


def _varies(values: FloatArray) -> bool:
    """Say whether a statistic varies by more than rounding."""
    finite = values[np.isfinite(values)]
    return len(finite) < len(values) or bool(np.ptp(finite) > _ROUNDING * np.abs(finite).max(initial=0.0))


def _largest_block(bytes_each: float) -> int:
    return int(np.clip(_MEMORY // bytes_each, 4, _LARGEST_BLOCK))


def _varying(states: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return how often neighbouring draws of a block differ, for all blocks that do so often enough to tell."""
    pairs = list(itertools.pairwise(states))
    counts = {name: sum(not same_state(one[name], other.get(name)) for one, other in pairs if name in one) for name in states[0]}
    return {name: count / len(pairs) for name, count in counts.items() if count >= min(_CHANGES, len(pairs))}
