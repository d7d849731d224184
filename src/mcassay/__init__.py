"""Assay Monte Carlo code: is the sampler right, how sure is that, and which update is wrong.

The public names are loaded when they are first used, so that importing the package stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcassay.assayer import assay as assay
    from mcassay.distributions import Bernoulli as Bernoulli
    from mcassay.distributions import Beta as Beta
    from mcassay.distributions import Binomial as Binomial
    from mcassay.distributions import Categorical as Categorical
    from mcassay.distributions import Dirichlet as Dirichlet
    from mcassay.distributions import Exponential as Exponential
    from mcassay.distributions import Gamma as Gamma
    from mcassay.distributions import InverseGamma as InverseGamma
    from mcassay.distributions import InverseWishart as InverseWishart
    from mcassay.distributions import MultivariateNormal as MultivariateNormal
    from mcassay.distributions import MultivariateStudentT as MultivariateStudentT
    from mcassay.distributions import Normal as Normal
    from mcassay.distributions import NormalInverseGamma as NormalInverseGamma
    from mcassay.distributions import NormalInverseWishart as NormalInverseWishart
    from mcassay.distributions import Poisson as Poisson
    from mcassay.distributions import StudentT as StudentT
    from mcassay.distributions import Uniform as Uniform
    from mcassay.distributions import Wishart as Wishart
    from mcassay.errors import InputError as InputError
    from mcassay.kernels import Cycle as Cycle
    from mcassay.kernels import EllipticalSlice as EllipticalSlice
    from mcassay.kernels import Gibbs as Gibbs
    from mcassay.kernels import HamiltonianMonteCarlo as HamiltonianMonteCarlo
    from mcassay.kernels import MetropolisHastings as MetropolisHastings
    from mcassay.kernels import RandomScan as RandomScan
    from mcassay.kernels import Slice as Slice
    from mcassay.pytest_support import assay_with_checks as assay_with_checks
    from mcassay.pytest_support import assay_with_targets as assay_with_targets
    from mcassay.report import Report as Report
    from mcassay.results import CheckResult as CheckResult
    from mcassay.results import Verdict as Verdict
    from mcassay.subject import Subject as Subject
    from mcassay.suite import Combination as Combination
    from mcassay.suite import Conformance as Conformance
    from mcassay.suite import Grid as Grid
    from mcassay.suite import conformance as conformance
    from mcassay.targets import Skip as Skip
    from mcassay.targets import Space as Space
    from mcassay.targets import Target as Target

_ROOMS = {
    "assayer": "assay",
    "distributions": "Bernoulli Beta Binomial Categorical Dirichlet Exponential Gamma InverseGamma InverseWishart "
    "MultivariateNormal MultivariateStudentT Normal NormalInverseGamma NormalInverseWishart Poisson StudentT Uniform Wishart",
    "errors": "InputError",
    "kernels": "Cycle EllipticalSlice Gibbs HamiltonianMonteCarlo MetropolisHastings RandomScan Slice",
    "pytest_support": "assay_with_checks assay_with_targets",
    "report": "Report",
    "results": "CheckResult Verdict",
    "subject": "Subject",
    "suite": "Combination Conformance Grid conformance",
    "targets": "Skip Space Target",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mcassay' has no attribute {name!r}")
    value = getattr(import_module(f"mcassay.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
