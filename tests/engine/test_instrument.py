"""What the wager starts with: shares by block and by what a statistic promises."""

import numpy as np

from mcassay import Subject
from mcassay.checks import betting
from mcassay.engine.instrument import Instrument


def prior(rng):
    return {"scale": rng.gamma(2.0), "curve": rng.normal(size=6), "fixed": 1.0}


def simulate(state, rng):
    return rng.normal(size=5)


def test_the_wager_shares_its_wealth_as_the_instrument_says():
    instrument = Instrument.of(Subject(prior, simulate, lambda state, data, rng: state), 3)
    wager = betting.begin(instrument, {"1 sweep": 1.0})
    np.testing.assert_allclose(wager.purses[0].weights, instrument.weights)


def test_a_block_of_one_number_gets_more_of_it_than_one_coordinate_of_many_or_what_no_sweep_can_change():
    instrument = Instrument.of(Subject(prior, simulate, lambda state, data, rng: state), 3)
    share = dict(zip(instrument.directions.names, instrument.weights, strict=True))
    assert share["scale"] > 2 * share["curve[0]"]
    assert share["curve[0]"] > 2 * share["mean of data"]
    assert share["fixed"] < share["scale"] / 10
