"""A term of a sum, or a factor of a product, that is missing or counted twice."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, operand
from mcassay.faults.site import Site


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def _term_dropped(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and _is_sum(node):
        yield site.text(node.left)
        yield f"-{operand(node.right, site)}" if isinstance(node.op, ast.Sub) else site.text(node.right)


def _term_doubled(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.BinOp) or not _is_sum(node):
        return
    sign = "-" if isinstance(node.op, ast.Sub) else "+"
    if not _is_sum(node.left):
        yield f"2 * {operand(node.left, site)} {sign} {operand(node.right, site)}"
    yield f"{site.text(node.left)} {sign} 2 * {operand(node.right, site)}"


def _factor_dropped(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        yield site.text(node.left)
        if isinstance(node.op, ast.Mult):
            yield site.text(node.right)


def _added_dropped(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield "pass"


OPERATORS = (
    Operator(
        "terms/dropped", "a term of a sum is missing", _term_dropped, (("a + b", "a"), ("a + b", "b"), ("a - b * c", "-(b * c)"))
    ),
    Operator(
        "terms/doubled",
        "a term of a sum is counted twice",
        _term_doubled,
        (("a - b", "2 * a - b"), ("a + b * c", "a + 2 * (b * c)")),
    ),
    Operator(
        "terms/factor-dropped", "a factor is missing", _factor_dropped, (("0.5 * x / y", "x / y"), ("0.5 * x / y", "0.5 * x"))
    ),
    Operator("terms/not-added", "what should be added is not", _added_dropped, (("total += x", "pass"),)),
)
