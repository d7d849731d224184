"""Bad input to kernels: what is told, word for word."""

import numpy as np
import pytest

from mcassay import (
    Cycle,
    EllipticalSlice,
    Gamma,
    Gibbs,
    HamiltonianMonteCarlo,
    InputError,
    MetropolisHastings,
    Normal,
    RandomScan,
    Slice,
)
from mcassay.kernels import apply


def prior(rng):
    return {"x": rng.normal()}


def step(state, data, rng):
    return state


def unit(state, data):
    return Normal(0.0, sd=1.0)


def flat(state, data):
    return 0.0


def grad(state, data):
    return 0.0


def rng():
    return np.random.default_rng(0)


CASES = {
    "gibbs conditional without data": (
        lambda: Gibbs({"x": lambda state: Normal(0.0, sd=1.0)}),
        "Gibbs: the conditional of 'x' must be a function (state, data) -> distribution, but found one of (state)",
    ),
    "gibbs conditional that draws": (
        lambda: Gibbs({"x": lambda state, data, rng: rng.normal()}),
        "Gibbs: the conditional of 'x' must be a function (state, data) -> distribution, but found one of (state, data, rng)",
    ),
    "cycle step without rng": (
        lambda: Cycle({"a": lambda state, data: state}),
        'Cycle: steps["a"] must be a function (state, data, rng) -> state, but found one of (state, data)',
    ),
    "metropolis proposal of a state alone": (
        lambda: MetropolisHastings(lambda state: Normal(0.0, sd=1.0), blocks="x"),
        "MetropolisHastings: propose must be a function (state, data) or (state, data, rng), but found one of (state)",
    ),
    "metropolis ratio of two": (
        lambda: MetropolisHastings(unit, blocks="x", log_ratio=lambda state, new: 0.0),
        "MetropolisHastings: log_ratio must be a function (state, new, data) -> float, but found one of (state, new)",
    ),
    "metropolis log joint of a state alone": (
        lambda: MetropolisHastings(unit, blocks="x", log_joint=lambda state: 0.0),
        "MetropolisHastings: log_joint must be a function (state, data) -> float, but found one of (state)",
    ),
    "gradient of a state alone": (
        lambda: HamiltonianMonteCarlo("x", gradient=lambda state: 0.0, step_size=0.1, steps=3),
        "HamiltonianMonteCarlo: gradient must be a function (state, data) -> array, but found one of (state)",
    ),
    "gibbs list": (
        lambda: Gibbs([unit]),
        ("Gibbs: conditionals must be a dict {block: conditional} with at least one block, but found [<function unit>]"),
    ),
    "gibbs empty": (
        lambda: Gibbs({}),
        ("Gibbs: conditionals must be a dict {block: conditional} with at least one block, but found {}"),
    ),
    "gibbs name": (
        lambda: Gibbs({3: unit}),
        "Gibbs: blocks must be the name of a block, or a tuple of different names, but found 3",
    ),
    "gibbs conditional": (
        lambda: Gibbs({"x": 3}),
        ("Gibbs: the conditional of 'x' must be a function (state, data) -> distribution, but found 3"),
    ),
    "gibbs twice": (
        lambda: Gibbs({"x": unit, ("x", "y"): unit}),
        ("Gibbs: blocks must be drawn once a sweep each (use a Cycle to draw one twice), but found 'x'"),
    ),
    "gibbs joined": (
        lambda: Gibbs({"a+b": unit, ("a", "b"): unit}),
        ("Gibbs: blocks must have names that stay different when joined by +, but found ['a+b', ('a', 'b')]"),
    ),
    "gibbs draw": (
        lambda: Gibbs({"x": lambda s, d: 0.3})({"x": 0.0}, None, rng()),
        ('conditional "x" must be a distribution, but found the number 0.3; give the distribution itself, not a draw from it'),
    ),
    "gibbs block": (lambda: Gibbs({"y": unit})({"x": 0.0}, None, rng()), 'the state has no block "y"; its blocks are: x'),
    "gibbs pair": (
        lambda: Gibbs({("x", "y"): unit})({"x": 0.0, "y": 0.0}, None, rng()),
        "expected one value for each of the blocks x, y, but found 0.1257302210933933",
    ),
    "cycle empty": (lambda: Cycle({}), "Cycle: steps must be a dict {name: step} with at least one step, but found {}"),
    "cycle list": (
        lambda: Cycle([step]),
        ("Cycle: steps must be a dict {name: step} with at least one step, but found [<function step>]"),
    ),
    "cycle name": (lambda: Cycle({1: step}), "Cycle: every name must be a string, but found 1"),
    "cycle step": (lambda: Cycle({"a": 3}), 'Cycle: steps["a"] must be a step(state, data, rng), but found 3'),
    "scan empty": (lambda: RandomScan({}), "RandomScan: steps must be a dict {name: step} with at least one step, but found {}"),
    "scan weights": (
        lambda: RandomScan({"a": step}, weights={"b": 1}),
        "RandomScan: weights must be a dict with one weight for each of a, but found {'b': 1}",
    ),
    "scan weights list": (
        lambda: RandomScan({"a": step}, weights=[1]),
        "RandomScan: weights must be a dict with one weight for each of a, but found [1]",
    ),
    "scan weight": (
        lambda: RandomScan({"a": step}, weights={"a": 0}),
        'RandomScan: weights["a"] must be positive and finite, but found 0',
    ),
    "scan weight nan": (
        lambda: RandomScan({"a": step}, weights={"a": float("nan")}),
        'RandomScan: weights["a"] must be positive and finite, but found nan',
    ),
    "mh propose": (
        lambda: MetropolisHastings(3, blocks="x"),
        ("MetropolisHastings: propose must be a function (state, data) or (state, data, rng), but found 3"),
    ),
    "mh blocks": (
        lambda: MetropolisHastings(unit, blocks=()),
        ("MetropolisHastings: blocks must be the name of a block, or a tuple of different names, but found ()"),
    ),
    "mh blocks twice": (
        lambda: MetropolisHastings(unit, blocks=("x", "x")),
        ("MetropolisHastings: blocks must be the name of a block, or a tuple of different names, but found ('x', 'x')"),
    ),
    "mh accept": (
        lambda: MetropolisHastings(unit, blocks="x", accept="always"),
        "MetropolisHastings: accept must be one of metropolis, barker, but found 'always'",
    ),
    "mh accept list": (
        lambda: MetropolisHastings(unit, blocks="x", accept=[]),
        "MetropolisHastings: accept must be one of metropolis, barker, but found []",
    ),
    "mh elementwise": (
        lambda: MetropolisHastings(unit, blocks=("x", "y"), elementwise=True),
        ("MetropolisHastings: elementwise=True needs one block and a propose(state, data) that returns a distribution"),
    ),
    "mh elementwise 3": (
        lambda: MetropolisHastings(lambda s, d, r: (s, 0.0), blocks="x", elementwise=True),
        ("MetropolisHastings: elementwise=True needs one block and a propose(state, data) that returns a distribution"),
    ),
    "mh proposal": (
        lambda: MetropolisHastings(lambda s, d: 1.0, blocks="x", log_joint=flat)({"x": 0.0}, None, rng()),
        (
            'the proposal of "x" must be a distribution, but found the number 1.0; give the '
            "distribution itself, not a draw from it"
        ),
    ),
    "mh returns": (
        lambda: MetropolisHastings(lambda s, d, r: s, blocks="x", log_joint=flat)({"x": 0.0}, None, rng()),
        ("MetropolisHastings: propose(state, data, rng) must return (new state, log ratio of proposals), but found {'x': 0.0}"),
    ),
    "mh returns ratio": (
        lambda: MetropolisHastings(lambda s, d, r: (s, None), blocks="x", log_joint=flat)({"x": 0.0}, None, rng()),
        ("MetropolisHastings: the log ratio of propose(state, data, rng) must return one number, but found None"),
    ),
    "mh log_joint": (
        lambda: MetropolisHastings(unit, blocks="x")({"x": 0.0}, None, rng()),
        "MetropolisHastings: log_joint is missing; give it here or to the subject",
    ),
    "mh log_joint none": (
        lambda: MetropolisHastings(unit, blocks="x", log_joint=lambda s, d: None)({"x": 0.0}, None, rng()),
        "MetropolisHastings: log_joint(state, data) must return one number, but found None",
    ),
    "mh log_ratio none": (
        lambda: MetropolisHastings(unit, blocks="x", log_ratio=lambda s, n, d: None)({"x": 0.0}, None, rng()),
        "MetropolisHastings: log_ratio(state, new, data) must return one number, but found None",
    ),
    "mh log_joint not callable": (
        lambda: MetropolisHastings(unit, blocks="x", log_joint=3),
        ("MetropolisHastings: log_joint must be a function (state, data) -> float or None, but found 3"),
    ),
    "mh log_ratio not callable": (
        lambda: MetropolisHastings(unit, blocks="x", log_ratio=3),
        ("MetropolisHastings: log_ratio must be a function (state, new, data) -> float or None, but found 3"),
    ),
    "mh nan": (
        lambda: MetropolisHastings(unit, blocks="x", log_joint=lambda s, d: float("nan"))({"x": 0.0}, None, rng()),
        'MetropolisHastings: the log acceptance ratio of "x" is NaN',
    ),
    "hmc gradient": (
        lambda: HamiltonianMonteCarlo("x", gradient=3, step_size=0.1, steps=1),
        "HamiltonianMonteCarlo: gradient must be a function (state, data) -> array, but found 3",
    ),
    "hmc step_size": (
        lambda: HamiltonianMonteCarlo("x", gradient=grad, step_size=0, steps=1),
        "HamiltonianMonteCarlo: step_size must be positive and finite, but found 0",
    ),
    "hmc step_size text": (
        lambda: HamiltonianMonteCarlo("x", gradient=grad, step_size="0.1", steps=1),
        "HamiltonianMonteCarlo: step_size must be positive and finite, but found '0.1'",
    ),
    "hmc steps": (
        lambda: HamiltonianMonteCarlo("x", gradient=grad, step_size=0.1, steps=0),
        "HamiltonianMonteCarlo: steps must be a whole number from 1 on, but found 0",
    ),
    "hmc steps float": (
        lambda: HamiltonianMonteCarlo("x", gradient=grad, step_size=0.1, steps=2.0),
        "HamiltonianMonteCarlo: steps must be a whole number from 1 on, but found 2.0",
    ),
    "hmc steps bool": (
        lambda: HamiltonianMonteCarlo("x", gradient=grad, step_size=0.1, steps=True),
        "HamiltonianMonteCarlo: steps must be a whole number from 1 on, but found True",
    ),
    "hmc gradient text": (
        lambda: HamiltonianMonteCarlo("x", gradient=lambda s, d: "a", step_size=0.1, steps=1, log_joint=flat)(
            {"x": 0.0}, None, rng()
        ),
        ("HamiltonianMonteCarlo: gradient(state, data) must return an array of numbers, but found 'a'"),
    ),
    "hmc gradient none": (
        lambda: HamiltonianMonteCarlo("x", gradient=lambda s, d: None, step_size=0.1, steps=1, log_joint=flat)(
            {"x": 0.0}, None, rng()
        ),
        ("HamiltonianMonteCarlo: gradient(state, data) must return an array of numbers, but found None"),
    ),
    "hmc gradients": (
        lambda: HamiltonianMonteCarlo(("x", "y"), gradient=lambda s, d: 1.0, step_size=0.1, steps=1, log_joint=flat)(
            {"x": 0.0, "y": 0.0}, None, rng()
        ),
        ("HamiltonianMonteCarlo: gradient(state, data) must return a tuple of 2 arrays, but found 1.0"),
    ),
    "slice blocks": (lambda: Slice(("x", "y")), "Slice: blocks must be the name of one block, but found ('x', 'y')"),
    "slice width": (lambda: Slice("x", width=-1), "Slice: width must be positive and finite, but found -1"),
    "slice steps_out": (lambda: Slice("x", steps_out=0), "Slice: steps_out must be a whole number from 1 on, but found 0"),
    "slice array": (
        lambda: Slice("x", log_joint=lambda s, d: np.zeros(2))({"x": 0.0}, None, rng()),
        "Slice: log_joint(state, data) must return one number, but found [0. 0.]",
    ),
    "slice log_joint": (
        lambda: Slice("x", log_joint=3),
        "Slice: log_joint must be a function (state, data) -> float or None, but found 3",
    ),
    "ess prior": (
        lambda: EllipticalSlice("x", prior=3, log_likelihood=flat),
        ("EllipticalSlice: prior must be a function (state, data) -> normal distribution, but found 3"),
    ),
    "ess likelihood": (
        lambda: EllipticalSlice("x", prior=unit, log_likelihood=None),
        ("EllipticalSlice: log_likelihood must be a function (state, data) -> float, but found None"),
    ),
    "ess gamma": (
        lambda: EllipticalSlice("x", prior=lambda s, d: Gamma(1.0, rate=1.0), log_likelihood=flat)({"x": 0.0}, None, rng()),
        (
            'EllipticalSlice: prior(state, data) of "x" must return a normal distribution (Normal or '
            "MultivariateNormal, or one of your own with a mean), but found Gamma(shape=1, rate=1)"
        ),
    ),
    "step tuple": (
        lambda: apply(lambda s, d, r: (s, 1), {"x": 1.0}, None, rng()),
        (
            "the step returned a tuple where a state was expected; return the state alone, or give "
            "the subject `init` and `position` if the kernel carries more than the state"
        ),
    ),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_told_what_would_be_right(use, message):
    with pytest.raises(InputError) as caught:
        use()
    assert str(caught.value) == message
