"""What belongs to a rejected proposal is kept: in a cache, in the state, in one of several blocks."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, indented
from mcassay.faults.site import Site


def _kept(node: ast.AST, site: Site) -> Iterator[str]:
    """Do one of the assignments that an acceptance makes, whether or not it accepts."""
    if not isinstance(node, ast.If) or node.orelse or not all(isinstance(one, ast.Assign) for one in node.body):
        return
    for one in node.body:
        yield indented(node, [*site.text(node).split("\n" + " " * node.col_offset), site.text(one)], site)


def _forgotten(node: ast.AST, site: Site) -> Iterator[str]:
    """Forget one of several assignments that an acceptance makes."""
    parent = site.parent(node)
    if isinstance(node, ast.Assign) and isinstance(parent, ast.If) and len(parent.body) > 1:
        yield "pass"


def _chosen(node: ast.AST, site: Site) -> Iterator[str]:
    """Take one of two values whatever the condition says."""
    if isinstance(node, ast.IfExp):
        yield from (site.text(node.body), site.text(node.orelse))
    if isinstance(node, ast.Call) and calls(node, "where") and len(node.args) == 3:
        yield from (site.text(node.args[1]), site.text(node.args[2]))


_IF = "if accept:\n    x = new\n    log_p = log_p_new"

OPERATORS = (
    Operator("rejections/kept", "what belongs to a rejected proposal is kept", _kept, ((_IF, f"{_IF}\nlog_p = log_p_new"),)),
    Operator(
        "rejections/forgotten",
        "a cache is not updated when a proposal is accepted",
        _forgotten,
        ((_IF, _IF.replace("log_p = log_p_new", "pass")),),
    ),
    Operator(
        "rejections/chosen",
        "one of two values is taken, whatever the condition",
        _chosen,
        (("np.where(accept, new, old)", "new"), ("new if accept else old", "old")),
    ),
)
