"""What an operator is: one kind of mistake, where it can be made, and what it looks like."""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mcassay.faults.site import Site

Change = Callable[[ast.AST, Site], Iterable[str]]


@dataclass(frozen=True)
class Operator:
    """One kind of mistake.

    Attributes
    ----------
    name
        FAMILY/MISTAKE, as options and reports call it.
    title
        The mistake, in words.
    change
        ``change(node, site)`` yields what could stand in the place of a node by this mistake.
    examples
        Pairs of a right piece of code and a wrong one that the operator makes of it.
    """

    name: str
    title: str
    change: Change
    examples: tuple[tuple[str, str], ...]

    @property
    def family(self) -> str:
        """The family of mistakes that it belongs to."""
        return self.name.partition("/")[0]


def called(node: ast.AST) -> str | None:
    """Return the last name of what a call calls: "log" for ``np.log(x)``; None where nothing is called by a name.

    Examples
    --------
    >>> called(ast.parse("np.linalg.cholesky(a)", mode="eval").body)
    'cholesky'
    """
    if not isinstance(node, ast.Call):
        return None
    return named(node.func)


def named(node: ast.AST) -> str | None:
    """Return the last name of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def calls(node: ast.AST, *names: str) -> bool:
    """Say whether a node calls a function of one of these names."""
    return called(node) in names


def is_draw(node: ast.AST) -> bool:
    """Say whether a node draws from a generator: ``rng.normal(...)``, ``np.random.normal(...)``, ``self.rng.random()``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return named(node.func.value) in ("rng", "random", "generator", "random_state", "_rng")


def single(node: ast.AST) -> ast.expr | None:
    """Return the only argument of a call."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
        return node.args[0]
    return None


def is_number(node: ast.AST) -> bool:
    """Say whether a node is a number as it is written."""
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def renamed(call: ast.Call, name: str, site: Site) -> str:
    """Write a call of another function of the same module with the same arguments."""
    text, function = site.text(call), site.text(call.func)
    head = function[: len(function) - len(named(call.func) or "")]
    return f"{head}{name}{text[len(function) :]}"


def with_argument(call: ast.Call, old: ast.AST, new: str, site: Site) -> str:
    """Write a call with another text in the place of one of its parts."""
    start, part = site.span(call).begin, site.span(old)
    text = site.text(call).encode()
    return (text[: part.begin - start] + new.encode() + text[part.end - start :]).decode()


def swapped(node: ast.AST, one: ast.AST, other: ast.AST, site: Site) -> str:
    """Write a node with two of its parts in each other's place; ``one`` stands before ``other``."""
    start, first, second = site.span(node).begin, site.span(one), site.span(other)
    text = site.text(node).encode()
    middle = text[first.end - start : second.begin - start]
    before, after = text[: first.begin - start], text[second.end - start :]
    return (before + site.text(other).encode() + middle + site.text(one).encode() + after).decode()


_LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.UnaryOp)


def operand(node: ast.expr, site: Site) -> str:
    """Write a node so that it stays one thing beside any operator; its own span leaves its parentheses out."""
    return f"({site.text(node)})" if isinstance(node, _LOOSE) else site.text(node)


_OPERANDS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Subscript, ast.Call, ast.Starred, ast.IfExp)
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set)


def fitted(text: str, node: ast.AST, site: Site) -> str:
    """Put a replacement into parentheses where what is round it would otherwise take it apart."""
    parent = site.parent(node)
    if not isinstance(node, ast.expr) or not isinstance(parent, _OPERANDS) or _is_argument(node, parent):
        return text
    try:
        written: ast.AST = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:  # whoever takes it will find that it is no code
        return text
    loose = not isinstance(written, _ATOMS) or (isinstance(parent, ast.Attribute) and isinstance(written, ast.Constant))
    return f"({text})" if loose and not _is_enclosed(node, site) else text


def _is_argument(node: ast.AST, parent: ast.AST) -> bool:
    if isinstance(parent, ast.Call):
        return node is not parent.func
    return isinstance(parent, ast.Subscript) and node is parent.slice


def _is_enclosed(node: ast.AST, site: Site) -> bool:
    """Say whether a node has parentheses of its own, which its span leaves out."""
    span, source = site.span(node), site.source.encode()
    return source[: span.begin].rstrip().endswith(b"(") and source[span.end :].lstrip().startswith(b")")


def indented(node: ast.AST, lines: Iterable[str], site: Site) -> str:
    """Write several statements in the place of one."""
    assert isinstance(node, ast.stmt)
    return ("\n" + " " * node.col_offset).join(lines)


_NO_CODE = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef)
_NO_MISTAKE = ("reject", "warn", "print", "format", "info", "debug")


def worth_changing(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, but for annotations, decorators, texts, imports, and what words an error."""
    if isinstance(node, _NO_CODE) or _is_text(node) or calls(getattr(node, "value", node), *_NO_MISTAKE):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "args") and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from worth_changing(child)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
