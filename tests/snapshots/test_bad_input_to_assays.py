"""Bad input to subjects, states, models and assays: what is told, word for word."""

import numpy as np
import pytest

from mcassay import Gamma, Gibbs, InputError, Normal, Subject, assay
from mcassay.checks import CATALOGUE
from mcassay.models.mixture import IsotropicMixture
from mcassay.state import get_block, replace_block, replace_blocks

KNOWN = ", ".join(check.name for check in CATALOGUE)


def prior(rng):
    return {"x": rng.normal()}


def step(state, data, rng):
    return state


def unit(state, data):
    return Normal(0.0, sd=1.0)


def flat(state, data):
    return 0.0


def rng():
    return np.random.default_rng(0)


def subject():
    return Subject(prior, None, Gibbs({"x": unit}), log_joint=flat)


CASES = {
    "prior none": (lambda: Subject(None, None, step), "Subject: prior must be a function prior(rng), but found None"),
    "prior number": (lambda: Subject(3, None, step), "Subject: prior must be a function prior(rng), but found 3"),
    "prior arguments": (lambda: Subject(lambda: 1, None, step), "Subject: prior must take prior(rng), but found prior()"),
    "simulate": (
        lambda: Subject(prior, 3, step),
        "Subject: simulate must be a function simulate(state, rng) or None, but found 3",
    ),
    "simulate arguments": (
        lambda: Subject(prior, lambda state: 1, step),
        "Subject: simulate must take simulate(state, rng), but found simulate(state)",
    ),
    "step none": (lambda: Subject(prior, None, None), "Subject: step must be a function step(state, data, rng), but found None"),
    "step arguments": (
        lambda: Subject(prior, None, lambda state, rng: state),
        "Subject: step must take step(state, data, rng), but found step(state, rng)",
    ),
    "step class": (
        lambda: Subject(prior, None, Gibbs),
        ("Subject: step must be a function step(state, data, rng), but found the class Gibbs; make one, as in Gibbs(...)"),
    ),
    "log_joint": (
        lambda: Subject(prior, None, step, log_joint=1.0),
        "Subject: log_joint must be a function log_joint(state, data) or None, but found 1.0",
    ),
    "log_joint arguments": (
        lambda: Subject(prior, None, step, log_joint=lambda state: 0.0),
        "Subject: log_joint must take log_joint(state, data), but found log_joint(state)",
    ),
    "init alone": (
        lambda: Subject(prior, None, step, init=lambda s, d, r: s),
        "Subject: position is missing; init was given, and the two go together",
    ),
    "position alone": (
        lambda: Subject(prior, None, step, position=lambda c: c),
        "Subject: init is missing; position was given, and the two go together",
    ),
    "refresh alone": (
        lambda: Subject(prior, None, step, refresh=lambda c, d, r: c),
        "Subject: refresh needs init and position, which say what a carry is",
    ),
    "statistics": (
        lambda: Subject(prior, None, step, statistics=[1]),
        "Subject: statistics must be a dict {name: f(state, data)}, but found [1]",
    ),
    "statistics name": (
        lambda: Subject(prior, None, step, statistics={1: flat}),
        "Subject: every name in statistics must be a string that is not empty, but found 1",
    ),
    "statistics function": (
        lambda: Subject(prior, None, step, statistics={"a": 3}),
        'Subject: statistics["a"] must be a function f(state, data), but found 3',
    ),
    "statistics arguments": (
        lambda: Subject(prior, None, step, statistics={"a": lambda s: 3}),
        'Subject: statistics["a"] must take f(state, data), but found statistics["a"](s)',
    ),
    "caches": (
        lambda: Subject(prior, None, step, caches={"a": 3}),
        'Subject: caches["a"] must be a function recompute(state, data), but found 3',
    ),
    "may_stay": (
        lambda: Subject(prior, None, step, may_stay="x"),
        "Subject: may_stay must be a set of names of blocks, but found 'x'",
    ),
    "may_stay number": (
        lambda: Subject(prior, None, step, may_stay=5),
        "Subject: may_stay must be a set of names of blocks, but found 5",
    ),
    "resize": (lambda: Subject(prior, None, step, resize=5), "Subject: resize must be a function resize(n) or None, but found 5"),
    "vectorised": (
        lambda: Subject(prior, None, step, vectorised="yes"),
        "Subject: vectorised must be True or False, but found 'yes'",
    ),
    "name": (
        lambda: Subject(prior, None, step, name=""),
        "Subject: name must be one line of text that is not empty, but found ''",
    ),
    "name number": (
        lambda: Subject(prior, None, step, name=3),
        "Subject: name must be one line of text that is not empty, but found 3",
    ),
    "prior returns None": (
        lambda: Subject(lambda r: None, None, step).draw(rng()),
        "prior(rng) returned None; it must return a state",
    ),
    "prior returns empty": (
        lambda: Subject(lambda r: {}, None, step).draw(rng()),
        "prior(rng) returned {}, a state without blocks",
    ),
    "assay subject": (
        lambda: assay(prior),
        "assay: subject must be a Subject(prior, simulate, step), but found <function prior>",
    ),
    "assay alpha": (lambda: assay(subject(), alpha=0), "assay: alpha must be a number above 0 and at most 0.5, but found 0"),
    "assay alpha text": (
        lambda: assay(subject(), alpha="small"),
        "assay: alpha must be a number above 0 and at most 0.5, but found 'small'",
    ),
    "assay tolerance": (
        lambda: assay(subject(), tolerance=2),
        "assay: tolerance must be a number above 0 and at most 1.0, but found 2",
    ),
    "assay budget": (
        lambda: assay(subject(), budget="huge"),
        (
            'assay: budget must be "quick", "ci", "nightly", a whole number of sweeps, or a time such'
            ' as "30s", "5min" or "2h", but found \'huge\''
        ),
    ),
    "assay budget 0": (
        lambda: assay(subject(), budget=0),
        (
            'assay: budget must be "quick", "ci", "nightly", a whole number of sweeps, or a time such'
            ' as "30s", "5min" or "2h", but found 0'
        ),
    ),
    "assay budget None": (
        lambda: assay(subject(), budget=None),
        (
            'assay: budget must be "quick", "ci", "nightly", a whole number of sweeps, or a time such'
            ' as "30s", "5min" or "2h", but found None'
        ),
    ),
    "assay budget float": (
        lambda: assay(subject(), budget=1000.0),
        (
            'assay: budget must be "quick", "ci", "nightly", a whole number of sweeps, or a time such'
            ' as "30s", "5min" or "2h", but found 1000.0'
        ),
    ),
    "assay seed": (lambda: assay(subject(), seed=-1), "assay: seed must be a whole number from 0 on, or None, but found -1"),
    "assay seed text": (
        lambda: assay(subject(), seed="xyz"),
        "assay: seed must be a whole number, or one written in hexadecimal, but found 'xyz'",
    ),
    "assay seed float": (
        lambda: assay(subject(), seed=1.5),
        "assay: seed must be a whole number from 0 on, or None, but found 1.5",
    ),
    "assay checks text": (
        lambda: assay(subject(), checks="conditionals"),
        (f"assay: checks must be a list of names among {KNOWN}, or None for all, but found 'conditionals'"),
    ),
    "assay checks unknown": (
        lambda: assay(subject(), checks=["gradient"]),
        f"assay: checks must name checks of the catalogue ({KNOWN}), but found 'gradient'",
    ),
    "assay checks number": (
        lambda: assay(subject(), checks=3),
        f"assay: checks must be a list of names among {KNOWN}, or None for all, but found 3",
    ),
    "assay checks numbers": (
        lambda: assay(subject(), checks=[3]),
        f"assay: checks must be a list of names among {KNOWN}, or None for all, but found [3]",
    ),
    "assay checks empty": (
        lambda: assay(subject(), checks=[]),
        f"assay: checks must be a list of names among {KNOWN}, or None for all, but found []",
    ),
    "assay executor": (
        lambda: assay(subject(), executor="processes"),
        (
            "assay: executor must be a concurrent.futures.Executor, a number of processes from 1 on, or None, "
            "but found 'processes'"
        ),
    ),
    "assay executor 0": (
        lambda: assay(subject(), executor=0),
        ("assay: executor must be a concurrent.futures.Executor, a number of processes from 1 on, or None, but found 0"),
    ),
    "assay progress": (
        lambda: assay(subject(), progress=1),
        "assay: progress must be True, a function that takes every event, or None, but found 1",
    ),
    "state block": (lambda: get_block({"x": 1.0}, "y"), 'the state has no block "y"; its blocks are: x'),
    "state replace": (lambda: replace_block({"x": {"a": 1.0}}, "x.b", 2.0), 'the state has no block "x.b"; its blocks are: x.a'),
    "state values": (
        lambda: replace_blocks({"x": 1.0, "y": 2.0}, ("x", "y"), 3.0),
        "expected one value for each of the blocks x, y, but found 3.0",
    ),
    "mixture clusters": (
        lambda: IsotropicMixture(clusters=0),
        "IsotropicMixture: clusters must be a whole number of at least 1, but found 0",
    ),
    "mixture alpha": (lambda: IsotropicMixture(alpha=-1.0), "IsotropicMixture: alpha must be a positive number, but found -1.0"),
    "mixture prior": (
        lambda: IsotropicMixture(sigma_sq_n_prior=Gamma(1.0, rate=1.0)),
        (
            "IsotropicMixture: sigma_sq_n_prior must be an InverseGamma(shape, scale=...) of one "
            "variable, but found Gamma(shape=1, rate=1)"
        ),
    ),
    "mixture gibbs": (
        lambda: IsotropicMixture().gibbs(w=unit),
        ("IsotropicMixture.gibbs: every name must be one of pi, z, mu, sigma_sq_mu, sigma_sq_n, but found 'w'"),
    ),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_told_what_would_be_right(use, message):
    with pytest.raises(InputError) as caught:
        use()
    assert str(caught.value) == message
