"""One fault tried: load the mutant, compare it with the right subject, and run the checks until one of them fails."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mcassay.checks import Check, Context, select
from mcassay.checks.failures import run_check
from mcassay.checks.shares import share_of
from mcassay.diagnosis import diagnose
from mcassay.engine.bench import Bench
from mcassay.engine.budget import read_budget
from mcassay.engine.layout import Layout
from mcassay.engine.limits import TimeLimitReached, time_limit
from mcassay.faults.contexts import Input
from mcassay.faults.effects import effect_of
from mcassay.faults.fault import Fault
from mcassay.faults.fingerprint import Fingerprint
from mcassay.faults.mutants import load_mutant
from mcassay.faults.outcome import Outcome, Status
from mcassay.faults.same_law import same_conditionals
from mcassay.results import SWEEP, CheckResult, Verdict
from mcassay.subject import Subject

# What tells, after a failure, whether the kernel or the model is wrong.
_SETTLES = "model"


@dataclass(frozen=True)
class Settings:
    """What every fault is tried with."""

    source: str
    seed: int
    alpha: float = 1e-6
    budget: int | str = "quick"
    checks: tuple[str, ...] | None = None
    all_effects: bool = False


@dataclass(frozen=True)
class Baseline:
    """What is known of the right subject."""

    subject: Subject
    folders: tuple[str, ...]
    inputs: Sequence[Input]
    fingerprint: Fingerprint
    layout: Layout
    seconds: float = 0.0

    @property
    def patience(self) -> float:
        """How many seconds the comparison of a mutant may take."""
        return 20.0 + 20.0 * self.seconds


def try_fault(fault: Fault, source_text: str, baseline: Baseline, settings: Settings) -> Outcome:
    """Try a fault, in a process that may be thrown away afterwards."""
    began, before = time.perf_counter(), time.process_time()
    try:
        outcome = _tried(fault, source_text, baseline, settings)
    except TimeLimitReached:
        outcome = Outcome(fault, Status.BROKEN, reason=f"hangs: one call of everything takes over {baseline.patience:.0f} s")
    except (Exception, SystemExit) as error:
        outcome = Outcome(fault, Status.BROKEN, reason=f"raises {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    details = {**outcome.details, "cpu_seconds": time.process_time() - before}
    return replace(outcome, seconds=time.perf_counter() - began, details=details)


def _tried(fault: Fault, source_text: str, baseline: Baseline, settings: Settings) -> Outcome:
    with time_limit(baseline.patience):
        mutant = load_mutant(settings.source, baseline.folders, fault.path, fault.applied_to(source_text))
        fingerprint = Fingerprint.of(mutant, baseline.inputs)
    changed = baseline.fingerprint.changed(fingerprint)
    same = _equivalence(changed, baseline, mutant)
    if same is not None:
        return Outcome(fault, Status.EQUIVALENT, reason=same, changed=changed)
    raised = baseline.fingerprint.newly_raised(fingerprint)
    if raised is not None:
        return Outcome(fault, Status.BROKEN, reason=raised, changed=changed)
    outcome = replace(_checked(fault, mutant, settings), changed=changed)
    if outcome.status is Status.SURVIVED or (settings.all_effects and outcome.status is Status.CAUGHT):
        return _with_effect(outcome, baseline, mutant, settings)
    return outcome


def _equivalence(changed: Sequence[str], baseline: Baseline, mutant: Subject) -> str | None:
    """Say why a mutant is the same sampler; None where it is not known to be."""
    if not changed:
        return f"the same output to the bit on {len(baseline.inputs)} draws, in every context"
    updates = [name.removeprefix("update:") for name in changed if name.startswith("update:")]
    elsewhere = [name for name in changed if not name.startswith("update:") and name != SWEEP]
    if updates and not elsewhere and same_conditionals(baseline.subject, mutant, updates, baseline.inputs):
        return "the conditional returns the same distribution with the same parameters, but for rounding"
    return None


def _checked(fault: Fault, mutant: Subject, settings: Settings) -> Outcome:
    """Run the checks until one fails, exact ones first."""
    results: list[CheckResult] = []
    caught: Check | None = None
    for check, found in run_checks(mutant, settings):
        results += found
        verdicts = {result.verdict for result in found}
        if Verdict.FAIL in verdicts:
            caught = caught or check
        elif Verdict.ERROR in verdicts and caught is None:
            wrong = next(result for result in found if result.verdict is Verdict.ERROR)
            return Outcome(fault, Status.BROKEN, check=check.name, reason=wrong.message, sweeps=_sweeps(results))
    if caught is not None:
        return _caught(fault, caught, results)
    left = [result for result in results if result.verdict is not Verdict.SKIPPED]
    reason = ", ".join(f"{result.check} {result.verdict.value}" for result in left if result.target == SWEEP)
    return Outcome(fault, Status.SURVIVED, reason=reason, sweeps=_sweeps(results), bound=_bound(results))


def run_checks(
    subject: Subject, settings: Settings, *, to_the_end: bool = False
) -> Iterator[tuple[Check, tuple[CheckResult, ...]]]:
    """Run the checks in the order of the catalogue, each with its share of an assay; after a failure only what explains it."""
    chosen, budget = select(settings.checks), read_budget(settings.budget)
    bench = Bench(subject, settings.seed)
    context, failed = Context(settings.seed, settings.alpha, budget=budget, bench=bench), False
    try:
        for check in sorted(chosen, key=lambda one: one.kind != "exact"):
            if failed and check.name != _SETTLES:
                continue
            share = share_of(check, chosen, subject)
            own = replace(context, alpha=settings.alpha * check.weight, budget=budget.share(share), share=share)
            found = run_check(check, subject, own)
            context = replace(context, earlier=(*context.earlier, *found))
            yield check, found
            failed = failed or (not to_the_end and any(result.verdict is Verdict.FAIL for result in found))
    finally:
        bench.close()


def _caught(fault: Fault, check: Check, results: Sequence[CheckResult]) -> Outcome:
    first = next(result for result in results if result.verdict is Verdict.FAIL)
    diagnosis = diagnose(results)
    return Outcome(
        fault,
        Status.CAUGHT,
        check=check.name,
        kind=check.kind,
        reason=first.cause or first.message,
        diagnosis=diagnosis.kind,
        culprits=diagnosis.culprits,
        sweeps=_sweeps(results),
    )


def _sweeps(results: Sequence[CheckResult]) -> int:
    return sum(result.sweeps for result in results)


def _bound(results: Sequence[CheckResult]) -> float | None:
    """Return the largest P-P gap after one sweep that the check of invariance leaves possible."""
    for result in results:
        if result.check == "invariance" and result.target == SWEEP:
            bounds = [abs(one.gap) + one.band for one in result.statistics if one.gap is not None and one.band is not None]
            return min(1.0, max(bounds)) if bounds else None
    return None


def _with_effect(outcome: Outcome, baseline: Baseline, mutant: Subject, settings: Settings) -> Outcome:
    try:
        effect = effect_of(baseline.subject, mutant, baseline.layout, settings.seed, alpha=settings.alpha / 2)
    except Exception as error:  # a mutant that no check saw may yet raise somewhere
        return replace(outcome, details={"effect": f"can not be measured: {type(error).__name__}: {error}"})
    return replace(outcome, effect=effect)
