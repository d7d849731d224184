"""Arguments in each other's place: those of a proposal density, of a log ratio, of any function of two like things."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, called, is_draw, swapped
from mcassay.faults.site import Site

_EITHER_WAY = ("logaddexp", "maximum", "minimum", "hypot", "max", "min", "isclose", "allclose", "array_equal", "add", "multiply")
_OTHERS = ("range", "isinstance", "getattr", "zip", "reshape", "take", "full", "Subject", "normal", "Normal", "bincount")


def _swapped(node: ast.AST, site: Site) -> Iterator[str]:
    """Swap the first two arguments of a call, or the second and the third."""
    if not isinstance(node, ast.Call) or is_draw(node) or called(node) in (*_EITHER_WAY, *_OTHERS):
        return
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    for one, other in zip(node.args[:2], node.args[1:3], strict=False):
        if _alike(one, other, site):
            yield swapped(node, one, other, site)


def _alike(one: ast.expr, other: ast.expr, site: Site) -> bool:
    """Say whether two arguments could be mistaken for each other."""
    if site.text(one) == site.text(other) or isinstance(one, ast.Constant) or isinstance(other, ast.Constant):
        return False
    if isinstance(one, ast.Name) and isinstance(other, ast.Name) and site.kinds:
        return other.id in site.alike(one)
    return type(one) is type(other)


OPERATORS = (
    Operator(
        "arguments/swapped",
        "two arguments in each other's place, such as those of a proposal density",
        _swapped,
        (("log_q(new, old)", "log_q(old, new)"), ("log_q(new.x, old.x)", "log_q(old.x, new.x)")),
    ),
)
