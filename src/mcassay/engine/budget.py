"""Budgets: how many sweeps an assay may take, or how many seconds, and how they are shared."""

import re
from dataclasses import dataclass
from typing import Any

from mcassay.errors import reject

NAMED = {"quick": 5_000, "ci": 50_000, "nightly": 5_000_000}

_UNITS = {"s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Budget:
    """A number of sweeps, or a time; one of the two is None."""

    sweeps: int | None
    seconds: float | None = None

    def share(self, part: float) -> "Budget":
        """Return a part of the budget."""
        return Budget(
            None if self.sweeps is None else max(1, int(self.sweeps * part)),
            None if self.seconds is None else self.seconds * part,
        )

    def spent(self, sweeps: int, seconds: float) -> bool:
        """Say whether the budget is used up."""
        return (self.sweeps is not None and sweeps >= self.sweeps) or (self.seconds is not None and seconds >= self.seconds)


def read_budget(budget: Any) -> Budget:
    """Read a budget: "quick", "ci", "nightly", a number of sweeps, or a time such as "30s", "5min" or "2h".

    Examples
    --------
    >>> read_budget("ci")
    Budget(sweeps=50000, seconds=None)
    >>> read_budget("2min")
    Budget(sweeps=None, seconds=120.0)
    """
    if isinstance(budget, Budget):
        return budget
    if isinstance(budget, str) and budget in NAMED:
        return Budget(NAMED[budget])
    if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 1:
        return Budget(budget)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min|m|h)", budget) if isinstance(budget, str) else None
    if found is None or float(found[1]) <= 0:
        names = ", ".join(f'"{name}"' for name in NAMED)
        reject("assay", "budget", f'be {names}, a whole number of sweeps, or a time such as "30s", "5min" or "2h"', budget)
    return Budget(None, float(found[1]) * _UNITS[found[2]])


def written_budget(budget: Any) -> int | str:
    """Write a budget as ``read_budget`` reads it again.

    Examples
    --------
    >>> written_budget("ci"), written_budget(Budget(500)), written_budget(Budget(None, 2.5))
    ('ci', 500, '2.5s')
    """
    if isinstance(budget, Budget):
        return f"{budget.seconds:.12g}s" if budget.sweeps is None else budget.sweeps
    return budget if isinstance(budget, str) else int(budget)
