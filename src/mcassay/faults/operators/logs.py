"""A logarithm for none, none for one, and the logarithm of a sum for a sum of logarithms."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, renamed, single
from mcassay.faults.site import Site


def _dropped(node: ast.AST, site: Site) -> Iterator[str]:
    argument = single(node)
    if argument is not None and calls(node, "log", "exp", "log1p", "expm1"):
        yield site.text(argument)


def _added(node: ast.AST, site: Site) -> Iterator[str]:
    """Take the logarithm of what is a logarithm already."""
    if isinstance(node, ast.Call) and calls(node, "log_p", "logpdf", "logpmf"):
        yield f"np.log({site.text(node)})"


def _plus_one(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and calls(node, "log", "log1p", "exp", "expm1"):
        yield renamed(node, {"log": "log1p", "log1p": "log", "exp": "expm1", "expm1": "exp"}[named_call(node)], site)


def named_call(node: ast.Call) -> str:
    """Return the last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _outside(node: ast.AST, site: Site) -> Iterator[str]:
    """Sum before taking the logarithm."""
    inner = single(node)
    if isinstance(node, ast.Call) and calls(node, "sum", "mean") and inner is not None and calls(inner, "log"):
        argument = single(inner)
        if isinstance(inner, ast.Call) and argument is not None:
            yield f"{site.text(inner.func)}({site.text(node.func)}({site.text(argument)}))"


OPERATORS = (
    Operator(
        "logs/dropped", "no logarithm, or no exponential, is taken", _dropped, (("np.log(p) + a", "p + a"), ("np.exp(x)", "x"))
    ),
    Operator("logs/plus-one", "log for log1p, exp for expm1, or the reverse", _plus_one, (("np.log1p(-p)", "np.log(-p)"),)),
    Operator("logs/twice", "the logarithm of a log density is taken", _added, (("d.log_p(x)", "np.log(d.log_p(x))"),)),
    Operator(
        "logs/outside",
        "the logarithm of a sum for the sum of logarithms",
        _outside,
        (("np.sum(np.log(x))", "np.log(np.sum(x))"),),
    ),
)
