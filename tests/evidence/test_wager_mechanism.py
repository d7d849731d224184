"""The wager's mechanism: predictability, state, errors, reports."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mcassay.errors import InputError
from mcassay.evidence.paired import Pairing
from mcassay.evidence.strategies import LIMIT, Greedy, Grid, Kelly, NewtonStep, Ridge
from mcassay.evidence.wager import Purse, Triple, Wager, log_growth, log_growth_combined

ALL = ((Kelly(), 0.3), (Grid(), 0.3), (NewtonStep(), 0.2), (Ridge(), 0.1), (Greedy(), 0.1))


def begun(directions=3, controls=(0, 1)):
    return Wager.begin({"1": 0.7, "4": 0.3}, directions=directions, controls=controls, strategies=ALL)


def block(rng, size=20, directions=3):
    return {"1": Triple(*rng.random((3, size, directions))), "4": Triple(*rng.random((3, size, directions)))}


def settled(wager):
    """Everything that a block is bet on with."""
    stakes = [s.stakes(m) for purse in wager.purses for s, m in zip(purse.strategies, purse.memories, strict=True)]
    return [*stakes, *(part for pairing in wager.pairings for part in pairing.coefficients())]


def test_stakes_depend_on_earlier_blocks_alone():
    rng = np.random.default_rng(1)
    blocks = [block(rng) for _ in range(4)]
    for changed in range(4):
        first, second = begun(), begun()
        for b in range(changed + 1):
            for mine, other in zip(settled(first), settled(second), strict=True):
                np.testing.assert_array_equal(mine, other)
            first = first.bet(blocks[b])
            second = second.bet(block(rng) if b == changed else blocks[b])
        assert any((mine != other).any() for mine, other in zip(settled(first), settled(second), strict=True))


def test_betting_changes_nothing_in_the_wager_before():
    rng = np.random.default_rng(2)
    wager = begun().bet(block(rng))
    before = json.dumps(wager.to_dict())
    wager.bet(block(rng))
    assert json.dumps(wager.to_dict()) == before


def test_a_saved_wager_goes_on_to_the_bit():
    rng = np.random.default_rng(3)
    wager = begun().bet(block(rng)).bet(block(rng))
    again = begun().restored(json.loads(json.dumps(wager.to_dict())))
    last = block(rng)
    assert json.dumps(again.bet(last).to_dict()) == json.dumps(wager.bet(last).to_dict())


def test_the_evidence_is_the_running_maximum():
    high, low = np.full((50, 1), 0.9), np.full((50, 1), 0.1)
    half = np.full((50, 1), 0.5)
    wager = Wager.begin({"1": 1.0}, directions=1)
    for _ in range(3):
        wager = wager.bet({"1": Triple(high, half, half)})
    peak = wager.log10_evidence
    for _ in range(2):
        wager = wager.bet({"1": Triple(low, half, half)})
    assert wager.log10_evidence == peak > wager.log_wealth / np.log(10)


def test_no_wager_starts_with_evidence():
    assert begun().log10_evidence == 0
    assert begun().log_wealth == pytest.approx(0, abs=1e-12)


def test_leaders_name_group_direction_and_sign():
    rng = np.random.default_rng(4)
    wager = begun()
    for _ in range(10):
        start = rng.random((50, 3))
        wrong = Triple(np.clip(start - [0.0, 0.0, 0.3], 0, 1), start, rng.random((50, 3)))
        right = Triple(rng.random((50, 3)), rng.random((50, 3)), rng.random((50, 3)))
        wager = wager.bet({"4": wrong, "1": right})
    leader = wager.leaders(names=["a", "b", "c"], count=1)[0]
    assert (leader.group, leader.direction, leader.drift) == ("4", "c", -1)
    assert leader.log10_evidence > 5


def test_a_constant_direction_neither_gains_nor_loses():
    purse = Purse.begin(1, strategies=ALL)
    for _ in range(5):
        purse = purse.bet(np.zeros((10, 1)))
    assert purse.log_wealth == pytest.approx(0, abs=1e-12)
    assert purse.drift == 0


@pytest.mark.parametrize("bad", [np.nan, 1.5, -1.01, np.inf])
def test_differences_out_of_range_are_errors_that_name_the_direction(bad):
    d = np.zeros((4, 2))
    d[2, 1] = bad
    with pytest.raises(InputError, match="direction 1"):
        Purse.begin(2).bet(d)


@pytest.mark.parametrize("bad", [np.nan, 1.5, -0.1])
def test_directions_out_of_range_are_errors(bad):
    end = np.full((4, 1), 0.5)
    end[1] = bad
    with pytest.raises(InputError, match="end"):
        Wager.begin({"1": 1.0}, directions=1).bet({"1": Triple(end, np.full((4, 1), 0.5))})


def test_a_wrong_shape_an_unknown_group_and_bad_shares_are_errors():
    with pytest.raises(InputError, match="shape"):
        Purse.begin(2).bet(np.zeros((4, 3)))
    with pytest.raises(InputError, match="groups"):
        begun().bet({"7": Triple(np.zeros((1, 3)), np.zeros((1, 3)))})
    with pytest.raises(InputError, match="shares"):
        Wager.begin({"1": -1.0}, directions=1)


def test_long_blocks_do_not_overflow():
    d = np.ones((5000, 1))
    assert log_growth(np.array([[0.9]]), d)[0, 0] == pytest.approx(5000 * np.log(1.9))
    assert log_growth_combined(np.array([[-0.9]]), d)[0] == pytest.approx(5000 * np.log(0.1))


def test_runs_on_a_leading_axis_are_independent():
    rng = np.random.default_rng(5)
    d = rng.uniform(-1, 1, (4, 3, 30, 2))
    together = Purse.begin(2, strategies=ALL, runs=(3,))
    alone = [Purse.begin(2, strategies=ALL) for _ in range(3)]
    for part in d:
        together = together.bet(part)
        alone = [purse.bet(x) for purse, x in zip(alone, part, strict=True)]
    np.testing.assert_allclose(together.log_wealth, [purse.log_wealth for purse in alone], rtol=1e-9)


unit = st.floats(0, 1, allow_nan=False)


@settings(max_examples=50, deadline=None)
@given(st.lists(arrays(float, (3, 4, 3), elements=unit), min_size=1, max_size=5), st.sampled_from([(), (0,), (0, 1, 2)]))
def test_differences_and_stakes_stay_in_range_whatever_was_seen(blocks, controls):
    pairing = replace(Pairing.begin(3, controls=controls), ridge=1e-3)
    purse = Purse.begin(3, strategies=ALL)
    for end, start, forward in blocks:
        d = pairing.differences(end, start, forward)
        assert np.abs(d).max() <= 1 + 1e-12
        for strategy, memory in zip(purse.strategies, purse.memories, strict=True):
            stakes = np.abs(strategy.stakes(memory))
            assert (stakes.sum(axis=-1) if strategy.combined else stakes).max() <= LIMIT + 1e-12
        purse, pairing = purse.bet(d), pairing.learn(end, start, forward)
        assert np.isfinite(purse.log_wealth)
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * 9)).reshape(3, 3, -1).transpose(0, 2, 1)
    assert np.abs(pairing.differences(*corners)).max() <= 1 + 1e-12


def test_pairing_finds_the_coefficient_that_minimises_the_variance():
    rng = np.random.default_rng(6)
    start, noise = rng.random((20000, 1)), rng.random((20000, 1))
    end = np.where(rng.random((20000, 1)) < 0.8, start, noise)
    forward = rng.random((4, 20000, 1)).mean(axis=0)
    pairing = Pairing.begin(1).learn(end, start, forward)
    # cov(e - f, s - f) / var(s - f) = (0.8 + 1/4) / (1 + 1/4)
    assert pairing.rho[0] == pytest.approx(0.84, abs=0.01)
