"""Proposals that return a new state and a log ratio instead of a distribution: what of them can be checked exactly.

Without a density only drawn moves can be looked at. With the user's own ``log_ratio`` both directions of a move must be
opposite. Without it, a proposal that is its own inverse must return opposite ratios; and where it uses no random numbers, the
ratio is the log of its Jacobian.
"""

import copy
import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mcassay.checks.identity import FEWEST_PAIRS
from mcassay.checks.jacobians import log_volume_change
from mcassay.checks.moves import Scales
from mcassay.checks.situations import Situation, situations
from mcassay.errors import shown
from mcassay.kernels import MetropolisHastings
from mcassay.kernels.hamiltonian import from_vector, to_vector
from mcassay.kernels.metropolis import read_proposal
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.state import blocks, copy_state, get_blocks, replace_blocks, same_state
from mcassay.subject import Subject
from mcassay.vocabulary import FloatArray, Generator, State

_DRAWS = 8
_NEAR = 1e-8


@dataclass(frozen=True)
class Drawn:
    """A move that the proposal drew, and what its way back looks like."""

    situation: Situation
    new: State
    returned: float  # the log ratio of proposals
    back: float | None  # what it returns when it proposes back with the same random numbers, all of them, and gets there
    fixed: bool  # whether the proposal used no random numbers at all


class Fault(Exception):
    """Something wrong with a move, in words."""


def check_drawn(check: str, name: str, subject: Subject, scales: Scales, rng: Generator) -> CheckResult:
    """Check a proposal that returns a new state."""
    update = scales.update
    try:
        drawn = [_drawn(update, s, rng) for s in situations(subject, rng) if s.genuine for _ in range(_DRAWS)]
        drawn = [move for move in drawn if scales.joint(move.situation.state, move.situation.data) > -math.inf]
        message = _with_ratio(name, scales, drawn) if update.log_ratio is not None else _without_ratio(name, scales, drawn)
        stretched = [_require_jacobian(scales, move) for move in drawn if move.fixed and move.back is not None]
    except Fault as fault:
        cause = f'update "{name}": {fault}'
        return CheckResult(check, update_target(name), Verdict.FAIL, cause, cause=cause)
    verdict, said = message
    if verdict is not Verdict.SKIPPED and sum(stretched) == len(drawn):
        verdict = Verdict.PASS
        said = f"moves without random numbers, undoes its own moves and accepts by its Jacobian on {len(drawn)} of them"
    return CheckResult(check, update_target(name), verdict, f'update "{name}" {said}', details={"moves": len(drawn)})


def _drawn(update: MetropolisHastings, situation: Situation, rng: Generator) -> Drawn:
    state, again = copy_state(situation.state), copy.deepcopy(rng)
    before = copy.deepcopy(again.bit_generator.state)
    new, returned = _proposed(update, state, situation.data, rng)
    if not same_state(state, situation.state):
        raise Fault("propose changes the state that it was given in place, so that a rejection does not bring it back")
    _require_declared(update, situation.state, new)
    fixed = _same_stream(before, rng)
    new = copy_state(new)
    back, ratio = _proposed(update, copy_state(new), situation.data, again)
    # A birth draws what a death does not: its way back needs no density of that, and tells nothing about the ratio.
    alike = _same_stream(copy.deepcopy(again.bit_generator.state), rng)
    returns = alike and _near(get_blocks(back, update.blocks), get_blocks(state, update.blocks))
    moved = not same_state(new, situation.state)
    return Drawn(situation, new, returned, ratio if returns and moved else None, fixed)


def _proposed(update: MetropolisHastings, state: State, data: Any, rng: Generator) -> tuple[State, float]:
    with np.errstate(all="ignore"):
        new, returned = read_proposal(update.propose(state, data, rng))
    if update.log_ratio is not None and (returned is None or np.isnan(returned)):
        return new, math.nan  # it is not used
    ratio = float(returned)
    if math.isnan(ratio) or ratio == math.inf:
        raise Fault(f"propose returned the log ratio {ratio}; it must be a finite number, or -inf where there is no way back")
    return new, ratio


def _require_declared(update: MetropolisHastings, old: State, new: State) -> None:
    there = blocks(new)
    for name, value in blocks(old).items():
        declared = any(name == block or name.startswith(f"{block}.") for block in update.blocks)
        if not declared and (name not in there or not same_state(value, there[name])):
            raise Fault(f'propose changes the block "{name}", which it does not declare (blocks={update.blocks!r})')


def _same_stream(before: Any, rng: Generator) -> bool:
    return repr(before) == repr(rng.bit_generator.state)


def _near(one: Any, other: Any) -> bool:
    first, second = (value if isinstance(value, tuple) else (value,) for value in (one, other))
    return all(_near_arrays(blocks(a), blocks(b)) for a, b in zip(first, second, strict=True))


def _near_arrays(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if one.keys() != other.keys() or any(np.shape(one[name]) != np.shape(other[name]) for name in one):
        return False
    pairs = [(np.asarray(one[name]), np.asarray(other[name])) for name in one]
    return all(np.allclose(a, b, rtol=_NEAR, atol=0.0) if a.dtype.kind in "fc" else np.array_equal(a, b) for a, b in pairs)


def _with_ratio(name: str, scales: Scales, drawn: list[Drawn]) -> tuple[Verdict, str]:
    """Compare the user's own log ratio on both directions of every move, and with what propose returned."""
    update, opposite, unequal = scales.update, 0, 0
    used = any(move.returned != 0.0 and not math.isnan(move.returned) for move in drawn)
    for move in drawn:
        there, back, bound = _both_ways(scales, move)
        if not (math.isfinite(there) and math.isfinite(back)):
            continue
        cut = update.accept == "metropolis" and max(there, back) == 0.0
        if abs(there + back) > bound and not cut:
            raise Fault(
                f"log_ratio is {there:.6g} one way and {back:.6g} the other {_place(update, move)}; they must be opposite"
            )
        opposite += not cut
        expected = _change(scales, move) + (0.0 if math.isnan(move.returned) else move.returned)
        unequal += abs(there - expected) > bound and not (cut and expected >= 0.0)
        if used and unequal:
            raise Fault(
                f"log_ratio and propose contradict each other {_place(update, move)}: log_ratio is {there:.6g}, the change of "
                f"the log joint and the ratio that propose returns add up to {expected:.6g}"
            )
    return _verdict_with_ratio(opposite, unequal)


def _verdict_with_ratio(opposite: int, unequal: int) -> tuple[Verdict, str]:
    if opposite < FEWEST_PAIRS:
        return Verdict.SKIPPED, f"moved between states with a finite joint only {opposite} times; {FEWEST_PAIRS} are needed"
    if unequal:
        return Verdict.UNCLEAR, (
            f"has a log_ratio that is opposite for the way back on {opposite} moves, but the ratio of proposals could "
            "not be checked: propose returns 0. Return it there, or give propose(state, data) that returns a distribution"
        )
    return Verdict.PASS, (
        f"has a log_ratio that is opposite for the way back and equals the change of the log joint and the returned log ratio on "
        f"{opposite} moves; whether the returned ratio is that of the proposal shows only from a distribution"
    )


def _both_ways(scales: Scales, move: Drawn) -> tuple[float, float, float]:
    update, state, data = scales.update, move.situation.state, move.situation.data
    with np.errstate(all="ignore"):
        there, back = update.log_acceptance_ratio(state, move.new, data), update.log_acceptance_ratio(move.new, state, data)
    if math.isnan(there):
        raise Fault(f"log_ratio is NaN {_place(update, move)}")
    return there, back, _bound(scales, move, [there, back])


def _change(scales: Scales, move: Drawn) -> float:
    return scales.joint(move.new, move.situation.data) - scales.joint(move.situation.state, move.situation.data)


def _bound(scales: Scales, move: Drawn, further: list[float]) -> float:
    state, data = move.situation.state, move.situation.data
    heights = [scales.joint(state, data), scales.joint(move.new, data), scales.own(state, data), scales.own(move.new, data)]
    return 64 * scales.tolerance([*heights, *further], state, data)


def _without_ratio(name: str, scales: Scales, drawn: list[Drawn]) -> tuple[Verdict, str]:
    for move in drawn:
        _require_joint(scales, move)
    possible = [move for move in drawn if math.isfinite(move.returned)]
    inverse = [move for move in possible if move.back is not None and math.isfinite(move.back)]
    for move in inverse:
        _require_opposite(scales.update, move)
    if len(inverse) >= FEWEST_PAIRS and len(inverse) == sum(not same_state(m.new, m.situation.state) for m in possible):
        return _verdict_of_inverse(inverse)
    return Verdict.SKIPPED, (
        f"changes only the blocks it declares and returns finite log ratios on {len(drawn)} moves; whether the ratios are right "
        "can not be checked without a density: give propose(state, data) that returns a distribution, or log_ratio"
    )


def _require_joint(scales: Scales, move: Drawn) -> None:
    state, data = move.situation.state, move.situation.data
    if scales.own is scales.joint:
        return
    own, right = scales.own(move.new, data) - scales.own(state, data), _change(scales, move)
    if abs(own - right) > _bound(scales, move, []):
        place = _place(scales.update, move)
        raise Fault(
            f"the log joint used by the kernel differs from the subject's: it changes by {own:.6g}, not {right:.6g}, {place}"
        )


def _require_opposite(update: MetropolisHastings, move: Drawn) -> None:
    """Raise a Fault where a proposal without random numbers undoes itself: the way back can then be paired in no other way."""
    assert move.back is not None
    if move.fixed and not _opposite(move):
        raise Fault(
            f"propose undoes its own move, so the two log ratios must be opposite, but they are {move.returned:.6g} and "
            f"{move.back:.6g} {_place(update, move)}"
        )


def _opposite(move: Drawn) -> bool:
    assert move.back is not None
    return abs(move.returned + move.back) <= 100 * _NEAR * (1.0 + abs(move.returned))


def _verdict_of_inverse(inverse: list[Drawn]) -> tuple[Verdict, str]:
    odd = [move for move in inverse if not _opposite(move)]
    if odd:
        return Verdict.UNCLEAR, (
            f"proposes back to the start with the same random numbers, yet the two log ratios are {odd[0].returned:.6g} and "
            f"{odd[0].back:.6g} rather than opposite; that is wrong unless the way back is another move that leads there too"
        )
    return Verdict.PASS, (
        f"undoes its own moves with the same random numbers, and returns opposite log ratios on {len(inverse)} of them; "
        "a missing Jacobian would not show"
    )


def _require_jacobian(scales: Scales, move: Drawn) -> bool:
    """Raise a Fault where a move without random numbers is weighed by anything but its Jacobian; say whether that is known."""
    state, data = move.situation.state, move.situation.data
    values = get_blocks(state, scales.update.blocks)
    found = (
        log_volume_change(partial(_there, scales, move), to_vector(values, len(scales.update.blocks))) if _real(values) else None
    )
    if found is None:
        return False
    used = move.returned
    if scales.update.log_ratio is not None:
        used = scales.update.log_acceptance_ratio(state, move.new, data) - _change(scales, move)
    right, error = found
    if math.isfinite(used) and abs(used - right) > error + _bound(scales, move, [right]):
        raise Fault(
            f"propose uses no random numbers, so its log ratio must be the log of its Jacobian, {right:.6g}, "
            f"but it is {used:.6g} {_place(scales.update, move)}"
        )
    return True


def _real(values: Any) -> bool:
    parts = values if isinstance(values, tuple) else (values,)
    return all(np.asarray(part).dtype.kind == "f" for part in parts)


def _there(scales: Scales, move: Drawn, vector: FloatArray) -> FloatArray | None:
    """Return where the proposal leads from a point next to the start; None for a point outside the support."""
    update, data, old = scales.update, move.situation.data, move.situation.state
    try:
        near = replace_blocks(old, update.blocks, from_vector(vector, old, update.blocks))
        if scales.joint(near, data) == -math.inf:
            return None
        new, _ = read_proposal(update.propose(copy_state(near), data, np.random.default_rng(0)))
        return to_vector(get_blocks(new, update.blocks), len(update.blocks))
    except Exception:  # a state that was put together is one that the user's functions need not be able to deal with
        return None


def _place(update: MetropolisHastings, move: Drawn) -> str:
    old, new = (get_blocks(state, update.blocks) for state in (move.situation.state, move.new))
    return f"from {shown(old, 40)} to {shown(new, 40)} ({move.situation.source})"
