"""``inject(subject)``: makes one mistake after another in the source of a subject, and tells which ones the checks catch."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

import numpy as np

from mcassay.assayer import versions
from mcassay.checks import select
from mcassay.engine.budget import read_budget, written_budget
from mcassay.engine.pools import Pool
from mcassay.errors import InputError, reject
from mcassay.faults.catalogue import select_operators
from mcassay.faults.fault import Fault
from mcassay.faults.find import find_faults
from mcassay.faults.journal import Journal, key_of
from mcassay.faults.operator import Operator
from mcassay.faults.outcome import Outcome
from mcassay.faults.report import FaultReport
from mcassay.faults.sourcing import source_of
from mcassay.faults.trial import Settings
from mcassay.faults.worker import Scouted, scout, try_one
from mcassay.rng import root_seed

Told = Callable[[Outcome, int, int], None]
# A mutant may take so many times what the right subject takes, and at least so many seconds.
_PATIENCE, _AT_LEAST = 5.0, 20.0


def inject(
    subject: Any,
    *,
    budget: Any = "quick",
    operators: Iterable[str] | None = None,
    checks: Iterable[str] | None = None,
    alpha: float = 1e-6,
    seed: int | str | None = None,
    workers: int = 1,
    most: int | None = None,
    time_limit: float | None = None,
    journal: str | Path | None = None,
    all_effects: bool = False,
    progress: Told | None = None,
) -> FaultReport:
    """Make one mistake after another in the source of a subject, and tell which of them its checks catch.

    Nothing on disk is changed: every mutant is loaded in a process of its own, which ends with it.

    Parameters
    ----------
    subject
        ``"FILE.py:NAME"``, or a subject, or a function that returns one, that is a name of a module.
    budget
        What the assay of each mutant may take; it stops at the first FAIL.
    operators
        Names of operators or of families of them; None makes every mistake of the catalogue.
    checks
        Names of checks; None runs all of them. "exact" and "statistical" stand for all checks of that kind.
    alpha
        The bound on the probability of a false alarm of each assay.
    seed
        The same seed gives the same outcomes; None takes one that depends on the source alone.
    workers
        How many processes to work in.
    most
        At most so many mistakes, drawn at random; None makes all of them.
    time_limit
        How many seconds of the processor a mutant may take before it counts as hanging; None for five times what the right
        subject takes.
    journal
        A file to which every outcome goes at once: a run that was broken off goes on from it. Or a folder, in which such a
        file is kept until the run is over.
    all_effects
        Whether effects are measured of mutants that are caught too.
    progress
        Is called with every outcome, how many are done, and how many there are.

    Returns
    -------
    FaultReport
    """
    settings = settings_of(subject, budget, checks, alpha, seed, all_effects=all_effects)
    chosen, began = select_operators(operators), time.perf_counter()
    _check_counts(workers, most, time_limit)
    pool = Pool.of(workers)
    try:
        scouted = pool.submit(scout, settings).future.result()
        require_sound(scouted)
        faults = _sampled(list(_faults(scouted, chosen)), most, settings.seed)
        book = Journal.begin(None if journal is None else Path(journal), (settings, most), scouted.texts)
        limit = patience(scouted, time_limit)
        interrupted = _run(pool, faults, scouted, settings, limit, book, workers, progress)
    finally:
        pool.close()
    if not interrupted:
        book.end()
    outcomes = tuple(book.found[key_of(fault)] for fault in faults if key_of(fault) in book.found)
    return FaultReport(
        scouted.name,
        settings.source,
        outcomes,
        seed=settings.seed,
        budget=settings.budget,
        alpha=settings.alpha,
        checks=settings.checks,
        baseline=dict(scouted.verdicts),
        seconds=time.perf_counter() - began,
        planned=len(faults),
        interrupted=interrupted,
        versions=versions(),
    )


def faults_of(subject: Any, *, operators: Iterable[str] | None = None, seed: int | str | None = None) -> list[Fault]:
    """Return the mistakes that can be made in the source of a subject: in the functions that run, where they run."""
    settings = settings_of(subject, 1, ["purity"], 1e-6, seed)
    pool = Pool.of(1)
    try:
        scouted = pool.submit(scout, settings).future.result()
    finally:
        pool.close()
    return list(_faults(scouted, select_operators(operators)))


def settings_of(
    subject: Any, budget: Any, checks: Iterable[str] | None, alpha: float, seed: int | str | None, *, all_effects: bool = False
) -> Settings:
    """Read the arguments, and raise a worded error for one that can not be used."""
    source = source_of(subject)
    read_budget(budget)
    if not isinstance(alpha, float) or not 0 < alpha <= 0.5:
        reject("faults", "alpha", "be a number above 0 and at most 0.5", alpha)
    stable = int(hashlib.sha256(source.rpartition("/")[2].encode()).hexdigest()[:8], 16)
    root = stable if seed is None else root_seed(seed)
    return Settings(source, root, alpha, written_budget(budget), _checks(checks), all_effects)


def _checks(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the names of checks, with the kinds of checks spelt out."""
    if names is None or isinstance(names, str):
        return None if names is None else tuple(check.name for check in select(names))
    kinds = {kind: [check.name for check in select(None) if check.kind == kind] for kind in ("exact", "statistical")}
    spelt = [one for name in names for one in kinds.get(name, [name])]
    return tuple(check.name for check in select(spelt))


def _check_counts(workers: Any, most: Any, time_limit: Any) -> None:
    for name, value in (("workers", workers), ("most", most)):
        if (value is not None or name == "workers") and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            reject("faults", name, "be a whole number from 1 on", value)
    if time_limit is not None and not (isinstance(time_limit, (int, float)) and time_limit > 0):
        reject("faults", "time_limit", "be a positive number of seconds, or None", time_limit)


def require_sound(scouted: Scouted) -> None:
    """Raise an error where the right subject fails: nothing could be concluded from mutants that fail as well."""
    for check, said in scouted.verdicts.items():
        if said.startswith(("FAIL", "ERROR")):
            raise InputError(f'faults: "{scouted.name}" as it stands is not right yet; check {check} says {said}')


def patience(scouted: Scouted, time_limit: float | None) -> float:
    """Return how many seconds a mutant may take."""
    return max(_AT_LEAST, _PATIENCE * scouted.seconds) if time_limit is None else time_limit


def _faults(scouted: Scouted, operators: Sequence[Operator]) -> Iterator[Fault]:
    for path, text in sorted(scouted.texts.items()):
        yield from find_faults(path, text, operators, ran=scouted.ran[path], blocks=scouted.blocks)


def _sampled(faults: list[Fault], most: int | None, seed: int) -> list[Fault]:
    if most is None or len(faults) <= most:
        return faults
    places = np.random.default_rng(seed).choice(len(faults), size=most, replace=False)
    return [faults[place] for place in sorted(places)]


def _run(
    pool: Pool,
    faults: Sequence[Fault],
    scouted: Scouted,
    settings: Settings,
    limit: float,
    book: Journal,
    workers: int,
    progress: Told | None,
) -> bool:
    """Try what is not in the journal yet; say whether the user broke it off."""
    left = iter([fault for fault in faults if key_of(fault) not in book.found])
    done = len(faults) - sum(key_of(fault) not in book.found for fault in faults)
    running: dict[Future[Any], Fault] = {}
    try:
        while True:
            for fault in left:
                running[pool.submit(try_one, fault, scouted.texts[fault.path], settings, limit).future] = fault
                if len(running) > workers:
                    break
            if not running:
                return False
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.pop(future)
                book.write(outcome := future.result())
                done += 1
                if progress is not None:
                    progress(outcome, done, len(faults))
    except KeyboardInterrupt:
        return True
