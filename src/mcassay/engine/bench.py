"""What the statistical checks of one assay share: where blocks run, and the instrument."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mcassay.engine.executors import Workers
from mcassay.engine.instrument import Instrument
from mcassay.engine.pools import Pool
from mcassay.kernels.structure import Compiled
from mcassay.subject import Subject


@dataclass
class Bench:
    """Workers and instrument of a subject, each made when it is first needed."""

    subject: Subject
    seed: int
    executor: Any = None
    _others: list["Bench"] = field(default_factory=list, repr=False)

    @cached_property
    def pool(self) -> Pool | None:
        """The pool of the assay; None where blocks run in this process."""
        return None if self.executor is None else Pool.of(self.executor)

    @cached_property
    def workers(self) -> Workers:
        """Where blocks of replicates run."""
        return Workers.of(self.subject, self.pool)

    @cached_property
    def instrument(self) -> Instrument:
        """The statistics, with a reference batch of the assay's own."""
        return Instrument.of(self.subject, self.seed)

    def beside(self, subject: Subject) -> "Bench":
        """Return the bench of another subject, such as a part of this one, on the same pool."""
        if subject is self.subject:
            return self
        for other in self._others:
            if other.subject is subject:
                return other
        self._others.append(Bench(subject, self.seed, self.pool))
        return self._others[-1]

    @property
    def notes(self) -> list[str]:
        """What a reader of the report should know about where blocks ran."""
        own = self.workers.notes if "workers" in self.__dict__ else []
        compiled: list[str] = self.subject.step.remarks if isinstance(self.subject.step, Compiled) else []
        return [*own, *compiled, *(note for other in self._others for note in other.notes)]

    def close(self) -> None:
        """Stop processes of ours."""
        if "pool" in self.__dict__ and self.pool is not None:
            self.pool.close()
