"""Symmetric positive definite matrices: reading, factoring and half-vectorising them, in batches too."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mcassay.distributions.parameters import numbers
from mcassay.errors import InputError, shown
from mcassay.vocabulary import BoolArray, FloatArray

# A matrix counts as symmetric when mirrored entries differ by no more than this power of the rounding unit, relative to
# the diagonal: 5e-7 in float64. Inverting a covariance of condition number 1e9 makes an asymmetry of about that size.
_SYMMETRY = 0.4


@dataclass(frozen=True)
class Root:
    """A square root C of a positive definite matrix: C C' is the matrix.

    C is lower triangular. It is kept as itself or as its inverse, whichever came first, and never inverted to be used:
    whitening and colouring multiply by a triangular matrix or solve with it.

    Parameters
    ----------
    factor
        C, or its inverse if ``inverted``.
    inverted
        Whether ``factor`` is the inverse.

    Examples
    --------
    >>> import numpy as np
    >>> root = Root.of(np.array([[4.0, 2.0], [2.0, 2.0]]))
    >>> root.lower
    array([[2., 0.],
           [1., 1.]])
    >>> Root.of_inverse(root.inverse).lower
    array([[2., 0.],
           [1., 1.]])
    """

    factor: FloatArray
    inverted: bool = False

    @classmethod
    def of(cls, matrix: FloatArray) -> "Root":
        """Return the root of a matrix; all NaN where it is not positive definite."""
        return cls(_cholesky_or_nan(matrix))

    @classmethod
    def of_inverse(cls, matrix: FloatArray) -> "Root":
        """Return the root of the inverse of a matrix, from one factorisation of the matrix itself."""
        # Reversing both axes before and after turns the lower factor into an upper one, U U' = matrix. Then U'^-1 is
        # lower triangular and a root of the inverse, and U' is its inverse.
        upper = _cholesky_or_nan(matrix[..., ::-1, ::-1])[..., ::-1, ::-1]
        return cls(np.ascontiguousarray(upper.mT), inverted=True)

    @property
    def dimension(self) -> int:
        """The number of rows."""
        return int(self.factor.shape[-1])

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The shape of the batch of matrices."""
        return self.factor.shape[:-2]

    @cached_property
    def log_determinant(self) -> FloatArray:
        """The log determinant of the matrix (not of its root)."""
        with np.errstate(divide="ignore"):
            half: FloatArray = np.log(diagonal(self.factor)).sum(axis=-1)
        return -2 * half if self.inverted else 2 * half

    @cached_property
    def lower(self) -> FloatArray:
        """C itself: the lower Cholesky factor of the matrix."""
        return self.colour(np.eye(self.dimension, dtype=self.factor.dtype)) if self.inverted else self.factor

    @cached_property
    def matrix(self) -> FloatArray:
        """The matrix."""
        return gram(self.lower)

    @cached_property
    def inverse(self) -> FloatArray:
        """The inverse of the matrix."""
        inverse = self.factor if self.inverted else self.whiten(np.eye(self.dimension, dtype=self.factor.dtype))
        return gram(inverse.mT)

    def whiten(self, columns: FloatArray) -> FloatArray:
        """Multiply columns by the inverse of C."""
        return _multiply(self.factor, columns) if self.inverted else solve_lower(self.factor, columns)

    def colour(self, columns: FloatArray) -> FloatArray:
        """Multiply columns by C."""
        return solve_lower(self.factor, columns) if self.inverted else _multiply(self.factor, columns)

    def whiten_vectors(self, vectors: FloatArray) -> FloatArray:
        """Multiply vectors, which lie along the last axis, by the inverse of C: unit covariance for this covariance."""
        return self._on_vectors(self.whiten, vectors)

    def colour_vectors(self, vectors: FloatArray) -> FloatArray:
        """Multiply vectors, which lie along the last axis, by C: this covariance for unit covariance."""
        return self._on_vectors(self.colour, vectors)

    def times_vectors(self, vectors: FloatArray) -> FloatArray:
        """Multiply vectors, which lie along the last axis, by the matrix."""
        return self._on_vectors(lambda columns: self.colour(_multiply(self.lower.mT, columns)), vectors)

    def _on_vectors(self, multiply: Callable[[FloatArray], FloatArray], vectors: FloatArray) -> FloatArray:
        if self.batch_shape:
            return multiply(vectors[..., None])[..., 0]
        # One matrix: every vector becomes a column of a single product.
        return multiply(vectors.reshape(-1, self.dimension).T).T.reshape(vectors.shape)


def square(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read finite square matrices."""
    matrix = numbers(where, name, value)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.shape[-1] == 0:
        rule = "be a square matrix or an array of them"
        raise InputError(f"{where}: {name} must {rule}, but found shape {matrix.shape}")
    # numpy.linalg does not know half precision.
    return matrix.astype(np.float32) if matrix.dtype == np.float16 else matrix


def vector(where: str, name: str, value: ArrayLike) -> FloatArray:
    """Read finite vectors."""
    array = numbers(where, name, value)
    if array.ndim < 1 or array.shape[-1] == 0:
        raise InputError(f"{where}: {name} must be a vector or an array of them, but found shape {array.shape}")
    return array


def positive_definite(where: str, name: str, value: ArrayLike, *, inverse: bool = False) -> tuple[FloatArray, Root]:
    """Read positive definite matrices, with the root of the matrix or, if asked for, of its inverse.

    Examples
    --------
    >>> positive_definite("Wishart", "scale", [[1.0, 2.0], [2.0, 1.0]])
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: Wishart: scale must be positive definite, but found [[1. 2.] [2. 1.]]
    """
    matrix = square(where, name, value)
    require_matrices(where, name, "be symmetric", matrix, nearly_symmetric(matrix))
    matrix = symmetric_part(matrix)
    root = Root.of_inverse(matrix) if inverse else Root.of(matrix)
    require_matrices(where, name, "be positive definite", matrix, definite_beyond_rounding(matrix, root))
    return matrix, root


def definite_beyond_rounding(matrix: FloatArray, root: Root) -> BoolArray:
    """Tell which matrices are positive definite by more than rounding: a singular one may have a Cholesky factor."""
    rounding = root.dimension * np.finfo(matrix.dtype).eps
    return np.asarray((diagonal(root.factor) ** 2 > rounding * diagonal(matrix)).all(axis=-1))


def lower_triangular(where: str, name: str, value: ArrayLike) -> tuple[FloatArray, Root]:
    """Read Cholesky factors: zeros above a positive diagonal."""
    matrix = square(where, name, value)
    holds = (np.triu(matrix, 1) == 0).all(axis=(-2, -1)) & (diagonal(matrix) > 0).all(axis=-1)
    require_matrices(where, name, "be lower triangular with a positive diagonal", matrix, holds)
    return matrix, Root(matrix)


def require_matrices(where: str, name: str, rule: str, matrices: FloatArray, holds: BoolArray | np.bool_) -> None:
    """Raise an error that shows the first matrix for which the rule does not hold."""
    if np.all(holds):
        return
    index = tuple(int(i) for i in np.argwhere(~np.asarray(holds))[0])
    place = f" at [{', '.join(map(str, index))}]" if index else ""
    raise InputError(f"{where}: {name} must {rule}, but found {shown(matrices[index])}{place}")


def same_dimension(where: str, **arrays: FloatArray) -> int:
    """Return the number of dimensions that vectors and matrices have in common."""
    sizes = {int(array.shape[-1]) for array in arrays.values()}
    if len(sizes) > 1:
        found = " and ".join(f"{name} of shape {array.shape}" for name, array in arrays.items())
        raise InputError(f"{where}: {' and '.join(arrays)} must have the same dimension, but found {found}")
    return sizes.pop()


def factored_where_possible(x: FloatArray) -> tuple[BoolArray, Root]:
    """Tell which matrices are symmetric and positive definite, and factor those; the others pass as the identity."""
    with np.errstate(all="ignore"):
        sound = np.isfinite(x).all(axis=(-2, -1)) & nearly_symmetric(x)
        unit = np.eye(x.shape[-1])
        factor = _cholesky_or_nan(np.where(sound[..., None, None], symmetric_part(x), unit))
        sound &= np.isfinite(factor).all(axis=(-2, -1)) & (diagonal(factor) > 0).all(axis=-1)
    return sound, Root(np.where(sound[..., None, None], factor, unit))


def nearly_symmetric(matrix: FloatArray) -> BoolArray:
    """Tell which matrices are symmetric up to rounding."""
    scale = np.sqrt(np.abs(diagonal(matrix)))
    with np.errstate(all="ignore"):
        gap = np.abs(matrix - matrix.mT)
        allowed = np.finfo(matrix.dtype).eps ** _SYMMETRY * scale[..., :, None] * scale[..., None, :]
    return np.asarray((gap <= allowed).all(axis=(-2, -1)))


def symmetric_part(matrix: FloatArray) -> FloatArray:
    """Return the mean of the matrix and its transpose; a symmetric matrix comes back unchanged."""
    with np.errstate(invalid="ignore"):
        mean = 0.5 * matrix + 0.5 * matrix.mT
    return np.where(matrix == matrix.mT, matrix, mean)


def gram(factor: FloatArray) -> FloatArray:
    """Return factor times its transpose, exactly symmetric."""
    return symmetric_part(_multiply(factor, factor.mT))


def positive_definite_gram(factor: FloatArray) -> FloatArray:
    """Return factor times its transpose, with the diagonal raised by rounding units until it is positive definite.

    The product of a nearly singular factor may round to a matrix that has no Cholesky factor.
    """
    matrix, step = gram(factor), float(np.finfo(factor.dtype).eps)
    while not (sound := definite_beyond_rounding(matrix, Root.of(matrix))).all() and step < 1:
        raised = matrix * (1 + step * np.eye(matrix.shape[-1]))
        matrix, step = np.where(sound[..., None, None], matrix, raised), 2 * step
    return matrix


def solve_lower(lower: FloatArray, columns: FloatArray) -> FloatArray:
    """Solve ``lower @ solution = columns`` for lower triangular matrices by forward substitution, in batches too.

    Examples
    --------
    >>> import numpy as np
    >>> solve_lower(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[2.0], [3.0]]))
    array([[1.],
           [2.]])
    """
    batch = np.broadcast_shapes(lower.shape[:-2], columns.shape[:-2])
    solution = np.empty(batch + columns.shape[-2:], dtype=np.result_type(lower, columns))
    with np.errstate(all="ignore"):
        for i in range(lower.shape[-1]):
            known = (lower[..., i, None, :i] @ solution[..., :i, :])[..., 0, :]
            solution[..., i, :] = (columns[..., i, :] - known) / lower[..., i, i, None]
    return solution


def squared_norm(values: FloatArray, axis: int | tuple[int, ...] = -1) -> FloatArray:
    """Return the sum of squares; infinite where it, or what led to the values, overflowed."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = (values * values).sum(axis=axis)
    return np.where(np.isnan(total), math.inf, total)[()]


def log_norm(vectors: FloatArray) -> FloatArray:
    """Return the log of the Euclidean norm, however large or small the entries are."""
    largest, ratios = relative(vectors)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        norm: FloatArray = np.log(largest) + 0.5 * np.log(np.maximum((ratios * ratios).sum(axis=-1), 1))
    return norm


def relative(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split vectors into their largest absolute entry and what remains when they are divided by it."""
    largest = np.abs(vectors).max(axis=-1)
    with np.errstate(invalid="ignore", under="ignore"):
        return largest, vectors / np.where(largest > 0, largest, 1)[..., None]


def infinite_matrix(dimension: int) -> FloatArray:
    """Return what stands for second moments that do not exist: infinite on the diagonal, NaN elsewhere."""
    return np.where(np.eye(dimension, dtype=bool), math.inf, math.nan)


def outer(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the matrices of products of the entries of two vectors."""
    with np.errstate(over="ignore", invalid="ignore"):
        return left[..., :, None] * right[..., None, :]


def diagonal(matrix: FloatArray) -> FloatArray:
    """Return the diagonals of matrices."""
    return np.diagonal(matrix, axis1=-2, axis2=-1)


def half_length(dimension: int) -> int:
    """Return the number of free entries of a symmetric matrix."""
    return dimension * (dimension + 1) // 2


def half_vector(matrix: FloatArray) -> FloatArray:
    """Return the entries of symmetric matrices on and below the diagonal, row by row: what sufficient statistics use.

    Examples
    --------
    >>> import numpy as np
    >>> matrix = np.array([[1.0, 2.0], [2.0, 3.0]])
    >>> half_vector(matrix), dual_half_vector(matrix)
    (array([1., 2., 3.]), array([1., 4., 3.]))
    >>> symmetric_from_dual(dual_half_vector(matrix))
    array([[1., 2.],
           [2., 3.]])
    """
    rows, columns = np.tril_indices(matrix.shape[-1])
    return matrix[..., rows, columns]


def dual_half_vector(matrix: FloatArray) -> FloatArray:
    """Return the same with off-diagonal entries doubled: what natural parameters use.

    Its product with the half-vector of a symmetric matrix is the trace of the product of the matrices.
    """
    rows, columns = np.tril_indices(matrix.shape[-1])
    return matrix[..., rows, columns] * np.where(rows == columns, 1, 2)


def symmetric_from_half(half: FloatArray) -> FloatArray:
    """Return the symmetric matrices with these half-vectors."""
    dimension = (math.isqrt(8 * half.shape[-1] + 1) - 1) // 2
    rows, columns = np.tril_indices(dimension)
    matrix = np.empty((*half.shape[:-1], dimension, dimension), dtype=half.dtype)
    matrix[..., rows, columns] = half
    matrix[..., columns, rows] = half
    return matrix


def symmetric_from_dual(dual: FloatArray) -> FloatArray:
    """Return the symmetric matrices with these dual half-vectors."""
    matrix = symmetric_from_half(dual)
    return np.where(np.eye(matrix.shape[-1], dtype=bool), matrix, matrix / 2)


def multiplied(matrix: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return matrices times vectors, which lie along the last axis."""
    return _multiply(matrix, vectors[..., None])[..., 0]


def _multiply(left: FloatArray, right: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        product: FloatArray = left @ right
    return product


def _cholesky_or_nan(matrix: FloatArray) -> FloatArray:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(np.linalg.cholesky(matrix), dtype=matrix.dtype)
    except np.linalg.LinAlgError:
        if matrix.ndim == 2:
            return np.full_like(matrix, math.nan)
        return np.stack([_cholesky_or_nan(one) for one in matrix])
