"""Finds every place of a source where an operator can make its mistake."""

import ast
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mcassay.faults.fault import Fault
from mcassay.faults.operator import Operator, fitted, worth_changing
from mcassay.faults.site import Function, Site

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Ran:
    """What was seen of a function when it ran.

    Attributes
    ----------
    kinds
        The kind of value that each local name held.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)


def find_faults(
    path: str,
    source: str,
    operators: Sequence[Operator],
    *,
    ran: Mapping[tuple[str, int], Ran] | None = None,
    blocks: Mapping[str, str] | None = None,
) -> Iterator[Fault]:
    r"""Yield the faults of a file, in the order of the source: those of the functions that ran, or of all of them.

    Examples
    --------
    >>> from mcassay.faults.catalogue import select_operators
    >>> source = "def f(a, b):\n    return a + b\n"
    >>> list(find_faults("f.py", source, select_operators(["signs/plus-minus"])))
    [<Fault f.py:2 in f, signs/plus-minus: a + b -> a - b>]
    """
    seen: set[tuple[int, int, str]] = set()
    tree = ast.parse(source)
    for name, function in outermost_functions(tree):
        known = Ran() if ran is None else _seen_of(function, name, ran)
        if known is None:
            continue
        site = Site(source, function, known.kinds, blocks or {})
        for fault in _of_function(path, name, site, operators):
            key = (fault.begin, fault.end, "".join(fault.replacement.split()))
            if key not in seen and _is_code(fault.applied_to(source)):
                seen.add(key)
                yield fault


def outermost_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield every function that is not inside another one, with its qualified name."""
    yield from _outermost(tree, "")


def _outermost(node: ast.AST, path: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            name = "<lambda>" if isinstance(child, ast.Lambda) else child.name
            yield f"{path}{name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _outermost(child, f"{path}{child.name}.")
        else:
            yield from _outermost(child, path)


def _seen_of(function: Function, name: str, ran: Mapping[tuple[str, int], Ran]) -> Ran | None:
    """Return what was seen of a function, and of those inside it; None where none of them ran."""
    first, last = function.lineno, function.end_lineno or function.lineno  # type: ignore[union-attr]
    first = min([first, *(one.lineno for one in getattr(function, "decorator_list", []))])
    inside = [one for (_, line), one in ran.items() if first <= line <= last]
    if not inside:
        return None
    return Ran({local: kind for one in reversed(inside) for local, kind in one.kinds.items()})


def _of_function(path: str, name: str, site: Site, operators: Collection[Operator]) -> Iterator[Fault]:
    body = site.function.body
    for part in body if isinstance(body, list) else [body]:
        for node in worth_changing(part):
            if hasattr(node, "lineno"):
                yield from _at(path, name, node, site, operators)


def _at(path: str, name: str, node: ast.AST, site: Site, operators: Collection[Operator]) -> Iterator[Fault]:
    span, original = site.span(node), site.text(node)
    for operator in operators:
        for text in operator.change(node, site):
            replacement = fitted(text, node, site)
            if replacement != original:
                line = node.lineno  # type: ignore[attr-defined]
                yield Fault(path, name, operator.name, span.begin, span.end, original, replacement, line)


def _is_code(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<fault>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
