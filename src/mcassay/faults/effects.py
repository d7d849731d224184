"""How large the effect of a mistake is: a right and a wrong sweep on the same random numbers, each from its own joint.

What differs between the two comes from the mistake alone, so that effects far below what an assay of a like size could see
are measured. Where both start alike, the share of pairs that differ bounds the total variation from above, for the pairs are
a coupling; the largest P-P gap of a statistic bounds it from below.
"""

import math
from collections.abc import Iterator

import numpy as np

from mcassay.engine.layout import Layout
from mcassay.engine.numbers import Sample
from mcassay.engine.replicate import begin_carry, position_of
from mcassay.engine.statistics import tabulate
from mcassay.evidence.transforms import Reference
from mcassay.faults.outcome import Effect
from mcassay.kernels.structure import apply
from mcassay.state import copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import BoolArray, FloatArray

PAIRS = 2_000
# Numbers that differ by less than this, relative to their size, differ by rounding.
_ROUNDING = 1e-9
# The share of the sweeps of an assay that are runs of one sweep in the check of invariance.
_SHARE = 0.57
# What is this many standard errors from nothing is something.
_SURE = 4.0


def effect_of(right: Subject, wrong: Subject, layout: Layout, seed: int, *, alpha: float, pairs: int = PAIRS) -> Effect:
    """Compare what one sweep of each does to a draw from its own joint."""
    samples = zip(*_pairs(right, wrong, seed, pairs), strict=True)
    tables = [tabulate(right, batch, layout) for batch in samples]
    start, end, own_start, own_end = (table.values for table in tables)
    gaps = [_gap(*columns) for columns in zip(start.T, end.T, own_start.T, own_end.T, strict=True)]
    most = int(np.argmax(gaps))
    differing = float(np.mean(~_same(end, own_end).all(axis=1))) if _same(start, own_start).all() else None
    sweeps = _sweeps(alpha, *_places(start, end, own_start, own_end))
    return Effect(tables[0].names[most], gaps[most], differing, sweeps, pairs)


def _pairs(right: Subject, wrong: Subject, seed: int, pairs: int) -> Iterator[tuple[Sample, Sample, Sample, Sample]]:
    numbers = np.random.default_rng(seed).integers(2**62, size=(pairs, 2))
    for first, second in numbers.tolist():
        one, other = (Sample(*subject.draw(np.random.default_rng(first))) for subject in (right, wrong))
        yield one, _end(right, one, second), other, _end(wrong, other, second)


def _end(subject: Subject, start: Sample, seed: int) -> Sample:
    rng, data = np.random.default_rng(seed), copy_state(start.data)
    carry = begin_carry(subject, start.state, data, rng)
    return Sample(copy_state(position_of(subject, apply(subject.step, carry, data, rng))), start.data)


def _same(one: FloatArray, other: FloatArray) -> BoolArray:
    """Say which values are equal but for rounding."""
    return np.isclose(one, other, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True)


def _gap(start: FloatArray, end: FloatArray, own_start: FloatArray, own_end: FloatArray) -> float:
    """Return by how much a wrong sweep changes a distribution function, less what a right one happens to change."""
    own_start, own_end = np.where(_same(start, own_start), start, own_start), np.where(_same(end, own_end), end, own_end)
    points = np.sort(np.concatenate([start, end, own_start, own_end]))
    below = [np.searchsorted(np.sort(values), points, side="right") for values in (start, end, own_start, own_end)]
    return float(np.abs((below[3] - below[2]) - (below[1] - below[0])).max() / len(start))


def _places(*tables: FloatArray) -> Iterator[FloatArray]:
    """Return location and spread of every statistic, relative to the right starts."""
    reference = Reference.from_draws(np.asarray(tables[0]))
    return (_directions(reference.uniform(values)) for values in tables)


def _sweeps(alpha: float, start: FloatArray, end: FloatArray, own_start: FloatArray, own_end: FloatArray) -> int | None:
    """Estimate how many sweeps the wager needs: it grows by half the squared ratio of drift and spread a replicate."""
    paired = (own_end - own_start) - (end - start)
    drift, noise = paired.mean(axis=0), paired.std(axis=0) / math.sqrt(len(start))
    sure = np.abs(drift) > _SURE * noise
    if not sure.any():
        return None
    growth = np.where(sure, drift**2 / (2 * np.maximum((own_end - own_start).var(axis=0), 1e-12)), 0.0)
    return math.ceil(math.log(2 * growth.size / alpha) / float(growth.max()) / _SHARE)


def _directions(u: FloatArray) -> FloatArray:
    """Return location and spread."""
    return np.concatenate([u, np.abs(2 * u - 1)], axis=1)
