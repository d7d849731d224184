"""The standard targets' draws agree with their densities at the depth of a nightly run."""

import pytest

from mcassay import Verdict, assay
from mcassay.targets import standard

# Each of these fails a right target with a probability of at most 1e-6.
BUDGET = 20_000


def idle(state, data, rng):
    return state


@pytest.mark.parametrize("target", standard(), ids=lambda target: target.name)
def test_draws_belong_to_the_density(target):
    (result,) = assay(target.subject(idle), checks=["model"], budget=BUDGET, seed=1).results
    assert result.verdict in (Verdict.PASS, Verdict.UNCLEAR), result.message
