"""The power of whole assays, measured: every check, at the default alpha of 1e-6, on named bugs.

The power that is claimed for each bug was chosen before it was measured here. The test of a bug fails where so few
assays convict that a power as claimed would give as few with probability below ``MISTAKE``. What was measured is printed with
its exact (Clopper-Pearson) interval at 95 %.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest
from scipy.stats import binom, binomtest
from zoo import BUGS

from mcassay import Verdict, assay

MISTAKE = 1e-4
RUNS = 20
CLAIMED = 0.9
BUDGETS = {
    "0.51 for 0.5": 500,
    "Dirichlet parameter 5 % too large": 500,
    "half a degree of freedom": 500,
    "no prior precision in mu": 500,
    "deviation for variance in mu": 500,
    "log pi missing in z": 500,
    "stale centres in sigma_sq_n": 500,
    "Hastings term missing at an edge": 5_000,
    "Jacobian missing on the log scale": 5_000,
    "proposal ratio upside down": 5_000,
    "kinetic energy without the mass": 5_000,
    "limit of stepping out on each side": 10_000,
    "swap that aliases rows": 5_000,
    "stretch with the number of walkers": 5_000,
}
"""Sweeps at most; where an exact check finds the bug, few do."""

# With the step as a bare function and without log_joint, nothing but the wager on whole sweeps is left.
BARE = {"half a degree of freedom": 5_000, "no prior precision in mu": 2_000, "log pi missing in z": 2_000}


def bare(subject):
    """Take away what exact checks rest on."""
    step = subject.step
    return replace(subject, step=lambda state, data, rng: step(state, data, rng), log_joint=None, resize=None)


def convicts(name, seed, without_structure):
    subject = BUGS[name].make()
    budget = (BARE if without_structure else BUDGETS)[name]
    report = assay(bare(subject) if without_structure else subject, seed=seed, budget=budget)
    return report.verdict is Verdict.FAIL


def measure(name, without_structure=False):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = sum(pool.map(convicts, [name] * RUNS, range(RUNS), [without_structure] * RUNS))
    interval = binomtest(found, RUNS).proportion_ci(0.95)
    print(f"{name}: {found} of {RUNS} convicted, power between {interval.low:.2f} and {interval.high:.2f}")
    return found


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", BUDGETS)
def test_whole_assays_convict_as_often_as_claimed(name):
    assert binom.cdf(measure(name), RUNS, CLAIMED) > MISTAKE


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", BARE)
def test_bare_functions_are_convicted_as_often_as_claimed(name):
    assert binom.cdf(measure(name, without_structure=True), RUNS, CLAIMED) > MISTAKE


def test_the_measurement_would_notice_half_the_power():
    """A bug that is convicted half of the time passes its test with probability 0.25, and all seventeen do with 1e-10."""
    fewest = next(count for count in range(RUNS) if binom.cdf(count, RUNS, CLAIMED) > MISTAKE)
    passes = binom.sf(fewest - 1, RUNS, 0.5)
    assert passes < 0.26
    assert passes ** (len(BUDGETS) + len(BARE)) < 1e-10
