"""Variance, standard deviation and precision mixed up; a square root missing, or its inverse."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, is_draw, single, with_argument
from mcassay.faults.site import Site

_NAMES: dict[str, tuple[str, ...]] = {
    "variance": ("sd", "precision"),
    "sd": ("variance", "precision"),
    "precision": ("variance", "sd"),
}
_NAMES |= {"covariance": ("precision", "cholesky"), "cholesky": ("covariance",)}
# What a keyword of numpy and scipy takes is a standard deviation; people hand it a variance.
_STANDARD = ("scale", "std", "sigma", "stddev")


def _other_name(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg in _NAMES:
        for other in _NAMES[node.arg]:
            yield f"{other}={site.text(node.value)}"


def _squared(node: ast.AST, site: Site) -> Iterator[str]:
    """Hand a variance where a standard deviation belongs, or the root of it."""
    if not isinstance(node, ast.Call) or not is_draw(node) or not calls(node, "normal", "lognormal"):
        return
    scale = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg in _STANDARD), None)
    if scale is not None:
        yield with_argument(node, scale, f"({site.text(scale)}) ** 2", site)
        yield with_argument(node, scale, f"np.sqrt({site.text(scale)})", site)


def _root_dropped(node: ast.AST, site: Site) -> Iterator[str]:
    argument = single(node)
    if argument is not None and calls(node, "sqrt"):
        yield site.text(argument)


def _root_inverted(node: ast.AST, site: Site) -> Iterator[str]:
    if calls(node, "sqrt"):
        yield f"1 / {site.text(node)}"


def _not_squared(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield site.text(node.left)


def _not_inverted(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.left, ast.Constant):
        yield site.text(node.right)


OPERATORS = (
    Operator(
        "spreads/other-name",
        "variance, standard deviation, precision or their matrices mixed up",
        _other_name,
        (("Normal(m, variance=v)", "Normal(m, precision=v)"), ("Normal(m, sd=s)", "Normal(m, variance=s)")),
    ),
    Operator(
        "spreads/squared",
        "a variance where a standard deviation belongs, or the reverse",
        _squared,
        (("rng.normal(m, s)", "rng.normal(m, (s) ** 2)"), ("rng.normal(0, scale=s)", "rng.normal(0, scale=np.sqrt(s))")),
    ),
    Operator("spreads/root-dropped", "a square root is missing", _root_dropped, (("np.sqrt(v)", "v"),)),
    Operator(
        "spreads/root-inverted",
        "the inverse of a square root for the root",
        _root_inverted,
        (("np.sqrt(v) * z", "(1 / np.sqrt(v)) * z"),),
    ),
    Operator("spreads/not-squared", "a square is missing", _not_squared, (("np.sum(r**2)", "np.sum(r)"),)),
    Operator(
        "spreads/not-inverted", "a precision for a variance, or the reverse", _not_inverted, (("1 / precision", "precision"),)
    ),
)
