"""Parameters in single precision: draws, densities and moments are those of the same numbers in double precision."""

import numpy as np
import pytest

from mcassay import (
    Beta,
    Dirichlet,
    Exponential,
    Gamma,
    InputError,
    InverseGamma,
    Normal,
    NormalInverseGamma,
    StudentT,
    Uniform,
)

SIZES = [1e-44, 1e-30, 1.0, 1e30, 3e38]
FAMILIES = {
    "gamma by rate": lambda x: Gamma(x, rate=x),
    "gamma by scale": lambda x: Gamma(x, scale=x),
    "inverse gamma": lambda x: InverseGamma(x, scale=x),
    "beta": lambda x: Beta(x, x),
    "normal by sd": lambda x: Normal(x, sd=x),
    "normal by variance": lambda x: Normal(x, variance=x),
    "normal by precision": lambda x: Normal(x, precision=x),
    "student": lambda x: StudentT(x, location=x, scale=x),
    "exponential": lambda x: Exponential(rate=x),
    "uniform": lambda x: Uniform(-x, x),
    "dirichlet": lambda x: Dirichlet(np.stack([x, x, x])),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FAMILIES)
def test_they_agree_with_double_precision(name, size):
    with np.errstate(over="ignore"):
        single = np.float32(size)
        coarse = FAMILIES[name](single)
    fine = FAMILIES[name](np.float64(single))
    draws = [law.sample(np.random.default_rng(1), size=5) for law in (coarse, fine)]
    np.testing.assert_allclose(*draws, rtol=1e-6)
    np.testing.assert_allclose(coarse.log_p(draws[1]), fine.log_p(draws[1]), rtol=1e-5, atol=1e-5)
    for moment in ("mean", "variance"):
        np.testing.assert_allclose(getattr(coarse, moment), getattr(fine, moment), rtol=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_bare_draw_is_a_double(name):
    # A bare number times a parameter in single precision would be rounded, and overflow where no draw should.
    draw = FAMILIES[name](np.float32(2.0)).sample(np.random.default_rng(1))
    assert np.asarray(draw).dtype in (np.float64, np.int64)


def test_heavy_tails_go_beyond_single_precision():
    assert InverseGamma(np.float32(0.01), scale=np.float32(1)).sample(np.random.default_rng(1), size=100).max() > 1e39


def test_half_precision_is_read_as_double():
    concentration = np.full(3, 6e4, dtype=np.float16)
    third = np.full(3, 1 / 3)
    np.testing.assert_allclose(Dirichlet(concentration).log_p(third), Dirichlet(concentration.astype(float)).log_p(third))


@pytest.mark.parametrize(
    ("law", "variance"),
    [
        (Normal(0, sd=1e300), np.inf),
        (Normal(0, variance=0.1), 0.1),
        (Normal(0, precision=np.float32(1e-44)), 1 / np.float64(np.float32(1e-44))),
        (StudentT(1.5, scale=1e-300), np.inf),
        (InverseGamma(1e-300, scale=1e-300), np.inf),
        (InverseGamma(1.0, scale=1.0), np.inf),
    ],
    ids=repr,
)
def test_variances_at_the_edge(law, variance):
    np.testing.assert_allclose(law.variance, variance, rtol=1e-12)


def test_natural_parameters_that_no_number_holds_are_refused_in_words():
    far = Normal(1e300, sd=1e-300)
    with pytest.raises(InputError, match="Normal: mean must be finite, but found nan"):
        far.with_natural_parameters(far.natural_parameters)
    far_pair = NormalInverseGamma(1e300, mean_count=2.0, shape=3.0, scale=1.0)
    with pytest.raises(InputError, match="NormalInverseGamma: scale must be positive and finite, but found nan"):
        far_pair.with_natural_parameters(far_pair.natural_parameters)
