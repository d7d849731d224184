"""The stand-in for numpy's Generator: no draw goes by unnoticed, and every law has its probabilities."""

import itertools
import math
import random
from collections import Counter, defaultdict

import numpy as np
import pytest
import scipy.stats

from mcassay.enumeration.generator import EnumeratingGenerator
from mcassay.enumeration.paths import NotEnumerable, every_path
from mcassay.enumeration.substitutes import substituted

# The probability that any one of the tests that compare with numpy's own draws fails although both are right.
FALSE_ALARM = 1e-6
P = [0.2, 0.3, 0.5]


def law_of(draw):
    """Return the probability of every outcome, whole numbers and lists of them."""
    law, rng = defaultdict(float), EnumeratingGenerator()
    with substituted(rng):
        for probability, outcome in every_path(rng.followed(draw)):
            law[str(np.asarray(outcome).tolist())] += probability
    return dict(law)


def test_every_method_of_numpys_generator_is_overridden():
    methods = {name for name in dir(np.random.Generator) if callable(getattr(np.random.Generator, name))}
    own = {name for name in methods if not hasattr(object, name)} | {"bit_generator", "_bit_generator"}
    copies = {"__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__"}
    assert own | copies <= set(vars(EnumeratingGenerator))


def test_what_is_not_enumerated_raises():
    refused = 0
    for name in dir(np.random.Generator):
        method = vars(EnumeratingGenerator).get(name)
        if callable(method) and method.__qualname__.startswith("_refused"):
            refused += 1
            with pytest.raises(NotEnumerable, match=name if not name.startswith("__") else "generator"):
                law_of(lambda rng, name=name: getattr(rng, name)(1.0))
    assert refused >= 20
    with pytest.raises(NotEnumerable, match="compiled or foreign code"):
        law_of(lambda rng: rng.bit_generator)


BELOW = {
    "compared": lambda rng: rng.random() < 0.3,
    "from the other side": lambda rng: rng.random() > 0.7,
    "turned round": lambda rng: rng.random() > 0.7,
    "of numpy": lambda rng: np.float64(0.3) > rng.random(),
    "logarithm": lambda rng: np.log(rng.random()) < math.log(0.3),
    "logarithm of math": lambda rng: math.log(rng.random()) < math.log(0.3),
    "logarithm of the rest": lambda rng: -np.log(1 - rng.random()) < -math.log(0.7),
    "log1p": lambda rng: np.log1p(-rng.random()) > math.log(0.7),
    "exponential": lambda rng: rng.exponential() > -math.log(0.3),
    "exponential of a scale": lambda rng: rng.exponential(2.0) > -2 * math.log(0.3),
    "exponential of minus one": lambda rng: np.exp(-rng.standard_exponential()) < 0.3,
    "uniform": lambda rng: rng.uniform() < 0.3,
    "uniform between": lambda rng: rng.uniform(-1, 1) < -0.4,
    "scaled": lambda rng: rng.random() * 10 < 3,
    "divided": lambda rng: rng.random() / 10 < 0.03,
    "inverted": lambda rng: 1 / rng.random() > 1 / 0.3,
    "squared": lambda rng: rng.random() ** 2 < 0.09,
    "root": lambda rng: np.sqrt(rng.random()) < math.sqrt(0.3),
    "arrays": lambda rng: (rng.random(1) < np.array([0.3]))[0],
    "no size": lambda rng: rng.random(()) < np.array(0.3),
    "clipped": lambda rng: np.clip(rng.random(), 0.1, 0.9) < 0.3,
    "the smaller": lambda rng: min(1.0, 0.3) > rng.random(),
    "normal": lambda rng: rng.normal(2, 3) < 2 + 3 * scipy.stats.norm.ppf(0.3),
    "logistic": lambda rng: rng.logistic() < math.log(0.3 / 0.7),
    "gumbel": lambda rng: rng.gumbel() < -math.log(-math.log(0.3)),
    "laplace": lambda rng: rng.laplace() < math.log(0.6),
    "cauchy": lambda rng: rng.standard_cauchy() < scipy.stats.cauchy.ppf(0.3),
    "numpy's old random": lambda rng: np.random.rand() < 0.3,
    "numpy's old uniform": lambda rng: np.random.uniform(0, 2) < 0.6,
    "python's random": lambda rng: random.random() < 0.3,
    "python's choices": lambda rng: random.choices([True, False], weights=[3, 7])[0],
    "a generator of the generator": lambda rng: np.random.default_rng(rng).random() < 0.3,
    "binomial": lambda rng: rng.binomial(1, 0.3),
    "choice": lambda rng: rng.choice([True, False], p=[0.3, 0.7]),
    "scipy": lambda rng: scipy.stats.bernoulli(0.3).rvs(random_state=rng),
}


@pytest.mark.parametrize("name", BELOW)
def test_a_comparison_has_its_probability(name):
    law = law_of(lambda rng: int(BELOW[name](rng)))
    assert law == pytest.approx({"1": 0.3, "0": 0.7}, abs=1e-14)


CATEGORIES = {
    "searched": lambda rng: np.searchsorted(np.cumsum(P), rng.random()),
    "searched on the right": lambda rng: np.searchsorted(np.cumsum(P), rng.random(), side="right"),
    "searched by the array": lambda rng: np.cumsum(P).searchsorted(rng.random()),
    "searched in an array": lambda rng: np.searchsorted(np.cumsum(P), rng.random(1))[0],
    "digitized": lambda rng: np.digitize(rng.random(), np.cumsum(P)),
    "first above": lambda rng: (np.cumsum(P) > rng.random()).argmax(),
    "counted": lambda rng: np.sum(rng.random() > np.cumsum(P)),
    "choice": lambda rng: rng.choice(3, p=P),
    "multinomial": lambda rng: rng.multinomial(1, P).argmax(),
    "one after another": lambda rng: 0 if (u := rng.random()) < 0.2 else 1 if u < 0.5 else 2,
    "cut": lambda rng: [0, 0, 1, 1, 1, 2, 2, 2, 2, 2][int(rng.random() * 10)],
    "floor": lambda rng: [0, 0, 1, 1, 1, 2, 2, 2, 2, 2][math.floor(10 * rng.random())],
    "whole numbers": lambda rng: [0, 0, 1, 1, 1, 2, 2, 2, 2, 2][rng.integers(10)],
    "made whole": lambda rng: [0, 0, 1, 1, 1, 2, 2, 2, 2, 2][(rng.random(1) * 10).astype(int)[0]],
}


@pytest.mark.parametrize("name", CATEGORIES)
def test_a_category_has_its_probability(name):
    assert law_of(CATEGORIES[name]) == pytest.approx({"0": 0.2, "1": 0.3, "2": 0.5}, abs=1e-14)


def test_arrays_are_compared_element_by_element():
    law = law_of(lambda rng: (rng.random(2) < np.array([0.25, 0.5])).astype(int))
    assert law == pytest.approx({"[1, 1]": 0.125, "[1, 0]": 0.125, "[0, 1]": 0.375, "[0, 0]": 0.375}, abs=1e-15)
    assert law_of(lambda rng: np.searchsorted([0.5, 1.0], rng.random(2))) == dict.fromkeys(
        ("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"), 0.25
    )


def test_a_level_remembers_what_was_found_of_it():
    law = law_of(lambda rng: [int((u := rng.random()) < 0.5), int(u < 0.25), int(u < 0.75)])
    assert law == pytest.approx({"[1, 1, 1]": 0.25, "[1, 0, 1]": 0.25, "[0, 0, 1]": 0.25, "[0, 0, 0]": 0.25}, abs=1e-15)


def test_probabilities_that_do_not_quite_add_up_end_nowhere_else():
    heights = np.cumsum([0.1] * 10)
    assert heights[-1] < 1
    assert len(law_of(lambda rng: np.searchsorted(heights, rng.random()))) == 10


COUNTS = {
    "binomial": (lambda rng: rng.binomial(5, 0.3), scipy.stats.binom(5, 0.3)),
    "binomial of nothing": (lambda rng: rng.binomial(3, 0.0), scipy.stats.binom(3, 0.0)),
    "poisson": (lambda rng: rng.poisson(2.5), scipy.stats.poisson(2.5)),
    "geometric": (lambda rng: rng.geometric(0.3), scipy.stats.geom(0.3)),
    "negative_binomial": (lambda rng: rng.negative_binomial(2.5, 0.4), scipy.stats.nbinom(2.5, 0.4)),
    "logseries": (lambda rng: rng.logseries(0.4), scipy.stats.logser(0.4)),
    "hypergeometric": (lambda rng: rng.hypergeometric(4, 3, 5), scipy.stats.hypergeom(7, 4, 5)),
    "integers": (lambda rng: rng.integers(-1, 3, endpoint=True), scipy.stats.randint(-1, 4)),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_have_the_probabilities_of_their_law(name):
    draw, expected = COUNTS[name]
    law = law_of(draw)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-13)
    assert law == pytest.approx({outcome: expected.pmf(int(outcome)) for outcome in law}, rel=1e-9, abs=1e-15)


def test_counts_of_several_categories():
    law = law_of(lambda rng: rng.multinomial(3, P))
    assert law == pytest.approx({k: scipy.stats.multinomial(3, P).pmf(eval(k)) for k in law}, rel=1e-12)
    law = law_of(lambda rng: rng.multivariate_hypergeometric([2, 1, 3], 3))
    expected = scipy.stats.multivariate_hypergeom([2, 1, 3], 3)
    assert law == pytest.approx({k: float(expected.pmf(eval(k))) for k in law}, rel=1e-12)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.permutation(3),
        lambda rng: rng.permuted(np.arange(3)),
        lambda rng: shuffled(rng, [0, 1, 2]),
        lambda rng: shuffled(rng, np.arange(3)),
        lambda rng: rng.choice(3, size=3, replace=False),
    ],
)
def test_every_order_is_as_likely(draw):
    assert law_of(draw) == pytest.approx({str(list(order)): 1 / 6 for order in itertools.permutations(range(3))})


def shuffled(rng, members):
    rng.shuffle(members)
    return members


SAMPLES = {
    "two of four": lambda rng: rng.choice(4, size=2, replace=False),
    "two of four in any order": lambda rng: rng.choice(4, size=2, replace=False, shuffle=False),
    "two of four by weight": lambda rng: rng.choice(4, size=2, replace=False, p=[0.1, 0.2, 0.3, 0.4]),
    "two with replacement": lambda rng: rng.choice([5, 7, 9], size=2, p=P),
    "rows": lambda rng: rng.choice(np.arange(6).reshape(3, 2), axis=0),
    "slices": lambda rng: rng.permuted(np.arange(4).reshape(2, 2), axis=1),
    "multinomial": lambda rng: rng.multinomial(2, P, size=2),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_probabilities_are_those_of_numpys_own_draws(name):
    law, rng = law_of(SAMPLES[name]), np.random.default_rng(1)
    counts = Counter(str(np.asarray(SAMPLES[name](rng)).tolist()) for _ in range(20_000))
    assert counts.keys() <= law.keys()
    observed = [counts[outcome] for outcome in law]
    assert scipy.stats.chisquare(observed, [20_000 * p for p in law.values()]).pvalue > FALSE_ALARM


REFUSED = {
    "float": (lambda rng: float(rng.random()), r"rng.random\(\) has a continuous law, and its value is used by itself"),
    "kept": (lambda rng: np.array([rng.normal()]).astype(float), r"rng.normal\(\) .* used by itself"),
    "sum": (lambda rng: rng.random(2).sum(), "combined with that of another draw"),
    "race": (lambda rng: np.argmax(rng.gumbel(size=2)), "compared with that of another draw"),
    "caught": (lambda rng: caught(rng), "used by itself"),
    "truth": (lambda rng: bool(rng.normal()), "used as a truth value"),
    "many": (lambda rng: rng.integers(2**32), "4,294,967,296 outcomes"),
    "generator of its own": (lambda rng: np.random.default_rng(1).random(), "can not be followed"),
    "seed": (lambda rng: np.random.seed(1), "can not be followed"),
    "old gamma": (lambda rng: np.random.gamma(2.0), "can not be followed"),
    "python's gauss": (lambda rng: random.gauss(0, 1), "can not be followed"),
}


def caught(rng):
    try:
        return float(rng.random())
    except Exception:
        return 0.5


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_silently_sampled(name):
    draw, said = REFUSED[name]
    with pytest.raises(NotEnumerable, match=said):
        law_of(draw)


def test_global_draws_by_names_imported_before_are_noticed():
    own = np.random.mtrand._rand.random_sample
    with pytest.raises(NotEnumerable, match="numpy's global generator"):
        law_of(lambda rng: own() < 2)


def test_draws_past_the_methods_are_noticed():
    with pytest.raises(NotEnumerable, match="past its methods"):
        law_of(lambda rng: np.random.Generator.random(rng) < 2)


def test_what_was_imported_meanwhile_is_as_ever_afterwards():
    kept = []

    def importing(rng):
        from math import log
        from random import choice

        kept[:] = [log, choice, np.random.default_rng]
        return rng.integers(2)

    law_of(importing)
    assert kept[0](1.0) == 0.0
    assert kept[1]([3]) == 3
    assert isinstance(kept[2](1), np.random.Generator)
    assert np.random.default_rng is not kept[2]


def test_the_line_of_the_users_code_is_named():
    with pytest.raises(NotEnumerable, match=r"\(test_generator.py:\d+ in caught\)"):
        law_of(caught)


def test_code_that_remembers_is_noticed():
    calls = []

    def draw(rng):
        calls.append(1)
        return rng.integers(2 + len(calls))

    with pytest.raises(NotEnumerable, match="remembers"):
        law_of(draw)


def test_bad_arguments_raise_as_numpys_do():
    for draw in (
        lambda rng: rng.choice(3, p=[0.5, 0.5]),
        lambda rng: rng.choice(2, p=[0.5, 0.6]),
        lambda rng: rng.choice(2, p=[1.5, -0.5]),
        lambda rng: rng.choice(2, size=3, replace=False),
        lambda rng: rng.integers(3, 3),
        lambda rng: rng.choice(0),
    ):
        with pytest.raises(ValueError, match=r".") as ours:
            law_of(draw)
        with pytest.raises(ValueError, match=r".") as numpys:
            draw(np.random.default_rng(1))
        assert str(ours.value).lower().split(".")[0][:20] == str(numpys.value).lower().split(".")[0][:20]
