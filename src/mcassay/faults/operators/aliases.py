"""An alias where a copy belongs: changed in place, it changes what others hold."""

import ast
from collections.abc import Iterator

from mcassay.faults.operator import Operator, calls, single
from mcassay.faults.site import Site

_COPIES = ("copy", "deepcopy", "array", "dict", "list", "copy_state")
_NEW = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)


def _not_copied(node: ast.AST, site: Site) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    argument = single(node)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "copy" and not node.args:
        yield site.text(node.func.value)
    elif calls(node, *_COPIES) and argument is not None and not isinstance(argument, _NEW):
        yield site.text(argument)


def _in_place(node: ast.AST, site: Site) -> Iterator[str]:
    """Add to what is there already, which may be somebody else's, in the place of making something new."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.value, ast.BinOp):
        return
    target, sign = node.targets[0], _SIGNS.get(type(node.value.op))
    left = node.value.left
    if sign is None or not isinstance(target, ast.Name) or not isinstance(left, (ast.Name, ast.Subscript)):
        return
    yield f"{site.text(left)} {sign}= {site.text(node.value.right)}\n{' ' * node.col_offset}{target.id} = {site.text(left)}"


_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}

OPERATORS = (
    Operator(
        "aliases/not-copied", "an alias where a copy belongs", _not_copied, (("new = x.copy()", "new = x"), ("np.array(x)", "x"))
    ),
    Operator("aliases/in-place", "a new value overwrites the old one", _in_place, (("y = x + noise", "x += noise\ny = x"),)),
)
