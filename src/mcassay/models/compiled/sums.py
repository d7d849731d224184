"""Sums over the points of every cluster, each in one pass over the data."""

import numpy as np

from mcassay.models.compiled.compiling import compile_loops
from mcassay.vocabulary import FloatArray, IntArray


@compile_loops
def sum_points(data: FloatArray, labels: IntArray, clusters: int) -> FloatArray:
    """Add up the points of every cluster."""
    points, dimensions = data.shape
    sums = np.zeros((clusters, dimensions))
    for i in range(points):
        k = labels[i]
        for d in range(dimensions):
            sums[k, d] += data[i, d]
    return sums


@compile_loops
def sum_squares(data: FloatArray, labels: IntArray, centres: FloatArray) -> FloatArray:
    """Add up the squared distances of every cluster's points from its centre."""
    points, dimensions = data.shape
    sums = np.zeros(centres.shape[0])
    for i in range(points):
        k, square = labels[i], 0.0
        for d in range(dimensions):
            difference = data[i, d] - centres[k, d]
            square += difference * difference
        sums[k] += square
    return sums


@compile_loops
def sum_outer(data: FloatArray, labels: IntArray, centres: FloatArray) -> FloatArray:
    """Add up the outer squares of the differences of every cluster's points from its centre."""
    points, dimensions = data.shape
    clusters = centres.shape[0]
    sums, difference = np.zeros((clusters, dimensions, dimensions)), np.empty(dimensions)
    for i in range(points):
        k = labels[i]
        for d in range(dimensions):
            difference[d] = data[i, d] - centres[k, d]
            for e in range(d + 1):
                sums[k, d, e] += difference[d] * difference[e]
    for k in range(clusters):
        for d in range(dimensions):
            for e in range(d):
                sums[k, e, d] = sums[k, d, e]
    return sums
