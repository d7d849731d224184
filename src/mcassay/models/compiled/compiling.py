"""How loops are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compile_loops(function: Function) -> Function:
    """Compile a function when it is first called.

    A product and a sum may become one instruction, which rounds once instead of twice; nothing else of the arithmetic changes.
    In such functions entries are set one by one, since setting a slice takes seconds to compile.
    """
    return cast(Function, numba.njit(error_model="numpy", fastmath={"contract"})(function))
