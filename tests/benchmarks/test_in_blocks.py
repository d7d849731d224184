"""What is simulated in blocks is what the subjects of the zoo do: the same statistics, and the same law after a sweep."""

import in_blocks
import numpy as np
import pytest
import streams
from scipy.stats import ks_2samp
from zoo import BUGS, mixture

from mcassay.engine.instrument import Instrument
from mcassay.engine.statistics import Sample, tabulate
from mcassay.kernels import apply

SWEPT = 400


def test_every_bug_of_the_mixture_is_there():
    assert list(in_blocks.WRONG) == [bug.name for bug in mixture.BUGS]


def test_statistics_are_those_of_the_instrument():
    subject = mixture.MODEL.subject()
    instrument, rng = Instrument.of(subject, 1), np.random.default_rng(2)
    pairs = [subject.draw(rng) for _ in range(20)]
    expected = tabulate(subject, [Sample(*pair) for pair in pairs], instrument.layout)
    found = in_blocks.Statistics.of(subject)(in_blocks.stacked(pairs))
    np.testing.assert_allclose(found, expected.values, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", in_blocks.WRONG)
def test_the_law_after_two_sweeps_is_that_of_the_subject(name):
    """The bugs are as in the zoo: fails with probability below 1e-6 each, by Kolmogorov-Smirnov tests of all statistics."""
    subject, rng = BUGS[name].make(), np.random.default_rng(3)
    instrument, table = Instrument.of(subject, 1), in_blocks.Statistics.of(subject)
    one_by_one = tabulate(subject, [swept(subject, rng) for _ in range(SWEPT)], instrument.layout).values
    at_once = table(in_blocks._swept(streams.forward(rng, 20 * SWEPT), 2, in_blocks.WRONG[name], rng))
    p_values = [ks_2samp(a, b, method="asymp").pvalue for a, b in zip(one_by_one.T, at_once.T, strict=True)]
    assert min(p_values) * len(p_values) > 1e-7


def swept(subject, rng):
    state, data = subject.draw(rng)
    carry = state if subject.init is None else subject.init(state, data, rng)
    for _ in range(2):
        carry = apply(subject.step, carry, data, rng)
    return Sample(carry if subject.position is None else subject.position(carry), data)


@pytest.mark.parametrize(("tool", "most"), [("ours", 2_000), ("two-sample, L=1", 2_000), ("SBC, chi-square", 300_000)])
def test_a_blatant_bug_is_found_but_only_where_it_is(tool, most):
    """The right sampler is found wrong with probability 1e-7, or little more by ranks of chains that mix."""
    name, settings = "log pi missing in z", {"seed": 5, "alpha": 1e-7, "most_sweeps": most}
    assert in_blocks.run(tool, BUGS[name].make(), name, correct=False, **settings).found
    assert not in_blocks.run(tool, BUGS[name].correct(), name, correct=True, **settings).found
