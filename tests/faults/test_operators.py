"""Every operator makes of the right code of its examples the wrong one, and nothing that is no code."""

import ast
from pathlib import Path

import pytest

from mcassay.errors import InputError
from mcassay.faults.catalogue import OPERATORS, select_operators
from mcassay.faults.find import _at, find_faults
from mcassay.faults.operator import worth_changing
from mcassay.faults.site import Site

BLOCKS = {"sigma": "float64 ()", "tau": "float64 ()"}
EXAMPLES = [(operator, *example) for operator in OPERATORS for example in operator.examples]


def changed(operator, code):
    """The example stands for the body of a function, or holds one."""
    tree = ast.parse(code)
    function = tree.body[0] if isinstance(tree.body[0], ast.FunctionDef) else tree
    site = Site(code, function, blocks=BLOCKS)
    nodes = [node for node in worth_changing(tree) if hasattr(node, "lineno")]
    return [fault.applied_to(code) for node in nodes for fault in _at("f.py", "f", node, site, [operator])]


@pytest.mark.parametrize(("operator", "before", "after"), EXAMPLES, ids=[f"{one[0].name}: {one[1]}" for one in EXAMPLES])
def test_an_operator_does_what_its_example_says(operator, before, after):
    assert after in changed(operator, before)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_leaves_unlike_code_alone(operator):
    assert changed(operator, "f()") == []


def test_names_are_unlike_each_other():
    assert len({operator.name for operator in OPERATORS}) == len(OPERATORS)


def test_texts_annotations_and_errors_are_left_alone():
    source = '''
def f(a: int = 1 + 1) -> "1 + 1":
    """Say 1 + 1."""
    if a:
        raise ValueError(f"{a + 1}")
    assert a + 1
    return reject("f", "a", "be", a + 1)
'''
    assert list(find_faults("f.py", source, OPERATORS)) == []


def test_what_stands_in_a_source_with_letters_beyond_ascii_is_found():
    source = "def f(a, b):\n    x = 'äöü'; return a + b\n"
    (fault,) = find_faults("f.py", source, select_operators(["signs/plus-minus"]))
    assert fault.applied_to(source) == source.replace("+", "-")


def test_every_fault_compiles_and_changes_the_source():
    source = Path(ast.__file__).read_text(encoding="utf-8")[:8_000].rpartition("\ndef ")[0]
    faults = list(find_faults("ast.py", source, OPERATORS))
    assert len(faults) > 40
    assert all(ast.parse(fault.applied_to(source)) and fault.applied_to(source) != source for fault in faults)


def test_only_variables_of_the_same_kind_are_taken_for_each_other():
    from mcassay.faults.find import Ran

    source = "def f(a, b, c):\n    return a\n"
    ran = {("f", 1): Ran({"a": "float64 (2,)", "b": "float64 (3,)", "c": "float64 (2,)"})}
    faults = find_faults("f.py", source, select_operators(["variables"]), ran=ran)
    assert [fault.replacement for fault in faults] == ["c"]


@pytest.mark.parametrize("names", ["signs", [], ["sings"], 7])
def test_operators_that_there_are_not(names):
    with pytest.raises(InputError, match="operators must"):
        select_operators(names)


def test_parts_keep_the_parentheses_that_they_need():
    source = "def f(a, b):\n    return (c := a) != (a < b)\n"
    faults = list(find_faults("f.py", source, select_operators(["comparisons/way"])))
    assert [fault.replacement for fault in faults] == ["(c := a) == (a < b)", "a > b"]
