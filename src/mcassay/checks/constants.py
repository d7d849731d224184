"""A constant added to the log density changes nothing in the chain of the same seed.

Each update is applied to the same state with the same random numbers, once as it is and once with a log joint that is larger
by a constant. Rounding may part the two where a decision is a matter of the last digit; so what differs must differ by more
than what a disturbance of the log joint by its last digits does, and do so again and again.
"""

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mcassay.checks.base import Check, Context
from mcassay.checks.identity import coarsest_epsilon, epsilon_of_results
from mcassay.checks.parts import distance, leaves
from mcassay.checks.shifted import Shifted, with_log_joint
from mcassay.checks.walk import called, target_of, units
from mcassay.engine.legacy import GlobalState, global_randomness, global_state, restore
from mcassay.errors import shown
from mcassay.kernels import apply
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.state import copy_state
from mcassay.subject import Subject
from mcassay.vocabulary import Data, Generator, LogJoint, State, Step

NAME = "constants"

# Nothing in double precision over- or underflows by these, whatever the kernel does with the log density.
_SMALL = (1.0, -37.5)
_LARGE = (1000.0, -1000.0)
_REPLICATES = 8
_SWEEPS = 12
# Large constants mean the same as small ones unless something overflows; they are tried once in so many sweeps.
_LARGE_EVERY = 6
_DISTURBED = 6
# A divergence counts if it is so many times as large as what rounding does, and happens in so many replicates.
_BEYOND = 1e3
_SYSTEMATIC = 2


@dataclass(frozen=True)
class _Divergence:
    """One update whose outcome changed with the constant."""

    name: str
    constant: float
    replicate: int
    sweep: int
    said: str


@dataclass
class _Tally:
    divergences: list[_Divergence] = field(default_factory=list)
    compared: int = 0
    sweeps: int = 0


def _missing(subject: Subject) -> str | None:
    if subject.log_joint is None:
        return "the subject has no log_joint"
    if subject.init is not None:
        return "the kernel carries more than the state, which may hold log densities without the constant"
    if with_log_joint(subject.step, subject.log_joint, Shifted(subject.log_joint, 1.0)) is subject.step:
        return "the kernel does not take log_joint from the subject (see MetropolisHastings, HamiltonianMonteCarlo and Slice)"
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    assert subject.log_joint is not None
    if _is_single(subject, subject.log_joint, context.rng(NAME, "precision")):
        return [CheckResult(NAME, SWEEP, Verdict.SKIPPED, "the log joint is computed in single precision")]
    tally = _Tally()
    for number in range(_REPLICATES):
        with global_randomness(number):
            _run_replicate(subject, context, number, tally)
    return _judge(tally)


def _is_single(subject: Subject, log_joint: LogJoint, rng: Generator) -> bool:
    with np.errstate(all="ignore"):
        results = [log_joint(*subject.draw(rng)) for _ in range(5)]
    double = float(np.finfo(float).eps)
    return max(coarsest_epsilon(results), epsilon_of_results([float(result) for result in results])) > double


def _run_replicate(subject: Subject, context: Context, number: int, tally: _Tally) -> None:
    rng = context.rng(NAME, number)
    state, data = subject.draw(rng)
    for sweep in range(1, _SWEEPS + 1):
        tally.sweeps += 1
        for name, unit in list(units(subject.step, rng)):
            trial = _Trial(subject.log_joint, unit, state, data, int(rng.integers(2**63)))
            state = trial.outcome(unit)
            constants = (*_SMALL, *_LARGE) if sweep % _LARGE_EVERY == 1 else _SMALL
            tally.compared += 1
            tally.divergences += [_Divergence(name, c, number, sweep, said) for c, said in trial.divergences(state, constants)]


@dataclass
class _Trial:
    """One update from one state with one stream of random numbers, under several log joints."""

    log_joint: Any
    step: Step
    state: State
    data: Data
    seed: int
    legacy: GlobalState = field(default_factory=global_state)

    def outcome(self, step: Step) -> State:
        """Apply a fresh copy of the step to copies of state and data, with the same random numbers every time."""
        state, data = copy_state(self.state), copy_state(self.data)
        restore(self.legacy)
        with np.errstate(all="ignore"):
            return apply(_fresh(step), state, data, np.random.default_rng(self.seed))

    def divergences(self, plain: State, constants: Sequence[float]) -> Iterator[tuple[float, str]]:
        """Yield the constants that change the plain outcome by more than rounding does, and what they change."""
        for constant in constants:
            try:
                new = self.outcome(self._under(constant))
            except Exception as error:
                yield constant, f"it raises {type(error).__name__}: {error}"
                continue
            apart = distance(plain, new)
            if apart > 0 and not apart <= _BEYOND * self._rounding(plain, constant):
                yield constant, _said(plain, new)

    def _under(self, constant: float, disturbance: Generator | None = None) -> Step:
        def jitter(value: float) -> float:
            assert disturbance is not None
            # Twice the rounding of a sum with the constant.
            scale = 4 * float(np.finfo(float).eps) * (1.0 + abs(value) + abs(constant)) if math.isfinite(value) else 0.0
            return scale * disturbance.uniform(-1.0, 1.0)

        added = 0.0 if disturbance is not None else constant
        new = Shifted(self.log_joint, added, jitter if disturbance is not None else None)
        replaced: Step = with_log_joint(self.step, self.log_joint, new)
        return replaced

    def _rounding(self, plain: State, constant: float) -> float:
        """Return by how much disturbances of the last digits of the log joint change the outcome."""
        disturbances = np.random.default_rng([self.seed, 1]).spawn(_DISTURBED)
        return max(distance(plain, self.outcome(self._under(constant, disturbance))) for disturbance in disturbances)


def _fresh(step: Step) -> Step:
    try:
        return copy.deepcopy(step)
    except Exception:  # what can not be copied is shared, as in a block of replicates
        return step


def _said(plain: State, new: State) -> str:
    one, other = leaves(plain), leaves(new)
    changed = [path for path in one if path not in other or distance(one[path], other[path]) > 0]
    if not changed:
        return "the state gets other blocks"
    block, path = (f'block "{changed[0]}"' if changed[0] else "the state"), changed[0]
    return f"{block} becomes {shown(other.get(path))} in the place of {shown(one[path])}"


def _judge(tally: _Tally) -> list[CheckResult]:
    names = dict.fromkeys(divergence.name for divergence in tally.divergences)
    results = [_result(name, [d for d in tally.divergences if d.name == name], tally) for name in names]
    if results:
        return results
    message = f"nothing changes in {tally.compared} updates when {_listed((*_SMALL, *_LARGE))} is added to the log joint"
    return [CheckResult(NAME, SWEEP, Verdict.PASS, message, sweeps=tally.sweeps)]


def _result(name: str, found: list[_Divergence], tally: _Tally) -> CheckResult:
    small = [d for d in found if d.constant in _SMALL]
    first = (small or found)[0]
    where = f"first in sweep {first.sweep} of replicate {first.replicate}, with {first.constant:+g}: {first.said}"
    counted = f"{len(found)} times in {tally.compared} updates"
    cause = f"{called(name)} changes its outcome when a constant is added to the log joint"
    if len({d.replicate for d in small}) >= _SYSTEMATIC:
        verdict, message = Verdict.FAIL, f"{cause} ({counted}; {where}); only differences of the log joint may matter"
    elif small:
        verdict, message = Verdict.UNCLEAR, f"{cause}, but hardly ever ({counted}; {where})"
    else:
        advice = "it seems to use the density, which over- or underflows, in the place of its logarithm, or a threshold on it"
        verdict, message = Verdict.UNCLEAR, f"{cause} by {_listed(sorted({d.constant for d in found}))} ({where}); {advice}"
    return CheckResult(NAME, target_of(name), verdict, message, sweeps=tally.sweeps, cause=cause)


def _listed(constants: Sequence[float]) -> str:
    return ", ".join(f"{constant:g}" for constant in constants[:-1]) + " or " * (len(constants) > 1) + f"{constants[-1]:g}"


CHECK = Check(
    name=NAME,
    title="a constant added to the log joint changes nothing",
    requires="log_joint, and a kernel that takes it from the subject",
    failure="the kernel uses the log density itself where only differences of it may matter: a ratio without its denominator, or "
    "a threshold on the density",
    kind="exact",
    missing=_missing,
    run=_run,
)
