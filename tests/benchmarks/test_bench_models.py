"""What the benchmark of the mixtures' samplers rests on."""

import bench_models
import jags
import numpy as np
import pytest
from mixing import effective_draws
from paper_full import PaperFull

from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture


def test_independent_draws_are_all_effective():
    chains = np.random.default_rng(1).normal(size=(2, 4000))
    assert effective_draws(chains) == pytest.approx(8000, rel=0.15)


def test_draws_of_an_autoregression_count_by_their_correlation():
    rng, chains = np.random.default_rng(2), np.zeros((2, 20_000))
    for t in range(1, 20_000):
        chains[:, t] = 0.9 * chains[:, t - 1] + rng.normal(size=2)
    assert effective_draws(chains) == pytest.approx(40_000 * 0.1 / 1.9, rel=0.3)


def test_chains_that_disagree_tell_next_to_nothing():
    chains = np.array([[1.0], [2.0]]) + 0.01 * np.random.default_rng(3).normal(size=(2, 1000))
    assert effective_draws(chains) < 5
    assert effective_draws(np.ones((2, 100))) == 0


def test_values_are_written_as_r_does():
    given = {"x": np.array([[1.0, 2.0], [3.0, 4.0]]), "n": 2, "v": np.array([1, 2]), ".RNG.name": "base"}
    expected = '`x` <- structure(c(1.0, 3.0, 2.0, 4.0), .Dim = c(2, 2))\n`n` <- 2\n`v` <- c(1, 2)\n`.RNG.name` <- "base"\n'
    assert jags.dumped(given) == expected


@pytest.mark.parametrize("kind", [FullCovarianceMixture, UntiedCovarianceMixture])
def test_the_plain_sweep_has_the_form_of_ours(kind):
    model = kind(clusters=3, points=12)
    state, data = bench_models.drawn(model)
    swept = PaperFull(model).sweep(state, data, None)
    assert {name: np.shape(value) for name, value in swept.items()} == {name: np.shape(value) for name, value in state.items()}


def test_the_table_says_that_jags_is_absent():
    found = {"jags": False, "sweeps": [bench_models.row("isotropic", 10, {"compiled": 0.5, "plain": 1.0})]}
    text = bench_models.table({**found, "growth": [], "bound": {}, "mixing": []})
    assert jags.ABSENT in text
    assert "1.0 (2.0)" in text
