"""What a worker process does: it loads the right subject once, and forks for every fault."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from mcassay.engine.instrument import Instrument
from mcassay.errors import InputError
from mcassay.faults.contexts import draw_inputs
from mcassay.faults.fault import Fault
from mcassay.faults.find import Ran
from mcassay.faults.fingerprint import Fingerprint
from mcassay.faults.forked import Died, TookTooLong, run_forked
from mcassay.faults.outcome import Outcome, Status
from mcassay.faults.package import belongs, folders_of
from mcassay.faults.reach import reach_of
from mcassay.faults.trial import Baseline, Settings, run_checks, try_fault
from mcassay.loading.sources import load
from mcassay.results import Verdict

INPUTS = 64
_WATCHED = 8


@dataclass(frozen=True)
class Scouted:
    """What the right subject is: its files with the functions that ran, and what the checks say of it.

    Attributes
    ----------
    texts
        The source of every file.
    ran
        The functions of every file that ran.
    where
        The contexts that each function ran in.
    blocks
        The kind of each block of the state.
    seconds
        How long the checks took, in time of the processor.
    verdicts
        What each check said.
    """

    name: str
    texts: Mapping[str, str]
    ran: Mapping[str, Mapping[tuple[str, int], Ran]]
    where: Mapping[tuple[str, str, int], tuple[str, ...]]
    blocks: Mapping[str, str]
    seconds: float
    verdicts: Mapping[str, str]


@lru_cache(maxsize=2)
def baseline_of(source: str, seed: int) -> Baseline:
    """Load the right subject, and see what it gives."""
    loaded = load(source)
    if len(loaded) != 1:
        raise InputError(f"faults: {source} are {len(loaded)} subjects; name one of them, such as {loaded[0].source}")
    subject = loaded[0].subject
    if subject.vectorised:
        raise InputError(f'faults: "{subject.name}" is vectorised; give a subject that takes one state at a time')
    where = Path(source.rpartition(":")[0])
    folders = folders_of(subject, str(where.resolve()) if where.suffix == ".py" else None)
    inputs, began = draw_inputs(subject, INPUTS, seed), time.perf_counter()
    fingerprint = Fingerprint.of(subject, inputs)
    seconds = time.perf_counter() - began
    if fingerprint.changed(Fingerprint.of(subject, inputs)):
        raise InputError(
            f'faults: "{subject.name}" gives other results on the same random numbers; it must draw from its rng alone'
        )
    return Baseline(subject, folders, inputs, fingerprint, Instrument.of(subject, seed).layout, seconds)


def scout(settings: Settings) -> Scouted:
    """See which functions run, and run the checks on the right subject."""
    baseline = baseline_of(settings.source, settings.seed)
    reach = reach_of(baseline.subject, baseline.folders, baseline.inputs[:_WATCHED])
    files = [path for path in reach.files if belongs(path, baseline.folders)]
    seconds, verdicts = run_forked(partial(_assayed, baseline, settings), None)
    return Scouted(
        str(baseline.subject.name),
        {path: Path(path).read_text(encoding="utf-8") for path in files},
        {path: reach.files[path] for path in files},
        reach.where,
        reach.blocks,
        seconds,
        verdicts,
    )


def _assayed(baseline: Baseline, settings: Settings) -> tuple[float, dict[str, str]]:
    began = time.process_time()
    verdicts = {}
    for check, found in run_checks(baseline.subject, settings, to_the_end=True):
        worst = next((one for one in found if one.verdict in (Verdict.FAIL, Verdict.ERROR)), found[0])
        verdicts[check.name] = f"{worst.verdict}: {worst.message}" if worst is not found[0] else str(worst.verdict)
    return time.process_time() - began, verdicts


def try_one(fault: Fault, text: str, settings: Settings, seconds: float) -> Outcome:
    """Try a fault in a process of its own, with a time limit of its own."""
    baseline = baseline_of(settings.source, settings.seed)
    found: Any = run_forked(partial(try_fault, fault, text, baseline, settings), seconds)
    if isinstance(found, TookTooLong):
        found = Outcome(fault, Status.BROKEN, reason=f"hangs: over {seconds:.0f} s of the processor", seconds=seconds)
    elif isinstance(found, Died):
        found = Outcome(fault, Status.BROKEN, reason=found.reason.strip().rpartition("\n")[2])
    outcome: Outcome = found
    return outcome.with_diff(fault.diff(text))
