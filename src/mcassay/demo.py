"""The paper's story in the terminal: a right sampler, a bug of two percent, and the checks that find it.

Run it with ``make demo`` or ``python -m mcassay.demo``.
"""

import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from mcassay.assayer import assay
from mcassay.distributions import InverseGamma
from mcassay.errors import InputError
from mcassay.models.mixture import IsotropicMixture
from mcassay.report import Report
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject
from mcassay.vocabulary import Data, State

MODEL = IsotropicMixture(clusters=3, dimensions=2, points=400)
BUG = "sigma_sq_n"
SEED = 1
BUDGET = 2_000
# Coarser than the default, which would take several times as long.
TOLERANCE = 0.1
# How long a chain runs, and how many times as high as the highest of its forward draws counts as gone for good.
CHAIN, FAR = 1_000, 10
FOLDER = Path("out")


def cond_sigma_sq_n(state: State, data: Data) -> InverseGamma:
    """Return the conditional of the variance within clusters with the paper's bug: 0.51 in the place of 0.5."""
    prior = MODEL.sigma_sq_n_prior.parameters
    squares = np.sum((data - state["mu"][state["z"]]) ** 2)
    return InverseGamma(prior["shape"] + 0.5 * data.size, scale=prior["scale"] + 0.51 * squares)


RIGHT = replace(MODEL.subject(), name="the right sampler")
WRONG = replace(MODEL.subject(sigma_sq_n=cond_sigma_sq_n), name="the sampler with 0.51")


@dataclass(frozen=True)
class Story:
    """What the acts found: exact checks before, with and after the bug; whole sweeps and a chain without and with it."""

    exact: tuple[Report, Report, Report]
    sweeps: tuple[Report, Report]
    chains: tuple[CheckResult, CheckResult]

    def doubts(self) -> list[str]:
        """Say what did not come out as it should."""
        return [*self._verdicts(), *self._explanations(), *self._chains()]

    def _verdicts(self) -> Iterator[str]:
        reports = [*self.exact, self.sweeps[0]]
        for report, verdict in zip(reports, ("PASS", "FAIL", "PASS", "PASS"), strict=True):
            if str(report.verdict) != verdict:
                yield f"{report.subject} got {report.verdict}, not {verdict}"
        found = whole_sweeps(self.sweeps[1])
        if found.verdict is not Verdict.FAIL:
            yield f"whole sweeps of {self.sweeps[1].subject} got {found.verdict}, not FAIL"

    def _explanations(self) -> Iterator[str]:
        for report in (self.exact[1], self.sweeps[1]):
            found = report.diagnosis
            if found.culprits != (BUG,) or not found.cause or not found.smallest:
                yield f"the bug was not explained: {found}"

    def _chains(self) -> Iterator[str]:
        for chain, leaves in zip(self.chains, (False, True), strict=True):
            end, highest = heights(chain)
            if (end > FAR * highest) is not leaves:
                yield f"a chain ended at {end:.3g}, and the highest forward draw is {highest:.3g}"


def whole_sweeps(report: Report) -> CheckResult:
    """Return what was found about whole sweeps."""
    return next(result for result in report.results if result.check == "invariance" and result.target == SWEEP)


def heights(chain: CheckResult) -> tuple[float, float]:
    """Return where a chain's variance within clusters ends (the median of its last quarter), and the highest forward draw."""
    trace = chain.details["chain"]["trace"]["statistics"][BUG]
    return float(np.median(trace["chain"][-len(trace["chain"]) // 4 :])), float(max(trace["forward"]))


def tell(title: str, *said: str | Report) -> None:
    """Print one act of the story."""
    parts = [textwrap.fill(part, 112) if isinstance(part, str) else str(part) for part in said]
    print(f"\n{title}\n{'-' * len(title)}\n" + "\n\n".join(parts), flush=True)


def exact_act(title: str, subject: Subject, seed: int) -> Report:
    """Tell an act in which every conditional is compared with the joint."""
    report = assay(subject, seed=seed, checks=["conditionals"])
    tell(title, report)
    return report


def sweeps_act(title: str, said: str, subject: Subject, checks: list[str], seed: int, executor: Executor | None) -> Report:
    """Tell an act in which whole sweeps are bet against."""
    report = assay(subject, seed=seed, checks=checks, budget=BUDGET, tolerance=TOLERANCE, executor=executor)
    tell(title, said, report)
    return report


def chain(subject: Subject, seed: int) -> CheckResult:
    """Run the chain in which sweeps and new data alternate."""
    return assay(subject, seed=seed, checks=["geweke"], budget=CHAIN).results[0]


def tell_of_chains(title: str, chains: tuple[CheckResult, CheckResult]) -> None:
    """Tell the act in which sweeps and new data alternate."""
    (right, highest), (wrong, _) = (heights(one) for one in chains)
    tell(
        title,
        f"Along {CHAIN:,} sweeps, each under data that were simulated anew from the state, the right sampler has to wander "
        f"through the model: the variance within clusters ends at about {right:.2g} (of {len(traced(chains[0]))} draws from the "
        f"model the highest is {highest:.2g}). With 0.51 every sweep finds clusters a little wider than they are, the next data "
        f"are simulated wider still, and it ends at about {wrong:.2g}.",
    )


def traced(chain: CheckResult) -> list[float]:
    """Return the forward draws that are kept beside a chain."""
    return list(chain.details["chain"]["trace"]["statistics"][BUG]["forward"])


def story(seed: int, executor: Executor | None = None) -> Story:
    """Tell the story, act by act."""
    print(
        f"A Gibbs sampler for a mixture of Gaussians: {MODEL.points} points in {MODEL.dimensions} dimensions, "
        f"{MODEL.clusters} clusters, 5 conditionals."
    )
    exact = (
        exact_act("1. Every conditional against the joint: exact, no sampling", RIGHT, seed),
        exact_act(f"2. 0.51 for 0.5 in the conditional of {BUG}", WRONG, seed),
        exact_act("3. Repaired", RIGHT, seed + 1),
    )
    bets = (
        "State and data are drawn from the model, the sampler is applied, and bets are placed that what comes out is no longer a "
        "draw from the model. A right sampler lets them win a million to one at most one time in a million, however slow it is."
    )
    wins = "Now the bets win. Updates are then run one by one to learn which of them pays, and fewer data points are tried."
    sweeps = (
        sweeps_act("4. Whole sweeps of the right sampler", bets, RIGHT, ["invariance"], seed, executor),
        sweeps_act("5. Whole sweeps with 0.51", wins, WRONG, ["conditionals", "invariance"], seed, executor),
    )
    chains = (chain(RIGHT, seed), chain(WRONG, seed))
    tell_of_chains("6. What two percent do in the long run", chains)
    return Story(exact, sweeps, chains)


def save_plots(told: Story, folder: Path) -> list[Path]:
    """Save the plots of a story: evidence, P-P curves and traces."""
    from mcassay.report.plots import evidence_plot, pp_plot, trace_plot

    evidence = evidence_plot(told.sweeps[1], label=WRONG.name)
    evidence_plot(told.sweeps[0], label=RIGHT.name, axes=evidence)
    plots = {"evidence": evidence}
    for name, one in zip(("right", "wrong"), told.chains, strict=True):
        plots[f"pp-{name}"], plots[f"trace-{name}"] = pp_plot(one, BUG), trace_plot(one, BUG)
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{name}.png": axes for name, axes in plots.items()}
    for file, axes in files.items():
        axes.get_figure().savefig(file, dpi=120)  # type: ignore[union-attr]
    return list(files)


def main() -> int:
    """Tell the story; the exit status says whether it went as it should."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        told = story(SEED, executor)
    try:
        print("\nPlots: " + ", ".join(str(file) for file in save_plots(told, FOLDER)))
    except InputError as error:
        print(f"\nNo plots: {error}")
    doubts = told.doubts()
    for doubt in doubts:
        print(f"\nThis did not go as it should: {doubt}")
    return 1 if doubts else 0


if __name__ == "__main__":
    sys.exit(main())
