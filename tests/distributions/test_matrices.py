"""The shared numerics of positive definite matrices."""

import numpy as np
import pytest
from scipy import linalg

from mcassay.distributions.matrices import (
    Root,
    dual_half_vector,
    factored_where_possible,
    half_length,
    half_vector,
    log_norm,
    nearly_symmetric,
    positive_definite,
    positive_definite_gram,
    solve_lower,
    symmetric_from_dual,
    symmetric_from_half,
)
from mcassay.errors import InputError

RNG = np.random.default_rng(3)
FACTOR = RNG.standard_normal((4, 3, 5))
MATRICES = FACTOR @ FACTOR.mT


@pytest.mark.parametrize("matrix", [MATRICES, MATRICES[0], MATRICES[:, :1, :1]], ids=["batch", "one", "1x1"])
@pytest.mark.parametrize("build", [Root.of, lambda matrix: Root.of_inverse(np.linalg.inv(matrix))], ids=["of", "of inverse"])
def test_a_root_is_the_cholesky_factor_however_it_was_made(matrix, build):
    root = build(matrix)
    dimension = matrix.shape[-1]
    np.testing.assert_allclose(root.lower, np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(root.matrix, matrix, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(root.inverse @ matrix, np.broadcast_to(np.eye(dimension), matrix.shape), atol=1e-9)
    np.testing.assert_allclose(root.log_determinant, np.linalg.slogdet(matrix)[1], rtol=1e-9, atol=1e-9)
    vectors = RNG.standard_normal((7, *matrix.shape[:-1]))
    np.testing.assert_allclose(root.whiten_vectors(root.colour_vectors(vectors)), vectors, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(root.times_vectors(vectors), np.einsum("...ij,...j->...i", matrix, vectors), atol=1e-9)


@pytest.mark.parametrize(("lower_batch", "columns_batch"), [((), ()), ((4,), ()), ((), (4,)), ((4,), (6, 4)), ((2, 1), (3,))])
def test_solving_with_triangular_matrices_broadcasts(lower_batch, columns_batch):
    lower = np.tril(RNG.standard_normal((*lower_batch, 3, 3))) + 3 * np.eye(3)
    columns = RNG.standard_normal((*columns_batch, 3, 2))
    np.testing.assert_allclose(lower @ solve_lower(lower, columns), np.broadcast_to(columns, (*np.broadcast_shapes(
        lower_batch, columns_batch), 3, 2)), atol=1e-12)  # fmt: skip


def test_solving_agrees_with_lapack_when_nearly_singular():
    lower = np.linalg.cholesky(linalg.hilbert(9))
    right = RNG.standard_normal((9, 4))
    expected = linalg.solve_triangular(lower, right, lower=True)
    np.testing.assert_allclose(solve_lower(lower, right), expected, rtol=1e-8)


def test_half_vectors_keep_the_trace_inner_product():
    left, right = MATRICES[:2], MATRICES[2:]
    assert half_vector(left).shape == (2, half_length(3))
    products = (dual_half_vector(left) * half_vector(right)).sum(axis=-1)
    np.testing.assert_allclose(products, np.trace(left @ right, axis1=-2, axis2=-1))


def test_half_vectors_lead_back_exactly():
    matrices = MATRICES + MATRICES.mT
    np.testing.assert_array_equal(symmetric_from_half(half_vector(matrices)), matrices)
    np.testing.assert_array_equal(symmetric_from_dual(dual_half_vector(matrices)), matrices)


def test_a_failed_factorisation_does_not_spoil_its_neighbours():
    batch = np.array([np.eye(2), [[1.0, 2.0], [2.0, 1.0]], 4 * np.eye(2)])
    np.testing.assert_array_equal(np.isfinite(Root.of(batch).log_determinant), [True, False, True])
    sound, root = factored_where_possible(batch)
    np.testing.assert_array_equal(sound, [True, False, True])
    np.testing.assert_array_equal(root.lower[1], np.eye(2))


def test_symmetry_is_judged_in_the_units_of_the_diagonal():
    matrix = np.diag([1e-8, 1e8])
    matrix[0, 1] = 1e-9
    matrix[1, 0] = 2e-9
    assert nearly_symmetric(matrix)
    matrix[0, 1] = 0.1
    assert not nearly_symmetric(matrix)


def test_the_product_of_a_singular_factor_becomes_positive_definite_by_rounding_alone():
    factor = np.array([[1.0, 0.0, 0.0], [3.0, 1e-30, 0.0], [1e9, -7.0, 1e-100]])
    matrix = positive_definite_gram(factor)
    positive_definite("here", "draw", matrix)
    np.testing.assert_allclose(matrix, factor @ factor.T, rtol=1e-14)


def test_a_matrix_of_too_low_rank_is_not_positive_definite_whichever_way_rounding_goes():
    for seed in range(20):
        factor = np.random.default_rng(seed).standard_normal((5, 3))
        for inverse in (False, True):
            with pytest.raises(InputError, match="positive definite"):
                positive_definite("here", "covariance", factor @ factor.T, inverse=inverse)


def test_log_norms_of_huge_and_tiny_vectors():
    vectors = np.array([[3e200, 4e200], [3e-200, 4e-200], [0.0, 0.0], [3.0, 4.0]])
    expected = np.log(5.0) + np.array([200, -200, -np.inf, 0]) * np.log(10)
    np.testing.assert_allclose(log_norm(vectors), expected, rtol=1e-14)
