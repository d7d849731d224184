"""A wrong variable that holds a value of the same kind: of the state, of the arguments, of what was computed."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator
from mcassay.faults.site import Site

# More of them make a run long and tell little that the first ones do not.
_MOST = 2


def _argument(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in site.arguments:
        yield from [name for name in site.alike(node) if name in site.arguments][:_MOST]


def _block(node: ast.AST, site: Site) -> Iterator[str]:
    """Take another block of the state, of the same kind."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant):
        name = node.slice.value
        if isinstance(name, str):
            yield from (f'{site.text(node.value)}["{other}"]' for other in site.alike_blocks(name)[:_MOST])


def _attribute(node: ast.AST, site: Site) -> Iterator[str]:
    """Take another block of a state that has blocks as attributes."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load) or not isinstance(node.value, ast.Name):
        return
    if node.value.id != "self":
        yield from (f"{node.value.id}.{other}" for other in site.alike_blocks(node.attr)[:_MOST])


_DIVIDED = "def ratio(a, b):\n    return a / b"

OPERATORS = (
    Operator(
        "variables/argument", "another argument of the same kind", _argument, ((_DIVIDED, "def ratio(a, b):\n    return b / b"),)
    ),
    Operator("variables/block", "another block of the state, of the same kind", _block, (('state["sigma"]', 'state["tau"]'),)),
    Operator(
        "variables/attribute", "another attribute of the state, of the same kind", _attribute, (("state.sigma", "state.tau"),)
    ),
)
