"""States and data of every make: what is in them is watched, and what can not be is said."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mcassay import Subject, Verdict, assay
from mcassay.engine.layout import MOST_BLOCKS, RAGGED, Layout, stacked
from mcassay.engine.numbers import Sample, numbers
from mcassay.engine.statistics import tabulate

ONLY = ["invariance"]


def redrawn(prior, wrong=None, **more):
    """A kernel that draws anew from the prior, or from something else."""
    step = prior if wrong is None else wrong
    return Subject(prior, None, lambda state, data, rng: step(rng), **more)


def outcome(subject, budget=3_000):
    report = assay(subject, budget=budget, seed=3, checks=ONLY)
    return report, report.results[0]


def tree(rng, chance=0.5, depth=0):
    if depth == 3 or rng.random() < chance:
        return ("leaf", float(rng.normal()))
    return ("node", tree(rng, chance, depth + 1), tree(rng, chance, depth + 1))


def clusters(rng, rate=1.0):
    return {"clusters": [{"mean": float(rng.normal()), "size": int(k)} for k in rng.poisson(rate, size=1 + rng.poisson(rate))]}


def infinite(rng, chance=0.2):
    values = rng.normal(size=4)
    return {"x": np.where(rng.random(4) < chance, rng.choice([-np.inf, np.inf], size=4), values)}


def text(rng, chance=0.3):
    return {"name": "a" if rng.random() < chance else "bb"}


def complexes(rng, scale=1.0):
    return {"w": complex(rng.normal(), scale * rng.normal()), "v": rng.normal(size=3) + 1j * scale * rng.normal(size=3)}


def comes_and_goes(rng, chance=0.5):
    return {"a": rng.normal(), "b": rng.normal()} if rng.random() < chance else {"a": rng.normal()}


def maybe_none(rng, chance=0.5):
    return {"a": rng.normal(), "b": rng.normal() if rng.random() < chance else None}


def records(rng, rate=3.0):
    return {"x": np.array([(rng.normal(), rng.poisson(rate))], dtype=[("value", float), ("count", int)])}


def exact_numbers(rng, rate=3.0):
    return {"big": 2**70 + 2**60 * int(rng.poisson(rate)), "part": Fraction(int(rng.poisson(rate)), 7)}


def sets(rng, highest=10):
    return {"chosen": frozenset(int(k) for k in rng.integers(highest, size=3))}


STATES = {
    "trees as tuples": (tree, lambda rng: tree(rng, 0.8)),
    "a list of records whose number varies": (clusters, lambda rng: clusters(rng, 1.8)),
    "infinite values of both signs": (infinite, lambda rng: infinite(rng, 0.5)),
    "text": (text, lambda rng: text(rng, 0.6)),
    "complex numbers": (complexes, lambda rng: complexes(rng, 2.0)),
    "blocks that come and go": (comes_and_goes, lambda rng: comes_and_goes(rng, 0.8)),
    "blocks that may be None": (maybe_none, lambda rng: maybe_none(rng, 0.8)),
    "arrays of records": (records, lambda rng: records(rng, 5.0)),
    "whole numbers beyond 64 bits, and fractions": (exact_numbers, lambda rng: exact_numbers(rng, 5.0)),
    "sets": (sets, lambda rng: sets(rng, 15)),
}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.filterwarnings("error")
def test_right_kernels_on_states_of_every_make_show_nothing(name):
    # A right kernel fails with a probability of at most 1e-6.
    report, result = outcome(redrawn(STATES[name][0]), budget=1_000)
    assert result.verdict is Verdict.UNCLEAR
    assert "nothing found" in result.message
    assert not report.notes


@pytest.mark.parametrize("name", STATES)
def test_wrong_kernels_on_states_of_every_make_fail(name):
    _, result = outcome(redrawn(*STATES[name]))
    assert result.verdict is Verdict.FAIL


def test_nan_of_the_users_own_is_an_error_beside_infinite_values():
    _, result = outcome(redrawn(lambda rng: {"x": np.array([np.inf, -np.inf, np.nan if rng.random() < 0.01 else rng.normal()])}))
    assert result.verdict is Verdict.ERROR
    assert "is NaN at draw" in result.message


def test_what_holds_no_numbers_is_named():
    report, result = outcome(redrawn(lambda rng: {"x": rng.normal(), "tool": print}), budget=500)
    assert result.verdict is Verdict.UNCLEAR
    assert report.notes == (
        'nothing is watched of "tool", which holds no numbers; statistics={name: f(state, data)} can watch it',
    )


def test_very_many_blocks_are_watched_together():
    names = [f"b{k}" for k in range(MOST_BLOCKS + 1)]

    def prior(rng, scale=1.0):
        return dict(zip(names, (scale * rng.normal(size=len(names))).tolist(), strict=True))

    report, result = outcome(redrawn(prior, lambda rng: prior(rng, 1.2)))
    assert result.verdict is Verdict.FAIL
    assert report.notes == ("more than 100 blocks are watched together, as one vector; statistics can watch single ones",)


def test_data_of_several_lengths_are_watched():
    def simulate(state, rng, shift=0.0):
        return [state["mu"] + shift + rng.normal(size=k) for k in (1, 2)]

    def step(state, data, rng):
        return {"mu": np.concatenate(data).sum() / 4 + rng.normal() / 2}

    assert outcome(Subject(lambda rng: {"mu": rng.normal()}, simulate, step))[1].verdict is Verdict.UNCLEAR


def test_a_block_named_data_does_not_hide_the_data():
    assert numbers(Sample({"data": 1.0}, 2.0)) == {"data": 1.0, "observed data": 2.0}


def test_what_lies_under_a_mask_is_not_looked_at():
    one, other = (np.ma.masked_array([1.0, junk], mask=[False, True]) for junk in (5.0, 6.0))
    assert np.array_equal(numbers(Sample({"x": one}, None))["x"], numbers(Sample({"x": other}, None))["x"])


def test_names_of_a_block_of_any_length_say_what_they_are():
    samples = [Sample({"x": [1.0] * length}, None) for length in (0, 1, 3)]
    layout = Layout.of(samples)
    table = tabulate(redrawn(lambda rng: {}), samples, layout)
    assert table.names == tuple(form.format("x") for form in RAGGED)
    assert table.values[:, 0].tolist() == [0, 1, 3]


def test_parts_that_are_new_to_the_layout_join_their_group():
    layout = Layout.of([Sample({"t": ("leaf", 1.0)}, None), Sample({"t": ("node", ("leaf", 1.0), ("leaf", 2.0))}, None)])
    deeper = Sample({"t": ("node", ("node", ("leaf", 1.0), ("leaf", 2.0)), ("leaf", 4.0))}, None)
    assert stacked([deeper], layout)["t"].table[0, :2] == pytest.approx([3, 7 / 3])


BROKEN_STEPS = {
    "a number": (lambda state, data, rng: 1.0, "the blocks of the state as the prior draws them (x, y), but found 1.0"),
    "a truth value": (lambda state, data, rng: True, "as the prior draws them (x, y), but found True"),
    "a block less": (lambda state, data, rng: {"x": 1.0}, "as the prior draws them (x, y), but found x, in replicate 0"),
}


@pytest.mark.parametrize("name", BROKEN_STEPS)
def test_steps_that_return_no_state_are_errors_in_words(name):
    step, said = BROKEN_STEPS[name]
    _, result = outcome(Subject(lambda rng: {"x": rng.normal(), "y": rng.normal()}, None, step))
    assert result.verdict is Verdict.ERROR
    assert said in result.message
    assert result.details["traceback"] is None


@pytest.mark.parametrize("value", ["a", None, 1j, {}])
def test_a_statistic_that_returns_no_real_numbers_is_an_error_in_words(value):
    subject = redrawn(lambda rng: {"x": rng.normal()}, statistics={"f": lambda state, data: value})
    _, result = outcome(subject)
    assert result.verdict is Verdict.ERROR
    assert f'statistic "f" must return real numbers, but found {value!r}' in result.message


def test_a_log_joint_that_returns_nothing_is_an_error_in_words():
    _, result = outcome(redrawn(lambda rng: {"x": rng.normal()}, log_joint=lambda state, data: None))
    assert "log_joint(state, data) must return one number, but found None" in result.message


def test_an_infinite_statistic_is_welcome():
    subject = redrawn(lambda rng: {"x": rng.normal()}, statistics={"f": lambda s, data: math.inf if s["x"] > 0 else -math.inf})
    assert outcome(subject, budget=500)[1].verdict is Verdict.UNCLEAR


def labelled(relabel):
    """Three means, five labels and data; the step exchanges labels, and means along with them, or means alone."""

    def prior(rng):
        return {"mu": rng.normal(size=3), "z": rng.integers(3, size=5)}

    def step(state, data, rng):
        order = rng.permutation(3)
        return {"mu": state["mu"][relabel(order)], "z": order[state["z"]]}

    return Subject(prior, lambda state, rng: state["mu"][state["z"]] + rng.normal(size=5), step)


def test_labels_that_are_exchanged_along_with_what_they_name_show_nothing():
    assert outcome(labelled(np.argsort), budget=1_000)[1].verdict is Verdict.UNCLEAR


def test_labels_that_are_exchanged_without_what_they_name_fail():
    # The inverse of an order was forgotten, which matters for two orders of three out of six only.
    _, result = outcome(labelled(lambda order: order))
    assert result.verdict is Verdict.FAIL
    assert "distance of data from mu by z" in result.message
