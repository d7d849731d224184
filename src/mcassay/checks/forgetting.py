"""The kernel moves every block, and forgets where it started.

Wrong is not slow: a kernel that hardly moves leaves everything invariant. So this check never fails for slowness. It starts
chains at prior draws that have nothing to do with the data and measures by how much they still depend on that start. How much
is forgotten tells how far an error too small to be seen in one run could build up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.betting import group_name
from mcassay.checks.invariance import NAME as INVARIANCE
from mcassay.engine.block import BlockResult
from mcassay.engine.instrument import Instrument
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import LENGTHS, Slot, schedule
from mcassay.engine.session import Session
from mcassay.evidence.confidence_sequences import ConfidenceSequence
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray

NAME = "forgetting"
LEVEL = 0.99
# A chain that keeps less than this of its start lets an error build up to ten times its size at most.
SETTLED = 0.9
# In so many sweeps that would have moved a block if they drew it anew, it has to move once.
_CHANCES = 200
_SHARES = {4: 0.3, 16: 0.4, 64: 0.3}
# The variance of a uniform variable: a covariance of ranks of this size is a correlation of 1.
_UNIFORM_VARIANCE = 1 / 12


@dataclass
class Memory:
    """By how much each statistic of the state depends on its start, for every run length.

    With u the rank of a statistic, ``(u_start - u_fresh) (2 u_end - 1)`` has the mean ``2 Cov(u_start, u_end)`` exactly, for a
    fresh draw of the prior that has nothing to do with the chain.
    """

    instrument: Instrument
    watched: list[int]
    sequences: dict[int, ConfidenceSequence]
    moved: dict[str, int]

    @classmethod
    def begin(cls, instrument: Instrument, watched: list[int]) -> "Memory":
        """Know nothing yet."""
        # The largest of bounds that each hold at this level bounds the largest share that is kept; only the run length is chosen.
        alpha = (1 - LEVEL) / len(LENGTHS)
        one = ConfidenceSequence.begin(len(watched), alpha=alpha, low=-1.0, high=1.0, target=0.05)
        return cls(instrument, watched, dict.fromkeys(LENGTHS, one), {})

    def see(self, block: BlockResult) -> None:
        """Learn from a block."""
        uniform = self.instrument.uniform
        start, fresh = (uniform(values)[..., self.watched] for values in (block.start, block.forward[:, 0]))
        for time, values in zip(block.task.course.times, block.ends, strict=True):
            product = (start - fresh) * (2 * uniform(values)[..., self.watched] - 1)
            sums = product.sum(axis=0), np.square(product).sum(axis=0)
            self.sequences[time] = self.sequences[time].learn(len(product), *sums)
        for name, count in block.moved.items():
            self.moved[name] = self.moved.get(name, 0) + count

    def kept(self, time: int) -> FloatArray:
        """Return the bound on the share of the start that each statistic keeps after so many sweeps."""
        sequence = self.sequences[time]
        covariance = np.maximum(-sequence.lower, sequence.upper) / 2
        return np.asarray(np.minimum(covariance / _UNIFORM_VARIANCE, 1.0))


def _missing(subject: Subject) -> str | None:
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    session = context.session(subject, (NAME, SWEEP), context.budget)
    watched = _of_the_state(session.instrument)
    if not watched:
        return [_result(session, Verdict.SKIPPED, "no statistic of the state varies under the prior", {})]
    memory = Memory.begin(session.instrument, watched)
    for block in session.blocks(_slots(session.instrument.largest_block)):
        memory.see(block)
    if session.failure is not None and session.failure.unusable_start:
        message = (
            f"the kernel can not start from a prior draw that is independent of the data ({session.failure.message}), so that it "
            "stays open how much of its start it keeps"
        )
        return [_result(session, Verdict.SKIPPED, message, {})]
    return [_judge(subject, context, session, memory)]


def _slots(largest: int) -> Iterator[Slot]:
    courses = {length: Course(length, tuple(t for t in LENGTHS if t <= length), forward=1, from_prior=True) for length in _SHARES}
    return schedule(courses, largest, shares=_SHARES)


def _of_the_state(instrument: Instrument) -> list[int]:
    """Return the statistics of single blocks that vary; those of the data depend on the start through nothing."""
    rows = zip(instrument.blocks, instrument.reference.constant, strict=True)
    return [j for j, (block, constant) in enumerate(rows) if block in instrument.layout.of_state and not constant]


def _judge(subject: Subject, context: Context, session: Session, memory: Memory) -> CheckResult:
    kept = {time: memory.kept(time) for time in LENGTHS}
    details = {
        "kept": {group_name(time): float(values.max()) for time, values in kept.items()},
        "moved": memory.moved,
        "notes": list(session.notes),
    }
    sweeps = session.sweeps + sum(result.sweeps for result in _watched_before(context))
    stuck = _stuck(subject, context, memory, sweeps)
    if stuck:
        names = ", ".join(f'"{name}"' for name in stuck)
        message = f"stuck: {names} never moved in {sweeps:,} sweeps (if that is meant, say may_stay={{{names}}})"
        return _result(session, Verdict.FAIL, message, details)
    time = min(LENGTHS, key=lambda length: float(kept[length].max()))
    verdict, message = _forgotten(subject, memory, time, float(kept[time].max()))
    return _result(session, verdict, message, details)


def _forgotten(subject: Subject, memory: Memory, time: int, share: float) -> tuple[Verdict, str]:
    worst = memory.instrument.reference.names[memory.watched[int(np.argmax(memory.kept(time)))]]
    after = f"after {group_name(time)}"
    if share <= SETTLED:
        grows = 1 / (1 - share)
        return Verdict.PASS, (
            f"{after}, no statistic keeps more than {share:.2g} of its start ({worst}); a drift A per run of that length, too "
            f"small to be seen, may build up to about {grows:.2g} A in the long run (a heuristic)"
        )
    how_much = "all" if share >= 1 else f"{share:.2g}"
    settles = "a larger budget" if subject.resize is None else "a larger budget, or fewer data points (resize),"
    return Verdict.UNCLEAR, (
        f'{after}, "{worst}" may still keep {how_much} of its start. A right kernel may be as slow, but an error too small to '
        f"be seen in these runs could build up without bound; {settles} would settle it, or a kernel that mixes faster"
    )


def _watched_before(context: Context) -> list[CheckResult]:
    return [result for result in context.earlier if result.check == INVARIANCE and result.target == SWEEP]


def _stuck(subject: Subject, context: Context, memory: Memory, sweeps: int) -> list[str]:
    """Return the blocks that never once moved, in this check or before, where independent draws would have very often.

    A rare event that has its own block, drawn anew in every sweep, may stay as it is for long.
    """
    earlier = [result.details.get("moved", {}) for result in _watched_before(context)]
    total = {name: count + sum(moved.get(name, 0) for moved in earlier) for name, count in memory.moved.items()}
    enough = [name for name, share in memory.instrument.varying.items() if share * sweeps >= _CHANCES]
    return [name for name in enough if total.get(name) == 0 and name not in subject.may_stay]


def _result(session: Session, verdict: Verdict, message: str, details: dict[str, object]) -> CheckResult:
    return CheckResult(NAME, SWEEP, verdict, message, sweeps=session.sweeps, details=details)


CHECK = Check(
    name=NAME,
    title="every block moves, and the start is forgotten",
    requires="prior, simulate and step",
    failure="a block that varies under the prior never moved; slowness alone is never a failure",
    kind="statistical",
    missing=_missing,
    run=_run,
    share=0.12,
    together=True,
)
