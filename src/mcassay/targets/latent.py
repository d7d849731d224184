"""Model targets with labels: a mixture of normals, and a hidden Markov model."""

from typing import Any

import numpy as np

from mcassay.targets.space import Space
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, Generator, State

MIXTURE_POINTS, MIXTURE_CLUSTERS = 6, 2
MEAN_SPREAD, NOISE = 2.0, 0.8
WEIGHTS = np.array([0.3, 0.7])
PATH_LENGTH = 5
MOVES = np.array([[0.8, 0.2], [0.35, 0.65]])
START = np.array([0.6, 0.4])


def gaussian_mixture() -> Target:
    """Return a mixture of two normals with known weights and spread: two means, and a label for each of six points."""
    count, clusters = MIXTURE_POINTS, MIXTURE_CLUSTERS

    def prior(rng: Generator) -> State:
        labels = (rng.random(count) >= WEIGHTS[0]).astype(int)
        return {"means": rng.normal(0.0, MEAN_SPREAD, size=clusters), "labels": labels}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        means, labels = state["means"], state["labels"]
        inside, safe = xp.all((labels >= 0) & (labels < clusters)), xp.clip(labels, 0, clusters - 1)
        value = (
            _normal(means, MEAN_SPREAD, xp) + xp.sum(xp.log(xp.asarray(WEIGHTS))[safe]) + _normal(data - means[safe], NOISE, xp)
        )
        return xp.where(inside, value, -xp.inf)

    return Target(
        "gaussian mixture",
        {"means": Space("real", (clusters,)), "labels": Space("labels", (count,), sizes=(clusters,) * count)},
        prior=prior,
        simulate=lambda state, rng: rng.normal(state["means"][state["labels"]], NOISE),
        log_density=log_density,
    )


def hidden_markov() -> Target:
    """Return a hidden Markov model: two levels, and a path of two states through five times."""

    def prior(rng: Generator) -> State:
        path = [int(rng.random() >= START[0])]
        while len(path) < PATH_LENGTH:
            path.append(int(rng.random() >= MOVES[path[-1], 0]))
        return {"levels": rng.normal(0.0, MEAN_SPREAD, size=2), "path": np.array(path)}

    def log_density(state: State, data: Data, xp: Any) -> Any:
        levels, path = state["levels"], state["path"]
        inside, safe = xp.all((path >= 0) & (path < 2)), xp.clip(path, 0, 1)
        start, moves = xp.log(xp.asarray(START)), xp.log(xp.asarray(MOVES))
        walked = start[safe[0]] + xp.sum(moves[safe[:-1], safe[1:]])
        value = _normal(levels, MEAN_SPREAD, xp) + walked + _normal(data - levels[safe], NOISE, xp)
        return xp.where(inside, value, -xp.inf)

    return Target(
        "hidden markov",
        {"levels": Space("real", (2,)), "path": Space("labels", (PATH_LENGTH,), sizes=(2,) * PATH_LENGTH)},
        prior=prior,
        simulate=lambda state, rng: rng.normal(state["levels"][state["path"]], NOISE),
        log_density=log_density,
    )


def _normal(away: Any, spread: float, xp: Any) -> Any:
    return -0.5 * xp.sum((away / spread) ** 2)
