"""Makes the figures of the page about data of your own, from real runs, and prints what the page says in numbers.

Run it with ``make figures`` or ``python docs/make_posteriors.py``; it takes a few minutes.
"""

import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot

from mcassay.models import fit
from mcassay.models.choices import choose_model
from mcassay.models.clusters import GaussianCluster
from mcassay.models.datasets import galaxies, old_faithful

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "figures"
SWEEPS, REFERENCE_SWEEPS, BATCHES, HIGHEST = 4_000, 20_000, 50, 12
PRIOR = {"count": 0.1, "degrees": 3.0, "scale": 0.2, "shape": 2.0, "rate": 4.0}


def shares(counts: Any) -> tuple[Any, Any]:
    """Return how often every number of clusters was drawn, with standard errors from the means of batches."""
    chains = np.atleast_2d(counts)
    hits = np.array([chains == k for k in range(1, HIGHEST + 1)], float)
    batches = hits[..., : chains.shape[1] // BATCHES * BATCHES].reshape(HIGHEST, len(chains) * BATCHES, -1).mean(axis=2)
    return batches.mean(axis=1), batches.std(axis=1, ddof=1) / np.sqrt(batches.shape[1])


def density(draws: Any, grid: Any, every: int) -> Any:
    """Return the density of one more point at places on the grid, for some of the draws."""
    location, unit = draws.attrs["location"][0], draws.attrs["unit"][0]
    data = (draws["observed_data"]["x"].values - location) / unit
    labels = draws["labels"]["z"].values.reshape(-1, len(data))[::every]
    alphas = draws["posterior"]["alpha"].values.ravel()[::every]
    prior = choose_model("crp", None, *data.shape).model.cluster_prior
    return np.array([_density(z, a, data, prior, (grid - location) / unit) / unit for z, a in zip(labels, alphas, strict=True)])


def _density(z: Any, alpha: float, data: Any, prior: Any, places: Any) -> Any:
    """Return the density of one more point given a partition: that of each cluster by its share, and that of a new one."""
    total = np.zeros(len(places))
    for label in range(z.max() + 2):
        cluster = GaussianCluster(prior)
        for x in data[z == label]:
            cluster.add(x)
        share = (cluster.count or alpha) / (len(data) + alpha)
        total += share * np.exp([cluster.log_predictive(np.array([x])) for x in places])
    return total


def galaxy_figures() -> None:
    """Draw the density of the velocities, and the number of clusters beside what an independent sampler says."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import stick_breaking

    draws = fit(galaxies(), sweeps=SWEEPS, seed=1)
    points = (galaxies()[:, 0] - draws.attrs["location"][0]) / draws.attrs["unit"][0]
    found = shares(draws["posterior"]["cluster_count"].values)
    counts = stick_breaking.cluster_counts(points, **PRIOR, sweeps=REFERENCE_SWEEPS, warmup=1_000, seed=1)
    reference = shares(counts)
    for k in range(HIGHEST):
        pairs = "   ".join(f"{mean[k]:.3f} +- {error[k]:.3f}" for mean, error in (found, reference))
        sys.stdout.write(f"{k + 1} clusters   {pairs}\n")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    grid = np.linspace(5, 40, 200)
    densities = density(draws, grid, every=80)
    left.hist(galaxies()[:, 0], bins=40, density=True, color="0.85")
    left.fill_between(grid, *np.quantile(densities, [0.05, 0.95], axis=0), alpha=0.3)
    left.plot(grid, densities.mean(axis=0))
    left.set(xlabel="velocity (1000 km/s)", ylabel="density", title="82 galaxies: mean of the posterior, and 90 % of it")
    for offset, (mean, error), name in ((-0.2, found, "fit"), (0.2, reference, "stick breaking, independent")):
        right.bar(np.arange(1, HIGHEST + 1) + offset, mean, 0.4, yerr=2 * error, label=name)
    right.set(xlabel="clusters", ylabel="probability", title="number of clusters, with two standard errors")
    right.legend(frameon=False, loc="upper left")
    figure.savefig(FOLDER / "galaxies.png", dpi=110)


def geyser_figures() -> None:
    """Draw eruptions by the clusters that they are in most of the time, and how often two of them share one."""
    draws = fit(old_faithful(), sweeps=1_000, seed=1, coclustering=272)
    together = draws["coclustering"]["probability"].values
    count = draws["posterior"]["cluster_count"].values
    shown = ", ".join(f"{k}: {np.mean(count == k):.2f}" for k in range(1, 6))
    sys.stdout.write(f"Old Faithful, probability of so many clusters: {shown}\n")
    order = np.argsort(old_faithful()[:, 0])
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    dots = left.scatter(*old_faithful().T, c=together[order[-1]], s=14, cmap="coolwarm")
    left.set(xlabel="eruption (minutes)", ylabel="wait for the next (minutes)", title="272 eruptions of Old Faithful")
    figure.colorbar(dots, ax=left, label="probability to share a cluster with the longest")
    right.imshow(together[np.ix_(order, order)], vmin=0, vmax=1, cmap="magma")
    right.set(title="how often two share a cluster, by length", xticks=[], yticks=[])
    figure.savefig(FOLDER / "old-faithful.png", dpi=110)


def main() -> None:
    """Make all figures."""
    galaxy_figures()
    geyser_figures()


if __name__ == "__main__":
    main()
