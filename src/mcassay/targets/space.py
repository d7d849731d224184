"""What values a block of a target takes: enough for a kernel to know whether it can move it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Kind = Literal["real", "positive", "interval", "angle", "simplex", "integers", "labels", "binary"]
_DISCRETE = ("integers", "labels", "binary")


@dataclass(frozen=True)
class Space:
    """The values of a block.

    Attributes
    ----------
    kind
        "real"; "positive"; "interval" (low, high); "angle", of which low and high are the same point; "simplex", along the last
        axis; "integers" from low to high, both included; "labels", of which every element has a number of its own; "binary".
    shape
        The shape of the block.
    low, high
        The limits of an interval, an angle, or integers.
    sizes
        How many labels each element has.

    Examples
    --------
    >>> Space("real", (3,)).size, Space("binary", (2, 2)).discrete
    (3, True)
    """

    kind: Kind
    shape: tuple[int, ...] = ()
    low: float = -np.inf
    high: float = np.inf
    sizes: Sequence[int] = ()

    @property
    def size(self) -> int:
        """How many numbers the block has."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def discrete(self) -> bool:
        """Whether the values are whole numbers."""
        return self.kind in _DISCRETE
