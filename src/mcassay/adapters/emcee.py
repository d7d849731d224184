"""emcee: the state is the whole ensemble of walkers, each drawn independently from the target.

``ensemble`` makes a subject of any move, or mixture of moves; ``on_target`` does it for a standard target.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcassay.adapters.ensembles import ensemble_statistics
from mcassay.adapters.optional import load
from mcassay.errors import InputError, reject
from mcassay.subject import Subject
from mcassay.targets.skip import Skip
from mcassay.targets.target import Target
from mcassay.vocabulary import Data, FloatArray, Generator, Statistic

Draw = Callable[[Generator], Any]
LogDensity = Callable[[FloatArray], float]
# RandomState takes its seed as words of 32 bits; as many as these leave no two replicates alike.
_SEED_WORDS = 4


@dataclass
class Walkers:
    """What emcee carries from one iteration to the next: where the walkers are, and the log density there."""

    coordinates: FloatArray
    log_density: FloatArray


@dataclass(frozen=True)
class Iteration:
    """One iteration of an ensemble sampler of emcee, with random numbers that come from a generator of ours.

    Parameters
    ----------
    log_density
        ``log_density(walker)``, as emcee takes it.
    walkers, dimensions
        The shape of the ensemble.
    moves
        A move, a list of moves, or a list of pairs of moves and weights; None for emcee's default.
    """

    log_density: LogDensity
    walkers: int
    dimensions: int
    moves: Any = None

    def sampler(self) -> Any:
        """Return a new sampler: it holds a generator of its own, which must not outlive an iteration."""
        return load("emcee").EnsembleSampler(self.walkers, self.dimensions, self.log_density, moves=self.moves)

    def begin(self, state: FloatArray, data: Data, rng: Generator) -> Walkers:
        """Evaluate the log density of every walker, as emcee does before the first iteration."""
        return Walkers(state, self.sampler().compute_log_prob(state)[0])

    def __call__(self, carry: Walkers, data: Data, rng: Generator) -> Walkers:
        """Return the ensemble after one iteration."""
        words = rng.integers(2**32, size=_SEED_WORDS, dtype=np.uint32)
        seeded = np.random.RandomState(words).get_state()
        start = load("emcee").State(carry.coordinates, log_prob=carry.log_density, random_state=seeded, copy=True)
        # The check that walkers are independent is for starts of long runs: ours are draws from the target.
        moved = next(self.sampler().sample(start, iterations=1, store=False, skip_initial_state_check=True))
        return Walkers(moved.coords, moved.log_prob)


def _coordinates(carry: Walkers) -> FloatArray:
    return carry.coordinates


def ensemble(
    draw: Draw,
    log_density: LogDensity,
    *,
    walkers: int,
    moves: Any = None,
    statistics: Mapping[str, Statistic] | None = None,
    name: str = "emcee",
) -> Subject:
    """Return the subject of an ensemble sampler of emcee on a target that can be drawn from.

    The walkers start as independent draws from the target, which is the law that a right move leaves them in. Their log
    densities are carried along as emcee carries them, and compared with recomputed ones.

    Parameters
    ----------
    draw
        ``draw(rng)``: an independent draw from the target, a vector.
    log_density
        ``log_density(walker)``, as emcee takes it; -inf outside the support.
    walkers
        How many members the ensemble has.
    moves
        A move, a list of moves, or a list of pairs ``(move, weight)``; None for emcee's default.
    statistics
        Further statistics of the ensemble, ``{name: f(state, data)}``, where a state has one walker a row.
    name
        What reports call it.

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import assay
    >>> from mcassay.adapters.emcee import ensemble
    >>> def normal(rng):
    ...     return rng.normal(size=2)
    >>> def log_density(x):
    ...     return -0.5 * np.sum(x**2)
    >>> report = assay(ensemble(normal, log_density, walkers=6), budget=500, seed=1)  # doctest: +SKIP
    """
    for argument, function, form in (("draw", draw, "draw(rng)"), ("log_density", log_density, "log_density(walker)")):
        if not callable(function):
            reject("ensemble", argument, f"be a function {form}", function)
    if isinstance(walkers, bool) or not isinstance(walkers, (int, np.integer)) or walkers < 1:
        reject("ensemble", "walkers", "be a whole number from 1 on", walkers)
    load("emcee")
    dimensions = _dimensions(draw)
    step = Iteration(log_density, int(walkers), dimensions, moves)

    def prior(rng: Generator) -> FloatArray:
        return np.stack([np.asarray(draw(rng), dtype=float) for _ in range(walkers)])

    def log_densities(state: FloatArray, data: Data) -> FloatArray:
        return np.array([float(log_density(walker)) for walker in state])

    return Subject(
        prior,
        None,
        step,
        log_joint=lambda state, data: float(np.sum(log_densities(state, data))),
        statistics={**ensemble_statistics(int(walkers), dimensions), **(statistics or {})},
        init=step.begin,
        position=_coordinates,
        caches={"log_density": log_densities},
        name=name,
    )


def _dimensions(draw: Draw) -> int:
    """Return how many numbers a walker has, from a draw that is used for nothing else."""
    shape = np.shape(draw(np.random.default_rng(0)))
    if len(shape) != 1 or not shape[0]:
        raise InputError(f"ensemble: draw(rng) must return a vector of numbers, but found an array of shape {shape}")
    return int(shape[0])


def on_target(target: Target, moves: Any = None, *, walkers: int | None = None) -> Subject | Skip:
    """Return the subject of emcee's moves on a standard target, or why they can not take it.

    Parameters
    ----------
    target
        A target of ``mcassay.targets``.
    moves
        As ``ensemble`` takes them.
    walkers
        How many members the ensemble has; None for two more than twice the dimensions, and at least 8.
    """
    reason = _unsuitable(target)
    if reason is not None:
        return Skip(reason)
    return ensemble(
        lambda rng: target.vector(target.prior(rng)),
        lambda walker: target.log_joint(target.state(walker)),
        walkers=max(8, 2 * target.size + 2) if walkers is None else walkers,
        moves=moves,
        name=target.name,
    )


def _unsuitable(target: Target) -> str | None:
    """Say why no ensemble can be assayed on a target."""
    if not target.continuous:
        return "emcee moves real numbers, and this target has whole ones"
    if any(space.kind == "simplex" for space in target.spaces.values()):
        return "emcee moves in every dimension, and a simplex has one less than it has elements"
    if target.has_data:
        return "an ensemble needs as many independent draws from the posterior of the same data as it has walkers"
    return None
