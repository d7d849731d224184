"""Off by one: in counts, in ranges, in degrees of freedom."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, named, with_argument
from mcassay.faults.site import Site

_FREEDOM = ("df", "ddof", "degrees_of_freedom")


def _range(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Call) and calls(node, "range") and node.args:
        stop = node.args[0] if len(node.args) == 1 else node.args[1]
        yield with_argument(node, stop, f"{site.text(stop)} - 1", site)
    if isinstance(node, ast.Call) and calls(node, "range") and len(node.args) == 1:
        yield f"range(1, {site.text(node.args[0])})"


def _count(node: ast.AST, site: Site) -> Iterator[str]:
    if calls(node, "len") or named(node) == "size" or _is_shape(node):
        parent = site.parent(node)
        if (
            isinstance(node, ast.expr)
            and not isinstance(parent, (ast.keyword, ast.Compare, ast.Tuple))
            and not calls(parent or node, "range")
        ):
            yield f"{site.text(node)} - 1"
            yield f"{site.text(node)} + 1"


def _is_shape(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and named(node.value) == "shape"


def _one(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and site.text(node.right) == "1":
        yield site.text(node.left)


def _freedom(node: ast.AST, site: Site) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg in _FREEDOM:
        yield f"{node.arg}={site.text(node.value)} - 1"
        yield f"{node.arg}={site.text(node.value)} + 1"


def _slice(node: ast.AST, site: Site) -> Iterator[str]:
    """Let a slice end one too soon, or begin one too late."""
    if isinstance(node, ast.Slice) and node.upper is not None and node.step is None:
        lower = "" if node.lower is None else site.text(node.lower)
        yield f"{lower}:{site.text(node.upper)} - 1"
    if isinstance(node, ast.Slice) and node.lower is not None and node.step is None:
        upper = "" if node.upper is None else site.text(node.upper)
        yield f"{site.text(node.lower)} + 1:{upper}"


OPERATORS = (
    Operator(
        "counts/range",
        "a loop leaves out its last or its first turn",
        _range,
        (("range(n)", "range(n - 1)"), ("range(n)", "range(1, n)")),
    ),
    Operator(
        "counts/off-by-one",
        "a count is one too small or too large",
        _count,
        (("a + len(x)", "a + (len(x) - 1)"), ("x.size / 2", "(x.size + 1) / 2")),
    ),
    Operator("counts/one-forgotten", "a one that belongs there is not added or subtracted", _one, (("(n - 1) * v", "(n) * v"),)),
    Operator("counts/freedom", "degrees of freedom off by one", _freedom, (("StudentT(df=n)", "StudentT(df=n - 1)"),)),
    Operator(
        "counts/slice", "a slice ends too soon or begins too late", _slice, (("x[i:j]", "x[i:j - 1]"), ("x[i:]", "x[i + 1:]"))
    ),
)
