"""What the statistical checks of one assay share: where blocks run, and the instrument."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcassay.engine.executors import Workers
from mcassay.engine.instrument import Instrument
from mcassay.subject import Subject


@dataclass
class Bench:
    """Workers and instrument of a subject, each made when it is first needed."""

    subject: Subject
    seed: int
    executor: Any = None

    @cached_property
    def workers(self) -> Workers:
        """Where blocks of replicates run."""
        return Workers.of(self.subject, self.executor)

    @cached_property
    def instrument(self) -> Instrument:
        """The statistics, with a reference batch of the assay's own."""
        return Instrument.of(self.subject, self.seed)

    def close(self) -> None:
        """Shut down what was started."""
        if "workers" in self.__dict__:
            self.workers.close()
