"""How the sweeps of an assay are shared among its checks."""

from collections.abc import Sequence

from mcassay.checks.base import Check
from mcassay.engine.budget import Budget
from mcassay.subject import Subject


def share_of(check: Check, checks: Sequence[Check], subject: Subject) -> float:
    """Return the part of the sweeps that a check gets when these checks run: relative to those that apply."""
    total = sum(one.share for one in checks if one.missing(subject) is None) or 1.0
    return check.share / total


def budget_of(check: Check, checks: Sequence[Check], subject: Subject, budget: Budget, elapsed: float) -> Budget:
    """Return the budget of a check: its share of the sweeps, or of the time that is left for it and the checks after it."""
    if budget.seconds is None:
        return budget.share(share_of(check, checks, subject))
    later = checks[checks.index(check) :]
    return Budget(None, max(budget.seconds - elapsed, 0.0)).share(share_of(check, later, subject))
