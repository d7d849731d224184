"""Clusters with their parameters integrated out, as rows of arrays: what ``clusters`` has as objects, for compiled loops.

Two kinds of clusters, each with the same five functions: ``clear`` a row, ``put`` a point in, ``take`` one out, ``settle`` what
the log weight of the row needs, and the ``log_weight`` of one more point. The last row of a table is always empty.
"""

import math
from functools import lru_cache
from math import log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from mcassay.models.arithmetic import downdate_factor, update_factor
from mcassay.models.clusters import CentredCluster, GaussianCluster
from mcassay.models.compiled.compiling import compile_loops
from mcassay.vocabulary import FloatArray, IntArray

_LOG_PI = log(math.pi)

_update_factor = compile_loops(update_factor)
_downdate_factor = compile_loops(downdate_factor)


class Prior(NamedTuple):
    """What is known of a cluster before its points, and of every size of a cluster: its part of the log weight of a point.

    A Gaussian cluster has no use for ``shrinkage`` and ``precision``, and a centred one none for the other parameters.
    """

    mean_count: float
    degrees: float
    mean: FloatArray
    factor: FloatArray
    log_weights: FloatArray
    shrinkage: FloatArray
    precision: FloatArray


class Table(NamedTuple):
    """One row a cluster: the number of its points, their mean (of the posterior), a Cholesky factor, and a part of the weight."""

    sizes: IntArray
    mean: FloatArray
    factor: FloatArray
    level: FloatArray


def empty_table(rows: int, dimensions: int) -> Table:
    """Return a table whose rows have still to be cleared."""
    square = (rows, dimensions, dimensions)
    return Table(np.zeros(rows, np.int64), np.zeros((rows, dimensions)), np.zeros(square), np.zeros(rows))


# Gaussian clusters: mean and covariance integrated out.


def gaussian_prior(cluster: GaussianCluster, points: int, log_shares: FloatArray) -> Prior:
    """Return the prior of an empty Gaussian cluster; ``log_shares`` are the logs of the shares of clusters by their size."""
    by_size = log_shares + _student_weights(cluster.prior_count, cluster.prior_degrees, cluster.dimension, points)
    none = np.empty(0)
    mean = np.asarray(cluster.prior.parameters["mean"], np.float64)
    return Prior(cluster.prior_count, cluster.prior_degrees, mean, cluster.prior_factor, by_size, none, none)


@lru_cache(maxsize=8)
def _student_weights(count: float, degrees: float, dimension: int, points: int) -> FloatArray:
    """Return the log density of the Student t of one more point, by size, but for what depends on points."""
    sizes = np.arange(points + 1)
    half, counts = 0.5 * (degrees + sizes + 1), count + sizes
    gammas = gammaln(half) - gammaln(half - 0.5 * dimension)
    return np.asarray(gammas - 0.5 * dimension * (_LOG_PI + np.log((counts + 1) / counts)), np.float64)


@compile_loops
def clear_gaussian(table: Table, prior: Prior, row: int) -> None:
    """Make a row that of a cluster without points."""
    table.sizes[row] = 0
    for d in range(prior.mean.shape[0]):
        table.mean[row, d] = prior.mean[d]
        for e in range(d + 1):
            table.factor[row, d, e] = prior.factor[d, e]


@compile_loops
def put_gaussian(table: Table, prior: Prior, row: int, x: FloatArray, work: FloatArray) -> None:
    """Take a point in."""
    before = prior.mean_count + table.sizes[row]
    table.sizes[row] += 1
    weight = sqrt(before / (before + 1))
    for d in range(x.shape[0]):
        difference = x[d] - table.mean[row, d]
        table.mean[row, d] += difference / (before + 1)
        work[d] = weight * difference
    _update_factor(table.factor[row], work)


@compile_loops
def take_gaussian(table: Table, prior: Prior, row: int, x: FloatArray, work: FloatArray) -> bool:
    """Take a point out again; False says that digits were lost."""
    table.sizes[row] -= 1
    if table.sizes[row] == 0:
        clear_gaussian(table, prior, row)
        return True
    after = prior.mean_count + table.sizes[row]
    weight = sqrt(after / (after + 1))
    for d in range(x.shape[0]):
        table.mean[row, d] -= (x[d] - table.mean[row, d]) / after
        work[d] = weight * (x[d] - table.mean[row, d])
    kept: bool = _downdate_factor(table.factor[row], work)
    return kept


@compile_loops
def settle_gaussian(table: Table, prior: Prior, row: int) -> None:
    """Compute the part of the log weight that is the same for all points."""
    total = prior.log_weights[table.sizes[row]]
    for d in range(table.factor.shape[1]):
        total -= log(table.factor[row, d, d])
    table.level[row] = total


@compile_loops
def weigh_gaussian(
    table: Table, prior: Prior, rows: IntArray, used: int, x: FloatArray, work: FloatArray, out: FloatArray
) -> None:
    """Compute the log of the share of every row in use times the density of one more point in it."""
    size, means, factors = x.shape[0], table.mean, table.factor
    for place in range(used):
        row, total = rows[place], 0.0
        for k in range(size):
            value = x[k] - means[row, k]
            for i in range(k):
                value -= factors[row, k, i] * work[i]
            work[k] = value / factors[row, k, k]
            total += work[k] * work[k]
        count = prior.mean_count + table.sizes[row]
        half = 0.5 * (prior.degrees + table.sizes[row] + 1)
        out[place] = table.level[row] - half * log1p(total * count / (count + 1))


# Centred clusters: the mean alone integrated out. Their means are of the points; factors stay unused.


def centred_prior(cluster: CentredCluster, points: int, log_shares: FloatArray) -> Prior:
    """Return the prior of an empty centred cluster; ``log_shares`` are the logs of the shares of clusters by their size."""
    sizes, dimension = np.arange(points + 1), len(cluster.mean)
    mean_variance = 1 / (sizes / cluster.within + 1 / cluster.between)
    variance = mean_variance + cluster.within
    by_size = log_shares - 0.5 * dimension * np.log(2 * math.pi * variance)
    none = np.zeros((dimension, dimension))
    return Prior(0.0, 0.0, np.zeros(dimension), none, by_size, mean_variance * sizes / cluster.within, 1 / variance)


@compile_loops
def clear_centred(table: Table, prior: Prior, row: int) -> None:
    """Make a row that of a cluster without points."""
    table.sizes[row] = 0
    for d in range(prior.mean.shape[0]):
        table.mean[row, d] = prior.mean[d]


@compile_loops
def put_centred(table: Table, prior: Prior, row: int, x: FloatArray, work: FloatArray) -> None:
    """Take a point in."""
    table.sizes[row] += 1
    for d in range(x.shape[0]):
        table.mean[row, d] += (x[d] - table.mean[row, d]) / table.sizes[row]


@compile_loops
def take_centred(table: Table, prior: Prior, row: int, x: FloatArray, work: FloatArray) -> bool:
    """Take a point out again; a mean loses no digits that matter."""
    table.sizes[row] -= 1
    if table.sizes[row] == 0:
        clear_centred(table, prior, row)
        return True
    for d in range(x.shape[0]):
        table.mean[row, d] -= (x[d] - table.mean[row, d]) / table.sizes[row]
    return True


@compile_loops
def settle_centred(table: Table, prior: Prior, row: int) -> None:
    """Compute the part of the log weight that is the same for all points."""
    table.level[row] = prior.log_weights[table.sizes[row]]


@compile_loops
def weigh_centred(
    table: Table, prior: Prior, rows: IntArray, used: int, x: FloatArray, work: FloatArray, out: FloatArray
) -> None:
    """Compute the log of the share of every row in use times the density of one more point in it."""
    size, means = x.shape[0], table.mean
    for place in range(used):
        row, total = rows[place], 0.0
        shrinkage = prior.shrinkage[table.sizes[row]]
        for d in range(size):
            difference = x[d] - shrinkage * means[row, d]
            total += difference * difference
        out[place] = table.level[row] - 0.5 * prior.precision[table.sizes[row]] * total
