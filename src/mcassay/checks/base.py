"""What a check is: one property, what it requires of a subject, and what its failure means."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mcassay.checks.settle import settled
from mcassay.engine.bench import Bench
from mcassay.engine.budget import Budget
from mcassay.engine.events import Handler, ignore
from mcassay.engine.limits import time_limit
from mcassay.engine.session import Session
from mcassay.results import CheckResult, Verdict
from mcassay.rng import generator
from mcassay.single import one_replicate
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
    tolerance
        How large a P-P gap a PASS has to rule out.
    budget
        How many sweeps, or how much time, this check may take.
    executor
        Where blocks of replicates run: None, a number of processes, or an executor.
    emit
        Takes the events.
    time_limit
        How many seconds a block of replicates may take.
    earlier
        The results of the checks that ran before.
    bench
        What the statistical checks of one assay share; without it each makes its own.
    sessions
        What was begun so far; a verdict that rests on one that was broken off is corrected.
    share
        Which part of the budget of the whole assay this check has.
    whole
        The budget of the whole assay.
    """

    seed: int
    alpha: float = 1e-6
    tolerance: float = 0.02
    budget: Budget = field(default_factory=lambda: Budget(50_000))
    executor: Any = None
    emit: Handler = ignore
    time_limit: float | None = 300.0
    earlier: tuple[CheckResult, ...] = ()
    bench: Bench | None = None
    sessions: list[Session] = field(default_factory=list, repr=False)
    share: float = 1.0
    whole: Budget = field(default_factory=lambda: Budget(50_000))

    def rng(self, *path: str | int) -> Generator:
        """Return the generator of one purpose."""
        return generator(self.seed, *path)

    def bench_for(self, subject: Subject) -> Bench:
        """Return what the statistical checks of a subject share."""
        return Bench(subject, self.seed, self.executor) if self.bench is None else self.bench.beside(subject)

    def session(self, subject: Subject, path: tuple[str, ...], budget: Budget) -> Session:
        """Begin to run blocks of replicates for one purpose."""
        bench, began = self.bench_for(subject), time.perf_counter()
        with time_limit(self.time_limit):
            instrument = bench.instrument
        spent = time.perf_counter() - began  # a time budget has to pay for the reference batch too
        self.sessions.append(Session(bench.workers, instrument, self.seed, path, budget, self.time_limit, seconds=spent))
        return self.sessions[-1]


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
    weight
        Its share of the error budget: it may reject at alpha times this.
    share
        Its share of the sweeps.
    together
        Whether it takes a vectorised subject as it is; the others are given one that moves one replicate.
    """

    name: str
    title: str
    requires: str
    failure: str
    kind: Literal["exact", "statistical"]
    missing: Callable[[Subject], str | None]
    run: Callable[[Subject, Context], Sequence[CheckResult]]
    weight: float = 0.0
    share: float = 0.0
    together: bool = False

    def apply(self, subject: Subject, context: Context) -> tuple[CheckResult, ...]:
        """Run the check, or say why it does not apply."""
        subject = subject if self.together else one_replicate(subject)
        reason = self.missing(subject)
        if reason is not None:
            return (CheckResult(self.name, "sweep", Verdict.SKIPPED, reason),)
        return settled(self.name, self.run(subject, context), context.sessions)
