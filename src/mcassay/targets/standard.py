"""The standard targets of conformance suites."""

from collections.abc import Iterable
from typing import Any

from mcassay.errors import reject
from mcassay.targets import constrained, discrete, gaussian_process, hierarchical, latent, mixed, real, regression
from mcassay.targets.target import Target

_DIMENSIONS = (1, 2, 5, 20)
_MAKERS = (
    real.funnel,
    real.non_centred_funnel,
    real.banana,
    real.two_modes,
    real.student_t,
    real.laplace,
    real.kinked,
    constrained.gamma,
    constrained.beta,
    constrained.simplex,
    constrained.truncated_normal,
    constrained.von_mises,
    discrete.discrete_uniform,
    discrete.categorical,
    discrete.poisson,
    discrete.ising,
    discrete.potts,
    discrete.binary,
    mixed.mixed,
    regression.logistic_regression,
    regression.linear_regression,
    hierarchical.hierarchical_normal,
    latent.gaussian_mixture,
    latent.hidden_markov,
    gaussian_process.gaussian_process,
)


def standard() -> list[Target]:
    """Return every standard target.

    Examples
    --------
    >>> from mcassay import targets
    >>> [target.name for target in targets.standard()][:6]
    ['normal in 1', 'normal in 2', 'normal in 5', 'normal in 20', 'funnel', 'non-centred funnel']
    """
    return [*(real.correlated_normal(n) for n in _DIMENSIONS), *(make() for make in _MAKERS)]


def read_targets(where: str, targets: Any) -> list[Target]:
    """Read what a caller named: "standard", names of standard targets, or targets of their own."""
    if targets == "standard":
        return standard()
    if isinstance(targets, (str, Target)) or not isinstance(targets, Iterable):
        reject(where, "targets", 'be "standard", or a list of targets or names of standard ones', targets)
    known = {target.name: target for target in standard()}
    listed = []
    for asked in targets:
        target = known.get(asked) if isinstance(asked, str) else asked
        if not isinstance(target, Target):
            reject(where, "targets", f"name standard targets ({', '.join(known)}), or hold a Target", asked)
        listed.append(target)
    if not listed:
        reject(where, "targets", "hold at least one target", listed)
    return listed
