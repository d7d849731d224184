"""An absolute value that is missing, or taken where none belongs."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, single
from mcassay.faults.site import Site


def _dropped(node: ast.AST, site: Site) -> Iterator[str]:
    argument = single(node)
    if argument is not None and calls(node, "abs", "absolute", "fabs"):
        yield site.text(argument)


def _added(node: ast.AST, site: Site) -> Iterator[str]:
    """Take the absolute value of a difference."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and not calls(site.parent(node) or node, "abs"):
        yield f"abs({site.text(node)})"


OPERATORS = (
    Operator("absolutes/dropped", "an absolute value is not taken", _dropped, (("np.log(np.abs(j))", "np.log(j)"),)),
    Operator("absolutes/added", "an absolute value is taken", _added, (("x * (a - b)", "x * (abs(a - b))"),)),
)
