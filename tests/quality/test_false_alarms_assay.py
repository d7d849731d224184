"""False alarms of whole assays, measured: every check, on correct samplers, at a generous alpha.

If an assay convicted a correct sampler with probability ``ALPHA``, more than ``ALLOWED`` convictions in as many assays would
have probability below ``MISTAKE``, which is the probability that this test itself raises a false alarm.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from scipy import stats

from mcassay import Verdict, assay
from tests.quality.correct_samplers import CORRECT

ALPHA = 0.01
MISTAKE = 1e-6
SEEDS = 100
BUDGET = 1000
ALLOWED = int(stats.binom.isf(MISTAKE, SEEDS * len(CORRECT), ALPHA))


def convict(name, seed):
    report = assay(CORRECT[name](), alpha=ALPHA, seed=seed, budget=BUDGET)
    errors = [result.message for result in report.results if result.verdict is Verdict.ERROR]
    return report.verdict is Verdict.FAIL, errors, str(report)


@pytest.mark.timeout(0)
def test_correct_samplers_are_convicted_no_more_often_than_stated():
    jobs = [(name, seed) for seed in range(SEEDS) for name in CORRECT]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        outcomes = list(pool.map(convict, *zip(*jobs, strict=True), chunksize=5))
    assert not [errors for _, errors, _ in outcomes if errors]
    convicted = [job for job, (failed, _, _) in zip(jobs, outcomes, strict=True) if failed]
    print(f"{len(convicted)} of {len(jobs)} assays convicted a correct sampler at alpha = {ALPHA}: {convicted}")
    assert len(jobs) >= 1000
    assert len(convicted) <= ALLOWED, convicted
