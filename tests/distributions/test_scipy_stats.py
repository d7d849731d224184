"""Distributions of scipy.stats where ours are taken, and what is said where neither is found."""

import pickle
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from scipy import stats

from mcassay.distributions import Distribution, Normal, ScipyDistribution, as_distribution
from mcassay.errors import InputError

TWO = np.array([[2.0, 1.0], [1.0, 3.0]])

# (scipy's, ours as it should print; None where there is none)
TRANSLATIONS = [
    (stats.norm(1.0, 2.0), "Normal(mean=1, sd=2)"),
    (stats.norm(loc=[0.0, 1.0], scale=2.0), "Normal(mean=[0., 1.], sd=2)"),
    (stats.norm(), "Normal(mean=0, sd=1)"),
    (stats.gamma(2.0, scale=3.0), "Gamma(shape=2, scale=3)"),
    (stats.gamma(2.0, 0.0, 3.0), "Gamma(shape=2, scale=3)"),
    (stats.gamma(a=[2.0, 3.0]), "Gamma(shape=[2., 3.], scale=1)"),
    (stats.gamma(2.0, loc=1.0), None),
    (stats.invgamma(2.0, scale=3.0), "InverseGamma(shape=2, scale=3)"),
    (stats.invgamma(2.0, loc=-1.0), None),
    (stats.expon(scale=3.0), "Exponential(scale=3)"),
    (stats.expon(1.0), None),
    (stats.beta(2.0, 3.0), "Beta(alpha=2, beta=3)"),
    (stats.beta(2.0, 3.0, scale=2.0), None),
    (stats.beta(2.0, 3.0, loc=[0.0, 1.0]), None),
    (stats.uniform(1.0, 2.0), "Uniform(low=1, high=3)"),
    (stats.t(4.0), "StudentT(degrees_of_freedom=4, location=0, scale=1)"),
    (stats.t(4.0, 1.0, 2.0), "StudentT(degrees_of_freedom=4, location=1, scale=2)"),
    (stats.poisson(3.0), "Poisson(rate=3)"),
    (stats.poisson(3.0, loc=1), None),
    (stats.binom(5, 0.3), "Binomial(trials=5, probability=0.3)"),
    (stats.bernoulli(0.3), "Bernoulli(probability=0.3)"),
    (stats.multivariate_normal([0.0, 1.0], TWO), "MultivariateNormal(mean=[0., 1.], covariance=[[2., 1.], [1., 3.]])"),
    (stats.multivariate_normal(0.0, 4.0), "MultivariateNormal(mean=[0.], covariance=[[4.]])"),
    (stats.multivariate_normal([0.0, 0.0], np.ones((2, 2)), allow_singular=True), None),
    (
        stats.multivariate_t([0.0, 1.0], TWO, 3.0),
        "MultivariateStudentT(degrees_of_freedom=3, location=[0., 1.], scale_matrix=[[2., 1.], [1., 3.]])",
    ),
    (stats.multivariate_t([0.0, 1.0], TWO, np.inf), "MultivariateNormal(mean=[0., 1.], covariance=[[2., 1.], [1., 3.]])"),
    (stats.dirichlet([1.0, 2.0]), "Dirichlet(concentration=[1., 2.])"),
    (stats.wishart(3.0, TWO), "Wishart(degrees_of_freedom=3, scale=[[2., 1.], [1., 3.]])"),
    (stats.wishart(3.0, 2.0), "Wishart(degrees_of_freedom=3, scale=[[2.]])"),
    (stats.invwishart(3.0, TWO), "InverseWishart(degrees_of_freedom=3, scale=[[2., 1.], [1., 3.]])"),
    (stats.chi2(3.0), None),
    (stats.truncnorm(-1.0, 1.0), None),
    (stats.geom(0.3), None),
    (stats.multinomial(4, [0.2, 0.8]), None),
    (stats.multivariate_hypergeom([5, 6, 7], 6), None),
    (stats.random_table([3, 4], [2, 5]), None),
    (stats.vonmises_fisher([0.0, 0.0, 1.0], 3.0), None),
    (stats.matrix_normal(np.zeros((2, 3)), TWO, np.eye(3)), None),
]
if hasattr(stats, "Normal"):
    TRANSLATIONS += [
        (stats.Normal(mu=1.0, sigma=2.0), "Normal(mean=1, sd=2)"),
        (stats.Normal(mu=[0.0, 1.0], sigma=2.0), "Normal(mean=[0., 1.], sd=[2., 2.])"),
        (stats.Normal(), "Normal(mean=0, sd=1)"),
        (stats.Uniform(a=1.0, b=3.0), "Uniform(low=1, high=3)"),
        (stats.exp(stats.Normal()), None),
    ]
if hasattr(stats, "Binomial"):
    TRANSLATIONS += [(stats.Binomial(n=5, p=0.3), "Binomial(trials=5, probability=0.3)")]

CUSTOMISED = [stats.rv_discrete(values=([1, 2], [0.25, 0.75])), stats.rv_histogram(np.histogram([1.0, 2.0, 2.0, 3.0], 3))]


def named(value):
    return "" if value is None else value if isinstance(value, str) else repr(as_distribution(value, "here"))[:60]


def log_density(frozen, x):
    """Scipy's own, at draws along the first axis."""
    discrete = not hasattr(frozen, "logpdf") or (hasattr(frozen, "dist") and hasattr(frozen.dist, "pmf"))
    discrete = discrete or type(frozen).__name__ == "Binomial"
    matrices = type(frozen).__name__.startswith(("wishart", "invwishart", "dirichlet"))
    return (frozen.logpmf if discrete else frozen.logpdf)(np.moveaxis(x, 0, -1) if matrices else x)


@pytest.mark.parametrize(("frozen", "ours"), TRANSLATIONS, ids=named)
def test_translation(frozen, ours):
    family = ScipyDistribution(frozen).family()
    assert (None if family is None else repr(family)) == ours


@pytest.mark.parametrize(("frozen", "ours"), TRANSLATIONS, ids=named)
def test_log_p_is_that_of_scipy_and_of_the_translation(frozen, ours):
    wrapped = as_distribution(frozen, "here")
    assert isinstance(wrapped, ScipyDistribution)
    assert isinstance(wrapped, Distribution)
    x = wrapped.sample(np.random.default_rng(1), size=7)
    assert x.shape == (7, *wrapped.batch_shape, *wrapped.event_shape)
    log_p = wrapped.log_p(x)
    assert log_p.shape == (7, *wrapped.batch_shape)
    assert np.isfinite(log_p).all()
    np.testing.assert_allclose(log_p, np.reshape(log_density(frozen, x), log_p.shape), rtol=1e-10, atol=1e-12)
    if ours is not None:
        np.testing.assert_allclose(log_p, wrapped.family().log_p(x), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("frozen", [frozen for frozen, _ in TRANSLATIONS], ids=named)
@pytest.mark.parametrize("size", [None, 1, (2, 3), (2, 1)])
def test_shapes_of_draws(frozen, size):
    wrapped = ScipyDistribution(frozen)
    lead = () if size is None else (size,) if isinstance(size, int) else size
    draws = wrapped.sample(np.random.default_rng(1), size=size)
    assert np.shape(draws) == lead + wrapped.batch_shape + wrapped.event_shape
    np.testing.assert_array_equal(draws, wrapped.sample(np.random.default_rng(1), size=size))


@pytest.mark.parametrize("frozen", [frozen for frozen, _ in TRANSLATIONS], ids=named)
def test_what_is_not_finite_has_probability_zero(frozen):
    wrapped = ScipyDistribution(frozen)
    for bad in (np.nan, np.inf, -np.inf):
        x = np.full(wrapped.batch_shape + wrapped.event_shape, bad)
        assert np.all(wrapped.log_p(x) == -np.inf)


IMPOSSIBLE = [
    (stats.multivariate_hypergeom([5, 6], 4), [[2.0, 2.0], [1.5, 2.5], [-1.0, 5.0], [3.0, 2.0], [1e300, 0.0]]),
    (stats.multinomial(4, [0.2, 0.8]), [[2.0, 2.0], [1.5, 2.5], [-1.0, 5.0], [3.0, 2.0], [np.nan, 0.0]]),
    (stats.random_table([1, 1], [1, 1]), [[[0.0, 1], [1, 0]], [[0.5, 0.5], [0.5, 0.5]], [[-1, 2], [2, -1]], [[1, 1], [1, 1]]]),
    (stats.vonmises_fisher([0.0, 1.0], 3.0), [[0.6, 0.8], [0.6, 0.9], [0.0, 0.0], [1e300, 0.0], [np.inf, 0.0]]),
]  # fmt: skip


@pytest.mark.parametrize(("frozen", "values"), IMPOSSIBLE, ids=[type(frozen).__name__ for frozen, _ in IMPOSSIBLE])
def test_only_the_first_value_is_possible(frozen, values):
    wrapped = ScipyDistribution(frozen)
    possible = [np.isfinite(wrapped.log_p(value)) for value in values]
    assert possible == [True, *[False] * (len(values) - 1)]
    np.testing.assert_array_equal(np.isfinite(wrapped.log_p(values)), possible)


@pytest.mark.parametrize("frozen", [frozen for frozen, _ in TRANSLATIONS], ids=named)
def test_nothing_is_drawn_where_nothing_is_asked_for(frozen):
    wrapped = ScipyDistribution(frozen)
    for size, lead in ((0, (0,)), ((2, 0), (2, 0))):
        assert np.shape(wrapped.sample(np.random.default_rng(1), size=size)) == lead + wrapped.batch_shape + wrapped.event_shape


@pytest.mark.skipif(not hasattr(stats, "normal_inverse_gamma"), reason="scipy.stats has no normal_inverse_gamma here")
def test_pairs_are_pairs():
    frozen = stats.normal_inverse_gamma(1.0, 2.0, 3.0, 4.0)
    wrapped = as_distribution(frozen, "here")
    assert repr(wrapped.family()) == "NormalInverseGamma(mean=1, mean_count=2, shape=3, scale=4)"
    value, variance = wrapped.sample(np.random.default_rng(1), size=5)
    np.testing.assert_allclose(wrapped.log_p((value, variance)), frozen.logpdf(value, variance), rtol=1e-12)
    assert wrapped.mean == (1.0, 2.0)


@pytest.mark.skipif(not hasattr(stats, "matrix_t"), reason="scipy.stats has no matrix_t here")
def test_frozen_ones_without_the_usual_base_are_known():
    wrapped = as_distribution(stats.matrix_t(np.zeros((2, 3)), TWO, np.eye(3), 5), "here")
    assert wrapped.log_p(wrapped.sample(np.random.default_rng(1))).shape == ()


@pytest.mark.parametrize(
    ("frozen", "mean", "variance"),
    [
        (stats.norm([0.0, 1.0], 2.0), [0.0, 1.0], [4.0, 4.0]),
        (stats.chi2(3.0), 3.0, 6.0),
        (stats.geom(0.5), 2.0, 2.0),
        (stats.multivariate_normal([0.0, 1.0], TWO), [0.0, 1.0], [2.0, 3.0]),
        (stats.dirichlet([1.0, 1.0]), [0.5, 0.5], [1 / 12, 1 / 12]),
        (stats.Normal(mu=1.0, sigma=2.0), 1.0, 4.0),
        (stats.exp(stats.Normal()), np.exp(0.5), np.exp(2) - np.exp(1)),
    ],
    ids=["norm", "chi2", "geom", "multivariate_normal", "dirichlet", "Normal", "exp of Normal"],
)
def test_moments(frozen, mean, variance):
    wrapped = ScipyDistribution(frozen)
    np.testing.assert_allclose(wrapped.mean, mean, rtol=1e-8)
    np.testing.assert_allclose(wrapped.variance, variance, rtol=1e-8)


def test_moments_that_nobody_knows_are_no_attributes():
    assert not hasattr(ScipyDistribution(stats.vonmises_fisher([0.0, 1.0], 2.0)), "mean")


@pytest.mark.parametrize("family", CUSTOMISED, ids=["values", "histogram"])
def test_families_made_to_measure_need_no_parameters(family):
    wrapped = as_distribution(family, "here")
    x = wrapped.sample(np.random.default_rng(1), size=5)
    assert np.isfinite(wrapped.log_p(x)).all()
    assert wrapped.log_p(100) == -np.inf
    assert wrapped.family() is None


def test_ours_and_the_users_own_pass_unchanged():
    class Own:
        def log_p(self, x):
            return 0.0

        def sample(self, rng):
            return 0.0

    for candidate in (Normal(0, sd=1), Own()):
        assert as_distribution(candidate, "here") is candidate


def test_wrapped_ones_print_and_pickle():
    wrapped = ScipyDistribution(stats.gamma(2.0, scale=[1.0, 3.0]))
    assert repr(wrapped) == "ScipyDistribution(scipy.stats.gamma(2.0, scale=[1.0, 3.0]))"
    copy = pickle.loads(pickle.dumps(wrapped))
    np.testing.assert_array_equal(copy.log_p(1.0), wrapped.log_p(1.0))


class Torchlike:
    def log_prob(self, x):
        return 0.0

    def sample(self, shape=()):
        return 0.0


class Densityless:
    def sample(self, rng):
        return 0.0


def draw():
    return 0.0


class own_gen(stats.rv_continuous):
    def _pdf(self, x):
        return np.exp(-x)


HINT = "give the distribution itself, not a draw from it"
WRAP = "wrap it in a class with log_p(x) and sample(rng)"
MESSAGES = [
    (None, "None; is a return missing?"),
    (0.5, f"the number 0.5; {HINT}"),
    (np.float64(0.5), f"the number 0.5; {HINT}"),
    (True, f"the number True; {HINT}"),
    (np.zeros(3), f"an array of shape (3,); {HINT}"),
    ([1.0, 2.0], f"[1.0, 2.0]; {HINT}"),
    ("normal", f"'normal'; {HINT}"),
    ({"mean": 0.0}, f"{{'mean': 0.0}}; {HINT}"),
    (Normal, "the class Normal; give its parameters, as in Normal(...)"),
    (stats.Normal, "the class Normal; give its parameters, as in Normal(...)"),
    (stats.norm, "the family scipy.stats.norm; give its parameters, as in scipy.stats.norm(...)"),
    (stats.poisson, "the family scipy.stats.poisson; give its parameters, as in scipy.stats.poisson(...)"),
    (stats.wishart, "the family scipy.stats.wishart; give its parameters, as in scipy.stats.wishart(...)"),
    (own_gen(name="own"), "the family own_gen; give its parameters, as in own_gen(...)"),
    (stats.norm(0.0, -1.0), "scipy.stats.norm(0.0, -1.0), whose parameters scipy.stats does not allow"),
    (stats.gamma(2.0, scale=[1, -3]), "scipy.stats.gamma(2.0, scale=[1, -3]), whose parameters scipy.stats does not allow"),
    (
        stats.multinomial(4, [[0.2, 0.8], [0.5, 0.5]]),
        "scipy.stats.multinomial(...), several distributions at once, whose draws and densities scipy.stats does not line up; "
        + WRAP,
    ),
    (draw, "the function draw; give what it returns"),
    (partial(draw), "the function partial; give what it returns"),
    (np.random.default_rng(0).normal, "the function normal; give what it returns"),
    (np.random.default_rng(0), f"an object of class numpy.random._generator.Generator, which has no log_p and no sample; {WRAP}"),
    (Torchlike(), f"an object of class {__name__}.Torchlike, which has no log_p, though it has log_prob; {WRAP}"),
    (Densityless(), f"an object of class {__name__}.Densityless, which has no log_p; {WRAP}"),
]  # fmt: skip


if hasattr(stats, "dirichlet_multinomial"):
    MESSAGES += [
        (
            stats.dirichlet_multinomial([1.0, 2.0], 5),
            f"scipy.stats.dirichlet_multinomial(...), which scipy.stats can not draw from; {WRAP}",
        )
    ]


@pytest.mark.parametrize(("candidate", "found"), MESSAGES, ids=[found[:50] for _, found in MESSAGES])
def test_what_is_no_distribution_is_said_so(candidate, found):
    with pytest.raises(InputError) as caught:
        as_distribution(candidate, "Gibbs: the conditional of 'mu'")
    assert str(caught.value) == f"Gibbs: the conditional of 'mu' must be a distribution, but found {found}"


def test_importing_the_distributions_does_not_import_scipy_stats():
    script = (
        "import sys, mcassay.distributions as d\n"
        "d.as_distribution(d.Normal(0, sd=1), 'here').log_p(0)\n"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
