"""The check of exact transition probabilities: samplers of an Ising and a Potts model, right and wrong, and what is skipped."""

import math
import re

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, MetropolisHastings, Normal, RandomScan, Subject, assay
from mcassay.checks.base import Context
from mcassay.checks.enumeration import CHECK
from mcassay.distributions import Bernoulli, Categorical
from mcassay.engine.budget import Budget
from mcassay.models.seating import canonical
from mcassay.results import SWEEP, Verdict

COUPLING, FIELD = 0.4, 0.15


class Grid:
    """An Ising or a Potts model on a small grid with a field."""

    def __init__(self, rows, columns, colours):
        self.shape, self.colours, self.states = (rows, columns), colours, colours ** (rows * columns)

    def log_joint(self, state, data=None):
        x = state["x"]
        equal = np.sum(x[1:] == x[:-1]) + np.sum(x[:, 1:] == x[:, :-1])
        return float(2 * COUPLING * equal + FIELD * np.sum(x == 0))

    def subject(self, step):
        # Nothing is sampled, so that any draws from the states will do.
        return Subject(lambda rng: {"x": rng.integers(self.colours, size=self.shape)}, None, step, log_joint=self.log_joint)


ISING, POTTS = Grid(2, 3, 2), Grid(2, 2, 3)
SITES = 6


def results(subject, **options):
    return {r.target.removeprefix("update:"): r for r in CHECK.apply(subject, Context(seed=1, **options))}


def odds(target, x, site, value):
    """Return the log odds of a value at a site against the present one."""
    new = x.copy()
    new[site] = value
    return new, target.log_joint({"x": new}) - target.log_joint({"x": x})


def metropolis(state, data, rng, factor=1.0):
    x = state["x"]
    site = rng.integers(2), rng.integers(3)
    new, log_ratio = odds(ISING, x, site, 1 - x[site])
    return {"x": new} if rng.random() < np.exp(factor * log_ratio) else state


def metropolis_with_logs(state, data, rng):
    x = state["x"].copy()
    site = np.unravel_index(rng.integers(SITES), (2, 3))
    x[site] ^= 1
    log_ratio = ISING.log_joint({"x": x}) - ISING.log_joint(state)
    return {"x": x} if math.log(rng.uniform()) < log_ratio else state


def heat_bath(state, data, rng, factor=1.0):
    x = state["x"]
    site = rng.integers(2), rng.integers(3)
    new, log_odds = odds(ISING, x, site, 1)
    zero, _ = odds(ISING, x, site, 0)
    log_odds = ISING.log_joint({"x": new}) - ISING.log_joint({"x": zero})
    return {"x": new if rng.random() < 1 / (1 + np.exp(-factor * log_odds)) else zero}


def swap(state, data, rng, ratio=True):
    """Exchange two spins, which keeps their number."""
    x = state["x"].copy()
    first, second = rng.choice(SITES, size=2, replace=False)
    x.flat[[first, second]] = x.flat[[second, first]]
    log_ratio = ISING.log_joint({"x": x}) - ISING.log_joint(state) if ratio else 0.0
    return {"x": x} if np.log(rng.random()) < log_ratio else state


def global_flip(state, data, rng):
    """Flip all spins at once: right without a field alone."""
    return {"x": 1 - state["x"]} if rng.random() < 0.5 else state


def stale_neighbours(state, data, rng):
    """Draw all spins at once from conditionals on the old ones."""
    x = np.array(state["x"])
    new = x.copy()
    for site in np.ndindex(2, 1):
        _, log_odds = odds(ISING, x, site, 1 - x[site])
        if rng.random() < 1 / (1 + np.exp(-log_odds)):
            new[site] = 1 - x[site]
    return {"x": new}


def colour_gibbs(state, data, rng, neighbours_only=False):
    x = state["x"].copy()
    site = int(rng.integers(2)), int(rng.integers(2))
    heights = []
    for colour in range(3):
        x[site] = colour
        heights.append(POTTS.log_joint({"x": x}))
        heights[-1] -= FIELD * np.sum(x == 0) if neighbours_only else 0.0
    p = np.exp(np.array(heights) - max(heights))
    x[site] = rng.choice(3, p=p / p.sum())
    return {"x": x}


def colour_metropolis(state, data, rng, lazy=False):
    """Propose a colour one higher, or one lower but for a mistake that never goes down."""
    x = state["x"].copy()
    site = tuple(rng.integers((2, 2)))
    x[site] = (x[site] + (1 if lazy else rng.choice([-1, 1]))) % 3
    log_ratio = POTTS.log_joint({"x": x}) - POTTS.log_joint(state)
    return {"x": x} if -rng.standard_exponential() < log_ratio else state


RIGHT = {
    "metropolis": (ISING, metropolis),
    "metropolis with logs": (ISING, metropolis_with_logs),
    "heat bath": (ISING, heat_bath),
    "swap": (ISING, swap),
    "colour gibbs": (POTTS, colour_gibbs),
    "colour metropolis": (POTTS, colour_metropolis),
}
WRONG = {
    "metropolis at another temperature": (ISING, lambda s, d, rng: metropolis(s, d, rng, factor=0.999)),
    "heat bath at another temperature": (ISING, lambda s, d, rng: heat_bath(s, d, rng, factor=2.0)),
    "swap without a ratio": (ISING, lambda s, d, rng: swap(s, d, rng, ratio=False)),
    "global flip in a field": (ISING, global_flip),
    "stale neighbours": (ISING, stale_neighbours),
    "colour gibbs without the field": (POTTS, lambda s, d, rng: colour_gibbs(s, d, rng, neighbours_only=True)),
    "colour metropolis that only goes up": (POTTS, lambda s, d, rng: colour_metropolis(s, d, rng, lazy=True)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_sampler_of_a_grid_passes(name):
    target, step = RIGHT[name]
    (result,) = results(target.subject(step)).values()
    assert result.verdict is Verdict.PASS, result.message
    assert result.details["gap"] < 1e-15
    assert result.details["states"] == target.states


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_sampler_of_a_grid_fails(name):
    target, step = WRONG[name]
    (result,) = results(target.subject(step)).values()
    assert result.verdict is Verdict.FAIL, result.message
    assert result.details["gap"] > 1e-9
    assert "it goes from x = " in result.message


def small(step, **options):
    """Return a subject of two bits that like to be equal."""

    def prior(rng):
        first = rng.integers(2)
        return {"a": int(first), "b": int(first ^ (rng.random() < 0.2))}

    def log_joint(state, data):
        return math.log(0.8 if state["a"] == state["b"] else 0.2)

    return Subject(prior, None, step, **{"log_joint": log_joint, "name": "bits", **options})


def given(state, name, agree=0.8):
    return Bernoulli(agree if state[name] else 1 - agree)


def gibbs(agree=0.8):
    return Gibbs({"a": lambda s, d: given(s, "b"), "b": lambda s, d: given(s, "a", agree)})


def test_the_wrong_update_is_named_with_two_states():
    found = results(small(gibbs(agree=0.7)))
    assert {name: r.verdict for name, r in found.items()} == {"a": Verdict.PASS, "b": Verdict.FAIL, "sweep": Verdict.FAIL}
    assert found["b"].message == (
        'update "b" does not leave the joint invariant: (a = 0, b = 0) has probability 0.4 before it and 0.35 after it; it goes '
        "from (a = 0, b = 1) to (a = 0, b = 0) with probability 0.7 and back with 0.3, and the joint of the two states is as "
        "0.25 to 1 (4 states, 32 paths)"
    ).replace("32 paths", f"{found['b'].details['paths']} paths")


def test_the_diagnosis_names_the_update():
    report = assay(small(gibbs(agree=0.7)), seed=1, checks=["enumeration"])
    assert (report.diagnosis.kind, report.diagnosis.culprits) == ("update", ("b",))
    assert report.diagnosis.cause.startswith('update "b" does not leave the joint invariant')


def test_a_bare_step_that_is_wrong_is_told_with_its_states():
    report = assay(small(lambda s, d, rng: {**s, "a": int(rng.random() < 0.6)}), seed=1, budget=500)
    assert report.verdict is Verdict.FAIL
    assert report.diagnosis.kind == "not localised"
    assert report.diagnosis.cause.startswith("the step does not leave the joint invariant")


def test_a_log_joint_of_another_model_is_not_blamed_on_the_update():
    """The kernel is right about what the prior draws, so that it is log_joint that is wrong."""

    def log_joint(state, data):
        return math.log(0.98 if state["a"] == state["b"] else 0.02)

    report = assay(small(gibbs(), log_joint=log_joint), seed=1, checks=["enumeration", "model"], budget=4_000)
    failed = {r.check for r in report.results if r.verdict is Verdict.FAIL}
    assert {"enumeration", "model"} <= failed
    assert report.diagnosis.kind == "model"


def test_irreducibility_and_the_spectral_gap_are_told():
    found = results(small(gibbs()))["sweep"]
    assert "every state leads to every other, with a spectral gap of 0.64" in found.message
    stuck = results(small(lambda s, d, rng: s))["sweep"]
    assert stuck.verdict is Verdict.PASS
    assert "4 classes that do not all lead to each other" in stuck.message


def half_a_move(state, data, rng):
    return {**state, "a": 1 - state["a"]}


def test_an_update_that_another_makes_up_for_is_unclear():
    found = results(small(Cycle({"there": half_a_move, "back": half_a_move, "draw": gibbs()})))
    assert {found[name].verdict for name in ("there", "back")} == {Verdict.UNCLEAR}
    assert found["sweep"].verdict is Verdict.PASS
    assert "this may be meant" in found["there"].message


def test_an_update_is_not_blamed_where_the_sweep_can_not_be_enumerated():
    """The draw of a is collapsed over x, which is drawn right after it: right together, and not alone."""
    means = np.array([-1.0, 1.0])

    def prior(rng):
        a = int(rng.random() < 0.3)
        return {"a": a, "x": rng.normal(means[a])}

    def collapsed(state, data, rng):
        return {**state, "a": int(rng.random() < 0.3)}

    def draw_x(state, data, rng):
        return {**state, "x": rng.normal(means[state["a"]])}

    def log_joint(state, data):
        return math.log(0.3 if state["a"] else 0.7) - 0.5 * (state["x"] - means[state["a"]]) ** 2

    found = results(Subject(prior, None, Cycle({"a": collapsed, "x": draw_x}), log_joint=log_joint))
    assert found["a"].verdict is Verdict.UNCLEAR
    assert "this may be meant where other updates make up for it" in found["a"].message


def test_every_update_is_judged_on_the_largest_problem_that_it_allows():
    def subject(points):
        def flip_one(state, data, rng):
            new = state["z"].copy()
            new[rng.integers(points)] ^= 1
            return {"z": new}

        def draw_all(state, data, rng):
            return {"z": (rng.random(points) < 0.5).astype(int)}

        return Subject(
            lambda rng: {"z": rng.integers(2, size=points)},
            lambda state, rng: rng.normal(size=points),
            Cycle({"one": flip_one, "all": draw_all}),
            log_joint=lambda state, data: 0.0,
            resize=subject,
        )

    found = results(subject(7), whole=Budget(3_000))
    sizes = {name: (result.details["states"], result.details["data points"]) for name, result in found.items()}
    assert sizes == {"one": (128, None), "all": (16, 4), SWEEP: (16, 4)}


def turning(state, data, rng):
    """Go round the four corners of equal density one way only."""
    return {"x": (state["x"] + 1) % 4}


def test_detailed_balance_is_asked_for_where_it_is_claimed():
    def subject(step):
        return Subject(lambda rng: {"x": rng.integers(4)}, None, step, log_joint=lambda s, d: 0.0)

    (meek,) = results(subject(lambda s, d, rng: turning(s, d, rng))).values()
    assert meek.verdict is Verdict.PASS
    assert meek.details["reversible"] is False
    claiming = turning
    claiming.reversible = True
    (proud,) = results(subject(claiming)).values()
    assert proud.verdict is Verdict.FAIL
    assert "is not reversible, as it claims" in proud.message


def test_metropolis_hastings_and_random_scans():
    def other(state, data, rng):
        return {"a": int(rng.integers(2)), "b": int(rng.integers(2))}, 0.0

    def biased(state, data, rng):
        return {"a": int(rng.random() < 0.6), "b": state["b"]}, 0.0

    scan = RandomScan({"other": MetropolisHastings(other, blocks=("a", "b")), "gibbs": gibbs()}, weights={"other": 1, "gibbs": 2})
    assert {r.verdict for r in results(small(scan)).values()} == {Verdict.PASS}
    found = results(small(Cycle({"biased": MetropolisHastings(biased, blocks="a"), "gibbs": gibbs()})))
    assert found["biased"].verdict is Verdict.FAIL
    barker = MetropolisHastings(lambda s, d: Categorical.from_probabilities([0.3, 0.7]), blocks="a", accept="barker")
    assert {r.verdict for r in results(small(Cycle({"barker": barker}))).values()} == {Verdict.PASS}


def test_discrete_updates_are_enumerated_beside_continuous_blocks():
    def prior(rng):
        return {"mu": rng.normal(), "side": int(rng.integers(2))}

    def log_joint(state, data):
        return float(np.sum(Normal((2 * state["side"] - 1) * state["mu"], sd=1).log_p(data)) - 0.5 * state["mu"] ** 2)

    def cond_side(state, data, factor=1.0):
        return Bernoulli(1 / (1 + np.exp(-2 * factor * state["mu"] * np.sum(data))))

    def cond_mu(state, data):
        return Normal((2 * state["side"] - 1) * np.sum(data) / 4, variance=1 / 4)

    def subject(factor):
        step = Gibbs({"mu": cond_mu, "side": lambda s, d: cond_side(s, d, factor)})
        return Subject(prior, lambda s, rng: rng.normal((2 * s["side"] - 1) * s["mu"], size=3), step, log_joint=log_joint)

    right, wrong = results(subject(1.0)), results(subject(0.9))
    assert (right["side"].verdict, wrong["side"].verdict) == (Verdict.PASS, Verdict.FAIL)
    assert right["sweep"].verdict is Verdict.SKIPPED
    assert 'the sweep can not be enumerated: "mu": rng.normal() has a continuous law' in right["sweep"].message


def test_labels_that_mean_the_same():
    """A sampler of partitions that leaves labels as they come needs a canonical form; with it, it is right."""

    def relabel(state, data, rng):
        new = state.copy()
        point = rng.integers(3)
        others = np.delete(new, point)
        choices = [*np.unique(others), others.max() + 1]
        new[point] = choices[rng.integers(len(choices))]
        return new

    def log_joint(state, data):
        return 0.0

    def prior(rng):
        return np.array([0, rng.integers(2), rng.integers(2)])

    form = Subject(prior, None, relabel, log_joint=log_joint, canonical=canonical)
    (result,) = results(form).values()
    assert result.details["states"] == 5


def test_a_canonical_form_that_hides_a_difference_is_noticed():
    """The name 7 is no other name of 0, since the step stays at it more often."""

    def step(state, data, rng):
        stays = 0.9 if state["x"] == 7 else 0.5
        return state if rng.random() < stays else {"x": int(rng.choice([1, 7]))}

    subject = Subject(
        lambda rng: {"x": int(rng.integers(2))}, None, step, log_joint=lambda s, d: 0.0, canonical=lambda s: {"x": s["x"] % 7}
    )
    (result,) = results(subject).values()
    assert result.verdict is Verdict.UNCLEAR
    assert "goes on otherwise from {'x': 7} than from its canonical form" in result.message


SKIPPED = {
    "no log_joint": (small(gibbs(), log_joint=None), "the subject has no log_joint to compare with"),
    "real numbers": (
        Subject(lambda rng: {"x": rng.normal()}, None, lambda s, d, rng: s, log_joint=lambda s, d: 0.0),
        "no block of the state holds whole numbers",
    ),
    "continuous draw": (
        small(lambda s, d, rng: {**s, "a": int(rng.gamma(2.0) > 1)}),
        r"rng.gamma\(\) has a continuous law that can not be enumerated \(test_enumeration.py:\d+ in <lambda>\)",
    ),
    "real block": (
        Subject(
            lambda rng: {"x": rng.normal(), "a": rng.integers(2)},
            None,
            lambda s, d, rng: {**s, "x": -s["x"]},
            log_joint=lambda s, d: 0.0,
        ),
        'it moves the block "x", which holds real numbers',
    ),
    "infinite": (
        Subject(lambda rng: {"n": rng.poisson(2.0)}, None, lambda s, d, rng: {"n": s["n"] + 1}, log_joint=lambda s, d: 0.0),
        "it reaches more than 2,000 states",
    ),
    "large": (
        Subject(
            lambda rng: {"x": rng.integers(2, size=60)},
            None,
            lambda s, d, rng: {"x": (rng.random(60) < 0.5).astype(int)},
            log_joint=lambda s, d: 0.0,
        ),
        "paths lead through its random choices, from each of many states",
    ),
    "compiled": (
        small(lambda s, d, rng: {**s, "a": int(rng.bit_generator.random_raw() % 2)}),
        "rng.bit_generator is used, which is compiled or foreign code that samples by itself",
    ),
}


@pytest.mark.parametrize("name", SKIPPED)
def test_what_can_not_be_enumerated_is_skipped_with_its_reason(name):
    subject, said = SKIPPED[name]
    (result,) = results(subject).values()
    assert result.verdict is Verdict.SKIPPED
    assert re.search(said, result.message), result.message


def test_loops_until_something_fits_come_to_an_end():
    def redrawn(state, data, rng):
        while (place := rng.integers(6)) == 5:
            pass
        return [{"a": 0, "b": 0}, {"a": 1, "b": 1}][place % 2] if place < 4 else [{"a": 0, "b": 1}, {"a": 1, "b": 0}][flip(rng)]

    def flip(rng):
        return int(rng.random() < 0.5)

    (result,) = results(small(redrawn)).values()
    assert result.verdict is Verdict.PASS, result.message


def test_what_a_stand_in_can_not_do_is_skipped_wherever_it_is_met():
    def sometimes(state, data, rng):
        return {"a": int(rng.random() % 0.5 < 0.1), "b": 1} if state["a"] == state["b"] == 1 else {"a": 1, "b": 1}

    (result,) = results(small(sometimes)).values()
    assert result.verdict is Verdict.SKIPPED
    assert "does not take a stand-in for the generator (TypeError" in result.message


def test_code_that_fails_is_an_error():
    def fails(state, data, rng):
        raise KeyError("x") if rng.random() < 0.5 else ValueError("y")

    report = assay(small(fails), seed=1, checks=["enumeration"])
    assert report.verdict is Verdict.ERROR
    assert "in fails" in report.results[0].message


def test_a_small_budget_follows_few_paths():
    (result,) = results(ISING.subject(metropolis), whole=Budget(20)).values()
    assert result.verdict is Verdict.SKIPPED
