"""The kernels of this package on standard targets: each as ``conformance`` takes it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mcassay.distributions import MultivariateNormal, Normal
from mcassay.kernels import Cycle, EllipticalSlice, HamiltonianMonteCarlo, MetropolisHastings, Slice
from mcassay.subject import Subject
from mcassay.suite.combinations import Grid
from mcassay.suite.protocols import not_a_vector
from mcassay.targets import Skip, Space, Target, gaussian_process, regression
from mcassay.vocabulary import Data, Generator, State, Step


def house_kernels() -> dict[str, Grid]:
    """Return every general-purpose kernel of this package with easy and awkward values of its parameters."""
    return {
        "slice": Grid(slices, {"width": [0.1, 1.0, 20.0], "steps_out": [1, 100]}),
        "hamiltonian": Grid(hamiltonian, {"step_size": [0.01, 0.3, 2.0], "steps": [1, 10]}),
        "metropolis": Grid(metropolis, {"scale": [0.05, 1.0, 20.0], "accept": ["metropolis", "barker"]}),
        "elliptical slice": Grid(elliptical),
    }


def slices(target: Target, *, width: float = 1.0, steps_out: int = 100) -> Subject | Skip:
    """Return slice sampling of every block in turn."""
    reason = not_a_vector(target)
    if reason:
        return Skip(reason)
    return target.subject(Cycle({name: Slice(name, width=width, steps_out=steps_out) for name in target.spaces}))


def hamiltonian(target: Target, *, step_size: float = 0.3, steps: int = 10) -> Subject | Skip:
    """Return Hamiltonian Monte Carlo of all blocks together."""
    reason = not_a_vector(target, gradient=True)
    if reason:
        return Skip(reason)
    names, slopes = tuple(target.spaces), target.gradient
    assert slopes is not None

    def gradient(state: State, data: Data) -> Any:
        found = slopes(state, data)
        return found[names[0]] if len(names) == 1 else tuple(np.asarray(found[name]) for name in names)

    return target.subject(HamiltonianMonteCarlo(names, gradient=gradient, step_size=step_size, steps=steps))


def metropolis(target: Target, *, scale: float = 1.0, accept: str = "metropolis") -> Subject | Skip:
    """Return Metropolis updates of every block in turn, with proposals that suit its values."""
    if any(space.kind == "simplex" for space in target.spaces.values()):
        return Skip("the proposals move in every dimension, and a simplex has one less than it has elements")
    moves = {name: partial(_proposal(space), name, space, scale) for name, space in target.spaces.items()}
    steps: dict[str, Step] = {
        name: MetropolisHastings(partial(_symmetric, move), blocks=name, accept=accept) for name, move in moves.items()
    }
    return target.subject(Cycle(steps))


Move = Callable[..., Any]


def _symmetric(move: Move, state: State, data: Data, rng: Generator) -> tuple[State, float]:
    """Propose by a move that is as likely as its reverse."""
    return move(state, rng), 0.0


def _proposal(space: Space) -> Move:
    kinds: dict[str, Move] = {"integers": _next_number, "labels": _another_label, "binary": _another_label}
    return kinds.get(space.kind, _walk)


def _walk(name: str, space: Space, scale: float, state: State, rng: Generator) -> State:
    return {**state, name: state[name] + scale * rng.normal(size=space.shape)[()]}


def _next_number(name: str, space: Space, scale: float, state: State, rng: Generator) -> State:
    """Move every number up or down, by one or by about the scale."""
    steps = rng.integers(1, max(1, round(scale)) + 1, size=space.shape) * rng.choice((-1, 1), size=space.shape)
    return {**state, name: state[name] + steps}


def _another_label(name: str, space: Space, scale: float, state: State, rng: Generator) -> State:
    """Give one element, chosen at random, another of its labels."""
    labels = np.array(state[name])
    place = int(rng.integers(space.size))
    count = space.sizes[place] if space.kind == "labels" else 2
    flat = labels.reshape(-1)
    flat[place] = (flat[place] + rng.integers(1, count)) % count
    return {**state, name: labels[()]}


def elliptical(target: Target) -> Subject | Skip:
    """Return elliptical slice sampling of the block that has a normal prior, and slice sampling of the others."""
    normal = _NORMAL_BLOCKS.get(target.name)
    if normal is None:
        return Skip("the kernel needs a block whose prior is normal, and an example of it for this target")
    block, prior = normal

    def log_likelihood(state: State, data: Data) -> float:
        return target.log_joint(state, data) - float(np.sum(prior(state, data).log_p(state[block])))

    steps: dict[str, Step] = {block: EllipticalSlice(block, prior=prior, log_likelihood=log_likelihood)}
    return target.subject(Cycle(steps | {name: Slice(name) for name in target.spaces if name != block}))


def _weights(state: State, data: Data) -> Any:
    return Normal(np.zeros(2), sd=regression.WEIGHT_SPREAD)


def _process(state: State, data: Data) -> Any:
    covariance = gaussian_process.covariance(state["log_length"], np)
    return MultivariateNormal(np.zeros(len(covariance)), covariance=covariance)


_NORMAL_BLOCKS: dict[str, tuple[str, Callable[[State, Data], Any]]] = {
    "logistic regression": ("weights", _weights),
    "linear regression": ("weights", _weights),
    "gaussian process": ("f", _process),
}
