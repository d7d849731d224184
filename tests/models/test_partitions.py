"""The Chinese restaurant process: its probabilities, its draws, and the conditionals of its concentration."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from mcassay import Gamma
from mcassay.models.partitions import RestaurantProcess, draw_partition, log_partition
from mcassay.models.seating import canonical

# The probability that the test of draws fails although they are right.
FALSE_ALARM = 1e-6


def partitions(points):
    return sorted({tuple(canonical(labels).tolist()) for labels in itertools.product(range(points), repeat=points)})


@pytest.mark.parametrize("concentration", [0.1, 1.0, 7.5])
@pytest.mark.parametrize("points", [1, 2, 5])
def test_probabilities_add_up_to_one(points, concentration):
    total = sum(math.exp(log_partition(labels, concentration)) for labels in partitions(points))
    assert total == pytest.approx(1.0, rel=1e-12)


def test_the_name_of_a_cluster_does_not_matter():
    assert log_partition([3, 3, 1], 0.7) == log_partition([0, 0, 1], 0.7)


def test_draws_have_the_probabilities_of_the_law():
    rng, every = np.random.default_rng(1), partitions(4)
    draws = [tuple(draw_partition(4, 1.3, rng).tolist()) for _ in range(20_000)]
    counts = [draws.count(labels) for labels in every]
    expected = [20_000 * math.exp(log_partition(labels, 1.3)) for labels in every]
    assert scipy.stats.chisquare(counts, expected).pvalue > FALSE_ALARM


def test_conditionals_of_the_concentration_agree_with_its_joint():
    process, rng = RestaurantProcess(9, Gamma(2.0, rate=0.7)), np.random.default_rng(2)
    for _ in range(20):
        state = process.draw(rng)
        for block in ("eta", "branch", "alpha"):
            conditional = getattr(process, f"cond_{block}")(state, None)
            new = conditional.sample(rng)
            claimed = conditional.log_p(new) - conditional.log_p(state[block])
            assert claimed == pytest.approx(process.log_p({**state, block: new}) - process.log_p(state), abs=1e-10)


def test_integrating_the_auxiliary_blocks_out_leaves_the_concentration_alone():
    process, rng = RestaurantProcess(5, Gamma(2.0, rate=1.0)), np.random.default_rng(3)
    state = process.draw(rng)
    for branch in (0, 1):
        rest = {**state, "branch": branch}
        gap = (
            process.log_p(rest) - process.cond_branch(rest, None).log_p(branch) - process.cond_eta(rest, None).log_p(rest["eta"])
        )
        expected = process.concentration.log_p(state["alpha"]) + log_partition(state["z"], state["alpha"])
        assert gap == pytest.approx(float(expected), rel=1e-12)


def test_a_given_concentration_has_no_updates():
    process = RestaurantProcess(3, 0.5)
    assert process.updates() == {}
    assert set(process.draw(np.random.default_rng(4))) == {"z"}
