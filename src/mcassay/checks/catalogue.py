"""The catalogue: every check that an assay may run, in the order in which it runs them."""

from collections.abc import Iterable

from mcassay.checks import (
    caches,
    carry,
    conditional_draws,
    conditionals,
    constants,
    distributions,
    enumeration,
    forgetting,
    geweke,
    gradients,
    invariance,
    model,
    proposals,
    purity,
)
from mcassay.checks.base import Check
from mcassay.errors import reject

CATALOGUE: tuple[Check, ...] = (
    conditionals.CHECK,
    proposals.CHECK,
    gradients.CHECK,
    enumeration.CHECK,
    distributions.CHECK,
    purity.CHECK,
    caches.CHECK,
    constants.CHECK,
    invariance.CHECK,
    conditional_draws.CHECK,
    model.CHECK,
    carry.CHECK,
    geweke.CHECK,
    forgetting.CHECK,
)


def select(names: Iterable[str] | None) -> tuple[Check, ...]:
    """Return the checks of these names in the order of the catalogue; all of them for None."""
    if names is None:
        return CATALOGUE
    known = [check.name for check in CATALOGUE]
    if (
        isinstance(names, str)
        or not isinstance(names, Iterable)
        or not (names := list(names))
        or not all(isinstance(name, str) for name in names)
    ):
        reject("assay", "checks", f"be a list of names among {', '.join(known)}, or None for all", names)
    wanted = set(names)
    for name in wanted:
        if name not in known:
            reject("assay", "checks", f"name checks of the catalogue ({', '.join(known)})", name)
    return tuple(check for check in CATALOGUE if check.name in wanted)
