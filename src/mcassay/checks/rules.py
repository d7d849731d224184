"""What a check of several rules found: findings by target and rule, and how they become results."""

from dataclasses import dataclass, field

from mcassay.results import IMPORTANCE, SWEEP, CheckResult, Verdict, overall


@dataclass(frozen=True)
class Finding:
    """One broken rule: what happened, and how to put it right."""

    target: str
    rule: str
    verdict: Verdict
    what: str
    advice: str = ""

    @property
    def message(self) -> str:
        """The finding in words."""
        return f"{self.what}. {self.advice}" if self.advice else self.what


@dataclass
class Findings:
    """The first finding of every rule at every target, and notes that decide nothing."""

    found: dict[tuple[str, str], Finding] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Keep a finding; one about a whole sweep says nothing new where an update was found to break the same rule."""
        known = any(rule == finding.rule for _, rule in self.found) if finding.target == SWEEP else False
        if not known:
            self.found.setdefault((finding.target, finding.rule), finding)

    def fail(self, target: str, rule: str, what: str, advice: str = "") -> None:
        """Add a finding that is wrong for sure."""
        self.add(Finding(target, rule, Verdict.FAIL, what, advice))

    def doubt(self, target: str, rule: str, what: str, advice: str = "") -> None:
        """Add a finding that may be meant."""
        self.add(Finding(target, rule, Verdict.UNCLEAR, what, advice))

    def note(self, said: str) -> None:
        """Keep what a reader of the report should know."""
        self.notes[said] = None

    def has(self, rule: str) -> bool:
        """Say whether a rule was broken anywhere."""
        return any(known == rule for _, known in self.found)

    def results(self, check: str, passed: str, sweeps: int) -> list[CheckResult]:
        """Return one result a target with findings; a single PASS where there are none."""
        targets = dict.fromkeys(target for target, _ in self.found)
        if not targets:
            message = "; ".join([passed, *self.notes])
            return [CheckResult(check, SWEEP, Verdict.PASS, message, sweeps=sweeps, details={"notes": list(self.notes)})]
        return [self._result(check, target, sweeps) for target in targets]

    def _result(self, check: str, target: str, sweeps: int) -> CheckResult:
        own = [finding for (where, _), finding in self.found.items() if where == target]
        own.sort(key=lambda finding: IMPORTANCE.index(finding.verdict))
        verdict = overall([finding.verdict for finding in own])
        cause = own[0].what if verdict is Verdict.FAIL else None
        details = {"rules": [finding.rule for finding in own], "notes": list(self.notes)}
        message = ". ".join(finding.message for finding in own)
        return CheckResult(check, target, verdict, message, sweeps=sweeps, cause=cause, details=details)
