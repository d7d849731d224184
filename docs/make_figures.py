"""Makes the figures of the page about the paper's plots, every one of them from real runs, and prints what they show.

Run it with ``make figures`` or ``python docs/make_figures.py``; it takes some minutes. ``python docs/make_figures.py models``
makes those of the models alone.
"""

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcassay import CheckResult, InverseGamma, Subject, assay
from mcassay.models.collapsed import CollapsedGaussianMixture, CollapsedIsotropicMixture
from mcassay.models.full_covariance import FullCovarianceMixture, UntiedCovarianceMixture
from mcassay.models.mixture import IsotropicMixture
from mcassay.models.restaurant import RestaurantMixture
from mcassay.models.restaurant_auxiliary import AuxiliaryRestaurantMixture
from mcassay.models.untied import UntiedIsotropicMixture
from mcassay.report.plots import evidence_plot, pp_difference_plot, pp_plot, trace_plot
from mcassay.vocabulary import Data, State

FOLDER = Path(__file__).parent / "figures"
SEED = 1
STATISTICS = ("sigma_sq_n", "sigma_sq_mu", "pi[0]", "log_joint")
# Three tenths of these are the chain.
LONG, SHORT, CHAINS = 60_000, 1_000, 3
SINGLE = 42_000
# The models, each with a statistic of its own beside those that all of them have.
MODELS = {
    "untied": (UntiedIsotropicMixture, "mean of sigma_sq_n"),
    "full": (FullCovarianceMixture, "covariance[0,1]"),
    "untied-full": (UntiedCovarianceMixture, "mean square of covariance"),
    "collapsed": (CollapsedIsotropicMixture, "sigma_sq_n"),
    "collapsed-full": (CollapsedGaussianMixture, "largest group of z"),
    "restaurant": (RestaurantMixture, "alpha"),
    "auxiliary": (AuxiliaryRestaurantMixture, "mean of sigma_sq_n"),
}
OF_ALL = ("distinct values of z", "spread of data within z", "log_joint")
EACH = 6_000


def subjects(points: int) -> tuple[Subject, Subject]:
    """Return the sampler of the paper's mixture, and the one with 0.51 for 0.5."""
    model = IsotropicMixture(points=points)

    def wrong(state: State, data: Data) -> InverseGamma:
        squares = ((data - state["mu"][state["z"]]) ** 2).sum()
        return InverseGamma(3 + 0.5 * data.size, scale=3 + 0.51 * squares)

    return replace(model.subject(), name="right"), replace(model.subject(sigma_sq_n=wrong), name="0.51 for 0.5")


def geweke(subject: Subject, budget: int, seed: int = SEED) -> CheckResult:
    """Run the check, and print what it found."""
    (result,) = assay(subject, seed=seed, budget=budget, checks=["geweke"]).results
    sys.stdout.write(f"{subject.name}, seed {seed}: {result.verdict} {result.message}\n")
    sys.stdout.flush()
    return result


def save(figure: Figure, name: str) -> None:
    """Write a figure to its file."""
    FOLDER.mkdir(exist_ok=True)
    figure.savefig(FOLDER / f"{name}.png", dpi=110)
    pyplot.close(figure)


def panels(rows: int, columns: int, width: float = 3.6, height: float = 4.4) -> tuple[Figure, list[Axes]]:
    """Make a figure with axes side by side."""
    figure, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), layout="constrained", squeeze=False)
    return figure, list(axes.flat)


def pp_plots(result: CheckResult, name: str) -> None:
    """Draw P-P plots of several statistics side by side, and below them the same less the diagonal."""
    figure, axes = panels(2, len(STATISTICS))
    for statistic, above, below in zip(STATISTICS, axes[: len(STATISTICS)], axes[len(STATISTICS) :], strict=True):
        pp_plot(result, statistic, axes=above).get_legend().remove()
        legend = pp_difference_plot(result, statistic, axes=below).get_legend()
        below.set_ylim(-0.2, 0.2)
        if statistic != STATISTICS[0]:
            legend.remove()
    figure.legend(*axes[len(STATISTICS)].get_legend_handles_labels(), loc="outside lower center", frameon=False)
    axes[len(STATISTICS)].get_legend().remove()
    save(figure, name)


def unclear(right: Subject, wrong: Subject) -> None:
    """Draw short chains of both samplers, which nobody could tell apart."""
    figure, axes = panels(1, 2, 4.6, 4.8)
    for subject, own in zip((right, wrong), axes, strict=True):
        for seed in range(SEED, SEED + CHAINS):
            pp_difference_plot(geweke(subject, SHORT, seed), "sigma_sq_n", axes=own)
        own.set(title=f"{subject.name}: {CHAINS} chains of {SHORT:,} sweeps", ylim=(-0.4, 0.4))
        own.get_legend().remove()
    save(figure, "geweke-unclear")


def explosion() -> None:
    """Draw the variance within clusters along the chains of both samplers, where there are many points."""
    figure, axes = panels(1, 2, 4.8, 4.2)
    for subject, own in zip(subjects(400), axes, strict=True):
        trace_plot(geweke(subject, SHORT), "sigma_sq_n", axes=own).set_title(subject.name)
    save(figure, "geweke-explosion")


def evidence(right: Subject, wrong: Subject, runs: CheckResult) -> None:
    """Draw how evidence grew: by bets on single sweeps, and on the runs of the check *geweke*."""
    figure, axes = panels(1, 1, 6.0, 4.4)
    for subject in (right, wrong):
        report = assay(subject, seed=SEED, budget=SINGLE, checks=["invariance"])
        found = report.results[0]
        sys.stdout.write(f"{subject.name}: {found.verdict} {found.message}\n")
        evidence_plot(found, label=f"{subject.name}: single sweeps, mostly", axes=axes[0])
    evidence_plot(runs, label=f"{wrong.name}: runs of {runs.details['length']} sweeps", axes=axes[0])
    save(figure, "geweke-evidence")


def models() -> None:
    """Draw P-P plots of the sampler of every model."""
    for name, (model, own) in MODELS.items():
        result = geweke(model().subject(), EACH)
        figure, axes = panels(1, 1 + len(OF_ALL), height=4.7)
        for statistic, place in zip((own, *OF_ALL), axes, strict=True):
            pp_plot(result, statistic, axes=place).get_legend().remove()
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", frameon=False)
        save(figure, f"geweke-model-{name}")


def main() -> None:
    """Make all figures."""
    models()
    if sys.argv[1:] == ["models"]:
        return
    right, wrong = subjects(20)
    unclear(right, wrong)
    explosion()
    held, failed = geweke(right, LONG), geweke(wrong, LONG)
    pp_plots(held, "geweke-passes")
    pp_plots(failed, "geweke-fails")
    evidence(right, wrong, failed)


if __name__ == "__main__":
    main()
