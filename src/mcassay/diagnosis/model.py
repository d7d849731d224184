"""When it is not the update that is wrong but log_joint, or prior and simulate."""

from collections.abc import Sequence

from mcassay.results import CheckResult, Diagnosis, Verdict

# These compare an update with log_joint.
_WITH_LOG_JOINT = ("conditionals", "proposals", "gradients", "enumeration")
_WITH_DRAWS = ("invariance", "conditional draws")


def at_fault(results: Sequence[CheckResult], convicted: CheckResult) -> bool:
    """Say whether log_joint is wrong about an update that contradicts it: what prior and simulate draw decides."""
    if convicted.check not in _WITH_LOG_JOINT:
        return False
    model = next((result for result in results if result.check == "model"), None)
    if model is None:
        return False
    settled = model.details.get("disputed", {}).get(_name(convicted), {}).get("wrong")
    if settled is not None:
        return bool(settled == "log_joint")
    return model.verdict is Verdict.FAIL and not _contradicts_draws(results, convicted.target)


def _contradicts_draws(results: Sequence[CheckResult], target: str) -> bool:
    return any(r.check in _WITH_DRAWS and r.target == target and r.verdict is Verdict.FAIL for r in results)


def is_vouched_for(results: Sequence[CheckResult], suspect: CheckResult) -> bool:
    """Say whether an update's density agrees with log_joint exactly, and its draws with its density."""
    verdicts = {result.check: result.verdict for result in results if result.target == suspect.target}
    return verdicts.get("conditionals") is Verdict.PASS and verdicts.get("distributions") is Verdict.PASS


def disagreement(results: Sequence[CheckResult], updates: Sequence[CheckResult]) -> Diagnosis:
    """Say that log_joint and prior with simulate describe different models, and what about."""
    model = next((r for r in results if r.check == "model" and r.verdict is Verdict.FAIL), None)
    if model is not None:
        return Diagnosis("model", cause=model.cause or model.message)
    names = ", ".join(dict.fromkeys(f'"{_name(result)}"' for result in updates))
    if all(result.check in _WITH_LOG_JOINT for result in updates):
        cause = f"update {names} leaves what prior and simulate draw invariant, and contradicts log_joint"
    else:
        cause = f"update {names} agrees with log_joint exactly, and does not leave what prior and simulate draw invariant"
    return Diagnosis("model", cause=f"{cause}: they describe different models")


def _name(result: CheckResult) -> str:
    return result.target.removeprefix("update:")
