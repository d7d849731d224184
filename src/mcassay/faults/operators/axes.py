"""Arrays turned the wrong way round: transposed, summed or broadcast along another axis, or along the default one."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, named, operand
from mcassay.faults.site import Site


def _other(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg == "axis" and isinstance(node.value, (ast.Constant, ast.UnaryOp)):
        yield "axis=1" if site.text(node.value) == "0" else "axis=0"


def _default(node: ast.AST, site: Site) -> Iterator[str]:
    """Leave the axis to its default."""
    if isinstance(node, ast.Call) and any(keyword.arg == "axis" for keyword in node.keywords):
        kept = [*node.args, *(keyword for keyword in node.keywords if keyword.arg not in ("axis", "keepdims"))]
        yield f"{site.text(node.func)}({', '.join(site.text(part) for part in kept)})"


def _not_transposed(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield site.text(node.value)


def _matrix_product(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        left, right = operand(node.left, site), operand(node.right, site)
        yield f"{left}.T @ {right}"
        yield f"{right} @ {left}"


def _broadcast(node: ast.AST, site: Site) -> Iterator[str]:
    """Put a new axis on the other side."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
        return
    first, second = node.slice.elts
    if _is_new(first) != _is_new(second):
        yield f"{site.text(node.value)}[{site.text(second)}, {site.text(first)}]"


def _is_new(node: ast.AST) -> bool:
    return named(node) == "newaxis" or (isinstance(node, ast.Constant) and node.value is None)


OPERATORS = (
    Operator(
        "axes/other",
        "a sum along another axis",
        _other,
        (("x.sum(axis=0)", "x.sum(axis=1)"), ("x.sum(axis=-1)", "x.sum(axis=0)")),
    ),
    Operator("axes/default", "the axis is left to its default", _default, (("np.mean(x, axis=0)", "np.mean(x)"),)),
    Operator("axes/not-transposed", "a matrix is not transposed", _not_transposed, (("x.T @ y", "x @ y"),)),
    Operator(
        "axes/product",
        "a matrix product with a factor transposed, or in the other order",
        _matrix_product,
        (("L @ z", "L.T @ z"), ("L @ z", "z @ L")),
    ),
    Operator("axes/broadcast", "an array is broadcast along the other axis", _broadcast, (("v[:, None]", "v[None, :]"),)),
)
