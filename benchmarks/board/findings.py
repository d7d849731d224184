"""Defects that were confirmed by something else than an assay: in the source of a library, or by computation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A defect of a released kernel.

    Attributes
    ----------
    kernels
        The combinations that it explains, as a pattern of their names.
    title, argument
        What is wrong, and how that was confirmed without an assay.
    place
        Where in the library it is written.
    upstream
        What its authors know.
    """

    kernels: str
    title: str
    argument: str
    place: str
    upstream: str


EMCEE = (
    Finding(
        "gaussian full covariance*",
        "GaussianMove with a covariance matrix moves all walkers by the same vector",
        "One vector is drawn and added to every walker, so that each is right alone and all together are not: for standard "
        "normals and a step d the mean of a walker given d is 2 d Phi(-|d|/2), and the mean of the product of two walkers, "
        "which has to be 0, is the mean of its square, 0.24 for steps of spread 1 (tests/adapters/test_emcee.py).",
        "emcee/moves/gaussian.py, _proposal.get_updated_vector: multivariate_normal without a size",
        "put right after 3.1.6 (pull request 571)",
    ),
    Finding(
        "snooker*",
        "DESnookerMove does not take unit vectors, and half the power of its ratio",
        "The difference to the pivot is divided by the root of its length, so that steps grow with the distance, and the "
        "move back from where it leads is not among its proposals; the ratio has (d - 1) / 2 where the published move has d - 1. "
        "The published move, with both put right, does not fail (tests/adapters/test_emcee.py).",
        "emcee/moves/de_snooker.py: u = delta / np.sqrt(norm), and 0.5 * (ndim - 1.0)",
        "put right after 3.1.6 (pull request 531)",
    ),
)

PYMC = (
    Finding(
        "CategoricalGibbsMetropolis(proposal=proportional)*",
        "CategoricalGibbsMetropolis with the proportional proposal accepts with a wrong ratio",
        "The ratio has to be (1 - p(x)) / (1 - p(y)); the second is computed after p(y) was divided by 1 - p(x). With "
        "probabilities 0.1, 0.3, 0.6 more than 0.03 flows into a label that does not flow out of it; with two labels it "
        "divides by zero, or by what rounding leaves of it, so that a move is taken always or "
        "never (tests/adapters/test_pymc.py).",
        "pymc/step_methods/metropolis.py, metropolis_proportional: probs /= 1.0 - prob_curr before accept_ratio",
        "no report of it was found",
    ),
    Finding(
        "Metropolis proposal(proposal=Poisson)*",
        "PoissonProposal is not symmetric, and no ratio makes up for it",
        "A Poisson number less its rate goes down by one twice as often as up by one (rate 1). The transition matrix on a "
        "Poisson target of mean 6 has a stationary mean of 5.4, and on one of mean 0.7 a single sweep moves the distribution "
        "function by 0.056 (tests/adapters/test_pymc.py).",
        "pymc/step_methods/metropolis.py, PoissonProposal, used without a ratio in Metropolis.astep",
        "no report of it was found",
    ),
    Finding(
        "Metropolis covariance/*",
        "Metropolis with a covariance accepts the elements of a correlated step one at a time",
        "The steps of all elements are drawn together and accepted one by one, so that the second is proposed given what the "
        "first was told. For two independent standard normals and steps with correlation 0.9 the mean of the product after one "
        "sweep is above 0.2 and not 0 (tests/adapters/test_pymc.py).",
        "pymc/step_methods/metropolis.py, Metropolis.astep: elemwise_update with a MultivariateNormalProposal",
        "pull request 6678 made updates depend on the accepted ones; that steps are drawn together was not found reported",
    ),
    Finding(
        "DEMetropolis(*)*",
        "A population of DEMetropolis moves all chains at once",
        "Every chain moves given where the others were before, and they move as well; one after another would be right. In plain "
        "numpy, three chains on a standard normal: the share of populations with a variance below 0.1 falls from 0.140 to 0.113 "
        "in one generation, and stays where chains take turns (tests/adapters/test_pymc.py).",
        "pymc/sampling/population.py, PopulationStepper.step",
        "no report of it was found",
    ),
)

FINDINGS = {"emcee": EMCEE, "pymc": PYMC}
