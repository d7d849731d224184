"""Draws that are none: used twice, spread over an array, or replaced by their mean."""

import ast
from collections.abc import Callable, Iterator

from mcassay.faults.operator import Operator, calls, is_draw, named
from mcassay.faults.site import Site


def _reused(node: ast.AST, site: Site) -> Iterator[str]:
    """Take an earlier draw of the same kind in the place of a new one."""
    if isinstance(node, ast.Call) and (is_draw(node) or calls(node, "sample")):
        begin = site.span(site.statement(node)).begin
        for earlier in site.own_nodes(ast.Assign):
            if isinstance(earlier, ast.Assign) and site.span(earlier).end <= begin and _is_draw_of(earlier, node):
                yield site.text(earlier.targets[0])


def _is_draw_of(earlier: ast.Assign, node: ast.Call) -> bool:
    same = isinstance(earlier.value, ast.Call) and named(earlier.value.func) == named(node.func)
    return same and len(earlier.targets) == 1 and isinstance(earlier.targets[0], ast.Name)


def _one_for_all(node: ast.AST, site: Site) -> Iterator[str]:
    """Draw one number for a whole array."""
    if isinstance(node, ast.Call) and is_draw(node):
        size = next((keyword for keyword in node.keywords if keyword.arg == "size"), None)
        if size is not None:
            kept = [*node.args, *(keyword for keyword in node.keywords if keyword is not size)]
            call = f"{site.text(node.func)}({', '.join(site.text(part) for part in kept)})"
            yield f"np.full({site.text(size.value)}, {call})"
        elif calls(node, "standard_normal") and len(node.args) == 1:
            yield f"np.full({site.text(node.args[0])}, {site.text(node.func)}())"


def _mean(node: ast.AST, site: Site) -> Iterator[str]:
    """Take the mean in the place of a draw."""
    if isinstance(node, ast.Call) and is_draw(node) and not any(keyword.arg == "size" for keyword in node.keywords):
        given = [site.text(argument) for argument in node.args]
        mean = _MEANS.get(named(node.func) or "")
        yield from mean(given) if mean is not None else ()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "sample" and len(node.args) == 1:
        yield f"{site.text(node.func.value)}.mean"


def _normal(given: list[str]) -> list[str]:
    return [given[0] if given else "0.0"]


_MEANS: dict[str, Callable[[list[str]], list[str]]] = {
    "normal": _normal,
    "standard_normal": lambda given: [f"np.zeros({given[0]})" if given else "0.0"],
    "random": lambda given: [] if given else ["0.5"],
    "exponential": lambda given: [given[0] if given else "1.0"],
    "poisson": lambda given: [f"int({given[0]})"] if given else [],
    "gamma": lambda given: [f"({given[0]}) * ({given[1]})"] if len(given) == 2 else given[:1],
    "beta": lambda given: [f"({given[0]}) / (({given[0]}) + ({given[1]}))"] if len(given) == 2 else [],
    "uniform": lambda given: [f"(({given[0]}) + ({given[1]})) / 2"] if len(given) == 2 else [] if given else ["0.5"],
}

_TWO = "u = rng.random()\nv = rng.random()"

OPERATORS = (
    Operator("draws/reused", "a draw is used twice", _reused, ((_TWO, "u = rng.random()\nv = u"),)),
    Operator(
        "draws/one-for-all",
        "one draw for all members of an array",
        _one_for_all,
        (("rng.normal(size=n)", "np.full(n, rng.normal())"),),
    ),
    Operator(
        "draws/mean",
        "the mean in the place of a draw",
        _mean,
        (("rng.normal(m, s)", "m"), ("Normal(m, sd=s).sample(rng)", "Normal(m, sd=s).mean")),
    ),
)
