"""A support that is shifted by one, or that lacks its end."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, is_draw, is_number, with_argument
from mcassay.faults.site import Site

_COUNTS = ("poisson", "binomial", "geometric", "negative_binomial", "integers", "randint", "choice", "hypergeometric")


def _shifted(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and is_draw(node) and calls(node, *_COUNTS):
        yield f"{site.text(node)} + 1"
        yield f"{site.text(node)} - 1"


def _shorter(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.Call) or not is_draw(node) or not calls(node, "integers", "randint", "choice") or not node.args:
        return
    last = node.args[1] if len(node.args) > 1 and not calls(node, "choice") else node.args[0]
    yield with_argument(node, last, f"{site.text(last)} - 1", site)


def _bound(node: ast.AST, site: Site) -> Iterator[str]:
    """Put the bound of a support off by one: ``x < 0`` becomes ``x < 1``."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and is_number(node.comparators[0]):
        right = node.comparators[0]
        if isinstance(right, ast.Constant) and isinstance(right.value, int):
            text, start = site.text(node).encode(), site.span(node).begin
            yield text[: site.span(right).begin - start].decode() + str(right.value + 1)


OPERATORS = (
    Operator("supports/shifted", "a draw of a count is shifted by one", _shifted, (("rng.poisson(m)", "rng.poisson(m) + 1"),)),
    Operator(
        "supports/shorter",
        "the last of the values can not be drawn",
        _shorter,
        (("rng.integers(0, n)", "rng.integers(0, n - 1)"),),
    ),
    Operator("supports/bound", "the bound of a support is off by one", _bound, (("x < 0", "x < 1"),)),
)
