"""The catalogue: the error weights of its checks share one alpha."""

from mcassay.checks.catalogue import CATALOGUE
from mcassay.diagnosis import shrink


def test_error_weights_sum_to_at_most_one():
    """With the reruns that search for the smallest failing run; what is over is kept for rounding."""
    weights = {check.name: check.weight for check in CATALOGUE}
    assert sum(weights.values()) + shrink.WEIGHT <= 1 + 1e-12, weights


def test_statistical_checks_have_a_weight():
    """But the check of forgetting, which fails a block that never moves: that is a contract, not a probability."""
    assert [c.name for c in CATALOGUE if c.kind == "statistical" and not c.weight > 0] == ["forgetting"]


def test_names_are_different():
    names = [check.name for check in CATALOGUE]
    assert len(set(names)) == len(names)
