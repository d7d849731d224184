"""Sampling mixtures for a user's own data: what comes back, what may go in, and that the posterior is the exact one."""

import importlib
import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pandas
import pytest
import scipy.sparse
import scipy.stats

import mcassay.models
from mcassay import Gamma, InputError, NormalInverseWishart
from mcassay.models import fit
from mcassay.models.choices import NAMED
from mcassay.models.collapsed import CollapsedGaussianMixture
from mcassay.models.points import Scale, read_points
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.seating import canonical

fitting = importlib.import_module("mcassay.models.fitting")

RNG = np.random.default_rng(1)
X = np.concatenate([RNG.normal(-4, 1, (25, 2)), RNG.normal(4, 1, (15, 2))])


@pytest.mark.parametrize("model", NAMED)
def test_every_model_finds_two_groups_that_are_far_apart(model):
    clusters = None if model.startswith("crp") else 2
    draws = fit(X, model=model, clusters=clusters, sweeps=40, seed=1)
    posterior, pairs = draws["posterior"], draws["coclustering"]["probability"].values
    assert posterior["log_joint"].shape == (2, 40)
    assert np.isfinite(posterior["log_joint"]).all()
    assert posterior["share"].sel(rank=1).mean() > 0.5
    np.testing.assert_array_equal(np.diag(pairs), 1)
    assert pairs[0, 5] > 0.8
    assert pairs[0, 30] < 0.2
    assert draws["labels"]["z"].shape == (2, 40, 40)
    np.testing.assert_array_equal(draws["observed_data"]["x"], X)


def test_the_same_seed_gives_the_same_draws():
    first, again, other = (fit(X, sweeps=20, seed=seed) for seed in (1, "1", 2))
    assert first["posterior"].to_dataset().equals(again["posterior"].to_dataset())
    assert not first["posterior"].to_dataset().equals(other["posterior"].to_dataset())


def test_summaries_do_not_depend_on_how_clusters_are_numbered():
    draws = fit(X, model="collapsed", clusters=4, sweeps=30, seed=1)
    labels, posterior = draws["labels"]["z"].values, draws["posterior"]
    for chain, draw in itertools.product(range(2), range(30)):
        z = labels[chain, draw]
        np.testing.assert_array_equal(z, canonical(z))
        assert posterior["cluster_count"].values[chain, draw] == z.max() + 1
        sizes = np.sort(np.bincount(z))[::-1] / 40
        np.testing.assert_allclose(posterior["share"].values[chain, draw, : len(sizes)], sizes)
    same = labels[..., :, np.newaxis] == labels[..., np.newaxis, :]
    np.testing.assert_allclose(draws["coclustering"]["probability"].values, same.mean(axis=(0, 1)))


def set_partitions(count):
    """Return every partition of some points, as labels in the order of first points."""
    every = [[0]]
    for _ in range(count - 1):
        every = [[*labels, new] for labels in every for new in range(max(labels) + 2)]
    return [np.array(labels) for labels in every]


def exact_cluster_counts(model, data):
    """Return the posterior of the number of clusters by adding up all partitions."""
    partitions = set_partitions(len(data))
    log_p = np.array([model.log_joint({"z": z}, data) for z in partitions])
    p = np.exp(log_p - log_p.max())
    return np.bincount([z.max() + 1 for z in partitions], p / p.sum(), minlength=len(data) + 1)


SMALL = np.array([[-2.0], [-1.7], [0.1], [0.4], [1.9], [5.0]])
# The probability that any of the two tests fails although the samplers are right is at most this.
FALSE_ALARM = 1e-6


@pytest.mark.parametrize("split_merge", [False, True])
def test_the_number_of_clusters_has_its_exact_posterior(split_merge):
    """Draws so far apart that they are taken for independent: two hundred chains, and the last draw of each."""
    prior = NormalInverseWishart([0.0], mean_count=0.2, degrees_of_freedom=3.0, scale=[[0.8]])
    model = RestaurantMixture(concentration=1.0, cluster_prior=prior, points=6)
    sampler = fitting.choose_model(model, None, 6, 1)
    quickest, _ = fitting._quickest(replace(sampler, split_merge=split_merge))
    counts = []
    for chain in range(200):
        rng = np.random.default_rng(chain)
        state = fitting.start(quickest, SMALL, rng)
        for _ in range(20):
            state = quickest.sweep(state, SMALL, rng)
        counts.append(int(state["z"].max()) + 1)
    expected = 200 * exact_cluster_counts(model, SMALL)[1:]
    found = np.bincount(counts, minlength=7)[1:].astype(float)
    rare = expected < 5
    pooled = [np.append(values[~rare], values[rare].sum()) for values in (found, expected)]
    keep = pooled[1] > 0
    assert scipy.stats.chisquare(pooled[0][keep], pooled[1][keep]).pvalue > FALSE_ALARM / 2


WORKS = {
    "one point": [[1.0, 2.0]],
    "identical points": np.full((12, 2), 3.0),
    "a constant column": np.column_stack([X[:, 0], np.full(40, 0.1)]),
    "more dimensions than points": RNG.normal(size=(4, 9)),
    "integers": RNG.integers(0, 50, size=(20, 2)),
    "booleans": RNG.integers(0, 2, size=(20, 2)).astype(bool),
    "single precision": X.astype(np.float32),
    "a list": X.tolist(),
    "a vector": X[:, 0],
    "a table": pandas.DataFrame(X, columns=["a", "b"]),
    "a column of a table": pandas.Series(X[:, 0]),
    "a table of objects": pandas.DataFrame(X).astype(object),
    "columns in memory": np.asfortranarray(X),
    "every other row": X[::2],
    "far from the origin": X + 1e9,
    "very large": X * 1e90,
    "very small": X * 1e-90,
}


@pytest.mark.parametrize("case", WORKS)
@pytest.mark.parametrize("model", ["isotropic", "untied-full", "collapsed", "crp+split-merge"])
def test_unusual_data_work(model, case):
    draws = fit(WORKS[case], model=model, sweeps=4, seed=1, chains=1)
    assert np.isfinite(draws["posterior"]["log_joint"]).all()


@pytest.mark.parametrize("model", [name for name in NAMED if not name.startswith("crp")])
def test_more_clusters_than_points_work(model):
    draws = fit(X[:3], model=model, clusters=8, sweeps=4, seed=1)
    assert draws["posterior"]["cluster_count"].max() <= 3


def hole(value):
    data = X.copy()
    data[3, 1] = value
    return data


REJECTED = {
    "nan": (hole(math.nan), r"hold finite numbers .* found nan in row 3, column 1 .1 such"),
    "infinity": (hole(math.inf), "found inf in row 3, column 1"),
    "too large": (hole(1e200), r"of at most 1e\+100 in size"),
    "nothing": ([], "one row a point and one column a dimension, at least one of each"),
    "no columns": (np.empty((3, 0)), r"found .*\(3, 0\)"),
    "three axes": (np.zeros((2, 2, 2)), r"found .*\(2, 2, 2\)"),
    "one number": (3.0, r"shape \(\)"),
    "text": (["a", "b"], "an array or a table of real numbers"),
    "complex": (X + 1j, "an array or a table of real numbers"),
    "rows of different lengths": ([[1, 2], [3]], "an array or a table of real numbers"),
    "a column of text": (pandas.DataFrame({"a": [1.0, 2], "b": ["x", "y"]}), "X must hold numbers, but found 'x' in column 'b'"),
    "missing entries": (np.array([[1.0], [None]], object), r"found None in place \(1, 0\)"),
    "masked": (np.ma.masked_array([1.0, 2.0], [True, False]), "have no masked entries"),
    "sparse": (scipy.sparse.eye_array(3), "an array or a table of real numbers|must hold numbers"),
    "None": (None, "an array or a table of real numbers"),
}


@pytest.mark.parametrize("case", REJECTED)
def test_data_that_can_not_be_used(case):
    data, message = REJECTED[case]
    with pytest.raises(InputError, match=message):
        fit(data)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "gmm"}, "model must be one of isotropic, untied, full, .* or a model, but found 'gmm'"),
        ({"model": 3}, "model must be one of isotropic, "),
        ({"model": "crp", "clusters": 3}, 'clusters must be left out where the model is "crp"'),
        ({"model": "isotropic", "clusters": 0}, "clusters must be a whole number of at least 1, but found 0"),
        ({"model": RestaurantMixture(), "clusters": 3}, "clusters must be left out where a model is given"),
        ({"model": CollapsedGaussianMixture(), "X": X[:, :1]}, "as many dimensions as X has columns, 1, but found 2"),
        ({"sweeps": 0}, "sweeps must be a whole number from 1 on, but found 0"),
        ({"sweeps": 10.5}, "sweeps must be a whole number"),
        ({"warmup": -1}, "warmup must be a whole number from 0 on"),
        ({"thin": 11, "sweeps": 10}, "thin must be at most sweeps, 10"),
        ({"chains": True}, "chains must be a whole number"),
        ({"coclustering": 0}, "coclustering must be a whole number from 1 on"),
        ({"seed": -1}, "seed must be a whole number from 0 on"),
        ({"progress": 3}, "progress must be True, a function"),
    ],
)
def test_arguments_that_can_not_be_used(arguments, message):
    with pytest.raises(InputError, match=message):
        fit(**{"X": X, "sweeps": 5, **arguments})


def test_a_model_of_your_own_sees_the_points_as_they_are():
    model = RestaurantMixture(concentration=Gamma(1.0, rate=1.0))
    draws = fit(X, model=model, sweeps=5, chains=1, seed=1)
    assert draws.attrs["unit"].tolist() == [1, 1]
    z, alpha = draws["labels"]["z"].values[0, -1], draws["posterior"]["alpha"].values[0, -1]
    assert alpha > 0
    assert len(z) == 40


def test_warmup_thin_and_what_is_kept():
    draws = fit(X, model="collapsed", sweeps=10, thin=3, warmup=0, chains=3, seed=1, coclustering=7, keep_labels=False)
    assert draws["posterior"]["log_joint"].shape == (3, 3)
    assert draws["coclustering"]["probability"].shape == (7, 7)
    assert "labels" not in draws


def test_progress_counts_every_sweep_of_every_chain():
    told = []
    fit(X, model="isotropic", sweeps=4, warmup=2, chains=2, seed=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 12) for done in range(1, 13)]


def test_a_bar_is_drawn_on_terminals_alone(capsys):
    fit(X, model="isotropic", sweeps=3, chains=1, seed=1, progress=True)
    assert capsys.readouterr() == ("", "")


def test_without_numba_the_same_draws_come_more_slowly_and_a_note_says_so(monkeypatch):
    quick = fit(X, model="crp+split-merge", sweeps=5, warmup=0, chains=1, seed=1)
    monkeypatch.setattr(fitting, "is_available", lambda: False)
    with pytest.warns(UserWarning, match="numba is not installed, .* the same draws, more slowly"):
        slow = fit(X, model="crp+split-merge", sweeps=5, warmup=0, chains=1, seed=1)
    np.testing.assert_array_equal(slow["labels"]["z"], quick["labels"]["z"])
    assert "numba is not installed" in slow.attrs["note"]
    assert quick.attrs["note"] == "compiled by numba"


def test_a_class_of_your_own_runs_as_it_is():
    class Mine(CollapsedGaussianMixture):
        pass

    draws = fit(X[:10], model=Mine(clusters=2), sweeps=3, chains=1, seed=1)
    assert draws.attrs["note"].startswith("not compiled")


def test_a_constant_column_is_nothing_but_zeros_on_the_standard_scale():
    points = read_points(np.column_stack([np.full(5, 0.1), np.arange(5)]))
    scaled = Scale.of(points).applied(points)
    assert (scaled[:, 0] == 0).all()
    assert scaled[:, 1].std() == pytest.approx(1)


def test_the_room_has_no_other_name():
    with pytest.raises(AttributeError, match="has no attribute 'fits'"):
        mcassay.models.fits


def test_nothing_is_warned_about_where_numba_is_installed():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(X[:5], sweeps=2, chains=1, seed=1)
