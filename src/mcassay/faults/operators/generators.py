"""The random generator is seeded anew, or shared: the same numbers come again."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, is_draw
from mcassay.faults.site import Site


def _is_generator(node: ast.AST, site: Site) -> bool:
    """Say whether a node is the generator that a draw is made with, or that a draw is asked of."""
    parent = site.parent(node)
    if not isinstance(node, ast.Name) or node.id != "rng" or not isinstance(node.ctx, ast.Load) or parent is None:
        return False
    drawn = isinstance(parent, ast.Attribute) and is_draw(site.parent(parent) or parent)
    return drawn or (isinstance(parent, ast.Call) and node in parent.args)


def _seeded(node: ast.AST, site: Site) -> Iterator[str]:
    if _is_generator(node, site):
        yield "np.random.default_rng(0)"


def _shared(node: ast.AST, site: Site) -> Iterator[str]:
    """Hand on a copy of the generator: what it draws is drawn again by whoever goes on with the generator itself."""
    if _is_generator(node, site):
        yield '__import__("copy").deepcopy(rng)'


_DRAW = "x = rng.normal()"

OPERATORS = (
    Operator(
        "generators/seeded",
        "the random generator is seeded anew every time",
        _seeded,
        ((_DRAW, "x = np.random.default_rng(0).normal()"),),
    ),
    Operator(
        "generators/shared",
        "two draws share their random numbers",
        _shared,
        (("y = d.sample(rng)", 'y = d.sample(__import__("copy").deepcopy(rng))'),),
    ),
)
