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
from mcassay.distributions.inverse_wishart import InverseWishart
from mcassay.distributions.multivariate_normal import MultivariateNormal
from mcassay.distributions.multivariate_student_t import MultivariateStudentT
from mcassay.distributions.normal import Normal
from mcassay.distributions.normal_inverse_gamma import NormalInverseGamma
from mcassay.distributions.normal_inverse_wishart import NormalInverseWishart
from mcassay.distributions.poisson import Poisson
from mcassay.distributions.scipy_stats import ScipyDistribution, as_distribution
from mcassay.distributions.student_t import StudentT
from mcassay.distributions.uniform import Uniform
from mcassay.distributions.wishart import Wishart

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
    "InverseWishart",
    "MultivariateNormal",
    "MultivariateStudentT",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "ScipyDistribution",
    "StudentT",
    "Uniform",
    "Wishart",
    "as_distribution",
]
