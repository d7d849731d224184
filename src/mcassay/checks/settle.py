"""No verdict stands on blocks that were broken off: what a check concludes from them becomes ERROR, SKIPPED or UNCLEAR."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mcassay.engine.failures import BlockFailure
from mcassay.engine.session import Session
from mcassay.results import CheckResult, Verdict
from mcassay.rng import written_seed


def settled(check: str, results: Sequence[CheckResult], sessions: Sequence[Session]) -> tuple[CheckResult, ...]:
    """Return the results of a check, with those corrected whose session was broken off; what it had found is kept.

    A result that has no session of its own rests on all of them.
    """
    own = [session for session in sessions if session.path[0] == check]
    broken = [session for session in own if session.broken_off]
    targets = {session.target for session in own}
    done = []
    for result in results:
        concerned = [session for session in broken if session.target == result.target or result.target not in targets]
        done.append(_settled(result, concerned[0]) if concerned else result)
    told = all(result.target in targets for result in results)
    lost = [session for session in broken if told and session.target not in {result.target for result in results}]
    return tuple(done + [_settled(empty(check, session), session) for session in lost])


def empty(check: str, session: Session) -> CheckResult:
    """Return the result of a session that the check could conclude nothing from."""
    found = {"log10_evidence": session.log10_evidence, "sweeps": session.sweeps}
    return CheckResult(check, session.target, Verdict.UNCLEAR, "", **found)  # type: ignore[arg-type]


def _settled(result: CheckResult, session: Session) -> CheckResult:
    if session.failure is not None:
        verdict, message = _failed(session.failure, result)
        return replace(result, verdict=verdict, message=message, details={**result.details, **session.failure.details})
    return interrupted(result, session.seed)


def _failed(failure: BlockFailure, result: CheckResult) -> tuple[Verdict, str]:
    if failure.unusable_start:
        reason = "the kernel can not start from a prior draw that is independent of the data"
        return Verdict.SKIPPED, f"{reason}: {failure.message}"
    return Verdict.ERROR, f"{failure.message}; {_so_far(result)}{repeat(failure.seed)}"


def _so_far(result: CheckResult) -> str:
    if result.log10_evidence is None:
        return f"until then {result.sweeps:,} sweeps; "
    return f"until then evidence {10**result.log10_evidence:.2g} : 1 in {result.sweeps:,} sweeps; "


def repeat(seed: int) -> str:
    """Say how to repeat a run."""
    return f'repeat it with seed="{written_seed(seed)}"'


def interrupted(result: CheckResult, seed: int) -> CheckResult:
    """Return a result as it stands after Ctrl-C: evidence against the kernel holds, and nothing else is settled."""
    details: dict[str, Any] = {**result.details, "interrupted": True}
    if result.verdict is Verdict.FAIL and result.log10_evidence is not None:
        return replace(result, details=details)
    said = result.message if "interrupted" in result.message else f"interrupted after {result.sweeps:,} sweeps; {result.message}"
    resume = f'seed="{written_seed(seed)}" repeats the same blocks'
    message = f"{said.rstrip('; ')}; {resume}"
    return replace(result, verdict=Verdict.UNCLEAR, message=message, details=details)
