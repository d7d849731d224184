"""Which update is wrong: what the results of the checks say together."""

from collections.abc import Sequence

from mcassay.results import SWEEP, CheckResult, Diagnosis, Verdict


def diagnose(results: Sequence[CheckResult]) -> Diagnosis:
    """Name the updates that an exact check convicts, with the cause that it gives."""
    failed = [result for result in results if result.verdict is Verdict.FAIL and result.target != SWEEP]
    if not failed:
        return Diagnosis()
    culprits = tuple(dict.fromkeys(result.target.removeprefix("update:") for result in failed))
    causes = [result.cause for result in failed if result.cause is not None]
    return Diagnosis("update", culprits, causes[0] if causes else None)
