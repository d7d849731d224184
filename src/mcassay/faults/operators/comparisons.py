"""Comparisons the wrong way round or with the wrong end, and the smallest for the largest."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, named, operand, renamed
from mcassay.faults.site import Site

_ENDS: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_WAYS: dict[type[ast.cmpop], str] = {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<=", ast.Eq: "!=", ast.NotEq: "=="}
_EXTREMES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "fmin": "fmax", "amin": "amax"}
_EXTREMES |= {other: one for one, other in _EXTREMES.items()}


def _end(node: ast.AST, site: Site) -> Iterator[str]:
    yield from _compared(node, _ENDS, site)


def _way(node: ast.AST, site: Site) -> Iterator[str]:
    yield from _compared(node, _WAYS, site)


def _compared(node: ast.AST, others: dict[type[ast.cmpop], str], site: Site) -> Iterator[str]:
    if not isinstance(node, ast.Compare):
        return
    operands = [node.left, *node.comparators]
    for place, sign in enumerate(node.ops):
        if type(sign) in others:
            signs = [others[type(one)] if i == place else _SIGNS.get(type(one), "in") for i, one in enumerate(node.ops)]
            parts = [operand(one, site) for one in operands]
            yield "".join(f"{part} {sign} " for part, sign in zip(parts, signs, strict=False)) + parts[-1]


_SIGNS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def _extreme(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and calls(node, *_EXTREMES):
        yield renamed(node, _EXTREMES[named(node.func) or ""], site)


OPERATORS = (
    Operator("comparisons/end", "< for <=, or the reverse", _end, (("a < b", "a <= b"), ("0 < p <= 1", "0 < p < 1"))),
    Operator("comparisons/way", "a comparison the wrong way round", _way, (("a < b", "a > b"), ("a == b", "a != b"))),
    Operator("comparisons/extreme", "the smallest for the largest", _extreme, (("np.minimum(0, r)", "np.maximum(0, r)"),)),
)
