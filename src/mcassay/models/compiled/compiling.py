"""How loops are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


# Numba sets itself up when it compiles for the first time. If that is broken off, as it may be where a kernel is enumerated and
# random numbers are no numbers, part of what it was to learn stays unknown to it. So it happens when this module is imported.
numba.njit("float64(float64)")(lambda number: number)


def compile_loops(function: Function) -> Function:
    """Compile a function when it is first called.

    A product and a sum may become one instruction, which rounds once instead of twice; nothing else of the arithmetic changes.
    In such functions entries are set one by one, since setting a slice takes seconds to compile; and ``log`` and its like are
    imported by name, since ``math`` holds stand-ins while a kernel is enumerated.
    """
    return cast(Function, numba.njit(error_model="numpy", fastmath={"contract"})(function))
