"""Bad parameters and bad points of vectors, matrices and pairs: what the user reads."""

import numpy as np
import pytest

from mcassay.distributions import (
    InverseWishart,
    MultivariateNormal,
    MultivariateStudentT,
    NormalInverseGamma,
    NormalInverseWishart,
    Wishart,
)
from mcassay.errors import InputError

EYE = np.eye(2)
ASYMMETRIC = [[1.0, 0.5], [0.4, 1.0]]
INDEFINITE = [[1.0, 2.0], [2.0, 1.0]]
RNG = np.random.default_rng(0)

NORMAL = MultivariateNormal([0.0, 0.0], covariance=EYE)
WISHART = Wishart(3.0, scale=EYE)
GAMMA_PAIR = NormalInverseGamma(0.0, mean_count=1.0, shape=2.0, scale=3.0)
WISHART_PAIR = NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=3.0, scale=EYE)

MESSAGES = [
    (
        lambda: MultivariateNormal([0.0, 0.0]),
        "MultivariateNormal: give exactly one of covariance, cholesky or precision, by name; found none of them",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=EYE, precision=EYE),
        ("MultivariateNormal: give exactly one of covariance, cholesky or precision, by name; found covariance and precision"),
    ),
    (
        lambda: MultivariateNormal(0.0, covariance=EYE),
        "MultivariateNormal: mean must be a vector or an array of them, but found shape ()",
    ),
    (
        lambda: MultivariateNormal([0.0, np.nan], covariance=EYE),
        "MultivariateNormal: mean must be finite, but found nan at [1]",
    ),
    (
        lambda: MultivariateNormal(["a", "b"], covariance=EYE),
        "MultivariateNormal: mean must be a number or an array of numbers, but found ['a', 'b']",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0, 0.0], covariance=EYE),
        (
            "MultivariateNormal: mean and covariance must have the same dimension, but found mean of shape (3,) "
            "and covariance of shape (2, 2)"
        ),
    ),
    (
        lambda: MultivariateNormal(np.zeros((3, 2)), covariance=np.ones((4, 1, 1)) * EYE),
        ("MultivariateNormal: the parameters' shapes must fit together, but found mean (3, 2), covariance (4, 2, 2)"),
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=2.0),
        "MultivariateNormal: covariance must be a square matrix or an array of them, but found shape ()",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=[1.0, 2.0]),
        "MultivariateNormal: covariance must be a square matrix or an array of them, but found shape (2,)",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=np.ones((2, 3))),
        "MultivariateNormal: covariance must be a square matrix or an array of them, but found shape (2, 3)",
    ),
    (
        lambda: MultivariateNormal([], covariance=np.ones((0, 0))),
        "MultivariateNormal: mean must be a vector or an array of them, but found shape (0,)",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=[[1.0, 0.0], [0.0]]),
        "MultivariateNormal: covariance must be a number or an array of numbers, but found [[1.0, 0.0], [0.0]]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=ASYMMETRIC),
        "MultivariateNormal: covariance must be symmetric, but found [[1. 0.5] [0.4 1. ]]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=INDEFINITE),
        "MultivariateNormal: covariance must be positive definite, but found [[1. 2.] [2. 1.]]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], precision=np.zeros((2, 2))),
        "MultivariateNormal: precision must be positive definite, but found [[0. 0.] [0. 0.]]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], precision=[EYE, INDEFINITE]),
        "MultivariateNormal: precision must be positive definite, but found [[1. 2.] [2. 1.]] at [1]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], covariance=[[1.0, np.nan], [np.nan, 1.0]]),
        "MultivariateNormal: covariance must be finite, but found nan at [0, 1]",
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], cholesky=INDEFINITE),
        ("MultivariateNormal: cholesky must be lower triangular with a positive diagonal, but found [[1. 2.] [2. 1.]]"),
    ),
    (
        lambda: MultivariateNormal([0.0, 0.0], cholesky=-EYE),
        ("MultivariateNormal: cholesky must be lower triangular with a positive diagonal, but found [[-1. -0.] [-0. -1.]]"),
    ),
    (
        lambda: NORMAL.log_p(0.0),
        "MultivariateNormal.log_p: x must have a shape that fits (2,), but found shape ()",
    ),
    (
        lambda: NORMAL.log_p([1.0, 2.0, 3.0]),
        "MultivariateNormal.log_p: x must have a shape that fits (2,), but found shape (3,)",
    ),
    (
        lambda: NORMAL.log_p(["a", "b"]),
        "MultivariateNormal.log_p: x must be a number or an array of numbers, but found ['a', 'b']",
    ),
    (
        lambda: NORMAL.sufficient_statistics([1.0]),
        "MultivariateNormal.sufficient_statistics: x must have a shape that fits (2,), but found shape (1,)",
    ),
    (
        lambda: NORMAL.sample(RNG, size=-1),
        "MultivariateNormal.sample: size must be a whole number, a tuple of them or None, but found -1",
    ),
    (
        lambda: MultivariateNormal(np.zeros((3, 2)), covariance=EYE).log_p(np.zeros((4, 2))),
        "MultivariateNormal.log_p: x must have a shape that fits (3, 2), but found shape (4, 2)",
    ),
    (
        lambda: NORMAL.with_natural_parameters([0.0, 0.0, 1.0, 0.0, 1.0]),
        "MultivariateNormal: precision must be positive definite, but found [[-2. -0.] [-0. -2.]]",
    ),
    (
        lambda: NORMAL.with_natural_parameters([0.0, 0.0]),
        "MultivariateNormal: natural parameters must have 5 entries in the last axis, but found [0.0, 0.0]",
    ),
    (
        lambda: MultivariateStudentT(0.0, [0.0, 0.0], scale_matrix=EYE),
        "MultivariateStudentT: degrees_of_freedom must be positive and finite, but found 0.0",
    ),
    (
        lambda: MultivariateStudentT(3.0, [0.0, 0.0]),
        "MultivariateStudentT: give exactly one of scale_matrix or cholesky, by name; found none of them",
    ),
    (
        lambda: MultivariateStudentT(3.0, [0.0], scale_matrix=EYE),
        (
            "MultivariateStudentT: location and scale_matrix must have the same dimension, but found location of "
            "shape (1,) and scale_matrix of shape (2, 2)"
        ),
    ),
    (
        lambda: MultivariateStudentT(3.0, [0.0, 0.0], scale_matrix=INDEFINITE),
        "MultivariateStudentT: scale_matrix must be positive definite, but found [[1. 2.] [2. 1.]]",
    ),
    (
        lambda: MultivariateStudentT([1.0, 2.0, 3.0], np.zeros((2, 2)), scale_matrix=EYE),
        (
            "MultivariateStudentT: the parameters' shapes must fit together, but found degrees_of_freedom (3,), "
            "location (2, 2), scale_matrix (2, 2)"
        ),
    ),
    (
        lambda: Wishart(3.0),
        "Wishart: give exactly one of scale or rate, by name; found none of them",
    ),
    (
        lambda: Wishart(3.0, scale=EYE, rate=EYE),
        "Wishart: give exactly one of scale or rate, by name; found scale and rate",
    ),
    (
        lambda: Wishart(1.0, scale=EYE),
        "Wishart: degrees_of_freedom must be greater than 1 for matrices of dimension 2, but found 1.0",
    ),
    (
        lambda: Wishart([3.0, 0.5], scale=EYE),
        "Wishart: degrees_of_freedom must be greater than 1 for matrices of dimension 2, but found 0.5 at [1]",
    ),
    (
        lambda: Wishart(np.nan, scale=EYE),
        "Wishart: degrees_of_freedom must be finite, but found nan",
    ),
    (
        lambda: Wishart(3.0, scale=INDEFINITE),
        "Wishart: scale must be positive definite, but found [[1. 2.] [2. 1.]]",
    ),
    (
        lambda: Wishart(3.0, rate=ASYMMETRIC),
        "Wishart: rate must be symmetric, but found [[1. 0.5] [0.4 1. ]]",
    ),
    (
        lambda: Wishart([3.0, 4.0], scale=np.ones((3, 1, 1)) * EYE),
        "Wishart: the parameters' shapes must fit together, but found degrees_of_freedom (2,), scale (3, 2, 2)",
    ),
    (
        lambda: WISHART.log_p([1.0, 2.0]),
        "Wishart.log_p: x must have a shape that fits (2, 2), but found shape (2,)",
    ),
    (
        lambda: WISHART.log_p(np.eye(3)),
        "Wishart.log_p: x must have a shape that fits (2, 2), but found shape (3, 3)",
    ),
    (
        lambda: WISHART.with_natural_parameters([1.0, 1.0, 0.0, 1.0]),
        "Wishart: rate must be positive definite, but found [[-2. -0.] [-0. -2.]]",
    ),
    (
        lambda: WISHART.with_natural_parameters([-1.5, -0.5, 0.0, -0.5]),
        "Wishart: degrees_of_freedom must be greater than 1 for matrices of dimension 2, but found 0.0",
    ),
    (
        lambda: InverseWishart(3.0, scale=1.0),
        "InverseWishart: scale must be a square matrix or an array of them, but found shape ()",
    ),
    (
        lambda: InverseWishart(0.5, scale=EYE),
        "InverseWishart: degrees_of_freedom must be greater than 1 for matrices of dimension 2, but found 0.5",
    ),
    (
        lambda: InverseWishart(3.0, scale=-EYE),
        "InverseWishart: scale must be positive definite, but found [[-1. -0.] [-0. -1.]]",
    ),
    (
        lambda: NormalInverseGamma(np.inf, mean_count=1.0, shape=2.0, scale=3.0),
        "NormalInverseGamma: mean must be finite, but found inf",
    ),
    (
        lambda: NormalInverseGamma(0.0, mean_count=0.0, shape=2.0, scale=3.0),
        "NormalInverseGamma: mean_count must be positive and finite, but found 0.0",
    ),
    (
        lambda: NormalInverseGamma(0.0, mean_count=1.0, shape=[2.0, -1.0], scale=3.0),
        "NormalInverseGamma: shape must be positive and finite, but found -1.0 at [1]",
    ),
    (
        lambda: NormalInverseGamma([0.0, 0.0], mean_count=1.0, shape=[1.0, 2.0, 3.0], scale=3.0),
        (
            "NormalInverseGamma: the parameters' shapes must fit together, but found mean (2,), mean_count (), "
            "shape (3,), scale ()"
        ),
    ),
    (
        lambda: GAMMA_PAIR.log_p(1.0),
        "NormalInverseGamma.log_p: x must be a pair (value, variance), but found 1.0",
    ),
    (
        lambda: GAMMA_PAIR.log_p((1.0, 2.0, 3.0)),
        "NormalInverseGamma.log_p: x must be a pair (value, variance), but found (1.0, 2.0, 3.0)",
    ),
    (
        lambda: GAMMA_PAIR.log_p(("a", 2.0)),
        "NormalInverseGamma.log_p: x must be a number or an array of numbers, but found 'a'",
    ),
    (
        lambda: GAMMA_PAIR.with_natural_parameters([-3.0, -3.0, 0.0, 1.0]),
        "NormalInverseGamma: mean_count must be positive, but found -2.0",
    ),
    (
        lambda: NormalInverseWishart([0.0], mean_count=1.0, degrees_of_freedom=3.0, scale=EYE),
        (
            "NormalInverseWishart: mean and scale must have the same dimension, but found mean of shape (1,) and "
            "scale of shape (2, 2)"
        ),
    ),
    (
        lambda: NormalInverseWishart([0.0, 0.0], mean_count=-1.0, degrees_of_freedom=3.0, scale=EYE),
        "NormalInverseWishart: mean_count must be positive and finite, but found -1.0",
    ),
    (
        lambda: NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=1.0, scale=EYE),
        ("NormalInverseWishart: degrees_of_freedom must be greater than 1 for matrices of dimension 2, but found 1.0"),
    ),
    (
        lambda: NormalInverseWishart([0.0, 0.0], mean_count=1.0, degrees_of_freedom=3.0, scale=ASYMMETRIC),
        "NormalInverseWishart: scale must be symmetric, but found [[1. 0.5] [0.4 1. ]]",
    ),
    (
        lambda: WISHART_PAIR.log_p(EYE),
        "NormalInverseWishart.log_p: x must be a pair (value, covariance), but found [[1. 0.] [0. 1.]]",
    ),
    (
        lambda: WISHART_PAIR.log_p(([0.0, 0.0], [1.0, 2.0])),
        "NormalInverseWishart.log_p: x must have a shape that fits (2, 2), but found shape (2,)",
    ),
    (
        lambda: WISHART_PAIR.log_p(([0.0], EYE)),
        "NormalInverseWishart.log_p: x must have a shape that fits (2,), but found shape (1,)",
    ),
]


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[message for _, message in MESSAGES])
def test_message(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message
