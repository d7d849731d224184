"""What an operator sees: a node of the source, what is round it, and which other names are of a like type."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module

# What never stands in for a number: the object itself, and the random generator.
_NO_VALUES = frozenset({"self", "cls", "rng"})


@dataclass(frozen=True)
class Span:
    """A piece of a source, in bytes: positions of Python's syntax trees count bytes of UTF-8."""

    begin: int
    end: int


@dataclass(frozen=True)
class Site:
    """A function of a source.

    Attributes
    ----------
    source
        The text of the whole file.
    function
        The function; a whole module for a piece of code without one.
    kinds
        The kind of value that each local name held when the function ran, such as ``float64 (3, 2)``.
    blocks
        The kind of each block of the state.
    """

    source: str
    function: Function
    kinds: Mapping[str, str] = field(default_factory=dict)
    blocks: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _bytes(self) -> bytes:
        return self.source.encode()

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: parent for parent in ast.walk(self.function) for child in ast.iter_child_nodes(parent)}

    def span(self, node: ast.AST) -> Span:
        """Return where a node stands."""
        begin = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return Span(begin, self._starts[node.end_lineno - 1] + node.end_col_offset)  # type: ignore[attr-defined]

    def text(self, node: ast.AST) -> str:
        """Return the source of a node."""
        span = self.span(node)
        return self._bytes[span.begin : span.end].decode()

    def parent(self, node: ast.AST) -> ast.AST | None:
        """Return the node that a node is a part of."""
        return self._parents.get(node)

    def statement(self, node: ast.AST) -> ast.AST:
        """Return the statement that a node is a part of."""
        while not isinstance(node, ast.stmt) and (parent := self.parent(node)) is not None:
            node = parent
        return node

    def own_nodes(self, kind: type[ast.AST]) -> Iterator[ast.AST]:
        """Yield the nodes of a kind in the function, in the order of the source."""
        found = [node for node in ast.walk(self.function) if isinstance(node, kind) and hasattr(node, "lineno")]
        return iter(sorted(found, key=lambda node: (self.span(node).begin, -self.span(node).end)))

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments that hold values."""
        if isinstance(self.function, ast.Module):
            return ()
        every = self.function.args
        names = [argument.arg for argument in (*every.posonlyargs, *every.args, *every.kwonlyargs)]
        return tuple(name for name in names if name not in _NO_VALUES)

    @cached_property
    def assigned(self) -> dict[str, int]:
        """The local names that are assigned, and where each first is."""
        places: dict[str, int] = {}
        for node in self.own_nodes(ast.Name):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in _NO_VALUES:
                places.setdefault(node.id, self.span(self.statement(node)).end)
        return places

    def known_at(self, node: ast.AST) -> list[str]:
        """Return the names of values that a node could use: the arguments, and what was assigned before its statement."""
        begin = self.span(self.statement(node)).begin
        assigned = [name for name, end in self.assigned.items() if end <= begin and name not in self.arguments]
        return [*self.arguments, *assigned]

    def alike(self, node: ast.Name) -> list[str]:
        """Return the other names that a node could be mistaken for: they hold a value of the same kind.

        Where the function never ran nothing is known of kinds, and every name will do.
        """
        others = [name for name in self.known_at(node) if name != node.id]
        if not self.kinds:
            return others
        kind = self.kinds.get(node.id)
        return [name for name in others if kind is not None and self.kinds.get(name) == kind]

    def alike_blocks(self, name: str) -> list[str]:
        """Return the other blocks of the state that are of the same kind."""
        kind = self.blocks.get(name)
        return [other for other, found in self.blocks.items() if other != name and kind is not None and found == kind]
