"""What joint distributions over a pair of a value and its spread share."""

from typing import Any, TypeAlias

from mcassay.errors import reject

Pair: TypeAlias = tuple[Any, Any]


def pair(where: str, x: Any, names: tuple[str, str]) -> Pair:
    """Read a tuple or a list of two.

    Examples
    --------
    >>> pair("NormalInverseGamma.log_p", 3.0, ("value", "variance"))
    Traceback (most recent call last):
    ...
    mcassay.errors.InputError: NormalInverseGamma.log_p: x must be a pair (value, variance), but found 3.0
    """
    if not isinstance(x, (tuple, list)) or len(x) != 2:
        reject(where, "x", f"be a pair ({', '.join(names)})", x)
    return x[0], x[1]
