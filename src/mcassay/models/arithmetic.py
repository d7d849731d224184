"""Rank-one changes of Cholesky factors, and what else clusters of Gaussians compute again and again.

Plain loops over numbers: Python runs them as they are, and ``compiled`` compiles these very functions.
"""

from math import hypot, log, sqrt

from mcassay.vocabulary import FloatArray

# A downdate that leaves less than this share of a squared pivot has lost digits that no later step brings back.
KEPT_SHARE = 1e-7


def update_factor(factor: FloatArray, vector: FloatArray) -> None:
    """Make the lower factor of A into that of A + v v', in place and in O(D^2) steps; the vector is used up."""
    size = vector.shape[0]
    for k in range(size):
        pivot = hypot(factor[k, k], vector[k])
        cosine, sine = pivot / factor[k, k], vector[k] / factor[k, k]
        factor[k, k] = pivot
        for i in range(k + 1, size):
            factor[i, k] = (factor[i, k] + sine * vector[i]) / cosine
            vector[i] = cosine * vector[i] - sine * factor[i, k]


def downdate_factor(factor: FloatArray, vector: FloatArray) -> bool:
    """Make the lower factor of A into that of A - v v', in place and in O(D^2) steps; the vector is used up.

    False says that the factor lost too many digits to be used, or that A - v v' is not positive definite.
    """
    size = vector.shape[0]
    for k in range(size):
        # A product of sum and difference keeps the digits that a difference of squares would lose.
        share = (1.0 - vector[k] / factor[k, k]) * (1.0 + vector[k] / factor[k, k])
        if not share > KEPT_SHARE:
            return False
        cosine, sine = sqrt(share), vector[k] / factor[k, k]
        factor[k, k] *= cosine
        for i in range(k + 1, size):
            factor[i, k] = (factor[i, k] - sine * vector[i]) / cosine
            vector[i] = cosine * vector[i] - sine * factor[i, k]
    return True


def squared_distance(factor: FloatArray, vector: FloatArray) -> float:
    """Return v' A^-1 v for the lower factor of A; the vector is used up."""
    total = 0.0
    for k in range(vector.shape[0]):
        for i in range(k):
            vector[k] -= factor[k, i] * vector[i]
        vector[k] /= factor[k, k]
        total += vector[k] * vector[k]
    return total


def log_determinant(factor: FloatArray) -> float:
    """Return the log determinant of A for its lower factor."""
    total = 0.0
    for k in range(factor.shape[0]):
        total += log(factor[k, k])
    return 2.0 * total
