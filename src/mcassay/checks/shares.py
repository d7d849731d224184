"""How the sweeps of an assay are shared among its checks."""

from collections.abc import Sequence

from mcassay.checks.base import Check
from mcassay.subject import Subject


def share_of(check: Check, checks: Sequence[Check], subject: Subject) -> float:
    """Return the part of the sweeps that a check gets when these checks run: relative to those that apply."""
    total = sum(one.share for one in checks if one.missing(subject) is None) or 1.0
    return check.share / total
