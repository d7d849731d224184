"""Distributions: ``log_p`` and ``sample``, one family a file."""

from mcassay.distributions.base import Distribution, ExponentialFamily, Family
from mcassay.distributions.bernoulli import Bernoulli
from mcassay.distributions.beta import Beta
from mcassay.distributions.binomial import Binomial
from mcassay.distributions.categorical import Categorical
from mcassay.distributions.dirichlet import Dirichlet
from mcassay.distributions.exponential import Exponential
from mcassay.distributions.gamma import Gamma
from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.distributions.normal import Normal
from mcassay.distributions.poisson import Poisson
from mcassay.distributions.student_t import StudentT
from mcassay.distributions.uniform import Uniform

__all__ = [
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "Dirichlet",
    "Distribution",
    "Exponential",
    "ExponentialFamily",
    "Family",
    "Gamma",
    "InverseGamma",
    "Normal",
    "Poisson",
    "StudentT",
    "Uniform",
]
