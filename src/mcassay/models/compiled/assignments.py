"""Drawing the labels of all points given the parameters of the clusters.

Points are worked on some at a time, one column each: every loop over them runs in vector registers, and what is computed for
them stays in the nearest cache. A point's distances are computed from differences, which lose no digits far from the origin.
"""

import math

import numpy as np

from mcassay.models.compiled.compiling import compile_loops
from mcassay.vocabulary import FloatArray, IntArray

TILE = 64

_LOG2_E = 1 / math.log(2)
# log 2 in two parts, the first with so few digits that whole multiples of it are exact.
_LOG_2_HIGH, _LOG_2_LOW = 0.693145751953125, 1.42860682030941723212e-6
# Added to a number, it leaves the nearest whole number in the lowest bits.
_ROUNDER = 6755399441055744.0
_BITS_OF_ONE = 4607182418800017408
_NO_WEIGHT = -700.0
_R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12 = (1 / math.factorial(n) for n in range(2, 13))


@compile_loops
def exponentials(numbers: FloatArray, scale: FloatArray, bits: IntArray) -> None:
    """Take the exponential of numbers up to 0, in place; below -700 it is 0. ``bits`` is ``scale`` seen as whole numbers.

    2 to a whole power is put together from its bits, and the rest is a Taylor series: no call, so that the loop can be run in
    vector registers.
    """
    for j in range(numbers.shape[0]):
        shifted = numbers[j] * _LOG2_E + _ROUNDER
        scale[j] = shifted
        whole = shifted - _ROUNDER
        r = numbers[j] - whole * _LOG_2_HIGH - whole * _LOG_2_LOW
        high = _R6 + r * (_R7 + r * (_R8 + r * (_R9 + r * (_R10 + r * (_R11 + r * _R12)))))
        series = 1.0 + r * (1.0 + r * (_R2 + r * (_R3 + r * (_R4 + r * (_R5 + r * high)))))
        numbers[j] = series if numbers[j] > _NO_WEIGHT else 0.0
    for j in range(numbers.shape[0]):
        bits[j] = (bits[j] << 52) + _BITS_OF_ONE if numbers[j] > 0.0 else 0
    for j in range(numbers.shape[0]):
        numbers[j] *= scale[j]


@compile_loops
def load(data: FloatArray, begin: int, count: int, tile: FloatArray) -> None:
    """Copy some points, one column each."""
    for j in range(count):
        for d in range(data.shape[1]):
            tile[d, j] = data[begin + j, d]


@compile_loops
def square_distances(tile: FloatArray, centre: FloatArray, out: FloatArray) -> None:
    """Compute the squared distances of points from a centre, four dimensions at a time."""
    size, d = tile.shape[0], 0
    for j in range(TILE):
        out[j] = 0.0
    while d + 4 <= size:
        a, b, c, e = centre[d], centre[d + 1], centre[d + 2], centre[d + 3]
        for j in range(TILE):
            u, v, w, x = tile[d, j] - a, tile[d + 1, j] - b, tile[d + 2, j] - c, tile[d + 3, j] - e
            out[j] += (u * u + v * v) + (w * w + x * x)
        d += 4
    while d < size:
        a = centre[d]
        for j in range(TILE):
            u = tile[d, j] - a
            out[j] += u * u
        d += 1


@compile_loops
def whitened_distances(
    tile: FloatArray, centre: FloatArray, whitener: FloatArray, shifted: FloatArray, row: FloatArray, out: FloatArray
) -> None:
    """Compute the squared lengths of a lower triangular matrix times the differences of points from a centre."""
    size = tile.shape[0]
    for j in range(TILE):
        out[j] = 0.0
    for d in range(size):
        for j in range(TILE):
            shifted[d, j] = tile[d, j] - centre[d]
        for j in range(TILE):
            row[j] = 0.0
        for e in range(d + 1):
            factor = whitener[d, e]
            for j in range(TILE):
                row[j] += factor * shifted[e, j]
        for j in range(TILE):
            out[j] += row[j] * row[j]


@compile_loops
def weigh(squares: FloatArray, log_weight: float, half_precision: float, top: FloatArray) -> None:
    """Turn the squared distances of points from a cluster into log weights, and keep the largest of each point."""
    for j in range(TILE):
        squares[j] = log_weight - half_precision * squares[j]
        top[j] = max(top[j], squares[j])


@compile_loops
def choose_labels(weights: FloatArray, top: FloatArray, levels: FloatArray, labels: IntArray) -> None:
    """Draw one label for each of some points from log weights, with one row a cluster; the weights are used up.

    ``levels`` are uniform numbers. As many clusters lie at or below the level of a point as its label says.
    """
    scale, chosen = np.empty(TILE), np.zeros(TILE, np.int64)
    bits, clusters = scale.view(np.int64), weights.shape[0]
    for k in range(clusters):
        row = weights[k]
        for j in range(TILE):
            row[j] -= top[j]
        exponentials(row, scale, bits)
        if k > 0:
            for j in range(TILE):
                row[j] += weights[k - 1, j]
    for j in range(levels.shape[0]):
        scale[j] = levels[j] * weights[clusters - 1, j]
    for k in range(clusters - 1):
        for j in range(TILE):
            chosen[j] += weights[k, j] <= scale[j]
    for j in range(labels.shape[0]):
        labels[j] = chosen[j]


@compile_loops
def draw_isotropic(
    data: FloatArray, log_weights: FloatArray, centres: FloatArray, precisions: FloatArray, uniforms: FloatArray
) -> IntArray:
    """Draw labels where every cluster's spread is the same in all directions."""
    points, dimensions = data.shape
    clusters, labels = log_weights.shape[0], np.empty(points, np.int64)
    tile, weights, top = np.zeros((dimensions, TILE)), np.empty((clusters, TILE)), np.empty(TILE)
    for begin in range(0, points, TILE):
        end = min(begin + TILE, points)
        load(data, begin, end - begin, tile)
        for j in range(TILE):
            top[j] = -np.inf
        for k in range(clusters):
            square_distances(tile, centres[k], weights[k])
            weigh(weights[k], log_weights[k], 0.5 * precisions[k], top)
        choose_labels(weights, top, uniforms[begin:end], labels[begin:end])
    return labels


@compile_loops
def draw_whitened(
    data: FloatArray, log_weights: FloatArray, centres: FloatArray, whiteners: FloatArray, uniforms: FloatArray
) -> IntArray:
    """Draw labels where every cluster has a covariance of its own; a whitener is the inverse of its Cholesky factor."""
    points, dimensions = data.shape
    clusters, labels = log_weights.shape[0], np.empty(points, np.int64)
    tile, weights, top = np.zeros((dimensions, TILE)), np.empty((clusters, TILE)), np.empty(TILE)
    shifted, row = np.empty((dimensions, TILE)), np.empty(TILE)
    for begin in range(0, points, TILE):
        end = min(begin + TILE, points)
        load(data, begin, end - begin, tile)
        for j in range(TILE):
            top[j] = -np.inf
        for k in range(clusters):
            whitened_distances(tile, centres[k], whiteners[k], shifted, row, weights[k])
            weigh(weights[k], log_weights[k], 0.5, top)
        choose_labels(weights, top, uniforms[begin:end], labels[begin:end])
    return labels
