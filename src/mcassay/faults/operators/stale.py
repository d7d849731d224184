"""A stale value: the old one where the new one belongs, and the reverse."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator
from mcassay.faults.site import Site

_MOST = 2


def _old_for_new(node: ast.AST, site: Site) -> Iterator[str]:
    """Use what a value was made from, or what was there before, in the place of what was computed."""
    if (
        isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id in site.assigned
        and node.id not in site.arguments
    ):
        known = site.known_at(node)
        older = known[: known.index(node.id)] if node.id in known else []
        yield from [name for name in reversed(site.alike(node)) if name in older][:_MOST]


def _new_for_old(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        known = site.known_at(node)
        newer = known[known.index(node.id) + 1 :] if node.id in known else []
        yield from [name for name in reversed(site.alike(node)) if name in newer and name in site.assigned][:_MOST]


_STEP = "def step(x):\n    y = x + 1\n    return log_p({})"

OPERATORS = (
    Operator(
        "stale/old-for-new", "the old value where the new one belongs", _old_for_new, ((_STEP.format("y"), _STEP.format("x")),)
    ),
    Operator(
        "stale/new-for-old", "the new value where the old one belongs", _new_for_old, ((_STEP.format("x"), _STEP.format("y")),)
    ),
)
