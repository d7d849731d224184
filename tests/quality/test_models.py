"""The samplers of the models pass whole assays at the nightly budget: no update is wrong, and the start is forgotten."""

import pytest

from mcassay import Verdict, assay
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.restaurant_auxiliary import AuxiliaryRestaurantMixture
from mcassay.models.untied import UntiedIsotropicMixture

MODELS = (
    IsotropicMixture,
    UntiedIsotropicMixture,
    FullCovarianceMixture,
    UntiedCovarianceMixture,
    CollapsedIsotropicMixture,
    CollapsedGaussianMixture,
    RestaurantMixture,
    AuxiliaryRestaurantMixture,
)


# A right sampler fails with a probability of at most 1e-6.
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_sampler_passes_at_the_nightly_budget(model):
    report = assay(model().subject(), seed=1, budget="nightly")
    wrong = [r.message for r in report.results if r.verdict in (Verdict.FAIL, Verdict.ERROR)]
    assert not wrong
    verdicts = {r.verdict for r in report.results if r.check in ("invariance", "forgetting")}
    assert verdicts == {Verdict.PASS}
