"""A constant that is a little off, or off by a factor of two: 0.51 for 0.5, a forgotten half."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Change, Operator, calls, is_number
from mcassay.faults.site import Site

_COUNTING = ("range", "arange", "zeros", "ones", "empty", "full", "reshape", "eye", "round", "integers", "choice")
_STRUCTURAL = ("axis", "size", "shape", "ndim", "ndmin", "minlength", "decimals", "dtype", "keepdims", "k", "ord", "maxiter")


def _is_scale(node: ast.AST, site: Site) -> bool:
    """Say whether a number measures something, rather than counting or pointing at a place in an array."""
    if not is_number(node) or not _is_decimal(site.text(node)):
        return False
    parent = site.parent(node)
    if isinstance(parent, ast.keyword) and parent.arg in _STRUCTURAL:
        return False
    while parent is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, (ast.Subscript, ast.Slice)) or calls(parent, *_COUNTING):
            return False
        if isinstance(parent, ast.Call):
            break
        parent = site.parent(parent)
    return True


def _is_decimal(text: str) -> bool:
    """Say whether a number is written in decimals, and not zero."""
    try:
        return float(text) != 0
    except ValueError:
        return False


def _scaled(factor: float) -> Change:
    def change(node: ast.AST, site: Site) -> Iterator[str]:
        if isinstance(node, ast.Constant) and _is_scale(node, site):
            whole, value = isinstance(node.value, int), float(site.text(node).replace("_", "")) * factor
            yield f"{int(value)}" if whole and value == int(value) else f"{value:.12g}"

    return change


OPERATORS = (
    Operator("constants/2-percent", "a constant is 2 % too large", _scaled(1.02), (("0.5 * x", "0.51 * x"), ("x**2", "x**2.04"))),
    Operator("constants/twice", "a constant is twice too large", _scaled(2), (("0.5 * x", "1 * x"), ("x**2", "x**4"))),
)
