"""The acceptance ratio: a factor that is missing, the whole ratio reversed or forgotten, an acceptance that never rejects."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, called
from mcassay.faults.site import Site

_RATIO = ("ratio", "accept", "alpha", "hastings", "log_r", "delta", "change", "threshold", "level", "slice", "log_u", "height")


def _is_ratio(name: str) -> bool:
    return any(part in name.lower() for part in _RATIO)


def _terms(node: ast.expr) -> list[tuple[str, ast.expr]]:
    """Return the terms of a sum with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return [*_terms(node.left), ("-" if isinstance(node.op, ast.Sub) else "+", node.right)]
    return [("+", node)]


def _factor_dropped(node: ast.AST, site: Site) -> Iterator[str]:
    """Leave out one term of a ratio of logarithms, which is a factor of the ratio."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name) or not _is_ratio(target.id):
        return
    terms = _terms(node.value)
    for left_out in range(len(terms) if len(terms) > 2 else 0):
        rest = [term for place, term in enumerate(terms) if place != left_out]
        written = " ".join(f"{sign} {site.text(part)}" for sign, part in rest)
        yield f"{target.id} = {written.removeprefix('+ ')}"


def _returns_ratio(node: ast.AST) -> ast.expr | None:
    """Return the second of the two things that a proposal returns: the log ratio of proposals."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
        second = node.value.elts[1]
        return None if isinstance(second, (ast.Constant, ast.Dict)) else second
    return None


def _forgotten(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and _returns_ratio(node) is not None:
        yield f"return {site.text(node.value.elts[0])}, 0.0"


def _reversed(node: ast.AST, site: Site) -> Iterator[str]:
    second = _returns_ratio(node)
    if second is not None and isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        yield f"return {site.text(node.value.elts[0])}, -({site.text(second)})"
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and _is_ratio(target.id):
        yield f"{target.id} = -({site.text(node.value)})"


def _always(node: ast.AST, site: Site) -> Iterator[str]:
    """Accept whatever is proposed: a condition that compares with a uniform draw always holds."""
    if isinstance(node, (ast.If, ast.IfExp)) and _compares_a_draw(node.test):
        text, start, test = site.text(node).encode(), site.span(node).begin, site.span(node.test)
        yield (text[: test.begin - start] + b"True" + text[test.end - start :]).decode()


def _compares_a_draw(test: ast.AST) -> bool:
    return any(called(part) in ("random", "uniform", "rand", "standard_exponential", "exponential") for part in ast.walk(test))


_ASSIGNED = "log_ratio = new - old + back - forth"

OPERATORS = (
    Operator(
        "acceptance/factor-dropped",
        "a factor of the acceptance ratio is missing",
        _factor_dropped,
        ((_ASSIGNED, "log_ratio = new - old + back"), (_ASSIGNED, "log_ratio = new - old - forth")),
    ),
    Operator(
        "acceptance/forgotten",
        "the ratio of proposals is forgotten",
        _forgotten,
        (("def propose(x):\n    return y, log(y / x)", "def propose(x):\n    return y, 0.0"),),
    ),
    Operator(
        "acceptance/reversed",
        "the ratio is that of the way back",
        _reversed,
        (("def propose(x):\n    return y, log(y / x)", "def propose(x):\n    return y, -(log(y / x))"),),
    ),
    Operator(
        "acceptance/always",
        "whatever is proposed is accepted",
        _always,
        (("if np.log(rng.random()) < change:\n    x = y", "if True:\n    x = y"),),
    ),
)
