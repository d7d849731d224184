"""The exponent of a Jacobian that is off: by one, or the number of walkers for the dimension."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, named, operand
from mcassay.faults.site import Site


def _is_log(node: ast.AST) -> bool:
    return calls(node, "log", "log1p", "slogdet") or "log" in (named(node) or "").lower()


def _exponent(node: ast.AST, site: Site) -> Iterator[str]:
    """Change the number of times that a logarithm is counted."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    if _is_log(node.right) and not isinstance(node.left, ast.Constant):
        times, log = operand(node.left, site), site.text(node.right)
        yield from (f"({times} + 1) * {log}", f"({times} - 1) * {log}")


def _dropped(node: ast.AST, site: Site) -> Iterator[str]:
    """Forget the Jacobian of a draw on the logarithmic scale."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and _is_log(node.right):
        yield site.text(node.left)


def _walkers(node: ast.AST, site: Site) -> Iterator[str]:
    """Take the number of rows for the number of columns."""
    if isinstance(node, ast.Subscript) and named(node.value) == "shape" and isinstance(node.slice, (ast.Constant, ast.UnaryOp)):
        yield f"{site.text(node.value)}[{1 if site.text(node.slice) == '0' else 0}]"


OPERATORS = (
    Operator(
        "jacobians/exponent",
        "the exponent of a Jacobian is off by one",
        _exponent,
        (("(d - 1) * np.log(z)", "((d - 1) - 1) * np.log(z)"),),
    ),
    Operator("jacobians/dropped", "the Jacobian is missing", _dropped, (("change + np.log(new / old)", "change"),)),
    Operator(
        "jacobians/walkers", "the number of walkers for the dimension, or the reverse", _walkers, (("x.shape[1]", "x.shape[0]"),)
    ),
)
