"""Loops over points whose parameters are integrated out: each leaves its cluster and joins one again."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log1p
from typing import Any

import numpy as np

from mcassay.models.clusters import CentredCluster, Cluster, GaussianCluster
from mcassay.models.compiled import tables
from mcassay.models.compiled.compiling import compile_loops
from mcassay.models.compiled.tables import Prior, Table
from mcassay.vocabulary import FloatArray, IntArray


@dataclass(frozen=True)
class Scans:
    """The compiled loops for one kind of cluster."""

    prior: Callable[[Any, int, FloatArray], Prior]
    fill: Callable[[Table, Prior, FloatArray, IntArray], None]
    redraw: Callable[..., tuple[int, int]]
    restricted: Callable[..., float]


def _scans(prior: Any, clear: Any, put: Any, take: Any, settle: Any, weigh: Any) -> Scans:
    """Compile the loops over clusters of one kind."""

    @compile_loops
    def fill(table: Table, prior: Prior, data: FloatArray, labels: IntArray) -> None:
        """Make every row anew; points with the label -1 are nowhere."""
        work = np.empty(data.shape[1])
        for row in range(table.sizes.shape[0]):
            clear(table, prior, row)
        for i in range(labels.shape[0]):
            if labels[i] >= 0:
                put(table, prior, labels[i], data[i], work)
        for row in range(table.sizes.shape[0]):
            settle(table, prior, row)

    @compile_loops
    def leave(table: Table, prior: Prior, data: FloatArray, labels: IntArray, i: int, work: FloatArray) -> int:
        """Take a point out of its cluster, which is made anew if that cost it too many digits."""
        row: int = labels[i]
        labels[i] = -1
        if not take(table, prior, row, data[i], work):
            clear(table, prior, row)
            for j in range(labels.shape[0]):
                if labels[j] == row:
                    put(table, prior, row, data[j], work)
        settle(table, prior, row)
        return row

    @compile_loops
    def join(table: Table, prior: Prior, data: FloatArray, labels: IntArray, i: int, row: int, work: FloatArray) -> None:
        """Put a point into a cluster."""
        labels[i] = row
        put(table, prior, row, data[i], work)
        settle(table, prior, row)

    @compile_loops
    def redraw(
        data: FloatArray,
        labels: IntArray,
        uniforms: FloatArray,
        begin: int,
        table: Table,
        prior: Prior,
        rows: IntArray,
        used: int,
        growing: bool,
    ) -> tuple[int, int]:
        """Redraw the labels of points one after another, until the end or until there is no room for one more cluster.

        ``rows`` begins with the ``used`` rows of the clusters, in order. Where clusters come and go, the last row of the table
        stands for a new one. Returns the next point and how many rows are used.
        """
        weights, work, empty = np.empty(table.sizes.shape[0]), np.empty(data.shape[1]), table.sizes.shape[0] - 1
        for i in range(begin, data.shape[0]):
            if growing and used == rows.shape[0]:
                return i, used
            row = leave(table, prior, data, labels, i, work)
            if growing and table.sizes[row] == 0:
                used = _close(rows, used, row)
            if growing:
                rows[used] = empty
            weigh(table, prior, rows, used + growing, data[i], work, weights)
            place = _choose(weights, used + growing, uniforms[i])
            row = rows[place] if place < used else _open(rows, used)
            used += place == used
            join(table, prior, data, labels, i, row, work)
        return data.shape[0], used

    @compile_loops
    def restricted(
        data: FloatArray,
        sides: IntArray,
        points: IntArray,
        uniforms: FloatArray,
        towards: IntArray,
        table: Table,
        prior: Prior,
    ) -> float:
        """Let some points choose between rows 0 and 1 again, and return the log probability of all the choices.

        With ``towards`` (of length 0 otherwise), nothing is drawn, and the choices are those that lead there.
        """
        total, work, weights, rows = 0.0, np.empty(data.shape[1]), np.empty(2), np.arange(2)
        for place in range(points.shape[0]):
            i = points[place]
            leave(table, prior, data, sides, i, work)
            weigh(table, prior, rows, 2, data[i], work, weights)
            log_odds = weights[0] - weights[1]
            side = 0
            if towards.shape[0] > 0:
                side = towards[i]
            elif not uniforms[place] < exp(_log_probability(log_odds)):
                side = 1
            total += _log_probability(log_odds if side == 0 else -log_odds)
            join(table, prior, data, sides, i, side, work)
        return total

    return Scans(prior, fill, redraw, restricted)


@compile_loops
def _choose(log_weights: FloatArray, count: int, uniform: float) -> int:
    """Draw a place with probability proportional to the exponentials of log weights, which are used up."""
    largest, height = -np.inf, 0.0
    for place in range(count):
        largest = max(largest, log_weights[place])
    for place in range(count):
        height += exp(log_weights[place] - largest)
        log_weights[place] = height
    level, place = uniform * height, 0
    while not level < log_weights[place]:
        place += 1
    return place


@compile_loops
def _close(rows: IntArray, used: int, row: int) -> int:
    """Strike a row from those in use."""
    place = 0
    while rows[place] != row:
        place += 1
    for later in range(place + 1, used):
        rows[later - 1] = rows[later]
    return used - 1


@compile_loops
def _open(rows: IntArray, used: int) -> int:
    """Put the first row that is free among those in use, in order."""
    place = 0
    while place < used and rows[place] == place:
        place += 1
    for later in range(used, place, -1):
        rows[later] = rows[later - 1]
    rows[place] = place
    return place


@compile_loops
def _log_probability(log_odds: float) -> float:
    """Return the log of the probability that belongs to log odds, without overflow."""
    return -max(0.0, -log_odds) - log1p(exp(-abs(log_odds)))


@compile_loops
def canonical(labels: IntArray, rows: int) -> IntArray:
    """Return labels, which are less than ``rows``, numbered in the order of first points."""
    numbers, next_number, found = np.full(rows, -1), 0, np.empty_like(labels)
    for i in range(labels.shape[0]):
        if numbers[labels[i]] < 0:
            numbers[labels[i]] = next_number
            next_number += 1
        found[i] = numbers[labels[i]]
    return found


_GAUSSIAN = _scans(
    tables.gaussian_prior,
    tables.clear_gaussian,
    tables.put_gaussian,
    tables.take_gaussian,
    tables.settle_gaussian,
    tables.weigh_gaussian,
)
_CENTRED = _scans(
    tables.centred_prior,
    tables.clear_centred,
    tables.put_centred,
    tables.take_centred,
    tables.settle_centred,
    tables.weigh_centred,
)


def scans_of(cluster: Cluster) -> Scans:
    """Return the compiled loops for a cluster of this kind."""
    assert isinstance(cluster, (GaussianCluster, CentredCluster))
    return _GAUSSIAN if isinstance(cluster, GaussianCluster) else _CENTRED
