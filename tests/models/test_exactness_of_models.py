"""Every conditional of every model agrees with its log joint to ten digits, and every distribution drawn from is exact."""

import numpy as np
import pytest

from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK as CONDITIONALS
from mcassay.checks.distributions import CHECK as DISTRIBUTIONS
from mcassay.kernels.gibbs import ConditionalUpdate
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.restaurant_auxiliary import AuxiliaryRestaurantMixture
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.results import Verdict
from mcassay.state import get_blocks, replace_blocks

# Collapsed mixtures with a block for every label, so that every label has a conditional of its own.
SUBJECTS = {
    "isotropic": lambda: IsotropicMixture().subject(),
    "untied": lambda: UntiedIsotropicMixture().subject(),
    "full": lambda: FullCovarianceMixture().subject(),
    "untied full": lambda: UntiedCovarianceMixture().subject(),
    "collapsed": lambda: CollapsedIsotropicMixture(points=4).pointwise(),
    "collapsed full": lambda: CollapsedGaussianMixture(points=4).pointwise(),
    "restaurant": lambda: RestaurantMixture(points=6).subject(),
    "restaurant, algorithm 8": lambda: AuxiliaryRestaurantMixture(points=6).subject(),
}
TEN_DIGITS = 1e-10


def conditionals(subject):
    return {name: update for name, update in subject.updates.items() if isinstance(update, ConditionalUpdate)}


@pytest.mark.parametrize("name", SUBJECTS)
def test_conditionals_agree_with_the_log_joint_to_ten_digits(name):
    subject, rng = SUBJECTS[name](), np.random.default_rng(1)
    assert conditionals(subject)
    for _ in range(10):
        state, data = subject.draw(rng)
        for block, update in conditionals(subject).items():
            law = update.distribution(state, data)
            new = law.sample(rng)
            claimed = np.sum(law.log_p(new)) - np.sum(law.log_p(get_blocks(state, update.blocks)))
            before, after = subject.log_joint(state, data), subject.log_joint(replace_blocks(state, update.blocks, new), data)
            scale = max(1.0, abs(before), abs(after), abs(claimed))
            assert abs(claimed - (after - before)) < TEN_DIGITS * scale, block


@pytest.mark.parametrize("check", [CONDITIONALS, DISTRIBUTIONS], ids=lambda check: check.name)
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_exact_checks_pass(name, check):
    subject = SUBJECTS[name]()
    found = check.apply(subject, Context(seed=1))
    assert {result.verdict for result in found} == {Verdict.PASS}, [result.message for result in found]
    assert len(found) == len(conditionals(subject))
