"""Bad parameters and bad points: what the user reads.

The table is reviewed like code: every line names the argument, what would be right, and what was found.
"""

import numpy as np
import pytest
import scipy.stats

from mcassay.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    InverseGamma,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    as_distribution,
)
from mcassay.errors import InputError

RNG = np.random.default_rng(0)

MESSAGES = [
    (
        lambda: Gamma(-1.0, rate=1.0),
        "Gamma: shape must be positive and finite, but found -1.0",
    ),
    (
        lambda: Gamma([1.0, 0.0], rate=1.0),
        "Gamma: shape must be positive and finite, but found 0.0 at [1]",
    ),
    (
        lambda: Gamma(1.0, rate=np.nan),
        "Gamma: rate must be positive and finite, but found nan",
    ),
    (
        lambda: Gamma(1.0, rate=np.inf),
        "Gamma: rate must be positive and finite, but found inf",
    ),
    (
        lambda: Gamma(1.0),
        "Gamma: give exactly one of rate or scale, by name; found none of them",
    ),
    (
        lambda: Gamma(1.0, rate=1.0, scale=1.0),
        "Gamma: give exactly one of rate or scale, by name; found rate and scale",
    ),
    (
        lambda: Gamma("two", rate=1.0),
        "Gamma: shape must be a number or an array of numbers, but found 'two'",
    ),
    (
        lambda: Gamma(1j, rate=1.0),
        "Gamma: shape must be a number or an array of numbers, but found 1j",
    ),
    (
        lambda: Gamma(None, rate=1.0),
        "Gamma: shape must be a number or an array of numbers, but found None",
    ),
    (
        lambda: Gamma([1.0, 2.0], rate=[1.0, 2.0, 3.0]),
        "Gamma: the parameters' shapes must fit together, but found shape (2,), rate (3,)",
    ),
    (
        lambda: InverseGamma(2.0, scale=0.0),
        "InverseGamma: scale must be positive and finite, but found 0.0",
    ),
    (
        lambda: InverseGamma(np.nan, scale=1.0),
        "InverseGamma: shape must be positive and finite, but found nan",
    ),
    (
        lambda: InverseGamma([[1.0, -3.0]], scale=1.0),
        "InverseGamma: shape must be positive and finite, but found -3.0 at [0, 1]",
    ),
    (
        lambda: Exponential(),
        "Exponential: give exactly one of rate or scale, by name; found none of them",
    ),
    (
        lambda: Exponential(rate=-2),
        "Exponential: rate must be positive and finite, but found -2.0",
    ),
    (
        lambda: Exponential(scale=[1.0, np.inf]),
        "Exponential: scale must be positive and finite, but found inf at [1]",
    ),
    (
        lambda: Beta(0.0, 1.0),
        "Beta: alpha must be positive and finite, but found 0.0",
    ),
    (
        lambda: Beta(1.0, [2.0, -0.5]),
        "Beta: beta must be positive and finite, but found -0.5 at [1]",
    ),
    (
        lambda: Beta([1.0, 2.0], [1.0, 2.0, 3.0]),
        "Beta: the parameters' shapes must fit together, but found alpha (2,), beta (3,)",
    ),
    (
        lambda: Dirichlet(1.0),
        "Dirichlet: concentration must be a vector, or rows of vectors, with at least one entry, but found 1.0",
    ),
    (
        lambda: Dirichlet([]),
        "Dirichlet: concentration must be a vector, or rows of vectors, with at least one entry, but found []",
    ),
    (
        lambda: Dirichlet([1.0, 0.0]),
        "Dirichlet: concentration must be positive and finite, but found 0.0 at [1]",
    ),
    (
        lambda: Dirichlet([[1.0, 1.0], [1.0, np.nan]]),
        "Dirichlet: concentration must be positive and finite, but found nan at [1, 1]",
    ),
    (
        lambda: Dirichlet([[1.0, 1.0], [1.0]]),
        "Dirichlet: concentration must be a number or an array of numbers, but found [[1.0, 1.0], [1.0]]",
    ),
    (
        lambda: Categorical([0.5, 0.5]),
        "Categorical: say what the numbers are, by Categorical.from_probabilities(probabilities) "
        "or Categorical.from_log_odds(log_odds)",
    ),
    (
        lambda: Categorical.from_probabilities([0.5, 0.6]),
        "Categorical: the sum of probabilities must be 1, but found 1.1",
    ),
    (
        lambda: Categorical.from_probabilities([[0.5, 0.5], [0.5, 0.25]]),
        "Categorical: the sum of probabilities must be 1, but found 0.75 at [1]",
    ),
    (
        lambda: Categorical.from_probabilities([0.5, 0.5 + 2e-8]),
        "Categorical: the sum of probabilities must be 1, but found 1.0000000199999999",
    ),
    (
        lambda: Categorical.from_probabilities([1.5, -0.5]),
        "Categorical: probabilities must be from 0 to 1, but found 1.5 at [0]",
    ),
    (
        lambda: Categorical.from_probabilities([np.nan, 1.0]),
        "Categorical: probabilities must be from 0 to 1, but found nan at [0]",
    ),
    (
        lambda: Categorical.from_probabilities(1.0),
        "Categorical: probabilities must be a vector, or rows of vectors, with at least one entry, but found 1.0",
    ),
    (
        lambda: Categorical.from_probabilities(np.zeros((3, 0))),
        "Categorical: probabilities must be a vector, or rows of vectors, with at least one entry, but found []",
    ),
    (
        lambda: Categorical.from_log_odds([0.0, np.nan]),
        "Categorical: log_odds must be numbers below inf, but found nan at [1]",
    ),
    (
        lambda: Categorical.from_log_odds([0.0, np.inf]),
        "Categorical: log_odds must be numbers below inf, but found inf at [1]",
    ),
    (
        lambda: Categorical.from_log_odds([[0.0, 1.0], [-np.inf, -np.inf]]),
        "Categorical: the largest of log_odds must be finite, but found -inf at [1]",
    ),
    (
        lambda: Categorical.from_log_odds([-np.inf]),
        "Categorical: the largest of log_odds must be finite, but found -inf",
    ),
    (
        lambda: Categorical.from_log_odds(0.0),
        "Categorical: log_odds must be a vector, or rows of vectors, with at least one entry, but found 0.0",
    ),
    (
        lambda: Bernoulli(1.5),
        "Bernoulli: probability must be from 0 to 1, but found 1.5",
    ),
    (
        lambda: Bernoulli([0.5, -1e-9]),
        "Bernoulli: probability must be from 0 to 1, but found -1e-09 at [1]",
    ),
    (
        lambda: Bernoulli(np.nan),
        "Bernoulli: probability must be from 0 to 1, but found nan",
    ),
    (
        lambda: Binomial(2.5, 0.5),
        "Binomial: trials must be a whole number from 0 to 2**53, but found 2.5",
    ),
    (
        lambda: Binomial(-1, 0.5),
        "Binomial: trials must be a whole number from 0 to 2**53, but found -1.0",
    ),
    (
        lambda: Binomial(1e17, 0.5),
        "Binomial: trials must be a whole number from 0 to 2**53, but found 1e+17",
    ),
    (
        lambda: Binomial(np.nan, 0.5),
        "Binomial: trials must be a whole number from 0 to 2**53, but found nan",
    ),
    (
        lambda: Binomial(3, 2.0),
        "Binomial: probability must be from 0 to 1, but found 2.0",
    ),
    (
        lambda: Poisson(-1),
        "Poisson: rate must be from 0 to 9e+18, but found -1.0",
    ),
    (
        lambda: Poisson(1e19),
        "Poisson: rate must be from 0 to 9e+18, but found 1e+19",
    ),
    (
        lambda: Poisson([1.0, np.nan]),
        "Poisson: rate must be from 0 to 9e+18, but found nan at [1]",
    ),
    (
        lambda: Uniform(1.0, 1.0),
        "Uniform: high must be above the low of 1, but found 1.0",
    ),
    (
        lambda: Uniform([0.0, 2.0], [1.0, 1.5]),
        "Uniform: high must be above its low, but found 1.5 at [1]",
    ),
    (
        lambda: Uniform(2.0, [3.0, 1.0]),
        "Uniform: high must be above the low of 2, but found 1.0 at [1]",
    ),
    (
        lambda: Uniform(0.0, np.inf),
        "Uniform: high must be finite, but found inf",
    ),
    (
        lambda: Uniform(-1.7e308, 1.7e308),
        "Uniform: high must differ from low by a finite number, but found 1.7e+308",
    ),
    (
        lambda: StudentT(0.0),
        "StudentT: degrees_of_freedom must be positive and finite, but found 0.0",
    ),
    (
        lambda: StudentT(3.0, location=np.nan),
        "StudentT: location must be finite, but found nan",
    ),
    (
        lambda: StudentT(3.0, scale=-1.0),
        "StudentT: scale must be positive and finite, but found -1.0",
    ),
    (
        lambda: StudentT([1.0, 2.0], location=[0.0, 0.0, 0.0]),
        "StudentT: the parameters' shapes must fit together, but found degrees_of_freedom (2,), location (3,), scale ()",
    ),
    (
        lambda: Gamma(1.0, rate=[1.0, 2.0]).log_p([1.0, 2.0, 3.0]),
        "Gamma.log_p: x must have a shape that fits (2,), but found shape (3,)",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).log_p("a"),
        "Gamma.log_p: x must be a number or an array of numbers, but found 'a'",
    ),
    (
        lambda: Poisson(1.0).log_p(None),
        "Poisson.log_p: x must be a number or an array of numbers, but found None",
    ),
    (
        lambda: Dirichlet([1.0, 1.0]).log_p([0.2, 0.3, 0.5]),
        "Dirichlet.log_p: x must have a shape that fits (2,), but found shape (3,)",
    ),
    (
        lambda: Dirichlet([1.0, 1.0]).log_p(0.5),
        "Dirichlet.log_p: x must have a shape that fits (2,), but found shape ()",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).sample(RNG, size=-1),
        "Gamma.sample: size must be a whole number, a tuple of them or None, but found -1",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).sample(RNG, size=True),
        "Gamma.sample: size must be a whole number, a tuple of them or None, but found True",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).sample(10),
        "Gamma.sample: rng must be a numpy.random.Generator, but found 10",
    ),
    (
        lambda: Normal(0.0, sd=1.0).sample(None),
        "Normal.sample: rng must be a numpy.random.Generator, but found None",
    ),
    (
        lambda: as_distribution(scipy.stats.norm(0, 1), "here").sample(None),
        "ScipyDistribution.sample: rng must be a numpy.random.Generator, but found None",
    ),
    (
        lambda: as_distribution(scipy.stats.norm(0, 1), "here").sample(RNG, size="many"),
        "ScipyDistribution.sample: size must be a whole number, a tuple of them or None, but found 'many'",
    ),
    (
        lambda: Normal(0.0, sd=1.0).sufficient_statistics("a"),
        "Normal: x must be a number or an array of numbers, but found 'a'",
    ),
    (
        lambda: Poisson(1.0).log_base_measure([[1], [1, 2]]),
        "Poisson: x must be a number or an array of numbers, but found [[1], [1, 2]]",
    ),
    (
        lambda: Beta(1.0, 1.0).sample(RNG, size=2.5),
        "Beta.sample: size must be a whole number, a tuple of them or None, but found 2.5",
    ),
    (
        lambda: Dirichlet([1.0, 1.0]).sample(RNG, size=(2, "x")),
        "Dirichlet.sample: size must be a whole number, a tuple of them or None, but found (2, 'x')",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).with_natural_parameters([-2.0, -1.0]),
        "Gamma: shape must be positive and finite, but found -1.0",
    ),
    (
        lambda: Gamma(1.0, rate=1.0).with_natural_parameters([1.0, 1.0]),
        "Gamma: rate must be positive and finite, but found -1.0",
    ),
    (
        lambda: Gamma(1.0, scale=1.0).with_natural_parameters([1.0, 0.5]),
        "Gamma: scale must be positive and finite, but found -2.0",
    ),
    (
        lambda: Gamma(1.0, scale=1.0).with_natural_parameters([1.0, 0.0]),
        "Gamma: scale must be positive and finite, but found -inf",
    ),
    (
        lambda: Gamma(1.0, scale=1.0).with_natural_parameters([1.0, -1.0, 2.0]),
        "Gamma: natural parameters must have 2 entries in the last axis, but found [1.0, -1.0, 2.0]",
    ),
    (
        lambda: Exponential(scale=1.0).with_natural_parameters([2.0]),
        "Exponential: scale must be positive and finite, but found -0.5",
    ),
    (
        lambda: InverseGamma(1.0, scale=1.0).with_natural_parameters([0.0, -1.0]),
        "InverseGamma: shape must be positive and finite, but found -1.0",
    ),
    (
        lambda: Beta(1.0, 1.0).with_natural_parameters([0.0, -1.5]),
        "Beta: beta must be positive and finite, but found -0.5",
    ),
    (
        lambda: Dirichlet([1.0, 1.0]).with_natural_parameters([0.0, -1.0]),
        "Dirichlet: concentration must be positive and finite, but found 0.0 at [1]",
    ),
    (
        lambda: Categorical.from_log_odds([0.0, 0.0]).with_natural_parameters([0.0, np.inf]),
        "Categorical: log_odds must be numbers below inf, but found inf at [1]",
    ),
    (
        lambda: Categorical.from_probabilities([0.5, 0.5]).with_natural_parameters([0.0, np.nan]),
        "Categorical: natural parameters must be numbers, but found nan at [1]",
    ),
    (
        lambda: Bernoulli(0.5).with_natural_parameters([np.nan]),
        "Bernoulli: natural parameters must be numbers, but found nan at [0]",
    ),
    (
        lambda: Binomial(5, 0.5).with_natural_parameters(0.0),
        "Binomial: natural parameters must be a vector, or rows of vectors, with at least one entry, but found 0.0",
    ),
    (
        lambda: Poisson(1.0).with_natural_parameters([800.0]),
        "Poisson: rate must be from 0 to 9e+18, but found inf",
    ),
    (
        lambda: Normal(0.0, variance=1.0).with_natural_parameters([0.0, 1.0]),
        "Normal: precision must be positive, but found -2.0",
    ),
]


@pytest.mark.parametrize(("bad", "message"), MESSAGES, ids=[message[:60] for _, message in MESSAGES])
def test_bad_input_is_told_exactly(bad, message):
    with pytest.raises(InputError) as error:
        bad()
    assert str(error.value) == message
