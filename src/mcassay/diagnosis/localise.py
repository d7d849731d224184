"""Where the bug is: what the results of the checks say together.

An exact check that fails names the culprit. Where only the wager convicts, updates that fail alone are suspects, unless a later
update of the sweep makes up for them; and where a conditional agrees exactly with the log joint but fails alone, it is
the log joint that disagrees with prior and simulate.
"""

from collections.abc import Sequence

from mcassay.results import SWEEP, CheckResult, Diagnosis, Verdict

_EXACT = ("conditionals", "proposals", "gradients", "distributions", "caches", "purity")
_INVARIANCE = ("invariance", "conditional draws")
# Evidence, as log10 of odds: a state after an update that shows as much is no longer from the joint, and one that shows as
# little may be again.
_CLEAR, _NOTHING = 3.0, 0.3


def diagnose(results: Sequence[CheckResult]) -> Diagnosis:
    """Name the culprits, or say how far the bug could be localised."""
    failed = [result for result in results if result.verdict is Verdict.FAIL]
    if not failed:
        return Diagnosis()
    convicted = [result for result in failed if result.check in _EXACT and result.target != SWEEP]
    if convicted:
        return _updates(convicted)
    model = next((result for result in failed if result.check == "model"), None)
    if model is not None:
        return Diagnosis("model", cause=model.cause or model.message)
    return _from_wagers(results, failed)


def _from_wagers(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis:
    sweep = next((result for result in results if result.check == "invariance" and result.target == SWEEP), None)
    suspects = [result for result in failed if result.check in _INVARIANCE and result.target != SWEEP]
    vouched = [result for result in suspects if _agrees_with_joint(results, result.target)]
    if vouched:
        return _disagreement(vouched)
    blamed = [result for result in suspects if sweep is None or not _made_up_for(result, sweep)]
    if blamed:
        return _updates(blamed)
    if sweep is None or sweep.verdict is not Verdict.FAIL:
        return Diagnosis("not localised", cause=failed[0].message)
    return _without_culprit(results, sweep)


def _without_culprit(results: Sequence[CheckResult], sweep: CheckResult) -> Diagnosis:
    alone = [result for result in results if result.check == "invariance" and result.target != SWEEP]
    if not alone:
        cause = "the step has no named parts: build it from named updates (Gibbs, Cycle) to learn which one is wrong"
        return Diagnosis("not localised" if _has_joint(results) else "kernel or model", cause=cause)
    moved, explained = _lower_gap(sweep), sum(_upper_gap(result) for result in alone)
    if moved > explained:
        cause = (
            f"the sweep moves a statistic by at least {moved:.2g}, and the updates alone explain {explained:.2g} at most: "
            "they are wrong only in this company (a stale cache, an order that depends on the state, updates that may not "
            "follow each other)"
        )
        return Diagnosis("composition", cause=cause)
    cause = "no update alone could be convicted within the budget; a larger one may localise the bug"
    return Diagnosis("not localised", cause=cause)


def _updates(convicted: Sequence[CheckResult]) -> Diagnosis:
    culprits = tuple(dict.fromkeys(result.target.removeprefix("update:") for result in convicted))
    causes = [result.cause for result in convicted if result.cause is not None]
    return Diagnosis("update", culprits, causes[0] if causes else None)


def _disagreement(vouched: Sequence[CheckResult]) -> Diagnosis:
    names = ", ".join(f'"{result.target.removeprefix("update:")}"' for result in vouched)
    cause = (
        f"the conditional {names} agrees with log_joint exactly and yet does not leave draws from prior and simulate invariant: "
        "log_joint and prior with simulate describe different models"
    )
    return Diagnosis("model", cause=cause)


def _agrees_with_joint(results: Sequence[CheckResult], target: str) -> bool:
    """Say whether an update's density agrees with the joint, and its draws with its density."""
    verdicts = {result.check: result.verdict for result in results if result.target == target}
    return verdicts.get("conditionals") is Verdict.PASS and verdicts.get("distributions") is Verdict.PASS


def _made_up_for(result: CheckResult, sweep: CheckResult) -> bool:
    """Say whether the state is from the joint again after a later update of the sweep (partially collapsed Gibbs)."""
    prefixes: dict[str, float] = sweep.details.get("prefixes", {})
    name = result.target.removeprefix("update:")
    if name not in prefixes or prefixes[name] < _CLEAR:
        return False
    names = list(prefixes)
    return any(prefixes[later] < _NOTHING for later in names[names.index(name) + 1 :])


def _has_joint(results: Sequence[CheckResult]) -> bool:
    return any(result.check == "model" and result.verdict is Verdict.PASS for result in results)


def _lower_gap(result: CheckResult) -> float:
    return max(((s.gap or 0.0) - (s.band or 0.0) for s in result.statistics), default=0.0)


def _upper_gap(result: CheckResult) -> float:
    return max(((s.gap or 0.0) + (s.band or 0.0) for s in result.statistics), default=1.0)
