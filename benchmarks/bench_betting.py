"""Sweeps until the wager convicts, for each betting strategy and bug, beside the limit that information theory sets.

    python benchmarks/bench_betting.py            about two minutes on one core
    python benchmarks/bench_betting.py --seeds 41 --bugs all

A stream of sweeps is simulated once for each seed and bug, and every strategy bets on the same stream.
"""

import argparse
import itertools
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import streams

from mcassay.evidence.strategies import Greedy, Grid, Kelly, NewtonStep, Ridge, Strategy
from mcassay.evidence.transforms import Directions, Reference
from mcassay.evidence.wager import DEFAULT, Triple, Wager

ALPHA = 1e-5
REFERENCE = 4096
FIRST_BLOCKS, BLOCK = (16, 16, 32, 64, 128), 256
# One or two statistics of every block, the data and the log densities; every two of them are a pair.
PAIRED = ("pi mean log", "z evenness", "mu mean", "mu sd", "sigma_sq_mu", "sigma_sq_n", "x mean", "x sd")
PAIRED += ("log_joint", "log_likelihood", "log_prior")
QUICK = ("0.51 for 0.5", "half a degree of freedom", "no prior precision in mu")
STRATEGIES: dict[str, Sequence[tuple[Strategy, float]]] = {
    "default": DEFAULT,
    "plug-in Kelly": ((Kelly(), 1.0),),
    "grid of stakes": ((Grid(), 1.0),),
    "online Newton step": ((NewtonStep(), 1.0),),
    "ridge combination": ((Ridge(), 1.0),),
    "greedy combination": ((Greedy(), 1.0),),
}


def sizes() -> Iterator[int]:
    """Blocks grow, so that blatant bugs are convicted at once."""
    yield from FIRST_BLOCKS
    yield from itertools.repeat(BLOCK)


def prepared(rng: np.random.Generator) -> tuple[Reference, Directions]:
    """Freeze a reference batch and fit the directions to it."""
    draws = streams.statistics(streams.forward(rng, REFERENCE))
    reference = Reference.from_draws(draws, names=streams.NAMES)
    chosen = [streams.NAMES.index(name) for name in PAIRED]
    pairs = list(itertools.combinations(chosen, 2))
    return reference, Directions.fit(reference.uniform(draws), pairs=pairs, names=reference.names)


def triples(rng: np.random.Generator, bug: streams.Bug, draws: int) -> Iterator[tuple[Directions, Triple]]:
    """Simulate without end: the directions at the end of one sweep, at its start, and over forward draws."""
    reference, directions = prepared(rng)
    for size in sizes():
        block = streams.block(rng, size, bug, draws)
        end, start, forward = (directions(reference.uniform(part)) for part in (block.after[-1], block.start, block.forward))
        yield directions, Triple(end, start, forward.mean(axis=0))


def detect(
    strategies: Mapping[str, Sequence[tuple[Strategy, float]]], bug: streams.Bug, seed: int, draws: int, budget: int
) -> dict[str, float]:
    """Return the sweeps that each strategy needs to reach 1 / ALPHA on one stream; infinity if not within the budget."""
    wagers: dict[str, Wager] = {}
    found: dict[str, float] = dict.fromkeys(strategies, np.inf)
    sweeps = 0
    for directions, triple in triples(np.random.default_rng(seed), bug, draws):
        wagers = wagers or {name: _begin(directions, chosen) for name, chosen in strategies.items()}
        sweeps += len(triple.end)
        for name in [name for name in wagers if np.isinf(found[name])]:
            wagers[name] = wagers[name].bet({"1 sweep": triple})
            if wagers[name].peak >= np.log(1 / ALPHA):
                found[name] = sweeps
        if sweeps >= budget or np.isfinite(list(found.values())).all():
            return found
    raise AssertionError


def _begin(directions: Directions, strategies: Sequence[tuple[Strategy, float]]) -> Wager:
    settings = {"weights": directions.weights, "controls": directions.locations, "strategies": strategies}
    return Wager.begin({"1 sweep": 1.0}, directions=len(directions.names), **settings)


def measure(
    bug: streams.Bug, strategies: Mapping[str, Sequence[tuple[Strategy, float]]], seeds: Sequence[int], draws: int, budget: float
) -> dict[str, object]:
    """Detect one bug with every strategy and seed."""
    limit = streams.information_limit(bug, ALPHA, np.random.default_rng(0))
    began = time.perf_counter()
    longest = int(budget * limit) if np.isfinite(limit) else 50_000
    runs = [detect(strategies, bug, seed, draws, longest) for seed in seeds]
    sweeps = {name: [run[name] for run in runs] for name in strategies}
    return {"bug": bug.name, "limit": limit, "sweeps": sweeps, "seconds": time.perf_counter() - began}


def table(results: Sequence[Mapping[str, object]]) -> str:
    """Write median [quartiles] for each strategy and bug, with the multiple of the limit."""
    lines = [f"{'bug':<26}{'limit':>8}  {'strategy':<22}{'median':>9}{'quartiles':>18}{'x limit':>9}"]
    for result in results:
        limit = result["limit"]
        for name, values in result["sweeps"].items():
            low, middle, high = np.quantile(values, [0.25, 0.5, 0.75], method="nearest")
            known = (f"{limit:,.0f}", f"{middle / limit:.2f}") if np.isfinite(limit) else ("-", "-")
            quartiles = f"{low:,.0f} .. {high:,.0f}"
            lines.append(f"{result['bug']:<26}{known[0]:>8}  {name:<22}{middle:>9,.0f}{quartiles:>18}{known[1]:>9}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=9, help="how many streams for each bug")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--draws", type=int, default=8, help="forward draws a replicate")
    parser.add_argument("--budget", type=float, default=5.0, help="sweeps at most, in multiples of the limit")
    parser.add_argument("--bugs", default=",".join(QUICK), help="names separated by commas, or all")
    parser.add_argument("--strategies", default="all", choices=["all", *STRATEGIES])
    parser.add_argument("--json", type=Path, default=Path("out/bench_betting.json"))
    options = parser.parse_args()
    chosen = [bug for bug in streams.BUGS if options.bugs == "all" or bug.name in options.bugs.split(",")]
    strategies = {name: value for name, value in STRATEGIES.items() if options.strategies in ("all", name)}
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    results = [measure(bug, strategies, seeds, options.draws, options.budget) for bug in chosen]
    print(table(results))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"alpha": ALPHA, "draws": options.draws, "results": results}, indent=1))


if __name__ == "__main__":
    main()
