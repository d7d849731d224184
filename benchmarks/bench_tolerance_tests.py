"""A plain test with a tolerance beside an assay: which mistakes either notices, how often either is wrong, and what it takes.

The test is of the kind that sampler libraries have: run a chain on fixed data, and require that means are within 0.1 of the
truth, here known from quadrature. It is tried on every mistake that ``mcassay.faults`` can make in the kernel of
samplers/metropolis.py, beside the assay, and by Cosmic Ray with its own mutations (where that is installed) on the same file.

``python benchmarks/bench_tolerance_tests.py [--most N] [--runs N] [--assays N] [--workers N] [--cosmic-ray SECONDS]``
"""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from mcassay import assay
from mcassay.faults import Status, inject
from mcassay.faults.forked import run_forked
from mcassay.faults.mutants import load_mutant

HERE = Path(__file__).parent
SAMPLER = HERE / "samplers" / "metropolis.py"
SOURCE = f"{SAMPLER}:subject"
DATA = np.array([1.2, -0.3, 0.8, 2.1, 0.4, 1.7, -0.9, 1.1])
KERNEL = ("step_mu", "step_variance", "log_joint")
SWEEPS, BURN_IN, TOLERANCE = 4000, 500, 0.1

TEST = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from bench_tolerance_tests import within_tolerance
import metropolis

def test_means():
    assert within_tolerance(metropolis.subject, 1)
"""


def truth(log_joint):
    """Return the means given the data, by quadrature."""
    mu, variance = np.linspace(-4, 6, 400), np.exp(np.linspace(-4, 5, 400))
    log_p = np.array([[log_joint({"mu": m, "variance": v}, DATA) for v in variance] for m in mu]) + np.log(variance)
    weights = np.exp(log_p - log_p.max())
    weights /= weights.sum()
    return np.array([weights.sum(axis=1) @ mu, weights.sum(axis=0) @ variance])


def within_tolerance(subject, seed, expected=None):
    """Run a chain and compare its means with the truth."""
    rng, state = np.random.default_rng(seed), {"mu": 0.0, "variance": 1.0}
    draws = []
    for sweep in range(SWEEPS + BURN_IN):
        state = subject.step(state, DATA, rng)
        if sweep >= BURN_IN:
            draws.append((state["mu"], state["variance"]))
    expected = MEANS if expected is None else expected
    return bool(np.all(np.abs(np.mean(draws, axis=0) - expected) < TOLERANCE))


# What ``truth(log_joint)`` gives for the right log joint; ``main`` checks it.
MEANS = np.array([0.74161, 0.90663])


def passes(fault, text):
    """Run the test on a mutant."""
    with np.errstate(all="ignore"):
        mutant = load_mutant(SOURCE, (f"{SAMPLER.parent}/",), fault.path, fault.applied_to(text))
        return within_tolerance(mutant, 1)


def test_on_faults(faults):
    """Return which faults the test notices: it fails on them, or they raise or hang."""
    text, began = SAMPLER.read_text(encoding="utf-8"), time.perf_counter()
    noticed = {str(fault): run_forked(partial(passes, fault, text), 60.0) is not True for fault in faults}
    return noticed, time.perf_counter() - began


def cosmic_ray(seconds):
    """Have Cosmic Ray make its mutations in the same file and run the same test, for so many seconds at most."""
    tool = Path(sys.executable).with_name("cosmic-ray")
    if not tool.exists():
        return {"skipped": "cosmic-ray is not installed beside this Python"}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SAMPLER, folder)
        (Path(folder) / "test_sampler.py").write_text(TEST)
        settings = '[cosmic-ray]\nmodule-path = "metropolis.py"\ntimeout = 60.0\nexcluded-modules = []\n'
        command = f'test-command = "{sys.executable} -m pytest -x -q -p no:cacheprovider test_sampler.py"\n'
        (Path(folder) / "config.toml").write_text(f'{settings}{command}[cosmic-ray.distributor]\nname = "local"\n')
        subprocess.run([tool, "init", "config.toml", "session.sqlite"], cwd=folder, check=True, capture_output=True)
        began = time.perf_counter()
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run([tool, "exec", "config.toml", "session.sqlite"], cwd=folder, timeout=seconds, capture_output=True)
        took = time.perf_counter() - began
        dump = subprocess.run([tool, "dump", "session.sqlite"], cwd=folder, check=True, capture_output=True, text=True).stdout
    pairs = [json.loads(line) for line in dump.splitlines() if line.strip()]
    done = [result for _, result in pairs if result is not None]
    killed = sum(result["test_outcome"] != "survived" for result in done)
    return {"mutants": len(pairs), "run": len(done), "noticed": killed, "seconds": round(took)}


def budget(text):
    """Read a number of sweeps, or the name of a budget."""
    return int(text) if text.isdigit() else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=None, help="at most so many mistakes, the first of a random order")
    parser.add_argument("--runs", type=int, default=100, help="how often the right sampler is tested")
    parser.add_argument("--assays", type=int, default=100, help="how often the right sampler is assayed")
    parser.add_argument("--budget", type=budget, default="ci", help="that of the assays of the mutants")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cosmic-ray", type=float, default=3600.0, help="at most so many seconds for Cosmic Ray")
    arguments = parser.parse_args()
    sys.path.insert(0, str(SAMPLER.parent))
    import metropolis

    expected = truth(metropolis.log_joint)
    assert np.abs(expected - MEANS).max() < 1e-3, expected
    report = inject(SOURCE, workers=arguments.workers, seed=1, most=arguments.most, budget=arguments.budget)
    tried = [one for one in report.outcomes if one.fault.function in KERNEL and one.status is not Status.EQUIVALENT]
    noticed, seconds = test_on_faults([one.fault for one in tried])
    sound = [one for one in tried if one.status is not Status.BROKEN]
    print(f"mistakes in the kernel that neither are equivalent nor raise or hang: {len(sound)}")
    print(f"  the test notices {sum(noticed[str(one.fault)] for one in sound)}, all of its runs took {seconds:.0f} s")
    print(f"  the assay catches {sum(one.status is Status.CAUGHT for one in sound)}, all assays took {report.seconds:.0f} s")
    for one in sound:
        if noticed[str(one.fault)] != (one.status is Status.CAUGHT):
            print(f"    only the {'test' if noticed[str(one.fault)] else 'assay'}: {one.fault}")
    alarms = sum(not within_tolerance(metropolis.subject, seed) for seed in range(arguments.runs))
    print(f"false alarms of the test in {arguments.runs} runs of the right sampler: {alarms}")
    failures = sum(assay(metropolis.subject, seed=seed, budget="quick").verdict == "FAIL" for seed in range(arguments.assays))
    print(f"false alarms of the assay at quick in {arguments.assays} runs of the right sampler: {failures}")
    print(f"Cosmic Ray with the same test: {cosmic_ray(arguments.cosmic_ray)}")


if __name__ == "__main__":
    main()
