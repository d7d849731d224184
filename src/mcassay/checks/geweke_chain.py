"""The successive-conditional chain: sweeps alternate with new data given the state, from a draw of the joint on.

A right kernel leaves the joint invariant, so that in the long run the chain shows the joint. How long that takes is nobody's
fault; so the chain is drawn beside independent forward draws, and never judged.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mcassay.checks.base import Context
from mcassay.engine.block import BlockResult
from mcassay.engine.budget import Budget
from mcassay.engine.layout import sample_bytes
from mcassay.engine.numbers import Sample
from mcassay.engine.replicate import Course
from mcassay.engine.schedule import Slot
from mcassay.engine.session import Session
from mcassay.evidence.bands import pp_band
from mcassay.evidence.ranks import randomised_uniforms
from mcassay.single import one_replicate
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray, Generator

LEVEL = 0.99
PLACES = 19
MOST_SAMPLES = 1000
MOST_TRACED, TRACE_POINTS = 8, 200
_MEMORY = 2**26
# The time limit of a block was made for so many sweeps at the most.
_SWEEPS_OF_A_BLOCK = 256


def run_chain(subject: Subject, context: Context, path: tuple[str, ...], sweeps: int) -> tuple[Session, BlockResult | None]:
    """Run the chain as one block with one replicate; its samples are the ends, evenly spread over its sweeps."""
    session = _session(subject, context, path, sweeps)
    most = min(MOST_SAMPLES, _most_samples(subject, context.rng(*path, "size")))
    every = math.ceil(sweeps / most)
    times = tuple(range(every, sweeps + 1, every))
    found = list(session.blocks([Slot(Course(times[-1], times, forward=len(times)), 1)]))
    return session, found[0] if found else None


def _session(subject: Subject, context: Context, path: tuple[str, ...], sweeps: int) -> Session:
    """Begin a session whose one block may take as long as so many sweeps take in other checks."""
    session = context.session(subject, path, Budget(sweeps))
    if session.time_limit is not None:
        session.time_limit *= max(1.0, sweeps / _SWEEPS_OF_A_BLOCK)
    return session


def _most_samples(subject: Subject, rng: Generator) -> int:
    """Return how many samples of the chain, and as many forward draws, fit into the memory."""
    return max(2, _MEMORY // (2 * sample_bytes(Sample(*one_replicate(subject).draw(rng)))))


def chain_details(session: Session, block: BlockResult, rng: Generator) -> dict[str, Any]:
    """Return what is needed to draw a chain: P-P curves with a band, and traces of a few statistics."""
    instrument = session.instrument
    names, groups, constant = instrument.reference.names, instrument.blocks, instrument.reference.constant
    chain, forward = block.ends[:, 0], block.forward[0]
    band = pp_band(len(chain), len(forward), level=LEVEL, places=PLACES)
    drawn = [j for j in range(len(names)) if not constant[j]]
    ranks = {names[j]: randomised_uniforms(chain[:, j], forward[:, j], rng) for j in drawn}
    curves = {name: _curve(u, band.z) for name, u in ranks.items()}
    sizes = {name: float(np.abs(np.array(curve) - band.z).max()) for name, curve in curves.items()}
    traced = _traced({names[j]: groups[j] for j in drawn}, sizes)
    return {
        "sweeps": block.sweeps,
        "samples": len(chain),
        "forward": len(forward),
        "level": LEVEL,
        "places": _short(band.z),
        "lower": _short(band.lower),
        "upper": _short(band.upper),
        "statistics": {
            names[j]: {"curve": curves[names[j]], "independent": effective_size(_own_ranks(chain[:, j]))} for j in drawn
        },
        "trace": _trace(block, names, traced),
    }


def _curve(u: FloatArray, places: FloatArray) -> list[float]:
    return _short(np.searchsorted(np.sort(u), places, side="right") / len(u))


def _own_ranks(values: FloatArray) -> FloatArray:
    """Rank the samples of a chain among each other, which does no harm to infinite ones."""
    return np.unique(values, return_inverse=True)[1].astype(float)


def effective_size(values: FloatArray) -> int:
    """Estimate, by batch means, how many independent draws would tell the mean as precisely as this chain.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> bool(700 < effective_size(rng.random(1000)) <= 1000), effective_size(np.repeat(rng.random(10), 100)) < 40
    (True, True)
    """
    count = max(1, int(np.sqrt(len(values))))
    length = len(values) // count
    means = values[: count * length].reshape(count, length).mean(axis=1)
    spread, error = float(values.var()), float(means.var(ddof=1)) if count > 1 else 0.0
    if spread == 0:
        return 1
    return len(values) if error == 0 else int(np.clip(round(len(values) * spread / (length * error)), 1, len(values)))


def _traced(groups: dict[str, str], sizes: dict[str, float]) -> list[str]:
    """Choose what to trace: of every block the statistic whose curve is farthest from the diagonal."""
    farthest: dict[str, str] = {}
    for name, group in groups.items():
        if group not in farthest or sizes[name] > sizes[farthest[group]]:
            farthest[group] = name
    chosen = sorted(farthest.values(), key=lambda name: -sizes[name])[:MOST_TRACED]
    return [name for name in groups if name in chosen]


def _trace(block: BlockResult, names: Sequence[str], traced: Sequence[str]) -> dict[str, Any]:
    """Keep what the chain ran through, start included, and as many forward draws; both thinned."""
    chain = np.concatenate([block.start, block.ends[:, 0]])
    times = np.array([0, *block.task.course.times])
    places = _spread(len(chain))
    forward = block.forward[0][: len(places)]
    kept = {name: (chain[places, names.index(name)], forward[:, names.index(name)]) for name in traced}
    rows = {name: {"chain": _digits(run), "forward": _digits(draws)} for name, (run, draws) in kept.items()}
    return {"sweeps": times[places].tolist(), "statistics": rows}


def _spread(size: int) -> list[int]:
    """Return places evenly spread from the first to the last."""
    return sorted({round(place) for place in np.linspace(0, size - 1, min(size, TRACE_POINTS)).tolist()})


def _short(values: FloatArray) -> list[float]:
    return [round(float(value), 4) for value in values]


def _digits(values: FloatArray) -> list[float]:
    return [float(f"{value:.5g}") for value in values.tolist()]


def with_data_redrawn(subject: Subject) -> bool:
    """Say whether the data can be redrawn between sweeps without making what the kernel carries stale."""
    return subject.simulate is None or subject.init is None or subject.refresh is not None


def aside(context: Context) -> Context:
    """Return a context whose sessions do not count for the verdict."""
    return replace(context, sessions=[])
