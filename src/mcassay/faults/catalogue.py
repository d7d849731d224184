"""The catalogue of operators: every mistake that can be made on purpose."""

from collections.abc import Iterable
from typing import Any

from mcassay.errors import reject
from mcassay.faults.operator import Operator
from mcassay.faults.operators import (
    absolutes,
    acceptance,
    aliases,
    arguments,
    axes,
    comparisons,
    constants,
    counts,
    draws,
    generators,
    jacobians,
    logs,
    matrices,
    rates,
    rejections,
    signs,
    spreads,
    stale,
    supports,
    terms,
    updates,
    variables,
)

# Where two operators make the same mistake of a piece of code, it goes by the name of the first.
FAMILIES = (
    acceptance,
    jacobians,
    arguments,
    rejections,
    stale,
    variables,
    spreads,
    rates,
    logs,
    constants,
    signs,
    terms,
    counts,
    supports,
    axes,
    matrices,
    updates,
    aliases,
    draws,
    generators,
    comparisons,
    absolutes,
)
OPERATORS: tuple[Operator, ...] = tuple(operator for family in FAMILIES for operator in family.OPERATORS)


def select_operators(names: Iterable[str] | None) -> tuple[Operator, ...]:
    """Return the operators of these names or families; all of them for None.

    Examples
    --------
    >>> [operator.name for operator in select_operators(["aliases"])]
    ['aliases/not-copied', 'aliases/in-place']
    """
    if names is None:
        return OPERATORS
    known = {operator.name for operator in OPERATORS} | {operator.family for operator in OPERATORS}
    wanted: Any = names
    if isinstance(wanted, str) or not isinstance(wanted, Iterable) or not (wanted := list(wanted)):
        reject("faults", "operators", "be a list of names of operators or families, or None for all", names)
    for name in wanted:
        if name not in known:
            families = ", ".join(dict.fromkeys(operator.family for operator in OPERATORS))
            reject("faults", "operators", f"name operators or families ({families})", name)
    return tuple(operator for operator in OPERATORS if operator.name in wanted or operator.family in wanted)
