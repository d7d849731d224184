"""Replicates per second: the paper's mixture in NumPy, one replicate after another, against the same in JAX, a block a call.

    .venvs/blackjax/bin/python benchmarks/bench_vectorised.py       about a minute (make adapters makes the environment)

Both run blocks as an assay does, with fresh draws and statistics, in turns in one run; medians over blocks. Compiling is timed by
itself, and so is a whole job: NUTS of BlackJAX on a normal in 20 dimensions, 4,000 replicates from nothing, compiling included.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mcassay import Subject
from mcassay.adapters.optional import load
from mcassay.engine.block import BlockResult, Task, run_block
from mcassay.engine.instrument import Instrument
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import FORWARD
from mcassay.models.mixture import IsotropicMixture

SIZE = 256
POINTS = (20, 200)
LENGTHS = (1, 16)
GOAL, SECONDS, REPLICATES = 20.0, 10.0, 4_000


def seconds_of_block(subject: Subject, instrument: Instrument, length: int, block: int) -> float:
    began = time.perf_counter()
    course = Course(length, tuple(sorted({1, length})), forward=FORWARD)
    result = run_block(subject, Task(1, ("throughput", "sweep"), block, SIZE, course, instrument.layout))
    if not isinstance(result, BlockResult):
        raise SystemExit(result.message)
    return time.perf_counter() - began


def compared(points: int, blocks: int) -> Iterator[dict[str, Any]]:
    """Time both in turns; what comes first, compiling included, is left out."""
    from jax_mixture import JaxMixture

    model = IsotropicMixture(points=points)
    subjects = {"numpy": model.subject(), "jax": JaxMixture(model).subject()}
    instruments = {name: Instrument.of(subject, 1) for name, subject in subjects.items()}
    for length in LENGTHS:
        times: dict[str, list[float]] = {name: [] for name in subjects}
        for block in range(blocks + 1):
            for name, subject in subjects.items():
                times[name].append(seconds_of_block(subject, instruments[name], length, block))
        rates = {name: SIZE / float(np.median(found[1:])) for name, found in times.items()}
        compiled = sum(subjects["jax"].step.sweeps.clock.seconds.values())
        yield {"points": points, "length": length, **rates, "ratio": rates["jax"] / rates["numpy"], "compiled": compiled}


def nuts_job() -> dict[str, float]:
    """Run 4,000 replicates of NUTS from nothing: reference batch, compiling and statistics are part of it."""
    from mcassay.adapters.blackjax import subject

    jax, blackjax = load("jax"), load("blackjax")
    began, worked = time.perf_counter(), time.process_time()
    own = subject(
        lambda key: jax.random.normal(key, (20,)),
        None,
        lambda density: blackjax.nuts(density, 0.5, jax.numpy.ones(20)),
        log_joint=lambda state, data: -0.5 * (state**2).sum(),
    )
    instrument = Instrument.of(own, 1)
    for block in range(-(-REPLICATES // SIZE)):
        seconds_of_block(own, instrument, 1, block)
    spent = {"seconds": time.perf_counter() - began, "processor": time.process_time() - worked}
    return {**spent, "compiled": sum(own.step.sweeps.clock.seconds.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=9, help="how many blocks of each to time")
    parser.add_argument("--json", type=Path, default=Path("out/bench_vectorised.json"))
    given = parser.parse_args()
    load("jax")
    load("blackjax")
    job = nuts_job()
    print(
        f"NUTS on a normal in 20 dimensions, {REPLICATES:,} replicates: {job['seconds']:.1f} s (goal: {SECONDS:.0f} s), of which"
    )
    print(f"compiling took {job['compiled']:.1f} s; {job['processor']:.1f} s of processor time, whatever else the machine did\n")
    print(f"replicates per second of the mixture, blocks of {SIZE}; goal: {GOAL:.0f} times as many at 20 points\n")
    print(f"{'points':>7}{'sweeps':>8}{'numpy':>10}{'jax':>10}{'ratio':>8}{'compiled (s)':>14}", flush=True)
    rows = []
    for points in POINTS:
        for row in compared(points, given.blocks):
            rows.append(row)
            rates = f"{row['numpy']:>10,.0f}{row['jax']:>10,.0f}{row['ratio']:>8.1f}"
            print(f"{row['points']:>7}{row['length']:>8}{rates}{row['compiled']:>14.1f}", flush=True)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"nuts": job, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
