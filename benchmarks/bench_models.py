"""The samplers of mixtures: how fast they are, how their time grows, and how well they mix.

    python benchmarks/bench_models.py            some minutes, most of them JAGS compiling its models
    python benchmarks/bench_models.py --quick    smaller sizes, without JAGS

Seconds are those of the processor, all threads together, so that what else the machine does matters little; what counts are the
ratios within one run. Beside each sampler stand plain ones: NumPy or Python without compiled loops, the style of the paper's
listing (with a Python loop over clusters or points wherever it has one), and JAGS where it is installed (Debian: ``apt-get
install jags``).
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jags
import numpy as np
from bench_mixture import paper_sweep
from mixing import mixing
from paper_full import PaperFull
from paper_listing import Model as PaperIsotropic

from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled import compiled
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.untied import UntiedIsotropicMixture

CLUSTERS, DIMENSIONS = 20, 10
FINITE = {
    "isotropic": IsotropicMixture(clusters=CLUSTERS, dimensions=DIMENSIONS),
    "untied": UntiedIsotropicMixture(clusters=CLUSTERS, dimensions=DIMENSIONS),
    "full": FullCovarianceMixture(clusters=CLUSTERS, dimensions=DIMENSIONS),
    "untied full": UntiedCovarianceMixture(clusters=CLUSTERS, dimensions=DIMENSIONS),
}
JAGS_MODELS = {"isotropic": jags.ISOTROPIC, "full": jags.FULL, "untied full": jags.UNTIED_FULL}
JAGS_SWEEPS = {"isotropic": 100, "full": 20, "untied full": 20}

OURS, PLAIN, LISTING, JAGS = "compiled", "plain", "paper's style", "JAGS"
Sweep = Callable[[], Any]


def seconds_a_sweep(sweep: Sweep, least: float = 0.3, turns: int = 5) -> float:
    """Return the median over some turns, each of them as many sweeps as take long enough for the clock."""
    sweep()
    began, count = time.process_time(), 0
    while time.process_time() - began < least / turns:
        sweep()
        count += 1
    return float(np.median([_turn(sweep, count) for _ in range(turns)]))


def _turn(sweep: Sweep, count: int) -> float:
    began = time.process_time()
    for _ in range(count):
        sweep()
    return (time.process_time() - began) / count


def chain(step: Any, state: Any, data: Any) -> Sweep:
    """Return a function that goes one sweep further."""
    current, rng = [state], np.random.default_rng(2)

    def sweep() -> None:
        current[0] = step(current[0], data, rng)

    return sweep


def finite_rows(points: int, with_jags: bool) -> Iterator[dict[str, Any]]:
    for name, model in FINITE.items():
        model = replace(model, points=points)
        state, data = drawn(model)
        sweeps = {OURS: chain(compiled(model).gibbs(), state, data), PLAIN: chain(model.gibbs(), state, data)}
        if name == "isotropic":
            sweeps[LISTING] = paper_sweep(PaperIsotropic, model, state, data)
        if name in ("full", "untied full"):
            sweeps[LISTING] = chain(PaperFull(model).sweep, state, data)
        seconds = {kind: seconds_a_sweep(sweep) for kind, sweep in sweeps.items()}
        if with_jags and name in JAGS_MODELS:
            seconds[JAGS] = jags_seconds(name, model, state, data)
        yield row(f"{name}, K={CLUSTERS}, D={DIMENSIONS}", points, seconds)


def jags_seconds(name: str, model: Any, state: Any, data: Any) -> float:
    given = {"x": data, "N": len(data), "D": DIMENSIONS, "K": CLUSTERS, "alpha": np.full(CLUSTERS, model.alpha)}
    if name != "isotropic":
        given |= {"R": np.eye(DIMENSIONS), "zero": np.zeros(DIMENSIONS), "eye": np.eye(DIMENSIONS)}
    return jags.seconds_a_sweep(JAGS_MODELS[name], given, {"z": state["z"] + 1}, JAGS_SWEEPS[name])


def collapsed_rows(points: int, plain: bool) -> Iterator[dict[str, Any]]:
    """Time the collapsed samplers; a plain loop in Python only where it ends soon."""
    isotropic = CollapsedIsotropicMixture(clusters=CLUSTERS, dimensions=DIMENSIONS, points=points)
    full = CollapsedGaussianMixture(clusters=CLUSTERS, points=points, cluster_prior=wide(DIMENSIONS))
    for name, model in {"collapsed isotropic": isotropic, "collapsed full": full}.items():
        state, data = drawn(model)
        kinds = {OURS: compiled(model), **({PLAIN: model} if plain else {})}
        seconds = {kind: seconds_a_sweep(chain(m.sampler(), state, data), turns=3) for kind, m in kinds.items()}
        yield row(f"{name}, K={CLUSTERS}, D={DIMENSIONS}", points, seconds)
    yield restaurant_row(points, plain)


def restaurant_row(points: int, plain: bool) -> dict[str, Any]:
    """Time collapsed Gibbs sampling of the labels where ten clusters lie so far apart that nothing but them is ever found."""
    model, (state, data) = RestaurantMixture(points=points, concentration=0.1, cluster_prior=wide(2)), ten_clusters(points)
    kinds = {OURS: compiled(model), **({PLAIN: model} if plain else {})}
    seconds = {kind: seconds_a_sweep(chain(m.label_gibbs(), state, data), turns=3) for kind, m in kinds.items()}
    return {**row("CRP Gibbs, 10 clusters, D=2", points, seconds), "updates_a_second": points / seconds[OURS]}


def ten_clusters(points: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    angle = 2 * np.pi * np.arange(10) / 10
    labels = np.arange(points) % 10
    return {"z": labels}, 50 * np.column_stack([np.cos(angle), np.sin(angle)])[labels] + rng.normal(size=(points, 2))


def wide(dimensions: int) -> Any:
    from mcassay import NormalInverseWishart

    scale = np.eye(dimensions)
    return NormalInverseWishart(np.zeros(dimensions), mean_count=0.01, degrees_of_freedom=dimensions + 2, scale=scale)


def drawn(model: Any) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    state = model.prior(rng)
    return state, model.simulate(state, rng)


def row(name: str, points: int, seconds: Mapping[str, float]) -> dict[str, Any]:
    ratios = {kind: value / seconds[OURS] for kind, value in seconds.items() if kind != OURS}
    return {"sampler": name, "points": points, "seconds": dict(seconds), "ratios": ratios}


def growth(sizes: Sequence[int]) -> list[dict[str, Any]]:
    """Time sweeps of growing numbers of points, and the exponent by which the time grows."""
    found = []
    for name in ("isotropic", "CRP Gibbs"):
        seconds = [growth_seconds(name, points) for points in sizes]
        exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        found.append({"sampler": name, "points": list(sizes), "seconds": seconds, "exponent": exponent})
    return found


def growth_seconds(name: str, points: int) -> float:
    if name == "isotropic":
        model = replace(FINITE[name], points=points)
        return seconds_a_sweep(chain(compiled(model).gibbs(), *drawn(model)), turns=3)
    return float(restaurant_row(points, plain=False)["seconds"][OURS])


def bound(points: int) -> dict[str, float]:
    """Return what the arithmetic of an isotropic sweep takes at the least, at rates that this machine reaches in this run.

    Distances need three operations for each point, cluster and dimension, at the rate of a product of large matrices; every point
    and cluster needs an exponential, at the rate of numpy's; and every point a uniform number. All data are read twice, at the
    rate of a copy: for the distances, and for the sums.
    """
    rng, big = np.random.default_rng(4), np.ones((600, 600))
    rate = 2 * 600**3 / seconds_a_sweep(lambda: big @ big)
    weights, out = -rng.random(CLUSTERS * 1000), np.empty(CLUSTERS * 1000)
    one_exponential = seconds_a_sweep(lambda: np.exp(weights, out=out)) / weights.size
    source, target = np.ones(4_000_000), np.empty(4_000_000)
    a_byte = seconds_a_sweep(lambda: np.copyto(target, source)) / (2 * source.nbytes)
    parts = {
        "distances": 3 * points * CLUSTERS * DIMENSIONS / rate,
        "exponentials": points * CLUSTERS * one_exponential,
        "uniform numbers": seconds_a_sweep(lambda: rng.random(points)),
    }
    model = replace(FINITE["isotropic"], points=points)
    measured = seconds_a_sweep(chain(compiled(model).gibbs(), *drawn(model)))
    reading = 2 * 8 * points * DIMENSIONS * a_byte
    return {**parts, "arithmetic": sum(parts.values()), "memory": reading, "sweep": measured}


def table(found: Mapping[str, Any]) -> str:
    kinds = (OURS, PLAIN, LISTING, JAGS)
    lines = [f"{'sweeps a second':<34}{'points':>9}" + "".join(f"{kind:>24}" for kind in kinds)]
    for entry in found["sweeps"]:
        cells = "".join(f"{_cell(entry, kind):>24}" for kind in kinds)
        said = f"   {entry['updates_a_second'] / 1e6:.2f} million points/s" if "updates_a_second" in entry else ""
        lines.append(f"{entry['sampler']:<34}{entry['points']:>9,}{cells}{said}")
    lines += ["In brackets: how many times as long as the compiled one.", *([] if found["jags"] else [jags.ABSENT]), ""]
    for entry in found["growth"]:
        per_point = ", ".join(f"{n:,}: {s / n * 1e9:.0f}" for n, s in zip(entry["points"], entry["seconds"], strict=True))
        lines.append(f"{entry['sampler']}: nanoseconds a point at {per_point}; time grows as points^{entry['exponent']:.2f}")
    for points, parts in found["bound"].items():
        least = max(parts["arithmetic"], parts["memory"])
        said = ", ".join(f"{name} {seconds * 1e6:,.0f}" for name, seconds in parts.items())
        lines.append(f"isotropic at {points} points, in microseconds: {said}; {parts['sweep'] / least:.1f} times the bound")
    for entry in found["mixing"]:
        lines.append(
            f"mixing, {entry['sampler']}: in {entry['sweeps']:,} sweeps of each chain {entry['effective']:.1f} effective draws "
            f"of the cluster count, {entry['effective_a_second']:.2f} a second; means of the chains {entry['means']}"
        )
    return "\n".join(lines)


def _cell(entry: Mapping[str, Any], kind: str) -> str:
    if kind not in entry["seconds"]:
        return "-"
    ratio = f" ({entry['ratios'][kind]:.1f})" if kind in entry["ratios"] else ""
    return f"{1 / entry['seconds'][kind]:,.1f}{ratio}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, without JAGS")
    parser.add_argument("--jags-points", type=int, nargs="*", default=[1000], help="the numbers of points that JAGS is timed at")
    parser.add_argument("--json", type=Path, default=Path("out/bench_models.json"))
    options = parser.parse_args()
    with_jags = jags.is_installed() and not options.quick
    sizes = (1_000,) if options.quick else (1_000, 100_000)
    grown = (1_000, 10_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000)
    sweeps = [r for n in sizes for r in finite_rows(n, with_jags and n in options.jags_points)]
    sweeps += [r for n in sizes for r in collapsed_rows(n, plain=n == 1_000)]
    found = {
        "jags": with_jags,
        "sweeps": sweeps,
        "growth": growth(grown),
        "bound": {f"{n:,}": bound(n) for n in sizes},
        "mixing": mixing(300 if options.quick else 3_000),
    }
    print(table(found))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
