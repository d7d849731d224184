"""Factors of matrices: a transposed Cholesky factor, a matrix for its inverse, upper for lower."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, renamed, single
from mcassay.faults.site import Site


def _transposed(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and calls(node, "cholesky"):
        yield f"{site.text(node)}.T"


def _not_inverted(node: ast.AST, site: Site) -> Iterator[str]:
    argument = single(node)
    if argument is not None and calls(node, "inv", "pinv", "cholesky"):
        yield site.text(argument)


def _product_for_solution(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and calls(node, "solve", "solve_triangular", "cho_solve") and len(node.args) > 1:
        yield f"({site.text(node.args[0])}) @ ({site.text(node.args[1])})"


def _upper(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg in ("lower", "trans") and isinstance(node.value, ast.Constant):
        yield f"{node.arg}={not node.value.value}"
    if isinstance(node, ast.Call) and calls(node, "tril", "triu"):
        yield renamed(node, "triu" if calls(node, "tril") else "tril", site)


OPERATORS = (
    Operator(
        "matrices/transposed",
        "a transposed Cholesky factor",
        _transposed,
        (("np.linalg.cholesky(c) @ z", "np.linalg.cholesky(c).T @ z"),),
    ),
    Operator("matrices/not-factored", "a matrix for its inverse, or for its factor", _not_inverted, (("np.linalg.inv(p)", "p"),)),
    Operator(
        "matrices/product",
        "a product for the solution of a system",
        _product_for_solution,
        (("np.linalg.solve(a, b)", "(a) @ (b)"),),
    ),
    Operator(
        "matrices/upper",
        "the upper triangle for the lower one",
        _upper,
        (("solve_triangular(L, z, lower=True)", "solve_triangular(L, z, lower=False)"),),
    ),
)
