"""The wager on whole sweeps, as the invariance check drives it, for benchmarks.

The check takes samples after every update of a first sweep as well, to localise; that costs seconds but no sweeps, and is
left out here.
"""

import time
from dataclasses import dataclass

from baselines.outcome import Outcome

from mcassay import Subject
from mcassay.checks import betting
from mcassay.engine.budget import Budget
from mcassay.engine.executors import Workers
from mcassay.engine.instrument import REFERENCE_SIZE, Instrument
from mcassay.engine.schedule import LENGTHS, courses, schedule
from mcassay.engine.session import Session


@dataclass(frozen=True)
class OurWager:
    """Blocks of replicates, bet on until the evidence reaches 1 / alpha."""

    def run(self, subject: Subject, *, seed: int, alpha: float, most_sweeps: int) -> Outcome:
        """Run until it convicts or the sweeps are spent."""
        began, limit = time.perf_counter(), betting.limit(alpha)
        instrument = Instrument.of(subject, seed)
        session = Session(Workers.of(subject, None), instrument, seed, ("invariance", "sweep"), Budget(most_sweeps))
        wager = betting.begin(instrument, betting.length_groups(LENGTHS))
        forward = REFERENCE_SIZE
        for block in session.blocks(schedule(courses(prefixes=False), instrument.largest_block)):
            wager = wager.bet(betting.triples(instrument, block))
            forward += block.task.size * (1 + block.task.course.forward)
            if wager.log10_evidence >= limit:
                break
        found = bool(wager.log10_evidence >= limit)
        return Outcome(found, session.sweeps, forward, time.perf_counter() - began, float(wager.log10_evidence))
