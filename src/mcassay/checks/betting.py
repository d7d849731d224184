"""Betting on blocks of replicates: what the statistical checks share."""

import math
from collections.abc import Mapping

import numpy as np

from mcassay.checks.base import Context
from mcassay.engine.block import BlockResult
from mcassay.engine.events import Progressed
from mcassay.engine.instrument import Instrument
from mcassay.evidence.wager import Triple, Wager
from mcassay.vocabulary import FloatArray

GROUP_SHARES = {1: 0.76, 4: 0.08, 16: 0.08, 64: 0.08}


def begin(instrument: Instrument, groups: Mapping[str, float]) -> Wager:
    """Start a wager with wealth 1 on every direction of the instrument."""
    directions = instrument.directions
    return Wager.begin(groups, directions=len(directions.names), weights=instrument.weights, controls=directions.locations)


def length_groups(lengths: tuple[int, ...]) -> dict[str, float]:
    """Return the groups of a wager over run lengths, with the shares of the wealth that they start with."""
    return {group_name(length): GROUP_SHARES[length] for length in lengths}


def group_name(length: int) -> str:
    """Write a run length."""
    return "1 sweep" if length == 1 else f"{length} sweeps"


def triples(instrument: Instrument, block: BlockResult) -> dict[str, Triple]:
    """Turn a block into what the wager takes: directions at the end, at the start and over fresh draws, per run length."""
    start, forward = instrument(block.start), fresh_mean(instrument, block)
    if block.task.course.repeats > 1:
        return {group_name(1): Triple(np.asarray(instrument(block.ends).mean(axis=0)), start, forward)}
    pairs = zip(block.task.course.times, block.ends, strict=True)
    return {group_name(time): Triple(instrument(end), start, forward) for time, end in pairs}


def fresh_mean(instrument: Instrument, block: BlockResult) -> FloatArray | None:
    """Average the directions over the fresh draws of each replicate."""
    return np.asarray(instrument(block.forward).mean(axis=1)) if block.forward.shape[1] else None


def limit(alpha: float) -> float:
    """Return the evidence, as log10 of odds, at which a check of this alpha rejects."""
    return -math.log10(alpha)


def report_progress(context: Context, check: str, target: str, sweeps: int, wager: Wager, log10_limit: float) -> None:
    """Tell the handler of events how far a wager has come."""
    context.emit(Progressed(check, target, sweeps, float(wager.log10_evidence), log10_limit))


def odds(log10_evidence: float) -> str:
    """Write evidence as odds.

    Examples
    --------
    >>> odds(7.5)
    '3e7 : 1'
    >>> odds(0.4)
    '2.5 : 1'
    """
    if log10_evidence < 3:
        return f"{10**log10_evidence:.2g} : 1"
    exponent = math.floor(log10_evidence)
    leading = round(10 ** (log10_evidence - exponent))
    return f"{leading}e{exponent} : 1" if leading < 10 else f"1e{exponent + 1} : 1"
