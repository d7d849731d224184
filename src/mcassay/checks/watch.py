"""Watching a session: every block is bet on, and what it shows of each statistic is kept for the report."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from mcassay.checks import betting
from mcassay.checks.base import Context
from mcassay.checks.gaps import Gaps
from mcassay.checks.history import History
from mcassay.checks.samples import Samples
from mcassay.engine.block import BlockResult
from mcassay.engine.instrument import Instrument
from mcassay.engine.schedule import Slot
from mcassay.engine.session import Session
from mcassay.evidence.wager import Wager


@dataclass
class Watch:
    """A wager on the blocks of one session, and the P-P curves after one sweep.

    Attributes
    ----------
    wager
        The wealth on all directions and run lengths.
    gaps
        The P-P gaps of every statistic, for every run length.
    prefixes
        A wager for each update of the first sweep but the last: the state after it is from the joint as well.
    moved
        For every block of the state, in how many replicates it moved.
    history
        Sweeps and evidence after every block, thinned where there are many.
    samples
        The raw statistics of the first replicates, at the start and after one sweep.
    """

    instrument: Instrument
    wager: Wager
    gaps: dict[str, Gaps]
    prefixes: dict[str, Wager] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    history: History = field(default_factory=History)
    samples: Samples = field(default_factory=Samples)
    replicates: int = 0

    @classmethod
    def over(cls, instrument: Instrument, tolerances: Mapping[int, float], prefixes: Iterable[str] = ()) -> "Watch":
        """Watch runs of these lengths; the bounds on their gaps are tuned to these tolerances."""
        groups = betting.length_groups(tuple(tolerances))
        alone = {name: betting.begin(instrument, {"prefix": 1.0}) for name in prefixes}
        statistics = len(instrument.reference.names)
        gaps = {name: Gaps.begin(statistics, sized) for name, sized in zip(groups, tolerances.values(), strict=True)}
        return cls(instrument, betting.begin(instrument, groups), gaps, alone)

    @property
    def main(self) -> str:
        """The run length that curves and gaps in a report are of: the first."""
        return next(iter(self.gaps))

    @property
    def log10_evidence(self) -> float:
        """The largest evidence after any block so far."""
        return float(self.wager.log10_evidence)

    def see(self, block: BlockResult) -> None:
        """Bet on a block."""
        triples = betting.triples(self.instrument, block)
        self.wager = self.wager.bet(triples)
        after_one = triples.get(betting.group_name(1))
        for name, values in zip(self.prefixes, block.prefixes, strict=False):
            if after_one is not None:
                middle = after_one._replace(end=self.instrument(values))
                self.prefixes[name] = self.prefixes[name].bet({"prefix": middle})
        self._compare(block)
        for name, count in block.moved.items():
            self.moved[name] = self.moved.get(name, 0) + count
        self.replicates += block.task.size

    def _compare(self, block: BlockResult) -> None:
        start, forward = self.instrument.uniform(block.start), self.instrument.uniform(block.forward)
        if block.task.course.repeats > 1:
            self.gaps[betting.group_name(1)].see_repeats(self.instrument.uniform(block.ends), start)
            return
        for time, values in zip(block.task.course.times, block.ends, strict=True):
            self.gaps[betting.group_name(time)].see(self.instrument.uniform(values), start, forward)
            if time == 1:
                self.samples.see(block.start, values)

    def run(
        self,
        session: Session,
        slots: Iterable[Slot],
        context: Context,
        target: str,
        limit: float,
        *,
        bored: Callable[["Watch"], bool] = lambda watch: False,
    ) -> None:
        """See block after block until the evidence suffices, the budget is spent, or it is not worth going on."""
        try:
            for block in session.blocks(slots):
                self.see(block)
                self.note(session, context, target, limit)
                if self.log10_evidence >= limit or bored(self):
                    return
        except KeyboardInterrupt:
            session.interrupted = True

    def note(self, session: Session, context: Context, target: str, limit: float) -> None:
        """Keep the evidence so far, and tell the handler of events."""
        session.log10_evidence = self.log10_evidence
        self.history.note(session.sweeps, self.log10_evidence)
        betting.report_progress(context, session.path[0], target, session.sweeps, self.wager, limit)
