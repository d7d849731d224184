"""With a budget in sweeps the same seed gives the same report to the bit, wherever blocks run."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from mcassay import Subject, assay
from tests.engine.engine_subjects import Counting, Legacy, prior, right, simulate

BUDGET = 1_500
CHECKS = ["invariance", "forgetting"]


def findings(subject, executor=None, seed=11):
    """Everything in a report but timings and notes."""
    report = assay(subject, budget=BUDGET, seed=seed, checks=CHECKS, executor=executor).to_dict()
    for key in ("seconds", "notes"):
        del report[key]
    return report


def closures():
    """Subjects that can not be pickled by name."""
    scale, cache = 3.0, {}

    def step(state, data, rng):
        cache["calls"] = cache.get("calls", 0) + 1  # what one block leaves here must not reach the next
        return {"x": data.sum() / scale + rng.normal() / np.sqrt(scale) + (cache["calls"] % 90 == 0), "y": rng.normal(size=3)}

    return Subject(lambda rng: prior(rng), lambda state, rng: simulate(state, rng), step, name="closures")


SUBJECTS = {
    "named updates": right(),
    "a kernel with a memory": right(step=Counting()),
    "global randomness": right(step=Legacy()),
    "closures and lambdas": closures(),
}


@pytest.fixture(scope="module")
def in_process():
    return {name: findings(subject) for name, subject in SUBJECTS.items()}


def test_another_seed_gives_another_report(in_process):
    assert findings(SUBJECTS["named updates"], seed=12) != in_process["named updates"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_same_seed_repeats_a_report(in_process, name):
    assert findings(SUBJECTS[name]) == in_process[name]


def test_one_process_of_ours(in_process):
    assert findings(SUBJECTS["named updates"], 1) == in_process["named updates"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_two_processes_of_ours(in_process, name):
    assert findings(SUBJECTS[name], 2) == in_process[name]


def test_threads_of_the_users(in_process):
    with ThreadPoolExecutor(3) as executor:
        assert {name: findings(subject, executor) for name, subject in SUBJECTS.items()} == in_process


def test_processes_of_the_users(in_process):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert {name: findings(subject, executor) for name, subject in SUBJECTS.items()} == in_process


def test_a_dask_cluster_of_three_worker_processes(in_process):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        found = {name: findings(subject, executor) for name, subject in SUBJECTS.items()}
    assert found == in_process
