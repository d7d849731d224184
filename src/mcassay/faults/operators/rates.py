"""Rate and scale mixed up, and location for scale."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, is_draw, swapped, with_argument
from mcassay.faults.site import Site

_SECOND = ("gamma", "weibull", "logistic", "gumbel", "laplace")
_FIRST = ("exponential",)
_SCALED = ("normal", "laplace", "logistic", "gumbel", "Normal", "norm")


def _other_name(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg in ("rate", "scale") and not _of_a_normal(node, site):
        other = {"rate": "scale", "scale": "rate"}[node.arg]
        yield f"{other}={site.text(node.value)}"
        yield f"{node.arg}=1 / ({site.text(node.value)})"


def _of_a_normal(node: ast.AST, site: Site) -> bool:
    return calls(site.parent(node) or node, *_SCALED)


def _inverted(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.Call) or not is_draw(node):
        return
    place = 1 if calls(node, *_SECOND) else 0 if calls(node, *_FIRST) else None
    if place is not None and len(node.args) > place:
        yield with_argument(node, node.args[place], f"1 / ({site.text(node.args[place])})", site)


def _location_for_scale(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.Call) or not calls(node, *_SCALED) or not node.args:
        return
    keyed = [keyword.value for keyword in node.keywords if keyword.arg in ("scale", "sd", "variance", "precision")]
    second = node.args[1] if len(node.args) > 1 else keyed[0] if keyed else None
    if second is not None:
        yield swapped(node, node.args[0], second, site)


OPERATORS = (
    Operator(
        "rates/other-name",
        "a rate where a scale belongs, or the reverse",
        _other_name,
        (("Gamma(a, rate=b)", "Gamma(a, scale=b)"), ("InverseGamma(a, scale=b)", "InverseGamma(a, scale=1 / (b))")),
    ),
    Operator(
        "rates/inverted",
        "a rate where numpy takes a scale, or the reverse",
        _inverted,
        (("rng.gamma(a, b)", "rng.gamma(a, 1 / (b))"), ("rng.exponential(s)", "rng.exponential(1 / (s))")),
    ),
    Operator(
        "rates/location-for-scale",
        "location and scale in each other's place",
        _location_for_scale,
        (("rng.normal(m, s)", "rng.normal(s, m)"), ("Normal(m, sd=s)", "Normal(s, sd=m)")),
    ),
)
