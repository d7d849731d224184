"""An update that is left out or done twice, and an assignment for an update."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, indented, is_draw
from mcassay.faults.site import Site


def _is_update(node: ast.AST, site: Site) -> bool:
    """Say whether a statement changes something that was there before."""
    if isinstance(node, ast.AugAssign):
        return True
    if isinstance(node, ast.Assign):
        return any(_changes(target, node, site) for target in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)


def _changes(target: ast.expr, node: ast.stmt, site: Site) -> bool:
    if isinstance(target, ast.Tuple):
        return all(_changes(one, node, site) for one in target.elts)
    if isinstance(target, ast.Name):
        return target.id in site.arguments or site.assigned.get(target.id, 0) < site.span(node).end
    return isinstance(target, (ast.Subscript, ast.Attribute))


def _left_out(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.AugAssign) and _is_update(node, site):
        yield "pass"


def _twice(node: ast.AST, site: Site) -> Iterator[str]:
    repeats = isinstance(node, (ast.AugAssign, ast.Expr)) or any(is_draw(part) for part in ast.walk(node))
    if _is_update(node, site) and repeats:
        yield indented(node, [site.text(node)] * 2, site)


def _assigned(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.AugAssign):
        yield f"{site.text(node.target)} = {site.text(node.value)}"


def _block_kept(node: ast.AST, site: Site) -> Iterator[str]:
    """Leave a block of a new state as it was."""
    if isinstance(node, ast.Dict) and None in node.keys:
        for left_out, key in enumerate(node.keys):
            if key is not None:
                yield "{" + ", ".join(_entry(node, place, site) for place in range(len(node.keys)) if place != left_out) + "}"


def _entry(node: ast.Dict, place: int, site: Site) -> str:
    key, value = node.keys[place], site.text(node.values[place])
    return f"**{value}" if key is None else f"{site.text(key)}: {value}"


_LOOP = 'state["n"] += 1'

OPERATORS = (
    Operator("updates/left-out", "an update is left out", _left_out, (("state.x = new", "pass"), ("counts.append(n)", "pass"))),
    Operator("updates/twice", "an update is done twice", _twice, ((_LOOP, f"{_LOOP}\n{_LOOP}"),)),
    Operator("updates/assigned", "an assignment for an update", _assigned, (("w *= likelihood", "w = likelihood"),)),
    Operator(
        "updates/block-kept", "a block of the new state stays as it was", _block_kept, (('{**state, "x": new}', "{**state}"),)
    ),
)
