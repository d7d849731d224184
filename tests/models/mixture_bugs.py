"""Named bugs in every conditional of the mixture, and changes that only look like bugs.

Each is a function ``(model, state, data) -> distribution`` and changes the distribution of its own block alone. Nothing
that the log joint is made of is touched, so that the check of that block has to fail, and the others have to pass.
"""

from functools import partial

from mcassay.distributions.inverse_gamma import InverseGamma
from mcassay.models.mixture import IsotropicMixture
from tests.models import (
    mixture_bugs_mu,
    mixture_bugs_pi,
    mixture_bugs_sigma_sq_mu,
    mixture_bugs_sigma_sq_n,
    mixture_bugs_z,
    mixture_harmless,
)

# No two sizes and no two parameters of the priors are alike, none is 1, and most draws leave a cluster empty: so that what
# is confused with something else does not happen to equal it.
MODEL = IsotropicMixture(
    clusters=5,
    dimensions=3,
    points=12,
    alpha=0.7,
    sigma_sq_mu_prior=InverseGamma(4.0, scale=6.0),
    sigma_sq_n_prior=InverseGamma(3.0, scale=2.0),
)


def named(functions):
    return {function.__name__: function for function in functions}


BUGS = {
    "pi": named(mixture_bugs_pi.BUGS),
    "z": named(mixture_bugs_z.BUGS),
    "mu": named(mixture_bugs_mu.BUGS),
    "sigma_sq_mu": named(mixture_bugs_sigma_sq_mu.BUGS),
    "sigma_sq_n": named(mixture_bugs_sigma_sq_n.BUGS),
}

HARMLESS = {
    "pi": named(mixture_harmless.PI),
    "z": named(mixture_harmless.Z),
    "mu": named(mixture_harmless.MU),
    "sigma_sq_mu": named(mixture_harmless.SIGMA_SQ_MU),
    "sigma_sq_n": named(mixture_harmless.SIGMA_SQ_N),
}


def subject_with(block, conditional, model=MODEL):
    """The mixture as a subject, with another conditional for one block."""
    return model.subject(**{block: partial(conditional, model)})


def cases(table):
    return [(block, name) for block, functions in table.items() for name in functions]
