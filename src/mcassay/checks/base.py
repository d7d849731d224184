"""What a check is: one property, what it requires of a subject, and what its failure means."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mcassay.results import CheckResult, Verdict
from mcassay.rng import generator
from mcassay.subject import Subject
from mcassay.vocabulary import Generator


@dataclass(frozen=True)
class Context:
    """What a check is given besides the subject.

    Attributes
    ----------
    seed
        The root seed of the assay.
    alpha
        The bound on the probability of any false alarm of this check, all its targets together.
    settings
        What only statistical checks need, by name: tolerance, budget, executor.
    """

    seed: int
    alpha: float = 1e-6
    settings: dict[str, Any] = field(default_factory=dict)

    def rng(self, *path: str | int) -> Generator:
        """Return the generator of one purpose."""
        return generator(self.seed, *path)


@dataclass(frozen=True)
class Check:
    """One entry of the catalogue.

    Attributes
    ----------
    name
        What reports and options call it.
    title
        The property, in a line.
    requires
        What a subject needs for it, in words.
    failure
        What its failure means, in words.
    kind
        "exact" checks hold to rounding for any input; "statistical" ones yield evidence.
    missing
        ``missing(subject)``: what the subject lacks, in words, or None where the check applies.
    run
        ``run(subject, context)``: one result a target.
    """

    name: str
    title: str
    requires: str
    failure: str
    kind: Literal["exact", "statistical"]
    missing: Callable[[Subject], str | None]
    run: Callable[[Subject, Context], Sequence[CheckResult]]

    def apply(self, subject: Subject, context: Context) -> tuple[CheckResult, ...]:
        """Run the check, or say why it does not apply."""
        reason = self.missing(subject)
        if reason is not None:
            return (CheckResult(self.name, "sweep", Verdict.SKIPPED, reason),)
        return tuple(self.run(subject, context))
