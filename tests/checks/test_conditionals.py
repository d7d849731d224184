"""The check of conditionals: what it says of other families, of rounding, of supports, and of subjects that are not tidy."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.stats

from mcassay import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Cycle,
    Dirichlet,
    Exponential,
    Gamma,
    Gibbs,
    InverseGamma,
    InverseWishart,
    Normal,
    Poisson,
    StudentT,
    Subject,
    Uniform,
    Verdict,
    Wishart,
    assay,
)

SEEDS = (0, 1, 2)


def results_of(subject, seed=0):
    return {result.target: result for result in assay(subject, checks=["conditionals"], seed=seed).results}


def result_of(prior, conditional, log_joint, *, simulate=None, block="x", seed=0):
    subject = Subject(prior, simulate, Gibbs({block: conditional}), log_joint=log_joint)
    (result,) = assay(subject, checks=["conditionals"], seed=seed).results
    return result


def standard_normal(state, data):
    return -0.5 * float(np.sum(np.square(state["x"])))


def one_number(rng):
    return {"x": rng.normal()}


def three_numbers(rng):
    return {"x": rng.normal(size=3)}


def unit(state, data):
    return Normal(0.0, sd=1.0)


def units(state, data):
    return Normal(np.zeros(3), sd=1.0)


# The truth is of another family.


def log_mixture(x):
    return np.logaddexp(scipy.stats.norm(-2).logpdf(x), scipy.stats.norm(2).logpdf(x))


OTHER_FAMILIES = {
    "Student t for normal": (scipy.stats.t(5).logpdf, Normal(0.0, sd=1.0)),
    "Student t, hardly wider": (scipy.stats.t(10_000).logpdf, Normal(0.0, sd=1.0)),
    "logistic for normal": (scipy.stats.logistic.logpdf, Normal(0.0, sd=2.0)),
    "mixture for normal": (log_mixture, Normal(0.0, sd=2.0)),
    "gamma for inverse gamma": (Gamma(3.0, rate=2.0).log_p, InverseGamma(3.0, scale=2.0)),
    "inverse gamma for gamma": (InverseGamma(3.0, scale=2.0).log_p, Gamma(3.0, rate=2.0)),
    "log-normal for gamma": (scipy.stats.lognorm(1).logpdf, Gamma(3.0, rate=2.0)),
    "gamma for exponential": (Gamma(2.0, rate=2.0).log_p, Exponential(rate=2.0)),
    "chi for gamma": (scipy.stats.chi(3).logpdf, Gamma(3.0, rate=2.0)),
    "Kumaraswamy for beta": (lambda x: np.log(x) + 2 * np.log1p(-(x**2)), Beta(2.0, 2.0)),
    "negative binomial for Poisson": (scipy.stats.nbinom(5, 0.5).logpmf, Poisson(3.0)),
    "binomial for Poisson": (Binomial(40, 0.3).log_p, Poisson(3.0)),
    "Poisson for binomial": (Poisson(3.0).log_p, Binomial(10, 0.3)),
    "inverse Wishart for Wishart": (InverseWishart(5.0, scale=np.eye(2)).log_p, Wishart(5.0, scale=np.eye(2))),
    "flat for normal": (lambda x: 0.0, Normal(0.0, sd=1.0)),
    "rising for gamma": (lambda x: 2 * np.log(x) + 0.5 * x, Gamma(3.0, rate=2.0)),
    "truncated for normal": (scipy.stats.truncnorm(-3.5, 3.5).logpdf, Normal(0.0, sd=1.2)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OTHER_FAMILIES)
def test_another_family_is_said_to_be_one(name, seed):
    log_p, claimed = OTHER_FAMILIES[name]
    result = result_of(
        lambda rng: {"x": claimed.sample(rng)},
        lambda state, data: claimed,
        lambda state, data: float(log_p(state["x"])),
        seed=seed,
    )
    assert result.verdict is Verdict.FAIL
    assert "implied" not in result.details
    assert "the joint's conditional is not a" in result.message or "probability zero" in result.message


MESSAGES = [
    (
        Normal(0.0, sd=1.1),
        Normal(0.0, sd=1.0).log_p,
        "Normal(mean=0, sd=1.1); the joint says Normal(mean=0, sd=1): sd is 1.1 times too large here",
    ),
    (
        Normal(0.0, sd=1 + 1e-6),
        Normal(0.0, sd=1.0).log_p,
        "Normal(mean=0, sd=1.000001); the joint says Normal(mean=0, sd=1): sd is 1.000001 times too large here",
    ),
    (
        Categorical.from_probabilities([0.6, 0.3, 0.1, 0.0]),
        Categorical.from_probabilities([0.3, 0.5, 0.2, 0.0]).log_p,
        "Categorical.from_probabilities([0.6, 0.3, 0.1, 0]); the joint says Categorical.from_probabilities([0.3, 0.5, 0.2, 0]): "
        "probabilities[0] is 2 times too large (the largest of 3 differences) here",
    ),
    (
        StudentT(5.0, location=0.0, scale=1.0),
        StudentT(4.0, location=0.0, scale=1.0).log_p,
        "StudentT(degrees_of_freedom=5, location=0, scale=1); the joint says otherwise",
    ),
    (
        Normal(0.0, sd=1.0),
        lambda x: 0.1 * x**2,
        "Normal(mean=0, sd=1); "
        "the joint's conditional is not a Normal: the member that comes closest is none (precision must be positive",
    ),
]


@pytest.mark.parametrize(("claimed", "log_p", "said"), MESSAGES)
def test_the_cause_reads_well(claimed, log_p, said):
    result = result_of(lambda rng: {"x": claimed.sample(rng)}, lambda s, d: claimed, lambda s, d: float(log_p(s["x"])))
    assert result.cause.startswith(f'conditional "x" is {said}')


def test_a_conditional_that_depends_on_what_it_replaces():
    result = result_of(three_numbers, lambda state, data: Normal(0.5 * state["x"], sd=1.0), standard_normal)
    assert (
        result.cause
        == 'conditional "x" depends on the value that it replaces; it may depend on the other blocks and the data alone'
    )


def test_components_that_are_not_independent():
    def log_joint(state, data):
        return standard_normal(state, data) - 0.3 * state["x"][0] * state["x"][1]

    result = result_of(three_numbers, units, log_joint)
    assert result.cause == 'conditional "x" draws its components independently; the joint says that they depend on each other'


def test_one_number_drawn_for_a_whole_block():
    result = result_of(three_numbers, unit, standard_normal)
    assert result.verdict is Verdict.FAIL
    assert result.cause == 'conditional "x" draws a value of shape () for a block of shape (3,)'


def test_many_numbers_drawn_for_a_block_of_one():
    result = result_of(one_number, lambda state, data: Normal(np.zeros(3), sd=1.0), standard_normal)
    assert result.verdict is Verdict.FAIL
    assert result.cause == 'conditional "x" draws a value of shape (3,) for a block of shape ()'


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("tail", [-4.5, -np.inf])
def test_mistakes_in_the_tails_are_looked_for_there(tail, seed):
    def log_joint(state, data):
        return standard_normal(state, data) if abs(state["x"]) < 3 else tail

    # Both the prior and the conditional hardly ever draw a value so far out.
    assert result_of(one_number, unit, log_joint, seed=seed).verdict is Verdict.FAIL


def test_a_log_joint_that_can_not_deal_with_far_values_passes():
    def log_joint(state, data):
        assert abs(state["x"]) < 6
        return standard_normal(state, data)

    assert result_of(one_number, unit, log_joint).verdict is Verdict.PASS


# Rounding.


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("single", [np.float32, lambda value: float(np.float32(value))], ids=["float32", "float in float32"])
def test_single_precision_fails_no_right_conditional_and_hides_no_wrong_one(single, seed):
    def log_joint(state, data):
        return single(np.float32(-0.5) * np.float32(state["x"]) ** 2 + np.float32(1.1))

    assert result_of(one_number, unit, log_joint, seed=seed).verdict is Verdict.PASS
    assert result_of(one_number, lambda s, d: Normal(0.0, sd=1.01), log_joint, seed=seed).verdict is Verdict.FAIL


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("constant", [1e4, 1e8, 1e10])
@pytest.mark.parametrize("part", [1.0, 0.6])
def test_a_constant_that_comes_and_goes_fails_no_right_conditional(constant, part, seed):
    def log_joint(state, data):
        half = -0.5 * state["x"] ** 2
        return ((constant + part * half) - constant) + (1 - part) * half

    assert result_of(one_number, unit, log_joint, seed=seed).verdict is Verdict.PASS
    assert result_of(one_number, lambda s, d: Normal(0.0, sd=1.01), log_joint, seed=seed).verdict is Verdict.FAIL


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("constant", [1e12, 1e13, 1e14])
@pytest.mark.parametrize("part", [1.0, 0.6])
def test_where_rounding_hides_it_that_is_said(constant, part, seed):
    def log_joint(state, data):
        half = -0.5 * state["x"] ** 2
        return ((constant + part * half) - constant) + (1 - part) * half

    result = result_of(one_number, unit, log_joint, seed=seed)
    assert result.verdict is Verdict.UNCLEAR
    assert result.message.startswith('conditional "x": rounding hides it; the log joint is only good to ')


@pytest.mark.parametrize("seed", SEEDS)
def test_data_far_from_the_origin(seed):
    def log_joint(state, data):
        return -0.5 * ((state["x"] - 1e8) / 10) ** 2 - 0.5 * float(np.sum((data - state["x"]) ** 2))

    def conditional(factor):
        return lambda state, data: Normal((1e6 + data.sum()) / (data.size + 0.01), variance=factor / (data.size + 0.01))

    def verdict(factor):
        prior, simulate = lambda rng: {"x": 1e8 + 10 * rng.normal()}, lambda state, rng: rng.normal(state["x"], 1.0, size=20)
        return result_of(prior, conditional(factor), log_joint, simulate=simulate, seed=seed).verdict

    assert verdict(1.0) is Verdict.PASS
    assert verdict(1.01) is Verdict.FAIL


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("error", [1e-6, 1e-9])
def test_small_errors_are_caught_where_nothing_hides_them(error, seed):
    assert result_of(one_number, lambda s, d: Normal(0.0, sd=1 + error), standard_normal, seed=seed).verdict is Verdict.FAIL


# Supports.


@pytest.mark.parametrize("seed", SEEDS)
def test_a_value_that_only_the_conditional_allows(seed):
    def log_joint(state, data):
        return -state["x"] if state["x"] > 0 else -np.inf

    result = result_of(lambda rng: {"x": rng.exponential()}, unit, log_joint, seed=seed)
    assert result.verdict is Verdict.FAIL
    assert 'conditional "x" allows -' in result.message or "the joint is zero at -" in result.message


@pytest.mark.parametrize("seed", SEEDS)
def test_values_that_only_the_joint_allows(seed):
    result = result_of(lambda rng: {"x": rng.uniform(0, 2)}, lambda s, d: Uniform(0.0, 1.0), lambda s, d: 0.0, seed=seed)
    assert result.verdict is Verdict.FAIL
    assert "gives probability zero to 1." in result.message


def test_a_density_that_underflows_is_no_support():
    def log_joint(state, data):
        density = scipy.stats.norm.pdf(state["x"])
        return np.log(density) if density > 0 else -np.inf

    assert result_of(lambda rng: {"x": 30 * rng.normal()}, unit, log_joint).verdict is Verdict.PASS


def test_values_that_are_impossible_on_both_sides_do_not_count():
    result = result_of(one_number, unit, lambda state, data: -np.inf)
    assert result.verdict is Verdict.SKIPPED
    assert result.message == (
        'conditional "x": no pair of values at which log_joint is finite, and the conditional with it; 5 are needed'
    )


def unchecked_simplex(state, data):
    return float((np.array([0.0, 1.0, 2.0]) + data) @ np.log(state["x"]))


UNCHECKED = {
    "simplex": (
        lambda rng: {"x": rng.dirichlet([1, 2, 3])},
        lambda s, d: Dirichlet(np.array([1.0, 2.0, 3.0]) + d),
        unchecked_simplex,
    ),
    "positive": (lambda rng: {"x": rng.gamma(3.0)}, lambda s, d: Gamma(3.0, rate=1.0), lambda s, d: 2 * np.log(s["x"]) - s["x"]),
    "unit interval": (
        lambda rng: {"x": rng.beta(0.1, 0.1)},
        lambda s, d: Beta(0.1, 0.1),
        lambda s, d: -0.9 * np.log(s["x"]) - 0.9 * np.log1p(-s["x"]),
    ),
    "positive definite": (
        lambda rng: {"x": Wishart(5.0, scale=np.eye(3)).sample(rng)},
        lambda s, d: Wishart(5.0, scale=np.eye(3)),
        lambda s, d: 0.5 * np.linalg.slogdet(s["x"])[1] - 0.5 * np.trace(s["x"]),
    ),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", UNCHECKED)
def test_a_log_joint_that_does_not_check_its_support_passes(kind, seed):
    prior, conditional, log_joint = UNCHECKED[kind]
    simulate = (lambda state, rng: rng.multinomial(10, state["x"])) if kind == "simplex" else None
    assert result_of(prior, conditional, log_joint, simulate=simulate, seed=seed).verdict is Verdict.PASS


def draw_between_bounds(rng):
    low, high = np.sort(rng.normal(size=2))
    return {"low": low, "high": high, "x": rng.uniform(low, high)}


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_that_bound_each_other_are_not_put_together_at_random(seed):
    def log_joint(state, data):
        inside = state["low"] < state["x"] < state["high"]
        return -np.log(state["high"] - state["low"]) - 0.5 * state["low"] ** 2 - 0.5 * state["high"] ** 2 if inside else -np.inf

    def conditional(state, data):
        return Uniform(state["low"], state["high"])

    assert result_of(draw_between_bounds, conditional, log_joint, seed=seed).verdict is Verdict.PASS


def test_a_log_joint_that_forgets_its_support_is_told_so():
    def log_joint(state, data):
        return -np.log(np.abs(state["high"] - state["low"])) - 0.5 * state["low"] ** 2 - 0.5 * state["high"] ** 2

    result = result_of(draw_between_bounds, lambda s, d: Uniform(*sorted((s["low"], s["high"]))), log_joint)
    assert result.verdict is Verdict.UNCLEAR
    assert result.message.endswith("If it is impossible, log_joint should return -inf there")


# Users' code that goes wrong.


def broken(state, data):
    return 1 / 0


BROKEN_JOINTS = [
    (lambda s, d: np.ones(3) * s["x"], "must return one number, but found [", ", an array of shape (3,): sum it"),
    (lambda s, d: np.nan, "is NaN at the state {'x': ", "}"),
    (lambda s, d: None, "must return one number, but found None", ""),
    (lambda s, d: "a", "must return one number, but found 'a'", ""),
]


@pytest.mark.parametrize(("log_joint", "first", "last"), BROKEN_JOINTS)
def test_a_log_joint_that_returns_no_number(log_joint, first, last):
    result = result_of(one_number, unit, log_joint, seed="7f3a")
    line = log_joint.__code__.co_firstlineno
    assert result.verdict is Verdict.ERROR
    assert result.message.startswith(f"log_joint(state, data) (test_conditionals.py:{line}) {first}")
    assert result.message.endswith(f'{last}; repeat it with seed="7f3a"')


def test_a_log_joint_that_raises_is_an_error_with_its_line_and_the_seed():
    result = result_of(one_number, unit, broken, seed="7f3a")
    line = broken.__code__.co_firstlineno + 1
    assert result.verdict is Verdict.ERROR
    assert result.message == (
        f'ZeroDivisionError: division by zero (test_conditionals.py:{line} in broken); repeat it with seed="7f3a"'
    )


NO_DISTRIBUTIONS = [
    (lambda s, d: 3.0, "the number 3.0; give the distribution itself, not a draw from it"),
    (lambda s, d: np.zeros(2), "an array of shape (2,); give the distribution itself, not a draw from it"),
    (lambda s, d: None, "None; is a return missing?"),
    (lambda s, d: scipy.stats.norm, "the family scipy.stats.norm; give its parameters, as in scipy.stats.norm(...)"),
]


@pytest.mark.parametrize(("conditional", "found"), NO_DISTRIBUTIONS)
def test_a_conditional_that_returns_no_distribution(conditional, found):
    result = result_of(one_number, conditional, standard_normal)
    assert result.verdict is Verdict.ERROR
    assert result.message == f'conditional "x" must be a distribution, but found {found}; repeat it with seed="0"'


def writes_to_block(state, data):
    state["x"] += 1.0
    return units(state, data)


def replaces_block(state, data):
    state["x"] = state["x"] + 1.0
    return units(state, data)


def writes_to_data(state, data):
    data += 1.0
    return units(state, data)


@pytest.mark.parametrize(
    ("conditional", "what"),
    [(writes_to_block, 'state (block "x")'), (replaces_block, 'state (block "x")'), (writes_to_data, "data")],
)
def test_a_conditional_that_writes(conditional, what):
    simulate = lambda state, rng: rng.normal(size=2)  # noqa: E731
    result = result_of(three_numbers, conditional, standard_normal, simulate=simulate)
    assert result.verdict is Verdict.ERROR
    assert result.message == f'conditional "x" must not change the {what}; it may only read it; repeat it with seed="0"'


def test_a_block_that_does_not_exist():
    result = result_of(one_number, unit, standard_normal, block="y")
    assert result.message == 'the state has no block "y"; its blocks are: x; repeat it with seed="0"'


def test_one_broken_conditional_does_not_keep_the_others_from_being_checked():
    gibbs = Gibbs({"x": lambda s, d: 1 / 0, "y": unit})
    subject = Subject(
        lambda rng: {"x": rng.normal(), "y": rng.normal()}, None, gibbs, log_joint=lambda s, d: -0.5 * (s["x"] ** 2 + s["y"] ** 2)
    )
    verdicts = {target: result.verdict for target, result in results_of(subject).items()}
    assert verdicts == {"update:x": Verdict.ERROR, "update:y": Verdict.PASS}


# Subjects that are not tidy, and right.


@dataclass(frozen=True)
class Frozen:
    x: float
    y: np.ndarray


class Summed:
    """A user's own distribution, with one log density for all components."""

    def __init__(self, mean):
        self.mean_ = mean

    def log_p(self, x):
        return float(np.sum(-0.5 * (x - self.mean_) ** 2))

    def sample(self, rng):
        return rng.normal(self.mean_)


class OneByOne(Summed):
    def log_p(self, x):
        return -0.5 * (x - self.mean_) ** 2


@pytest.mark.parametrize("kind", [Summed, OneByOne])
@pytest.mark.parametrize(("mean", "verdict"), [(0.0, Verdict.PASS), (0.1, Verdict.FAIL)])
def test_distributions_of_the_users_own(kind, mean, verdict):
    assert result_of(three_numbers, lambda s, d: kind(np.full(3, mean)), standard_normal).verdict is verdict


@pytest.mark.parametrize("frozen", [scipy.stats.norm(0, 1), scipy.stats.norm(0, 1.1)])
def test_scipy_distributions(frozen):
    verdict = Verdict.PASS if frozen.std() == 1 else Verdict.FAIL
    assert result_of(one_number, lambda s, d: frozen, standard_normal).verdict is verdict


def test_a_prior_that_returns_a_number():
    assert result_of(lambda rng: rng.normal(), unit, lambda s, d: -0.5 * s**2, block="state").verdict is Verdict.PASS


def test_a_frozen_dataclass_and_blocks_with_odd_names():
    dataclass_subject = Subject(
        lambda rng: Frozen(rng.normal(), rng.normal(size=3)),
        None,
        Gibbs({"x": unit, "y": units}),
        log_joint=lambda s, d: -0.5 * (s.x**2 + s.y @ s.y),
    )
    odd = Subject(
        lambda rng: {"a.b": rng.normal(), "c d": rng.normal(), 3: rng.normal()},
        None,
        Gibbs({"a.b": unit, "c d": unit, "3": unit}),
        log_joint=lambda s, d: -0.5 * (s["a.b"] ** 2 + s["c d"] ** 2 + s[3] ** 2),
    )
    for subject in (dataclass_subject, odd):
        assert {result.verdict for result in results_of(subject).values()} == {Verdict.PASS}


@pytest.mark.parametrize(("sd", "verdict"), [(1.0, Verdict.PASS), (2.0, Verdict.FAIL)])
def test_whole_numbers_in_a_block_that_is_continuous(sd, verdict):
    result = result_of(lambda rng: {"x": rng.integers(5, size=3)}, lambda s, d: Normal(np.zeros(3), sd=sd), standard_normal)
    assert result.verdict is verdict
    if verdict is Verdict.FAIL:
        assert "the joint says Normal(mean=0, sd=1)" in result.cause


def test_an_empty_block_is_skipped():
    subject = Subject(
        lambda rng: {"x": np.zeros(0), "y": rng.normal()},
        None,
        Gibbs({"x": lambda s, d: Normal(np.zeros(0), sd=1.0), "y": unit}),
        log_joint=lambda s, d: -0.5 * s["y"] ** 2,
    )
    assert {t: r.verdict for t, r in results_of(subject).items()} == {"update:x": Verdict.SKIPPED, "update:y": Verdict.PASS}


def clusters(rng):
    count = int(rng.integers(2, 6))
    return {"mu": rng.normal(size=count), "z": rng.integers(count, size=10)}


def log_joint_of_clusters(state, data):
    return float(-0.5 * np.sum(state["mu"] ** 2) - 0.5 * np.sum((data - state["mu"][state["z"]]) ** 2))


def conditional_of_means(state, data, extra=1.0):
    sizes = np.bincount(state["z"], minlength=len(state["mu"]))
    sums = np.bincount(state["z"], data, minlength=len(state["mu"]))
    return Normal(sums / (sizes + extra), precision=sizes + extra)


def conditional_of_labels(state, data):
    return Categorical.from_log_odds(-0.5 * (data[:, np.newaxis] - state["mu"]) ** 2)


@pytest.mark.parametrize("seed", range(5))
def test_a_prior_with_a_random_number_of_clusters(seed):
    def subject(mu):
        gibbs = Gibbs({"z": conditional_of_labels, "mu": mu})
        return Subject(clusters, lambda s, rng: rng.normal(s["mu"][s["z"]]), gibbs, log_joint=log_joint_of_clusters)

    verdicts = [result.verdict for result in results_of(subject(conditional_of_means), seed).values()]
    assert verdicts == [Verdict.PASS, Verdict.PASS]
    wrong = subject(lambda state, data: conditional_of_means(state, data, extra=2.0))
    assert [result.verdict for result in results_of(wrong, seed).values()] == [Verdict.PASS, Verdict.FAIL]


@pytest.mark.parametrize("seed", range(5))
def test_counts_that_are_kept_up_to_date_in_the_state(seed):
    def prior(rng):
        z = rng.integers(3, size=8)
        return {"p": rng.dirichlet(np.ones(3)), "z": z, "counts": np.bincount(z, minlength=3)}

    def verdict(extra):
        step = Cycle({"gibbs": Gibbs({"p": lambda s, d: Dirichlet(extra + s["counts"])})})
        subject = Subject(prior, None, step, log_joint=lambda s, d: float(np.sum(np.log(s["p"][s["z"]]))))
        return results_of(subject, seed)["update:gibbs.p"].verdict

    assert verdict(1.0) is Verdict.PASS
    assert verdict(1.5) is Verdict.FAIL


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coin_that_is_claimed_to_land_on_one_side(seed):
    result = result_of(
        lambda rng: {"x": int(rng.random() < 0.3)},
        lambda s, d: Bernoulli(1.0),
        lambda s, d: float(Bernoulli(0.3).log_p(s["x"])),
        seed=seed,
    )
    assert result.verdict is Verdict.FAIL


def test_subjects_to_which_it_does_not_apply():
    bare = assay(Subject(one_number, None, lambda s, d, r: s, log_joint=standard_normal), checks=["conditionals"])
    blind = assay(Subject(one_number, None, Gibbs({"x": unit})), checks=["conditionals"])
    assert [report.verdict for report in (bare, blind)] == [Verdict.UNCLEAR, Verdict.UNCLEAR]
    assert bare.results[0].verdict is Verdict.SKIPPED
    assert bare.results[0].message == "no update is a conditional that returns a distribution (see Gibbs)"
    assert blind.results[0].message == "the subject has no log_joint to compare with"
