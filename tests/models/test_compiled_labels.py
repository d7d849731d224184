"""Compiled label samplers draw the same labels from the same random numbers as the ones that they stand for."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from mcassay import Gamma, NormalInverseWishart, Verdict
from mcassay.checks.base import Context
from mcassay.checks.purity import CHECK as PURITY
from mcassay.models.clusters import CentredCluster, GaussianCluster
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.compiled import compiled
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.seating import canonical as slow_canonical

scans = pytest.importorskip("mcassay.models.compiled.scans")
tables = pytest.importorskip("mcassay.models.compiled.tables")
labels = pytest.importorskip("mcassay.models.compiled.labels")

PRIOR = NormalInverseWishart(
    [0.5, -1.0, 2.0], mean_count=0.3, degrees_of_freedom=4.5, scale=[[2.0, 0.3, 0], [0.3, 1, 0.2], [0, 0.2, 3]]
)
MODELS = {
    "full": CollapsedGaussianMixture(points=30, clusters=4),
    "full, three dimensions": CollapsedGaussianMixture(points=20, clusters=5, alpha=0.2, cluster_prior=PRIOR),
    "isotropic": CollapsedIsotropicMixture(points=30, clusters=4, dimensions=3),
    "restaurant": RestaurantMixture(points=25),
    "restaurant of many clusters": RestaurantMixture(points=30, concentration=40.0, cluster_prior=PRIOR),
    "restaurant of one point": RestaurantMixture(points=1, concentration=1.0),
}


def drawn(name, seed=1):
    rng = np.random.default_rng(seed)
    state = MODELS[name].prior(rng)
    return MODELS[name], compiled(MODELS[name]), state, MODELS[name].simulate(state, rng)


@pytest.mark.parametrize("name", MODELS)
def test_chains_of_the_same_seed_are_the_same(name):
    model, fast, state, data = drawn(name)
    slow_rng, fast_rng = np.random.default_rng(2), np.random.default_rng(2)
    slow_state = fast_state = state
    for _ in range(12):
        slow_state, fast_state = model.sampler()(slow_state, data, slow_rng), fast.sampler()(fast_state, data, fast_rng)
        np.testing.assert_array_equal(fast_state["z"], slow_state["z"])
    assert slow_rng.random() == fast_rng.random()


def test_clusters_that_outgrow_the_table_are_kept():
    """Far more clusters than there is room for at the start, all points being in one."""
    model = RestaurantMixture(points=60, concentration=1e6)
    data = np.random.default_rng(3).normal(size=(60, 2))
    start = {"z": np.zeros(60, np.int64)}
    slow = model.label_gibbs()(start, data, np.random.default_rng(4))
    fast = compiled(model).label_gibbs()(start, data, np.random.default_rng(4))
    np.testing.assert_array_equal(fast["z"], slow["z"])
    assert len(np.unique(fast["z"])) > 50


@pytest.mark.parametrize("scan_count", [0, 1, 5])
def test_split_merge_alone_makes_the_same_moves(scan_count):
    model, fast, state, data = drawn("restaurant")
    moved = 0
    for seed in range(40):
        slow = model.split_merge(scan_count)(state, data, np.random.default_rng(seed))
        quick = fast.split_merge(scan_count)(state, data, np.random.default_rng(seed))
        np.testing.assert_array_equal(quick["z"], slow["z"])
        moved += not np.array_equal(slow["z"], state["z"])
        state = slow
    assert moved > 0


def test_a_point_that_takes_all_digits_with_it_leaves_the_cluster_whole():
    """One point a million times farther away than all others: the downdate of its removal is refused."""
    model = replace(MODELS["full"], clusters=2)
    data = np.random.default_rng(5).normal(size=(30, 2))
    data[7] = 1e8
    for seed in range(5):
        start = {"z": np.zeros(30, np.int64)}
        slow = model.label_gibbs()(start, data, np.random.default_rng(seed))
        fast = compiled(model).label_gibbs()(start, data, np.random.default_rng(seed))
        np.testing.assert_array_equal(fast["z"], slow["z"])


GAUSSIAN, CENTRED = GaussianCluster(PRIOR), CentredCluster(3, between=2.0, within=0.5)


@pytest.mark.parametrize("cluster", [GAUSSIAN, CENTRED], ids=["gaussian", "centred"])
def test_rows_weigh_points_as_clusters_do(cluster):
    data = np.random.default_rng(6).normal(size=(9, 3))
    sides = np.array([0, 0, 1, 0, 1, -1, -1, 0, 0])
    own = scans.scans_of(cluster)
    prior, table = own.prior(cluster, 9, np.zeros(10)), tables.empty_table(3, 3)
    own.fill(table, prior, data, sides)
    weigh = tables.weigh_gaussian if cluster is GAUSSIAN else tables.weigh_centred
    found = np.empty(3)
    weigh(table, prior, np.arange(3), 3, data[5], np.empty(3), found)
    for row in range(3):
        anew = cluster.copy()
        for x in data[sides == row]:
            anew.add(x)
        assert found[row] == pytest.approx(anew.log_predictive(data[5]), rel=1e-11)


def test_labels_are_numbered_in_the_order_of_first_points():
    found = np.random.default_rng(7).integers(9, size=40)
    np.testing.assert_array_equal(scans.canonical(found, 9), slow_canonical(found))


@pytest.mark.parametrize("name", ["full", "isotropic", "restaurant"])
def test_states_and_data_stay_as_they_are(name):
    (result,) = PURITY.apply(compiled(replace(MODELS[name], points=6)).subject(), Context(seed=0))
    assert result.verdict is Verdict.PASS, result.message


def test_a_sampled_concentration_is_the_one_that_is_used():
    model = RestaurantMixture(points=20, concentration=Gamma(2.0, rate=1.0))
    data, start = np.zeros((20, 2)), {"z": np.zeros(20, np.int64), "eta": 0.5, "branch": 0}
    counts = []
    for alpha in (1e-9, 1e9):
        swept = compiled(model).label_gibbs()({**start, "alpha": alpha}, data, np.random.default_rng(8))
        counts.append(len(np.unique(swept["z"])))
    assert counts == [1, 20]


@pytest.mark.parametrize("name", MODELS)
def test_the_log_joint_is_the_same(name):
    model, fast, state, data = drawn(name, seed=9)
    assert fast.log_joint(state, data) == pytest.approx(model.log_joint(state, data), rel=1e-11)


FRESH = """
from mcassay import Verdict, assay
from mcassay.models.collapsed import CollapsedIsotropicMixture
from mcassay.models.compiled import compiled
report = assay(compiled(CollapsedIsotropicMixture(points=3, clusters=2)).subject(), seed=1, budget=50)
assert not {result.verdict for result in report.results} & {Verdict.ERROR, Verdict.FAIL}, str(report)
"""


def test_assays_of_a_fresh_process_compile_what_they_look_at():
    """Enumeration is the first to call the step, with stand-ins for random numbers and in the place of functions of math."""
    subprocess.run([sys.executable, "-c", FRESH], check=True, timeout=280)
