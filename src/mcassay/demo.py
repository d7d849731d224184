"""The paper's story in the terminal: a right sampler, a bug of two percent, and the checks that find it.

Run it with ``make demo`` or ``python -m mcassay.demo``.
"""

import sys

import numpy as np

from mcassay.assayer import assay
from mcassay.distributions import InverseGamma
from mcassay.models.mixture import IsotropicMixture
from mcassay.report import Report
from mcassay.vocabulary import Data, State

MODEL = IsotropicMixture(clusters=3, dimensions=2, points=20)


def cond_sigma_sq_n(state: State, data: Data) -> InverseGamma:
    """Return the conditional of the variance within clusters with the paper's bug: 0.51 in the place of 0.5."""
    prior = MODEL.sigma_sq_n_prior.parameters
    squares = np.sum((data - state["mu"][state["z"]]) ** 2)
    return InverseGamma(prior["shape"] + 0.5 * data.size, scale=prior["scale"] + 0.51 * squares)


def tell(title: str, report: Report) -> Report:
    """Print one act of the story."""
    print(f"\n{title}\n{'-' * len(title)}\n{report}", flush=True)
    return report


def main() -> int:
    """Tell the story; the exit status says whether it went as it should."""
    print("A Gibbs sampler for a mixture of Gaussians: 20 points in 2 dimensions, 3 clusters, 5 conditionals.")
    right = tell(
        "1. Every conditional against the joint: exact, no sampling", assay(MODEL.subject(), seed=1, checks=["conditionals"])
    )
    broken = MODEL.subject(sigma_sq_n=cond_sigma_sq_n)
    wrong = tell("2. 0.51 for 0.5 in sigma_sq_n", assay(broken, seed=1, checks=["conditionals"]))
    repaired = tell("3. Repaired", assay(MODEL.subject(), seed=2, checks=["conditionals"]))
    verdicts = [str(report.verdict) for report in (right, wrong, repaired)]
    as_told = verdicts == ["PASS", "FAIL", "PASS"] and wrong.diagnosis.culprits == ("sigma_sq_n",)
    return 0 if as_told else 1


if __name__ == "__main__":
    sys.exit(main())
