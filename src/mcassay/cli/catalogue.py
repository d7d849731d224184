"""``mcassay checks``: the catalogue, as text."""

import textwrap
from collections.abc import Iterator

from mcassay.checks.base import Check
from mcassay.checks.catalogue import CATALOGUE

_WIDTH = 100


def catalogue() -> str:
    """Write every check: its title, what it requires, and what its failure means."""
    return "\n\n".join("\n".join(_entry(check)) for check in CATALOGUE) + "\n"


def _entry(check: Check) -> Iterator[str]:
    yield f"{check.name} ({check.kind}): {check.title}"
    for label, said in (("requires", check.requires), ("failure", check.failure)):
        yield from textwrap.wrap(said, _WIDTH, initial_indent=f"  {label + ':':<10}", subsequent_indent=" " * 12)
