"""The mixture against independent computations, in the corners, and its draws against their laws."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.errors import InputError
from mcassay.models.mixture import IsotropicMixture, random_mixture
from mcassay.state import blocks

MODEL = IsotropicMixture(clusters=4, dimensions=3, points=9, alpha=0.8, sigma_sq_n_prior=InverseGamma(2.5, scale=1.5))
BLOCKS = ("pi", "z", "mu", "sigma_sq_mu", "sigma_sq_n")
CORNERS = {
    "one cluster": replace(MODEL, clusters=1),
    "one point": replace(MODEL, points=1),
    "one dimension": replace(MODEL, dimensions=1),
    "one of each": replace(MODEL, clusters=1, points=1, dimensions=1),
    "more clusters than points": replace(MODEL, clusters=30, points=3),
}
# The probability that any of the tests of draws against their laws fails although the code is right.
FALSE_ALARM = 1e-6
LAWS = 8


def draw(model, seed):
    rng = np.random.default_rng(seed)
    state = model.prior(rng)
    return state, model.simulate(state, rng), rng


def conditionals(model, state, data):
    return {block: getattr(model, f"cond_{block}")(state, data) for block in BLOCKS}


def slow_log_joint(model, state, data):
    """The log joint, one variable at a time, from scipy.stats."""
    total = scipy.stats.dirichlet(np.full(model.clusters, model.alpha)).logpdf(state["pi"]) if model.clusters > 1 else 0.0
    for name, prior in (("sigma_sq_mu", model.sigma_sq_mu_prior), ("sigma_sq_n", model.sigma_sq_n_prior)):
        parameters = prior.parameters
        total += scipy.stats.invgamma(parameters["shape"], scale=parameters["scale"]).logpdf(state[name])
    for k in range(model.clusters):
        for d in range(model.dimensions):
            total += scipy.stats.norm(0, math.sqrt(state["sigma_sq_mu"])).logpdf(state["mu"][k, d])
    for i, label in enumerate(state["z"]):
        total += math.log(state["pi"][label])
        for d in range(model.dimensions):
            total += scipy.stats.norm(state["mu"][label, d], math.sqrt(state["sigma_sq_n"])).logpdf(data[i, d])
    return total


@pytest.mark.parametrize("seed", range(5))
def test_log_joint_equals_a_slow_computation_on_random_models(seed):
    model = random_mixture(np.random.default_rng(seed))
    state, data, _ = draw(model, seed)
    assert model.log_joint(state, data) == pytest.approx(slow_log_joint(model, state, data), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("name", CORNERS)
def test_log_joint_equals_a_slow_computation_in_the_corners(name):
    state, data, _ = draw(CORNERS[name], 0)
    assert CORNERS[name].log_joint(state, data) == pytest.approx(slow_log_joint(CORNERS[name], state, data), rel=1e-12, abs=1e-9)


def gaps(model, state, data, rng):
    """By how much the log ratio of each conditional misses that of the log joint, for a new value of its own."""
    for block, conditional in conditionals(model, state, data).items():
        new = conditional.sample(rng)
        claimed = np.sum(conditional.log_p(new)) - np.sum(conditional.log_p(state[block]))
        yield block, claimed - (model.log_joint({**state, block: new}, data) - model.log_joint(state, data))


@pytest.mark.parametrize("seed", range(20))
def test_conditionals_of_random_models_agree_with_the_log_joint(seed):
    model = random_mixture(np.random.default_rng(seed))
    state, data, rng = draw(model, seed)
    allowed = 1e-12 * (100 + abs(model.log_joint(state, data)))
    assert {block: gap for block, gap in gaps(model, state, data, rng) if abs(gap) > allowed} == {}


@pytest.mark.parametrize("name", CORNERS)
def test_conditionals_in_the_corners_agree_with_the_log_joint(name):
    state, data, rng = draw(CORNERS[name], 1)
    assert {block: gap for block, gap in gaps(CORNERS[name], state, data, rng) if abs(gap) > 1e-9} == {}


@pytest.mark.parametrize("origin", [0.0, 1e3, 1e6])
def test_assignments_agree_with_the_log_joint_far_from_the_origin(origin):
    state, data, rng = draw(replace(MODEL, points=200), 2)
    # A prior of mu that is as wide as the origin is far leaves the log joint a moderate number, and so all its digits.
    state, data = {**state, "mu": state["mu"] + origin, "sigma_sq_mu": 1.0 + origin**2}, data + origin
    conditional, new = MODEL.cond_z(state, data), rng.integers(MODEL.clusters, size=200)
    claimed = np.sum(conditional.log_p(new) - conditional.log_p(state["z"]))
    joint = MODEL.log_joint({**state, "z": new}, data) - MODEL.log_joint(state, data)
    assert abs(joint) > 1
    assert claimed == pytest.approx(joint, rel=1e-12, abs=1e-10)


@pytest.mark.parametrize("name", CORNERS)
def test_shapes(name):
    model = CORNERS[name]
    state, data, rng = draw(model, 3)
    shapes = {"pi": (model.clusters,), "z": (model.points,), "mu": (model.clusters, model.dimensions)}
    shapes |= {"sigma_sq_mu": (), "sigma_sq_n": ()}
    assert data.shape == (model.points, model.dimensions)
    assert {block: np.shape(value) for block, value in blocks(state).items()} == shapes
    assert {block: np.shape(c.sample(rng)) for block, c in conditionals(model, state, data).items()} == shapes
    swept = model.gibbs()(state, data, rng)
    assert {block: np.shape(value) for block, value in blocks(swept).items()} == shapes
    assert swept["z"].dtype.kind == "i"


def test_a_sweep_leaves_the_old_state_as_it_is():
    state, data, rng = draw(MODEL, 4)
    before = pickle.dumps(state)
    MODEL.gibbs()(state, data, rng)
    assert pickle.dumps(state) == before


def test_an_empty_cluster_has_its_prior():
    state, data, _ = draw(MODEL, 5)
    state = {**state, "z": np.full(MODEL.points, 2)}
    empty = [0, 1, 3]
    mu, pi = MODEL.cond_mu(state, data), MODEL.cond_pi(state, data)
    np.testing.assert_array_equal(mu.mean[empty], 0.0)
    np.testing.assert_allclose(mu.variance[empty], state["sigma_sq_mu"], rtol=1e-15)
    np.testing.assert_array_equal(pi.parameters["concentration"], [0.8, 0.8, 9.8, 0.8])
    assert math.isfinite(MODEL.log_joint(state, data))


def test_a_cluster_of_probability_zero_is_never_joined():
    state, data, _ = draw(MODEL, 6)
    state = {**state, "pi": np.array([0.5, 0.0, 0.25, 0.25])}
    np.testing.assert_array_equal(MODEL.cond_z(state, data).probabilities[:, 1], 0.0)


def test_the_sums_of_the_clusters_add_up_their_points():
    state, data, _ = draw(MODEL, 7)
    sums = [data[state["z"] == k].sum(axis=0) for k in range(MODEL.clusters)]
    np.testing.assert_allclose(MODEL.cluster_sums(state, data), sums, atol=1e-12)


def test_data_of_any_memory_layout_give_the_same_conditionals():
    state, data, _ = draw(MODEL, 8)
    for other in (np.asfortranarray(data), np.repeat(data, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(MODEL.cond_mu(state, other).mean, MODEL.cond_mu(state, data).mean)
        np.testing.assert_array_equal(MODEL.cond_z(state, other).probabilities, MODEL.cond_z(state, data).probabilities)


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("sigma_sq_mu", -1.0),
        ("sigma_sq_n", 0.0),
        ("sigma_sq_n", math.nan),
        ("pi", np.array([0.5, 0.5, 0.5, 0.5])),
        ("pi", np.array([1.5, -0.5, 0.0, 0.0])),
        ("z", np.full(9, 4)),
        ("z", np.full(9, -1)),
    ],
)
def test_log_joint_is_minus_infinity_outside_the_support(block, value):
    state, data, _ = draw(MODEL, 9)
    assert MODEL.log_joint({**state, block: value}, data) == -math.inf


def laws(model, draws):
    """P-values of the draws' marginals, each exact or nearly so."""
    states, data = [state for state, _ in draws], [x for _, x in draws]
    first = [state["z"][0] == 0 for state in states]
    within = [(x - model.means(s)).ravel()[0] / math.sqrt(s["sigma_sq_n"]) for s, x in zip(states, data, strict=True)]
    mu = [state["mu"][-1, -1] / math.sqrt(state["sigma_sq_mu"]) for state in states]
    alpha, others = model.alpha, model.alpha * (model.clusters - 1)
    yield scipy.stats.kstest([state["pi"][0] for state in states], scipy.stats.beta(alpha, others).cdf).pvalue
    yield scipy.stats.binomtest(sum(first), len(first), 1 / model.clusters).pvalue
    yield scipy.stats.kstest(mu, scipy.stats.norm.cdf).pvalue
    yield scipy.stats.kstest(within, scipy.stats.norm.cdf).pvalue
    for name, prior in (("sigma_sq_mu", model.sigma_sq_mu_prior), ("sigma_sq_n", model.sigma_sq_n_prior)):
        law = scipy.stats.invgamma(prior.parameters["shape"], scale=prior.parameters["scale"])
        yield scipy.stats.kstest([state[name] for state in states], law.cdf).pvalue


def agreement(model, draws):
    """The p-value of how many pairs of points share their cluster: what pi and z have to do with each other."""
    same = [state["z"][0] == state["z"][1] for state, _ in draws]
    yield scipy.stats.binomtest(sum(same), len(same), (model.alpha + 1) / (model.alpha * model.clusters + 1)).pvalue


def distances(model, draws):
    """The p-value of the data's scaled distance from the origin, given the variances: what mu and x have to do with z."""
    scaled = [x[0, 0] / math.sqrt(state["sigma_sq_mu"] + state["sigma_sq_n"]) for state, x in draws]
    yield scipy.stats.kstest(scaled, scipy.stats.norm.cdf).pvalue


def p_values(model, draws):
    found = [*laws(model, draws), *agreement(model, draws), *distances(model, draws)]
    assert len(found) == LAWS
    return found


def test_forward_draws_have_the_laws_of_the_model():
    rng = np.random.default_rng(10)
    states = [MODEL.prior(rng) for _ in range(4000)]
    draws = [(state, MODEL.simulate(state, rng)) for state in states]
    assert min(p_values(MODEL, draws)) > FALSE_ALARM / 2 / LAWS


def test_draws_still_have_the_laws_of_the_model_after_a_sweep():
    rng, gibbs = np.random.default_rng(11), MODEL.gibbs()
    draws = []
    for _ in range(4000):
        state = MODEL.prior(rng)
        data = MODEL.simulate(state, rng)
        draws.append((gibbs(state, data, rng), data))
    assert min(p_values(MODEL, draws)) > FALSE_ALARM / 2 / LAWS


def test_the_subject_is_complete_and_survives_pickling():
    subject = pickle.loads(pickle.dumps(MODEL.subject()))
    assert (subject.name, tuple(subject.updates)) == ("mixture", BLOCKS)
    state, data, _ = draw(MODEL, 12)
    assert subject.log_joint(state, data) == MODEL.log_joint(state, data)


def another_conditional(state, data):
    return InverseGamma(1.0, scale=1.0)


def test_a_conditional_can_be_replaced_and_stays_replaced_at_another_size():
    for subject in (MODEL.subject(sigma_sq_n=another_conditional), MODEL.subject(sigma_sq_n=another_conditional).resize(2)):
        assert subject.updates["sigma_sq_n"].conditional is another_conditional
        assert subject.updates["mu"].conditional.__func__ is IsotropicMixture.cond_mu


def test_resize_changes_the_number_of_points_alone():
    rng = np.random.default_rng(13)
    state, data = MODEL.subject().resize(6).draw(rng)
    assert (data.shape, state["mu"].shape) == ((6, 3), (4, 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clusters": 0}, "IsotropicMixture: clusters must be a whole number of at least 1, but found 0"),
        ({"points": 2.5}, "IsotropicMixture: points must be a whole number of at least 1, but found 2.5"),
        ({"dimensions": True}, "IsotropicMixture: dimensions must be a whole number of at least 1, but found True"),
        ({"alpha": -1.0}, "IsotropicMixture: alpha must be a positive number, but found -1.0"),
        ({"alpha": [1.0, 1.0]}, "IsotropicMixture: alpha must be a positive number, but found [1.0, 1.0]"),
        (
            {"sigma_sq_n_prior": 3.0},
            "IsotropicMixture: sigma_sq_n_prior must be an InverseGamma(shape, scale=...) of one variable, but found 3.0",
        ),
        (
            {"sigma_sq_mu_prior": InverseGamma([1.0, 2.0], scale=1.0)},
            "IsotropicMixture: sigma_sq_mu_prior must be an InverseGamma(shape, scale=...) of one variable, "
            "but found InverseGamma(shape=[1., 2.], scale=1)",
        ),
    ],
)
def test_bad_input_of_the_model(arguments, message):
    with pytest.raises(InputError) as error:
        IsotropicMixture(**arguments)
    assert str(error.value) == message


def test_a_conditional_of_no_block_is_an_error():
    with pytest.raises(InputError) as error:
        MODEL.gibbs(sigma=another_conditional)
    message = "IsotropicMixture.gibbs: every name must be one of pi, z, mu, sigma_sq_mu, sigma_sq_n, but found 'sigma'"
    assert str(error.value) == message
