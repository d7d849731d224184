"""Anchors: names inside the page that links lead to, such as ``report.html#mixture-invariance``."""

import re
import unicodedata
from dataclasses import dataclass, field

from mcassay.results import SWEEP, CheckResult

_LONGEST = 80


def anchor(subject: str, result: CheckResult | None = None) -> str:
    """Return the anchor of a subject, or of one of its results; where names collide a page adds a number.

    Examples
    --------
    >>> from mcassay.results import Verdict
    >>> anchor("mixture", CheckResult("invariance", "sweep", Verdict.FAIL, ""))
    'mixture-invariance'
    >>> anchor("<script>")
    'script'
    """
    parts = [_slug(subject) or "subject"]
    if result is not None:
        parts.append(_slug(result.check) or "check")
        parts += [] if result.target == SWEEP else [_slug(result.target.removeprefix("update:")) or "update"]
    return "-".join(parts)


def _slug(name: str) -> str:
    words = re.sub(r"[^\w.]+", "-", unicodedata.normalize("NFKC", name).casefold())
    return words.strip("-")[:_LONGEST]


@dataclass
class Anchors:
    """The anchors of one page, each given once; those of the page itself are taken from the start."""

    taken: set[str] = field(default_factory=lambda: {"contents", "failures", "findings", "unclear"})

    def take(self, wanted: str) -> str:
        """Return the anchor that is wanted, or where it is taken the same with a number.

        Examples
        --------
        >>> anchors = Anchors()
        >>> anchors.take("mixture"), anchors.take("mixture")
        ('mixture', 'mixture-2')
        """
        free, number = wanted, 1
        while free in self.taken:
            number += 1
            free = f"{wanted}-{number}"
        self.taken.add(free)
        return free
