"""The paper's mixture: the time of the exact check of its five conditionals, and of one Gibbs sweep.

    python benchmarks/bench_mixture.py            about half a minute

The sweep is timed beside a transcription of the paper's listing (see ``paper_listing.py``), in turns in one run. What
counts are the ratios; seconds depend on the machine.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import paper_listing as paper

from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK
from mcassay.models.mixture import IsotropicMixture

CHECKED = {"clusters": 3, "dimensions": 2}
SWEPT = {"clusters": 20, "dimensions": 10}
CHECK_POINTS = (20, 100_000)
SWEEP_POINTS = (20, 1_000, 100_000)
# A turn is long enough for caches to fill again after the other implementation ran, and short beside drifts of the machine.
TURN_POINTS, LONGEST_TURN = 20_000, 50

OURS, LISTING, AT_ONCE = "mcassay", "listing", "listing, drawn at once"


def check_seconds(points: int, repetitions: int) -> dict[str, Any]:
    """Time the check of all five conditionals, from the subject to the verdicts."""
    subject = IsotropicMixture(**CHECKED, points=points).subject()
    seconds, verdicts = [], set()
    for _ in range(repetitions):
        began = time.perf_counter()
        results = CHECK.apply(subject, Context(seed=0))
        seconds.append(time.perf_counter() - began)
        verdicts |= {result.verdict.value for result in results}
    return {"points": points, **CHECKED, "seconds": float(np.median(seconds)), "verdicts": sorted(verdicts)}


def sweep_seconds(points: int, rounds: int) -> dict[str, Any]:
    """Time one sweep of every implementation, in turns."""
    model = IsotropicMixture(**SWEPT, points=points)
    rng = np.random.default_rng(1)
    state = model.prior(rng)
    data = model.simulate(state, rng)
    require_same_model(model, state, data)
    sweeps = {OURS: our_sweep(model, state, data, rng)}
    sweeps |= {LISTING: paper_sweep(paper.Model, model, state, data)}
    sweeps |= {AT_ONCE: paper_sweep(paper.ModelDrawingAtOnce, model, state, data)}
    medians = {name: float(np.median(times)) for name, times in in_turns(sweeps, rounds, turn_length(points)).items()}
    ratios = {name: medians[name] / medians[OURS] for name in (LISTING, AT_ONCE)}
    return {"points": points, **SWEPT, "seconds": medians, "ratios": ratios}


def turn_length(points: int) -> int:
    return max(1, min(LONGEST_TURN, TURN_POINTS // points))


def our_sweep(model: IsotropicMixture, state: Any, data: Any, rng: np.random.Generator) -> Callable[[], None]:
    gibbs, current = model.gibbs(), {"state": state}

    def sweep() -> None:
        current["state"] = gibbs(current["state"], data, rng)

    return sweep


def paper_sweep(kind: type[paper.Model], model: IsotropicMixture, state: Any, data: Any) -> Callable[[], None]:
    theirs, current = paper_model(kind, model), paper.State(**state)
    return lambda: theirs.gibbs_step(current, data)


def paper_model(kind: type[paper.Model], model: IsotropicMixture) -> paper.Model:
    priors = [
        paper.InverseGammaDistribution(float(prior.parameters["shape"]), float(prior.parameters["scale"]))
        for prior in (model.sigma_sq_mu_prior, model.sigma_sq_n_prior)
    ]
    return kind(model.alpha, model.clusters, *priors)


def require_same_model(model: IsotropicMixture, state: Any, data: Any) -> None:
    """Compare the log joints and the log odds of the assignments: the time of another model would mean nothing."""
    theirs, current = paper_model(paper.Model, model), paper.State(**state)
    np.testing.assert_allclose(model.log_joint(state, data), theirs.joint_log_p(current, data), rtol=1e-10)
    ours = model.cond_z(state, data).log_p(state["z"])
    np.testing.assert_allclose(ours, theirs.cond_z(current, data).log_p(current.z), rtol=1e-8, atol=1e-8)


def in_turns(functions: Mapping[str, Callable[[], None]], rounds: int, length: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            times[name] += list(timed(function, length))
    return times


def timed(function: Callable[[], None], length: int) -> Iterator[float]:
    for _ in range(length):
        began = time.perf_counter()
        function()
        yield time.perf_counter() - began


def table(checks: Sequence[Mapping[str, Any]], sweeps: Sequence[Mapping[str, Any]]) -> str:
    lines = [f"{'check of all five conditionals':<34}{'points':>9}{'seconds':>12}   verdicts"]
    for row in checks:
        lines.append(f"{_sizes(row):<34}{row['points']:>9,}{row['seconds']:>12.4f}   {', '.join(row['verdicts'])}")
    lines.append(f"\n{'one Gibbs sweep':<34}{'points':>9}{'seconds':>12}{'ratio to mcassay':>19}")
    for row in sweeps:
        for name, seconds in row["seconds"].items():
            ratio = f"{row['ratios'][name]:.1f}" if name in row["ratios"] else ""
            lines.append(f"{f'{name}, {_sizes(row)}':<34}{row['points']:>9,}{seconds:>12.6f}{ratio:>19}")
    return "\n".join(lines)


def _sizes(row: Mapping[str, Any]) -> str:
    return f"K={row['clusters']}, D={row['dimensions']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11, help="turns of every implementation")
    parser.add_argument("--repetitions", type=int, default=3, help="runs of the check")
    parser.add_argument("--json", type=Path, default=Path("out/bench_mixture.json"))
    options = parser.parse_args()
    # The smallest first: arrays that were freed at a large size stay with the process and make later small ones cheaper.
    sweeps = [sweep_seconds(points, options.rounds) for points in SWEEP_POINTS]
    checks = [check_seconds(points, options.repetitions) for points in CHECK_POINTS]
    print(table(checks, sweeps))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"checks": checks, "sweeps": sweeps}, indent=1))


if __name__ == "__main__":
    main()
