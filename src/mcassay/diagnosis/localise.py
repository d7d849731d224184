"""Where the bug is: what the results of the checks say together.

An update is named where something speaks against it that speaks against nothing else: an exact identity that it breaks, or
the wager on it alone, where the rest of the sweep does not make up for it. What would convict a right update as well comes
first: a carry that init draws wrongly, and a log_joint that describes another model than prior and simulate.
"""

from collections.abc import Sequence
from dataclasses import replace

from mcassay.checks.findings import STRIKING
from mcassay.diagnosis.model import at_fault, disagreement, is_vouched_for
from mcassay.results import SWEEP, CheckResult, Diagnosis, Verdict

EXACT = ("conditionals", "proposals", "gradients", "enumeration", "distributions", "purity", "constants")
_INVARIANCE = ("invariance", "conditional draws")
# Evidence, as log10 of odds, that speaks against an update beside one that was convicted.
_SOME = 1.5


def diagnose(results: Sequence[CheckResult]) -> Diagnosis:
    """Name the culprits, or say how far the bug could be localised."""
    failed = [result for result in results if result.verdict is Verdict.FAIL]
    if not failed:
        return Diagnosis()
    for look in (_stale, _init, _exact, _model, _wagers):
        found = look(results, failed)
        if found is not None:
            return found
    return _without_culprit(results, failed)


def _stale(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis | None:
    """Say what a stale cache means: an update that uses it itself is wrong, and else the updates are wrong together."""
    stale = [result for result in failed if result.check == "caches"]
    if not stale:
        return None
    named = [result for result in stale if result.target != SWEEP]
    sweep = _sweep(results)
    wrong = [] if sweep is None else sweep.details.get("wrong again", [])
    own = [result for result in named if _name(result) in wrong or _is_only_update(results, result)]
    if own or not named:
        return _updates(own) if own else Diagnosis("not localised", cause=stale[0].cause or stale[0].message)
    return Diagnosis("composition", cause=named[0].cause or named[0].message)


def _init(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis | None:
    carry = next((result for result in failed if result.check == "carry"), None)
    if carry is None:
        return None
    kind = "init" if carry.details.get("blame") == "init" else "not localised"
    return Diagnosis(kind, cause=carry.cause or carry.message)


def _exact(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis | None:
    """Name the updates that break an exact identity, unless it is log_joint that is wrong about them."""
    convicted = [result for result in failed if result.check in EXACT and result.target != SWEEP]
    wrong = [result for result in convicted if not at_fault(results, result)]
    if wrong:
        return _updates(wrong)
    return disagreement(results, convicted) if convicted else None


def _model(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis | None:
    model = next((result for result in failed if result.check == "model"), None)
    return None if model is None else Diagnosis("model", cause=model.cause or model.message)


def _wagers(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis | None:
    """Name the updates that fail alone."""
    suspects = [result for result in failed if result.check in _INVARIANCE and result.target != SWEEP]
    vouched = [result for result in suspects if is_vouched_for(results, result)]
    if vouched:
        return disagreement(results, vouched)
    if not suspects:
        return None
    if _model_is_suspect(results):
        names = ", ".join(dict.fromkeys(f'"{_name(result)}"' for result in suspects))
        cause = f"update {names} fails alone, and something speaks against log_joint as well; a larger budget would tell"
        return Diagnosis("kernel or model", cause=cause)
    if not _is_given(results) and _all_suspect(results):
        cause = "every update fails alone: either all of them are wrong, or prior and simulate are not what they were made for"
        return Diagnosis("kernel or model", cause=f"{cause}; a log_joint would tell")
    if all("turned" in result.details and result.details["turned"]["holds"] for result in suspects):
        return _out_of_order(suspects[0])
    found = _updates(suspects)
    if found.cause is None and not _is_given(results):
        return replace(found, cause="it fails alone; without log_joint, prior and simulate may still be what is wrong")
    return found


def _model_is_suspect(results: Sequence[CheckResult]) -> bool:
    """Say whether more speaks against log_joint than chance would, without enough to convict it."""
    return any(r.check == "model" and (r.log10_evidence or 0.0) >= STRIKING for r in results)


def _all_suspect(results: Sequence[CheckResult]) -> bool:
    """Say whether something speaks against every update, as it would if prior or simulate were wrong."""
    alone = [r for r in results if r.check == "invariance" and r.target != SWEEP]
    return all((result.log10_evidence or 0.0) >= _SOME for result in alone)


def _out_of_order(result: CheckResult) -> Diagnosis:
    order = ", ".join(f'"{name}"' for name in result.details["turned"]["updates"])
    cause = (
        f'update "{_name(result)}" does not leave the joint invariant by itself, and nothing that follows it in the sweep makes '
        f"up for it; in the order {order} the sweep holds"
    )
    return Diagnosis("composition", cause=cause)


def _without_culprit(results: Sequence[CheckResult], failed: Sequence[CheckResult]) -> Diagnosis:
    """Say what is known of a sweep that fails while no update could be named."""
    sweep, exact = _sweep(results), next((result for result in failed if result.check == "enumeration"), None)
    if exact is not None:
        return Diagnosis("not localised", cause=exact.cause)
    if sweep is None or sweep.verdict is not Verdict.FAIL:
        return Diagnosis("not localised", cause=failed[0].cause or failed[0].message)
    if sweep.details.get("anew", {}).get("holds"):
        return _handed_on(sweep)
    if not _is_given(results):
        return Diagnosis(
            "kernel or model", cause=f"without log_joint, prior and simulate may be what is wrong; {_advice(results)}"
        )
    agrees = any(result.check == "model" and result.verdict is Verdict.PASS for result in results)
    known = "log_joint agrees with prior and simulate, so it is the step that is wrong; " if agrees else ""
    return Diagnosis("not localised", cause=known + _advice(results))


def _handed_on(sweep: CheckResult) -> Diagnosis:
    """Say that updates are right alone and wrong together; or name one that is wrong after itself."""
    again = tuple(sweep.details.get("wrong again", []))
    runs = sweep.details["anew"]["replicates"]
    if again:
        cause = "right at first, and wrong after itself: what it leaves behind for its next turn is wrong"
        return Diagnosis("update", again, cause)
    cause = (
        f"with everything begun anew before every update the sweep holds (nothing found in {runs:,} sweeps): every update is "
        "right alone, and what they hand on to each other (a cache, a log density, a gradient) has gone stale"
    )
    return Diagnosis("composition", cause=cause)


def _advice(results: Sequence[CheckResult]) -> str:
    if any(result.target != SWEEP for result in results if result.check == "invariance"):
        return "no update alone could be convicted within the budget; a larger one may localise the bug"
    return "the step has no named parts: build it from named updates (Gibbs, Cycle) to learn which one is wrong"


def _updates(convicted: Sequence[CheckResult]) -> Diagnosis:
    culprits = tuple(dict.fromkeys(_name(result) for result in convicted))
    causes = {_name(result): result.cause for result in reversed(convicted) if result.cause is not None}
    said = [causes[name] for name in culprits if name in causes]
    return Diagnosis("update", culprits, "; ".join(said) if said else None)


def _sweep(results: Sequence[CheckResult]) -> CheckResult | None:
    return next((result for result in results if result.check == "invariance" and result.target == SWEEP), None)


def _is_only_update(results: Sequence[CheckResult], result: CheckResult) -> bool:
    targets = {r.target for r in results if r.check == "invariance" and r.target != SWEEP}
    return targets == {result.target}


def _is_given(results: Sequence[CheckResult]) -> bool:
    """Say whether there is a log_joint: the check of the model applied."""
    return any(result.check == "model" and result.verdict is not Verdict.SKIPPED for result in results)


def _name(result: CheckResult) -> str:
    return result.target.removeprefix("update:")
