"""Sweeps until a bug is found, for twenty bugs: the wager beside other tools and beside the limit of information.

    python benchmarks/bench_detection.py                  a few bugs and seeds, three to four minutes on two cores
    python benchmarks/bench_detection.py --full           every bug and tool at 21 seeds: hours
    python benchmarks/bench_detection.py --minutes 30 ... starts nothing more after so many minutes, and prints what there is
    python benchmarks/bench_detection.py --resume ...     goes on with the seeds and the results of the file
    python benchmarks/bench_detection.py --only-table ... prints the file and runs nothing
    python benchmarks/bench_detection.py --correct ...    the right samplers in the place of the wrong ones: false alarms

Every tool runs at the same alpha with the same statistics and tells the sweeps that it took. Seeds are drawn from the hash of
the commit, and every bug and tool gets its first seed before any gets its second: "found" tells out of how many. Median
[quartiles] over seeds; a run that finds nothing counts as more than the maximum, and
"accepted" tells how many of them ended because the tool accepted the sampler for good. Results are written after
every run, so that an interrupted table can be resumed. The mixture's sweeps are simulated for whole blocks of replicates at
once (all tools but the long chain), which changes the seconds but no law; --one-by-one takes the subjects' own path.
"""

import argparse
import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any

import in_blocks
import numpy as np
from baselines.calibration import Calibration
from baselines.long_chain import LongChain
from baselines.outcome import Outcome
from baselines.two_sample import TwoSample
from ours import OurWager
from zoo import BUGS

ALPHA = 1e-5
TOOLS = {
    "ours": OurWager(),
    "two-sample, L=1": TwoSample(1),
    "two-sample, L=5": TwoSample(5),
    "two-sample, L=20": TwoSample(20),
    "one long chain": LongChain(),
    "SBC, chi-square": Calibration("chi-square"),
    "SBC, band": Calibration("band"),
}
HONEST = [name for name in TOOLS if name.startswith("two-sample")]
"""Tools that state an error rate and hold it, whatever the sampler: no chain and no ranks of a chain do, if it mixes slowly."""
MOST_SEEDS = 21
LIMIT_STARTS = 5_000
QUICK = {
    "bugs": (
        "0.51 for 0.5",
        "half a degree of freedom",
        "log pi missing in z",
        "Jacobian missing on the log scale",
        "swap that aliases rows",
    ),
    "tools": ("ours", "two-sample, L=5", "one long chain"),
    "seeds": 3,
    "most": 20_000,
}
FULL = {"bugs": tuple(BUGS), "tools": tuple(TOOLS), "seeds": MOST_SEEDS, "most": 200_000}
"""What runs where the options do not say otherwise."""


def commit() -> str:
    """Return the hash of the commit."""
    where = Path(__file__).parent
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=where, capture_output=True, text=True, check=True).stdout.strip()


def seeds_of(hash_of_commit: str, count: int) -> list[int]:
    """Draw seeds from a hash; the first ones are the same however many are drawn."""
    return [int(seed) for seed in np.random.SeedSequence(int(hash_of_commit, 16)).generate_state(MOST_SEEDS)[:count]]


def key_of(bug: str, tool: str, seed: int, most: int, correct: bool, one_by_one: bool = False) -> str:
    how = ["one by one"] if one_by_one else []
    return " | ".join([bug, tool, f"{seed:08x}", str(most), "correct" if correct else "wrong", *how])


def measure(bug: str, tool: str, seed: int, most: int, correct: bool, one_by_one: bool = False) -> dict[str, Any]:
    """Run one tool once."""
    subject = BUGS[bug].correct() if correct else BUGS[bug].make()
    settings, began = {"seed": seed, "alpha": ALPHA, "most_sweeps": most}, time.perf_counter()
    outcome: Outcome
    if bug in in_blocks.WRONG and tool in in_blocks.TOOLS and not one_by_one:
        outcome = in_blocks.run(tool, subject, bug, correct=correct, **settings)
    else:
        outcome = TOOLS[tool].run(subject, **settings)
    return asdict(outcome) | {"seconds": time.perf_counter() - began}


def limit_of(bug: str) -> float | None:
    """Sweeps that a test needs that knows the bug."""
    return BUGS[bug].limit(ALPHA, np.random.default_rng(0), LIMIT_STARTS)


class Book:
    """The results so far, in a file."""

    def __init__(self, path: Path, *, resume: bool, hash_of_commit: str | None = None) -> None:
        self.path = path
        kept = json.loads(path.read_text()) if resume and path.exists() else {}
        self.commit: str = kept.get("commit") or hash_of_commit or commit()
        self.runs: dict[str, dict[str, Any]] = kept.get("runs", {})
        self.limits: dict[str, float | None] = kept.get("limits", {})

    def save(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"alpha": ALPHA, "commit": self.commit, "limits": self.limits, "runs": self.runs}, indent=1)
        temporary = self.path.with_suffix(".part")
        temporary.write_text(text)
        temporary.replace(self.path)


def fill(book: Book, jobs: Sequence[tuple], bugs: Sequence[str], workers: int, minutes: float = np.inf) -> None:
    """Run what is missing, seed by seed, on as many processes; start nothing more after so many minutes."""
    missing = [job for job in jobs if key_of(*job) not in book.runs]
    ends = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(workers) as pool:
        places = {pool.submit(limit_of, bug): (book.limits, bug) for bug in bugs if bug not in book.limits}
        places |= {pool.submit(measure, *job): (book.runs, key_of(*job)) for job in missing}
        try:
            for future in as_completed(places):
                keep(book, places, future)
                if time.monotonic() >= ends:
                    break
        except KeyboardInterrupt:
            print("interrupted: what was done so far follows, and --resume goes on\n")
        # What runs is let finish; what waits is for another time.
        pool.shutdown(cancel_futures=True)
    for future in places:
        if future.done() and not future.cancelled():
            keep(book, places, future)


def keep(book: Book, places: Mapping[Future, tuple[dict, str]], future: Future) -> None:
    """Write a result where it belongs."""
    kept, name = places[future]
    if name not in kept:
        kept[name] = future.result()
        book.save()


def jobs_of(
    bugs: Sequence[str], tools: Sequence[str], seeds: Sequence[int], most: int, correct: bool, one_by_one: bool = False
) -> list[tuple]:
    """Order jobs so that the first seeds of everything come first."""
    return [(bug, tool, seed, most, correct, one_by_one) for seed in seeds for bug in bugs for tool in tools]


def summary(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Quartiles of the sweeps; a run that found nothing counts as infinitely many."""
    sweeps = [run["sweeps"] if run["found"] else np.inf for run in runs]
    low, middle, high = np.quantile(sweeps, [0.25, 0.5, 0.75], method="nearest")
    medians = {name: float(np.median([run[name] for run in runs])) for name in ("forward", "seconds")}
    counts = {name: sum(run[name] for run in runs) for name in ("found", "accepted")}
    return {"low": low, "median": middle, "high": high, "runs": len(runs), **counts, **medians}


def cells(book: Book, jobs: Sequence[tuple]) -> dict[tuple[str, str], dict[str, Any]]:
    """Summarise the runs of every bug and tool."""
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for job in jobs:
        if key_of(*job) in book.runs:
            runs.setdefault(job[:2], []).append(book.runs[key_of(*job)])
    return {key: summary(found) for key, found in sorted(runs.items(), key=lambda item: list(BUGS).index(item[0][0]))}


def table(book: Book, jobs: Sequence[tuple]) -> Iterator[str]:
    """Write one line a bug and tool."""
    yield f"{'bug':<38}{'limit':>8}  {'tool':<18}{'sweeps':>9} {'quartiles':>22}{'x limit':>9}" + TAIL
    most, correct = jobs[0][3:5]
    last = None
    for (bug, tool), cell in cells(book, jobs).items():
        limit = None if correct else book.limits.get(bug)
        name, shown = (bug, "" if limit is None else f"{limit:,.0f}") if bug != last else ("", "")
        yield f"{name:<38}{shown:>8}  {tool:<18}{line(cell, most, limit)}"
        last = bug


def conclusions(book: Book, jobs: Sequence[tuple]) -> Iterator[str]:
    """Compare our medians with the limits of information, and with the best of the tools that state an error rate."""
    found, most = cells(book, jobs), jobs[0][3]
    ours = {bug: cell["median"] for (bug, tool), cell in found.items() if tool == "ours"}
    multiples = [median / book.limits[bug] for bug, median in ours.items() if book.limits.get(bug)]
    if multiples:
        yield f"ours over the limit, median over {len(multiples)} bugs: {np.median(multiples):.2f}"
    for kind, tools in (("that state an error rate", HONEST), ("of any kind", [t for t in TOOLS if t != "ours"])):
        best = {bug: min((found[bug, t]["median"] for t in tools if (bug, t) in found), default=None) for bug in ours}
        shares = [median / min(best[bug], most) for bug, median in ours.items() if best[bug] is not None]
        if shares:
            yield f"ours over the best of the other tools {kind}, median over {len(shares)} bugs: at most {np.median(shares):.2f}"


TAIL = f"{'found':>8}{'accepted':>10}{'forward':>10}{'seconds':>9}"


def line(cell: Mapping[str, Any], most: int, limit: float | None) -> str:
    low, median, high = (number(cell[name], most) for name in ("low", "median", "high"))
    known = limit is not None and np.isfinite(cell["median"])
    multiple = f"{cell['median'] / limit:.1f}" if known else ""
    counts = f"{cell['found']}/{cell['runs']}".rjust(8) + f"{cell['accepted']:>10}"
    return f"{median:>9} {f'[{low} .. {high}]':>22}{multiple:>9}{counts}{cell['forward']:>10,.0f}{cell['seconds']:>9.1f}"


def number(sweeps: float, most: int) -> str:
    return f"{sweeps:,.0f}" if np.isfinite(sweeps) else f"> {most:,}"


def chosen(text: str | None, default: Sequence[str], known: Mapping[str, Any], parser: argparse.ArgumentParser) -> list[str]:
    """Read names separated by commas or semicolons; a part of a name stands for all that contain it."""
    if text is None:
        return list(default)
    if text == "all":
        return list(known)
    parts = [part.strip() for part in text.split(";")]
    for part in parts:
        if not any(part in name for name in known):
            parser.error(f'no name contains "{part}"; there are: {"; ".join(known)}')
    return [name for name in known if any(part in name for part in parts)]


def options() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="every bug and tool at 21 seeds")
    parser.add_argument("--bugs", help='"all", or names or parts of them, separated by semicolons')
    parser.add_argument("--tools", help="likewise")
    parser.add_argument("--seeds", type=int, help=f"how many, at most {MOST_SEEDS}")
    parser.add_argument("--max-sweeps", type=int, help="where a tool gives up")
    parser.add_argument("--correct", action="store_true", help="run the right samplers: whatever is found is a false alarm")
    parser.add_argument("--one-by-one", action="store_true", help="simulate the mixture replicate by replicate as well")
    parser.add_argument("--resume", action="store_true", help="go on with the seeds and results of the file")
    parser.add_argument("--only-table", action="store_true", help="print the results of the file, and run nothing")
    parser.add_argument("--minutes", type=float, default=np.inf, help="start nothing more after so many minutes")
    parser.add_argument("--commit", help="draw the seeds from this hash, rather than from that of the commit checked out")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, default=Path("out/bench_detection.json"))
    return parser, parser.parse_args()


def main() -> None:
    parser, given = options()
    default = FULL if given.full else QUICK
    bugs = chosen(given.bugs, default["bugs"], BUGS, parser)
    tools = chosen(given.tools, default["tools"], TOOLS, parser)
    most, count = given.max_sweeps or default["most"], given.seeds or default["seeds"]
    book, began = Book(given.json, resume=given.resume or given.only_table, hash_of_commit=given.commit), time.perf_counter()
    seeds = seeds_of(book.commit, count)
    print(f"alpha {ALPHA:g}, seeds from commit {book.commit[:12]}, at most {most:,} sweeps\n", flush=True)
    jobs = jobs_of(bugs, tools, seeds, most, given.correct, given.one_by_one)
    if not given.only_table:
        fill(book, jobs, bugs, given.workers, given.minutes)
    print("\n".join([*table(book, jobs), "", *([] if given.correct else conclusions(book, jobs))]))
    print(f"\n{time.perf_counter() - began:.0f} s, {given.json}")


if __name__ == "__main__":
    main()
