"""A sign or an operator that is another one: plus for minus, times for divided by."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator
from mcassay.faults.site import Site

_SUMS: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+"}
_PRODUCTS: dict[type[ast.operator], str] = {ast.Mult: "/", ast.Div: "*"}


def _other_sum(node: ast.AST, site: Site) -> Iterator[str]:
    yield from _with_other(node, _SUMS, site)


def _other_product(node: ast.AST, site: Site) -> Iterator[str]:
    yield from _with_other(node, _PRODUCTS, site)


def _with_other(node: ast.AST, others: dict[type[ast.operator], str], site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and type(node.op) in others:
        yield _joined(node, others[type(node.op)], site)
    if isinstance(node, ast.AugAssign) and type(node.op) in others:
        yield f"{site.text(node.target)} {others[type(node.op)]}= {site.text(node.value)}"


def _joined(node: ast.BinOp, sign: str, site: Site) -> str:
    """Write the two operands as they stand, parentheses included, with another sign between them."""
    text, start = site.text(node).encode(), site.span(node).begin
    left, right = site.span(node.left), site.span(node.right)
    between = text[left.end - start : right.begin - start].decode()
    old = _WRITTEN[type(node.op)]
    return (text[: left.end - start].decode()) + between.replace(old, sign, 1) + text[right.begin - start :].decode()


_WRITTEN: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def _without_minus(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield site.text(node.operand)


def _negated(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Return) and isinstance(node.value, (ast.BinOp, ast.Call)):
        yield f"return -({site.text(node.value)})"


OPERATORS = (
    Operator("signs/plus-minus", "plus for minus, or minus for plus", _other_sum, (("a + b", "a - b"), ("a -= b", "a += b"))),
    Operator(
        "signs/times-divided",
        "times for divided by, or divided by for times",
        _other_product,
        (("(a + b) * c", "(a + b) / c"), ("a /= b", "a *= b")),
    ),
    Operator("signs/minus-dropped", "a minus sign is missing", _without_minus, (("np.exp(-x)", "np.exp(x)"),)),
    Operator(
        "signs/negated",
        "what is returned has the wrong sign",
        _negated,
        (("def f(a, b):\n    return a - b", "def f(a, b):\n    return -(a - b)"),),
    ),
)
