"""Acceptance ratios: named broken Metropolis-Hastings updates that must be caught, and right ones that must not fail."""

import math

import numpy as np
import pytest

from mcassay import (
    Beta,
    Categorical,
    Cycle,
    Dirichlet,
    Gamma,
    MetropolisHastings,
    Normal,
    Poisson,
    StudentT,
    Subject,
    Uniform,
)
from mcassay.checks import Context
from mcassay.checks.proposals import CHECK
from mcassay.results import Verdict

SEEDS = range(3)
RATE_PRIOR = Gamma(3.0, rate=2.0)
PLACE_PRIOR = StudentT(3.0)


def prior(rng):
    return {
        "rate": RATE_PRIOR.sample(rng),
        "place": PLACE_PRIOR.sample(rng),
        "share": Beta(2.0, 3.0).sample(rng),
        "weights": Dirichlet([1.0, 2.0, 3.0]).sample(rng),
        "levels": rng.normal(size=4),
        "count": Poisson(4.0).sample(rng),
        "labels": Categorical.from_probabilities([0.2, 0.3, 0.5]).sample(rng, size=6),
    }


def simulate(state, rng):
    return rng.normal(state["place"], 1 / math.sqrt(state["rate"]), size=5)


def log_joint(state, data):
    if not (state["rate"] > 0 and 0 < state["share"] < 1):
        return -math.inf
    total = RATE_PRIOR.log_p(state["rate"]) + PLACE_PRIOR.log_p(state["place"]) + Beta(2.0, 3.0).log_p(state["share"])
    total += Dirichlet([1.0, 2.0, 3.0]).log_p(state["weights"]) + Poisson(4.0).log_p(state["count"])
    total += np.sum(Normal(0.0, sd=1.0).log_p(state["levels"]))
    total += np.sum(Categorical.from_probabilities([0.2, 0.3, 0.5]).log_p(state["labels"]))
    return total + np.sum(Normal(state["place"], precision=state["rate"]).log_p(data))


def subject(update, **further):
    return Subject(prior, simulate, Cycle({"move": update}), log_joint=log_joint, **further)


def check(update, seed=0, **further):
    (result,) = CHECK.apply(subject(update, **further), Context(seed))
    return result


def drifting(state, data):
    """Propose to the right, so that the two ways differ."""
    return Normal(state["place"] + 0.3, sd=0.7 + 0.1 * abs(state["place"]))


def around_rate(state, data):
    return Gamma(5.0, rate=5.0 / state["rate"])


def drift_terms(state, new, data):
    joint = log_joint(new, data) - log_joint(state, data)
    proposals = drifting(new, data).log_p(state["place"]) - drifting(state, data).log_p(new["place"])
    return joint, proposals


def log_scale_walk(jacobian):
    def propose(state, data, rng):
        new = state["rate"] * math.exp(0.4 * rng.normal())
        return {**state, "rate": new}, jacobian * math.log(new / state["rate"])

    return propose


def log_scale_ratio(jacobian):
    def log_ratio(state, new, data):
        return log_joint(new, data) - log_joint(state, data) + jacobian * math.log(new["rate"] / state["rate"])

    return log_ratio


class LogNormal:
    """A user's own distribution."""

    def __init__(self, centre, sd):
        self.normal = Normal(np.log(centre), sd=sd)

    def log_p(self, x):
        return self.normal.log_p(np.log(x)) - np.log(x) if x > 0 else -math.inf

    def sample(self, rng):
        return np.exp(self.normal.sample(rng))


def log_walk(state, data):
    return LogNormal(state["rate"], 0.4)


def whole_step(state, data):
    """Move a count by one, reflected at zero."""
    return Uniform(0, 1) if state["count"] < 0 else Around(state["count"])


class Around:
    def __init__(self, count):
        self.values = [1] if count == 0 else [count - 1, count + 1]

    def log_p(self, x):
        return -math.log(len(self.values)) if x in self.values else -math.inf

    def sample(self, rng):
        return self.values[rng.integers(len(self.values))]


def flip(state, data, rng):
    return {**state, "levels": -state["levels"]}, 0.0


def inversion(state, data, rng):
    return {**state, "rate": 1 / state["rate"]}, -2 * math.log(state["rate"])


RIGHT = {
    "symmetric": MetropolisHastings(lambda state, data: Normal(state["place"], sd=2.0), blocks="place"),
    "heavy tails": MetropolisHastings(lambda state, data: StudentT(1.0, location=state["place"]), blocks="place"),
    "asymmetric": MetropolisHastings(drifting, blocks="place"),
    "asymmetric, barker": MetropolisHastings(drifting, blocks="place", accept="barker"),
    "own ratio": MetropolisHastings(drifting, blocks="place", log_ratio=lambda *moves: sum(drift_terms(*moves))),
    "own ratio cut off at one": MetropolisHastings(
        drifting, blocks="place", log_ratio=lambda *moves: min(0.0, sum(drift_terms(*moves)))
    ),
    "independence": MetropolisHastings(lambda state, data: Normal(0.0, sd=3.0), blocks="place"),
    "positive": MetropolisHastings(around_rate, blocks="rate"),
    "leaves the support": MetropolisHastings(lambda state, data: Normal(state["rate"], sd=1.0), blocks="rate"),
    "window": MetropolisHastings(lambda state, data: Uniform(0.5 * state["rate"], 1.8 * state["rate"]), blocks="rate"),
    "log scale": MetropolisHastings(log_walk, blocks="rate"),
    "log scale, own ratio": MetropolisHastings(log_walk, blocks="rate", log_ratio=log_scale_ratio(1)),
    "log scale, drawn, own ratio": MetropolisHastings(log_scale_walk(1), blocks="rate", log_ratio=log_scale_ratio(1)),
    "unit interval": MetropolisHastings(lambda state, data: Beta(3.0, 3.0 / state["share"]), blocks="share"),
    "simplex": MetropolisHastings(lambda state, data: Dirichlet(1.0 + 20.0 * state["weights"]), blocks="weights"),
    "elementwise": MetropolisHastings(
        lambda state, data: Normal(state["levels"] + 0.2 * state["levels"].sum(), sd=0.5), blocks="levels", elementwise=True
    ),
    "all elements": MetropolisHastings(lambda state, data: Normal(0.9 * state["levels"], sd=0.5), blocks="levels"),
    "count": MetropolisHastings(whole_step, blocks="count"),
    "labels": MetropolisHastings(
        lambda state, data: Categorical.from_log_odds(np.eye(3)[state["labels"]]), blocks="labels", elementwise=True
    ),
    "two blocks": MetropolisHastings(lambda state, data: Both(state), blocks=("rate", "place")),
    "inversion": MetropolisHastings(inversion, blocks="rate"),
    "flip": MetropolisHastings(flip, blocks="levels"),
    "own constant in the joint": MetropolisHastings(
        drifting, blocks="place", log_joint=lambda state, data: log_joint(state, data) + 1000.0
    ),
}


class Both:
    def __init__(self, state):
        self.rate, self.place = around_rate(state, None), drifting(state, None)

    def log_p(self, x):
        return self.rate.log_p(x[0]) + self.place.log_p(x[1])

    def sample(self, rng):
        return self.rate.sample(rng), self.place.sample(rng)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_right_updates_pass(name, seed):
    result = check(RIGHT[name], seed)
    assert result.verdict is Verdict.PASS, result.message
    assert result.target == "update:move"


def drift_ratio(formula):
    return MetropolisHastings(drifting, blocks="place", log_ratio=lambda *moves: formula(*drift_terms(*moves)))


def other_joint(state, data):
    return log_joint(state, data) + 0.1 * state["place"] ** 2


def single(state, data):
    return float(np.float32(log_joint(state, data)))


def undeclared(state, data, rng):
    return {**state, "place": rng.normal(), "share": 0.5}, 0.0


def in_place(state, data, rng):
    state["levels"][0] = rng.normal()
    return state, 0.0


def one_sign(state, data, rng):
    return {**state, "rate": 1 / state["rate"]}, 2 * abs(math.log(state["rate"]))


BROKEN = {
    "no Hastings term": (drift_ratio(lambda joint, proposals: joint), "the Hastings term is missing"),
    "Hastings term reversed": (drift_ratio(lambda joint, proposals: joint - proposals), "the Hastings term is reversed"),
    "old over new": (drift_ratio(lambda joint, proposals: -joint - proposals), "the ratio is reversed (old over new)"),
    "joint reversed": (drift_ratio(lambda joint, proposals: proposals - joint), "the log joint is reversed (old over new)"),
    "no joint": (drift_ratio(lambda joint, proposals: proposals), "the log joint is missing"),
    "not a logarithm": (
        drift_ratio(lambda joint, proposals: math.exp(joint + proposals)),
        "it is the ratio itself, not its logarithm",
    ),
    "a probability": (
        drift_ratio(lambda joint, proposals: min(1.0, math.exp(joint + proposals))),
        "it is the probability of acceptance, not the log ratio",
    ),
    "halved": (drift_ratio(lambda joint, proposals: (joint + proposals) / 2), "the log ratio is multiplied by 0.5"),
    "constant": (drift_ratio(lambda joint, proposals: joint + proposals + 0.1), "a constant 0.1 is added to the log ratio"),
    "slightly off": (drift_ratio(lambda joint, proposals: 1.001 * joint + proposals), "is wrong (from"),
    "cut off the wrong way": (drift_ratio(lambda joint, proposals: max(0.0, joint + proposals)), "is wrong (from"),
    "another joint": (
        MetropolisHastings(drifting, blocks="place", log_joint=other_joint),
        "the log joint used by the kernel differs from the subject's",
    ),
    "another joint, elementwise": (
        MetropolisHastings(
            lambda state, data: Normal(state["levels"], sd=1.0),
            blocks="levels",
            elementwise=True,
            log_joint=lambda state, data: 1.01 * log_joint(state, data),
        ),
        "the log joint used by the kernel differs from the subject's",
    ),
    "no Jacobian, by density": (
        MetropolisHastings(log_walk, blocks="rate", log_ratio=log_scale_ratio(0)),
        "the Hastings term is missing",
    ),
    "Jacobian reversed, by density": (
        MetropolisHastings(log_walk, blocks="rate", log_ratio=log_scale_ratio(-1)),
        "the Hastings term is reversed",
    ),
    "Jacobian twice": (
        MetropolisHastings(log_walk, blocks="rate", log_ratio=log_scale_ratio(2)),
        "the Jacobian is missing, or counted twice (the gap is the change of the log of the block)",
    ),
    "no Jacobian, drawn": (
        MetropolisHastings(log_scale_walk(1), blocks="rate", log_ratio=log_scale_ratio(0)),
        "log_ratio and propose contradict each other",
    ),
    "not opposite": (
        MetropolisHastings(
            log_scale_walk(0),
            blocks="rate",
            log_ratio=lambda s, n, d: log_joint(n, d) - log_joint(s, d) - abs(n["rate"] - s["rate"]),
        ),
        "they must be opposite",
    ),
    "no way back is accepted": (
        MetropolisHastings(
            lambda state, data: Uniform(state["rate"], 2 * state["rate"]),
            blocks="rate",
            log_ratio=lambda s, n, d: log_joint(n, d) - log_joint(s, d),
        ),
        "may accept a move that it must reject: there is no way back, q(old | new) = 0",
    ),
    "reflected count": (
        MetropolisHastings(whole_step, blocks="count", log_ratio=lambda s, n, d: log_joint(n, d) - log_joint(s, d)),
        "the Hastings term is missing",
    ),
    "undeclared": (
        MetropolisHastings(undeclared, blocks="place"),
        'propose changes the block "share", which it does not declare',
    ),
    "in place": (MetropolisHastings(in_place, blocks="levels"), "propose changes the state that it was given in place"),
    "inversion with one sign": (MetropolisHastings(one_sign, blocks="rate"), "the two log ratios must be opposite"),
    "not a number": (
        MetropolisHastings(lambda state, data, rng: ({**state, "place": rng.normal()}, math.nan), blocks="place"),
        "it must be a finite number, or -inf where there is no way back",
    ),
    "drawn, another joint": (
        MetropolisHastings(
            lambda state, data, rng: ({**state, "place": rng.normal()}, 0.0), blocks="place", log_joint=other_joint
        ),
        "the log joint used by the kernel differs from the subject's",
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_updates_fail_and_the_message_says_why(name, seed):
    update, words = BROKEN[name]
    result = check(update, seed)
    assert result.verdict is Verdict.FAIL, result.message
    assert words in result.message
    assert 'update "move"' in result.cause


def test_a_proposal_without_density_is_skipped_with_what_to_give():
    result = check(MetropolisHastings(log_scale_walk(1), blocks="rate"))
    assert result.verdict is Verdict.SKIPPED
    assert "give propose(state, data) that returns a distribution, or log_ratio" in result.message


def test_a_ratio_that_propose_leaves_out_is_unclear_where_log_ratio_has_it():
    result = check(MetropolisHastings(log_scale_walk(0), blocks="rate", log_ratio=log_scale_ratio(1)))
    assert result.verdict is Verdict.UNCLEAR, result.message
    assert "propose returns 0" in result.message


def birth_or_death(returns):
    """Append a normal variable to a list of one, or drop the second of two."""

    def propose(state, data, rng):
        levels = state["levels"]
        new = np.append(levels, rng.normal(scale=2.0)) if len(levels) == 1 else levels[:1]
        added = new[1] if len(levels) == 1 else levels[1]
        density = float(Normal(0.0, sd=2.0).log_p(added))
        return {**state, "levels": new}, returns * (-density if len(levels) == 1 else density)

    return propose


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("returns", [0, 1])
def test_a_death_that_draws_nothing_says_nothing_of_the_ratio_of_a_birth(returns, seed):
    jumps = Subject(
        lambda rng: {"levels": rng.normal(size=rng.integers(1, 3))},
        None,
        Cycle({"move": MetropolisHastings(birth_or_death(returns), blocks="levels")}),
        log_joint=lambda state, data: (
            float(np.sum(Normal(0.0, sd=1.0).log_p(state["levels"]))) if len(state["levels"]) else -math.inf
        ),
    )
    (result,) = CHECK.apply(jumps, Context(seed))
    assert result.verdict is Verdict.SKIPPED, result.message


def neighbours(state, data):
    """One of the neighbours on a line of four; no distribution anywhere else."""
    near = np.array([abs(k - state["place"]) == 1 for k in range(4)], dtype=float)
    return Categorical.from_probabilities(near / near.sum())


CHANCES = np.array([0.1, 0.2, 0.3, 0.4])


def on_the_line(update):
    return Subject(
        lambda rng: {"place": int(rng.choice(4, p=CHANCES))},
        None,
        Cycle({"move": update}),
        log_joint=lambda state, data: math.log(CHANCES[state["place"]]) if 0 <= state["place"] < 4 else -math.inf,
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_proposal_need_not_exist_where_the_joint_is_zero(seed):
    with np.errstate(all="ignore"):
        (right,) = CHECK.apply(on_the_line(MetropolisHastings(neighbours, blocks="place")), Context(seed))
        lacking = MetropolisHastings(
            neighbours, blocks="place", log_ratio=lambda s, n, d: math.log(CHANCES[n["place"]] / CHANCES[s["place"]])
        )
        (wrong,) = CHECK.apply(on_the_line(lacking), Context(seed))
    assert right.verdict is Verdict.PASS, right.message
    assert wrong.verdict is Verdict.FAIL
    assert "the Hastings term is missing" in wrong.message


@pytest.mark.parametrize("seed", range(10))
def test_a_ratio_that_accepts_what_leaves_the_support_is_found(seed):
    def ratio(state, new, data):
        return 2 * math.log(abs(new["rate"] / state["rate"])) - 2 * (new["rate"] - state["rate"])

    leaving = Subject(
        lambda rng: {"rate": RATE_PRIOR.sample(rng)},
        None,
        Cycle({"move": MetropolisHastings(lambda s, d: Normal(s["rate"], sd=1.0), blocks="rate", log_ratio=ratio)}),
        log_joint=lambda state, data: float(RATE_PRIOR.log_p(state["rate"])),
    )
    (result,) = CHECK.apply(leaving, Context(seed))
    assert result.verdict is Verdict.FAIL
    assert "the joint of the new state is zero" in result.message


def test_an_update_that_only_moves_one_way_has_nothing_to_compare():
    result = check(MetropolisHastings(lambda state, data: Uniform(state["rate"], 2 * state["rate"]), blocks="rate"))
    assert result.verdict is Verdict.SKIPPED
    assert "no move between states with a finite joint and a way back" in result.message


def test_a_joint_in_single_precision_does_not_fail():
    result = check(MetropolisHastings(drifting, blocks="place", log_joint=single))
    assert result.verdict in (Verdict.PASS, Verdict.UNCLEAR), result.message


def test_a_kernel_of_one_update_is_checked_too():
    whole = Subject(prior, simulate, RIGHT["asymmetric"], log_joint=log_joint)
    (result,) = CHECK.apply(whole, Context(0))
    assert (result.verdict, result.target) == (Verdict.PASS, "update:place")


def test_what_does_not_apply_says_why():
    carry = subject(RIGHT["asymmetric"], init=lambda state, data, rng: state, position=lambda carry: carry)
    bare = Subject(prior, simulate, lambda state, data, rng: state, log_joint=log_joint)
    blind = Subject(prior, simulate, RIGHT["asymmetric"])
    for other, words in ((carry, "carries more than the state"), (bare, "no update is"), (blind, "has no log_joint")):
        (result,) = CHECK.apply(other, Context(0))
        assert result.verdict is Verdict.SKIPPED
        assert words in result.message
