"""Untied and full covariance mixtures against independent computations, in the corners, and their bugs."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from mcassay import Gibbs, InputError, InverseGamma, InverseWishart
from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.results import Verdict, update_target
from tests.models.extension_bugs import BUGS, COVARIANCE_PRIOR, cases

SIZES = {"clusters": 4, "dimensions": 3, "points": 9, "alpha": 0.8}
MODELS = {
    "untied": UntiedIsotropicMixture(**SIZES, sigma_sq_n_prior=InverseGamma(2.5, scale=1.5)),
    "full": FullCovarianceMixture(**SIZES, covariance_prior=COVARIANCE_PRIOR),
    "untied full": UntiedCovarianceMixture(**SIZES, covariance_prior=COVARIANCE_PRIOR),
}
CORNERS = {
    "one cluster": {"clusters": 1},
    "one point": {"points": 1},
    "more clusters than points": {"clusters": 12, "points": 3},
    "one dimension": {"dimensions": 1, "covariance_prior": InverseWishart(1.5, scale=[[0.7]])},
}
EVERYWHERE = [(name, corner) for name in MODELS for corner in ("usual", *CORNERS)]


def model_at(name, corner):
    changes = CORNERS.get(corner, {})
    if name == "untied":
        changes = {key: value for key, value in changes.items() if key != "covariance_prior"}
    return replace(MODELS[name], **changes)


def draw(model, seed):
    rng = np.random.default_rng(seed)
    state = model.prior(rng)
    return state, model.simulate(state, rng), rng


def law_of_spread(model):
    prior = model.sigma_sq_n_prior if model.spread == "sigma_sq_n" else model.covariance_prior
    if model.spread == "sigma_sq_n":
        return scipy.stats.invgamma(prior.parameters["shape"], scale=prior.parameters["scale"])
    return scipy.stats.invwishart(float(prior.parameters["degrees_of_freedom"]), prior.parameters["scale"])


def covariance_of(model, state, label):
    spread = state[model.spread]
    if model.spread == "sigma_sq_n":
        return spread[label] * np.eye(model.dimensions)
    return spread if spread.ndim == 2 else spread[label]


def slow_log_joint(model, state, data):
    total = scipy.stats.dirichlet(np.full(model.clusters, model.alpha)).logpdf(state["pi"]) if model.clusters > 1 else 0.0
    p = model.sigma_sq_mu_prior.parameters
    total += scipy.stats.invgamma(p["shape"], scale=p["scale"]).logpdf(state["sigma_sq_mu"])
    spreads = [state[model.spread]] if model.title == "full covariance" else list(state[model.spread])
    total += sum(law_of_spread(model).logpdf(spread) for spread in spreads)
    total += np.sum(scipy.stats.norm(0, math.sqrt(state["sigma_sq_mu"])).logpdf(state["mu"]))
    for label, x in zip(state["z"], data, strict=True):
        total += math.log(state["pi"][label])
        total += scipy.stats.multivariate_normal(state["mu"][label], covariance_of(model, state, label)).logpdf(x)
    return float(np.squeeze(total))


@pytest.mark.parametrize(("name", "corner"), EVERYWHERE)
def test_log_joint_equals_a_slow_computation(name, corner):
    model = model_at(name, corner)
    state, data, _ = draw(model, 1)
    assert model.log_joint(state, data) == pytest.approx(slow_log_joint(model, state, data), rel=1e-11, abs=1e-9)


@pytest.mark.parametrize(("name", "corner"), EVERYWHERE)
def test_conditionals_agree_with_the_log_joint_to_ten_digits(name, corner):
    model = model_at(name, corner)
    for seed in range(3):
        state, data, rng = draw(model, seed)
        for block, update in model.gibbs().parts().items():
            conditional = update.distribution(state, data)
            new = conditional.sample(rng)
            claimed = np.sum(conditional.log_p(new)) - np.sum(conditional.log_p(state[block]))
            joint = model.log_joint({**state, block: new}, data) - model.log_joint(state, data)
            assert claimed == pytest.approx(joint, rel=1e-10, abs=1e-10), block


@pytest.mark.parametrize(("name", "corner"), EVERYWHERE)
def test_a_sweep_keeps_shapes_and_the_old_state(name, corner):
    model = model_at(name, corner)
    state, data, rng = draw(model, 2)
    before = pickle.dumps(state)
    swept = model.gibbs()(state, data, rng)
    assert pickle.dumps(state) == before
    assert {block: np.shape(value) for block, value in swept.items()} == {block: np.shape(v) for block, v in state.items()}


@pytest.mark.parametrize("name", MODELS)
def test_log_joint_is_minus_infinity_outside_the_support(name):
    model = MODELS[name]
    state, data, _ = draw(model, 3)
    for block, value in (("sigma_sq_mu", -1.0), ("z", np.full(9, 4)), (model.spread, -state[model.spread])):
        assert model.log_joint({**state, block: value}, data) == -math.inf


@pytest.mark.parametrize("name", MODELS)
def test_an_empty_cluster_has_its_prior(name):
    model = MODELS[name]
    state, data, _ = draw(model, 4)
    state = {**state, "z": np.full(9, 2)}
    np.testing.assert_array_equal(model.cond_mu(state, data).mean[0], 0.0)
    spread = model.gibbs().parts()[model.spread].distribution(state, data)
    if name != "full":
        empty, prior = spread.component((0,)).parameters, model.spread_prior.component((0,)).parameters
        assert all(np.array_equal(empty[key], prior[key]) for key in prior)


@pytest.mark.parametrize("name", MODELS)
def test_the_right_conditionals_pass(name):
    model = MODELS[name]
    verdicts = {r.target: r.verdict for r in CHECK.apply(model.subject(), Context(seed=0))}
    assert verdicts == {update_target(block): Verdict.PASS for block in model.gibbs().parts()}


@pytest.mark.parametrize(("name", "block", "bug"), cases())
def test_a_bug_fails_in_its_block(name, block, bug):
    model, wrong = MODELS[name], BUGS[name][block][bug]
    kernel = Gibbs({block: lambda state, data: wrong(model, state, data)})
    (result,) = CHECK.apply(replace(model.subject(), step=kernel), Context(seed=0))
    assert (result.target, result.verdict) == (update_target(block), Verdict.FAIL)


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        (
            FullCovarianceMixture,
            {"clusters": 0},
            "FullCovarianceMixture: clusters must be a whole number of at least 1, but found 0",
        ),
        (
            FullCovarianceMixture,
            {"covariance_prior": 3.0},
            "FullCovarianceMixture: covariance_prior must be an InverseWishart(degrees_of_freedom, scale=...) of one variable, "
            "but found 3.0",
        ),
        (
            UntiedCovarianceMixture,
            {"covariance_prior": InverseWishart(5, scale=np.eye(3))},
            "UntiedCovarianceMixture: covariance_prior must have as many dimensions as the model, 2, but found 3",
        ),
        (
            UntiedIsotropicMixture,
            {"sigma_sq_n_prior": InverseGamma([1.0, 2.0], scale=1.0)},
            "UntiedIsotropicMixture: sigma_sq_n_prior must be an InverseGamma(shape, scale=...) of one variable, "
            "but found InverseGamma(shape=[1., 2.], scale=1)",
        ),
    ],
)
def test_bad_input(model, arguments, message):
    with pytest.raises(InputError) as error:
        model(**arguments)
    assert str(error.value) == message
