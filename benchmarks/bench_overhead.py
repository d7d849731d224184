"""What the harness costs: time per sweep that is not spent in the user's functions, for every run length.

    python benchmarks/bench_overhead.py                   about a minute

Blocks of replicates run as in an assay, with their fresh draws, copies, statistics and bets. The subject's prior, simulate,
step and log_joint are timed by themselves and taken off; what is counted is processor time of the thread, since other work
on the machine stretches that little. Two subjects: one whose functions do next to nothing, and the paper's mixture with
1,000 points, whose own sweep is the measure. Medians over blocks; what counts of the second is the ratio.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mcassay import Subject
from mcassay.checks import betting
from mcassay.engine.block import Task, run_block
from mcassay.engine.instrument import Instrument
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD, LENGTHS, courses
from mcassay.evidence.wager import Wager
from mcassay.models.mixture import IsotropicMixture

POINTS = 1_000
SIZES = (64, 256)
GOAL_MICROSECONDS, GOAL_SHARE = 60.0, 0.25


class Clock:
    """Adds up the time that is spent in functions of the user."""

    def __init__(self) -> None:
        self.spent = 0.0

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*arguments)
            finally:
                self.spent += time.thread_time() - began

        return timed


def trivial() -> Subject:
    """A number that is drawn afresh: the harness is all that there is to time."""
    return Subject(lambda rng: rng.random(), None, lambda state, data, rng: rng.random())


def mixture() -> Subject:
    return IsotropicMixture(points=POINTS).subject()


SUBJECTS = {"trivial": trivial, f"mixture, {POINTS:,} points": mixture}


def timed_subject(subject: Subject) -> tuple[Subject, Clock, Clock]:
    """Return the subject with its functions timed: all of them on one clock, the sweeps on another as well."""
    users, sweeps = Clock(), Clock()
    step = subject.step

    def sweep(state: Any, data: Any, rng: np.random.Generator) -> Any:
        return step(state, data, rng)

    parts = {name: getattr(subject, name) for name in ("simulate", "log_joint")}
    timed = {name: None if function is None else users(function) for name, function in parts.items()}
    return Subject(users(subject.prior), timed["simulate"], users(sweeps(sweep)), log_joint=timed["log_joint"]), users, sweeps


def harness(name: str, length: int, size: int, blocks: int) -> dict[str, Any]:
    """Measure one subject at one run length: microseconds per sweep of the harness and of the subject's own sweep."""
    subject, users, sweeps = timed_subject(SUBJECTS[name]())
    instrument = Instrument.of(subject, 1)
    wager = betting.begin(instrument, betting.length_groups(LENGTHS))
    course = courses(prefixes=False)[length]
    rows = []
    for block in range(blocks):
        users.spent = sweeps.spent = 0.0
        began = time.thread_time()
        wager = bet_once(subject, instrument, wager, course, block, size)
        total = time.thread_time() - began
        rows.append((total - users.spent, sweeps.spent))
    overhead, own = 1e6 * np.median(rows, axis=0) / (size * length)
    return {"subject": name, "length": length, "size": size, "microseconds": float(overhead), "sweep": float(own)}


def bet_once(subject: Subject, instrument: Instrument, wager: Wager, course: Course, block: int, size: int) -> Wager:
    """Run a block and bet on it, as the check of invariance does."""
    result = run_block(subject, Task(1, ("overhead", "sweep"), block, size, course, instrument.layout))
    return wager.bet(betting.triples(instrument, result))


def measured(names: Sequence[str], blocks: int) -> Iterator[dict[str, Any]]:
    for name in names:
        for size in SIZES:
            for length in LENGTHS:
                yield harness(name, length, size, max(3, blocks // length))


def line(row: Mapping[str, Any]) -> str:
    share = row["microseconds"] / row["sweep"]
    start = f"{row['subject']:<24}{row['length']:>7}{row['size']:>12}{row['microseconds']:>14.1f}"
    return f"{start}{row['sweep']:>14.1f}{share:>9.0%}" if row["sweep"] > GOAL_MICROSECONDS else f"{start}{row['sweep']:>14.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=24, help="how many blocks to time at one sweep; fewer at longer runs")
    parser.add_argument("--json", type=Path, default=Path("out/bench_overhead.json"))
    given = parser.parse_args()
    print(f"{FORWARD} fresh draws a replicate; goals: {GOAL_MICROSECONDS:.0f} microseconds for the trivial kernel,")
    print(f"and {GOAL_SHARE:.0%} of the own sweep of the mixture\n")
    print(f"{'subject':<24}{'sweeps':>7}{'replicates':>12}{'harness (us)':>14}{'sweep (us)':>14}{'share':>9}", flush=True)
    rows = []
    for row in measured(list(SUBJECTS), given.blocks):
        rows.append(row)
        print(line(row), flush=True)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"forward": FORWARD, "points": POINTS, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
