"""Every distribution that an update draws from is one: log_p is normalised, and sample() and the moments agree with it.

The exact checks of conditionals and proposals only ever see ``log_p``; what a sampler does is up to ``sample``. Both are looked
at in a few situations, the user's own classes and those of scipy.stats included.
"""

import math
from collections.abc import Sequence
from typing import Any

from scipy.special import logsumexp

from mcassay.checks.base import Check, Context
from mcassay.checks.draws_check import NO_COMPONENTS, Examined, examine, findings_of
from mcassay.checks.named_updates import each, named_updates
from mcassay.checks.situations import Situation, situations
from mcassay.distributions.base import Distribution
from mcassay.distributions.scipy_stats import as_distribution
from mcassay.errors import reject
from mcassay.kernels import ConditionalUpdate, MetropolisHastings
from mcassay.results import CheckResult, Verdict, update_target
from mcassay.subject import Subject
from mcassay.vocabulary import Generator

NAME = "distributions"

_SITUATIONS = 3


def drawing_updates(subject: Subject) -> dict[str, Any]:
    """Return the updates that draw from a distribution: conditionals, and proposals with a density."""
    return {
        name: update
        for name, update in named_updates(subject).items()
        if isinstance(update, ConditionalUpdate) or (isinstance(update, MetropolisHastings) and update.gives_density)
    }


def check_distribution(distribution: Any, rng: Generator, *, alpha: float = 1e-6) -> CheckResult:
    """Check one distribution: log_p is normalised, and sample() and the moments agree with it.

    Parameters
    ----------
    distribution
        One of ours, a frozen one of scipy.stats, or anything with ``log_p(x)`` and ``sample(rng)``.
    rng
        Draws from it.
    alpha
        The bound on the probability that a right distribution fails.

    Returns
    -------
    CheckResult

    Examples
    --------
    >>> import numpy as np
    >>> from mcassay import Gamma
    >>> check_distribution(Gamma(3.0, rate=2.0), np.random.default_rng(1)).verdict
    <Verdict.PASS: 'PASS'>
    """
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not 0 < alpha <= 0.5:
        reject("check_distribution", "alpha", "be a number above 0 and at most 0.5", alpha)
    ready = as_distribution(distribution, "check_distribution: distribution")
    examined = Examined()
    examine(ready, rng, examined, alpha / 4, effort=_SITUATIONS)
    return _judge("distribution", f"{ready!r}", examined, alpha, proposal=False)


def _missing(subject: Subject) -> str | None:
    if subject.init is not None:
        return "the kernel carries more than the state (init and position), so its distributions can not be asked at a state"
    if not drawing_updates(subject):
        return "no update draws from a distribution (see Gibbs and MetropolisHastings)"
    return None


def _run(subject: Subject, context: Context) -> Sequence[CheckResult]:
    updates = drawing_updates(subject)
    places = [
        s for s in situations(subject, context.rng(NAME, "situations"), rounds=2) if s.genuine or s.source.startswith("mixed")
    ]
    alpha = context.alpha / len(updates)

    def check_update(name: str, update: Any) -> CheckResult:
        return _check_update(name, update, places[:_SITUATIONS], context.rng(NAME, name), alpha)

    return each(NAME, updates, context, check_update)


def _check_update(name: str, update: Any, places: list[Situation], rng: Generator, alpha: float) -> CheckResult:
    examined = Examined()
    for situation in places:
        try:
            distribution = _distribution(update, situation)
        except Exception:
            if situation.genuine:
                raise
            continue
        examine(distribution, rng, examined, alpha / (4 * len(places)))
    proposal = isinstance(update, MetropolisHastings)
    subject = f'the {"proposal" if proposal else "conditional"} of "{name}"'
    return _judge(update_target(name), subject, examined, alpha, proposal=proposal)


def _distribution(update: Any, situation: Situation) -> Distribution:
    found: Distribution = (update.proposal if isinstance(update, MetropolisHastings) else update.distribution)(
        situation.state, situation.data
    )
    return found


def _judge(target: str, subject: str, examined: Examined, alpha: float, *, proposal: bool) -> CheckResult:
    evidence, reference = _log_evidence(examined), examined.swaps.reference.log_evidence
    wrong = [found.words for found in examined.disagreements]
    sampler = evidence >= math.log(2 / alpha)
    if sampler:
        wrong.append(_sampler_words(examined, evidence))
    elif reference >= math.log(4 / alpha):
        wrong.append(f"log_p adds up to about {math.exp(_log_mean(examined.swaps.masses)):.3g} instead of 1")
    details = _details(examined, evidence, reference)
    log10 = _log10_evidence(examined, evidence, reference)
    if not wrong:
        verdict, message = _nothing_wrong(subject, examined)
        return CheckResult(NAME, target, verdict, message, log10_evidence=log10, details=details)
    only_mass = not sampler and all(found.kind == "mass" for found in examined.disagreements)
    cause = f"{subject}: {'; '.join(wrong)}"
    message = cause + (_mass_note(proposal) if only_mass else "")
    return CheckResult(NAME, target, Verdict.FAIL, message, log10_evidence=log10, cause=cause, details=details)


def _log10_evidence(examined: Examined, evidence: float, reference: float) -> float | None:
    seen = [evidence] if examined.uniformity.size or examined.swaps.maps else []
    seen += [reference] if examined.swaps.reference.size else []
    return max(seen) / math.log(10) if seen else None


def _mass_note(proposal: bool) -> str:
    if proposal:
        return " (the acceptance ratio is wrong if the missing constant depends on the state)"
    return " (draws are not affected by a missing constant)"


def _log_evidence(examined: Examined) -> float:
    """Return the log odds against sample() and log_p agreeing: the average over all ways of looking."""
    parts = [examined.uniformity.log_evidence] if examined.uniformity.size else []
    maps = [one.log_evidence for one in examined.swaps.maps.values()]
    if maps:
        parts.append(float(logsumexp(maps)) - math.log(len(maps)))
    return float(logsumexp(parts)) - math.log(len(parts)) if parts else 0.0


def _sampler_words(examined: Examined, evidence: float) -> str:
    odds = f"10^{evidence / math.log(10):.1f} : 1 against"
    if examined.uniformity.size and examined.uniformity.log_evidence >= evidence - math.log(2):
        gap = f"P-P gap {examined.uniformity.gap:.2g}"
        return f"sample() does not draw from the density that log_p claims{_moment_words(examined)} ({gap}, {odds})"
    name, found = max(examined.swaps.maps.items(), key=lambda item: item[1].log_evidence)
    side = f", which is too {'small' if found.mean > 0 else 'large'}" if name.startswith("spread") else ""
    return f"sample() does not draw from the density that log_p claims: it shows in the {name}{side} ({odds})"


def _moment_words(examined: Examined) -> str:
    if not examined.spreads:
        return ""
    drawn_mean, drawn_sd, mean, sd = max(examined.spreads, key=_discrepancy)
    return f": draws have mean {drawn_mean:.4g} and sd {drawn_sd:.4g}, log_p has mean {mean:.4g} and sd {sd:.4g}"


def _discrepancy(spread: tuple[float, float, float, float]) -> float:
    drawn_mean, drawn_sd, mean, sd = spread
    return abs(drawn_mean - mean) / sd + abs(drawn_sd - sd) / sd if sd > 0 else 0.0


def _nothing_wrong(subject: str, examined: Examined) -> tuple[Verdict, str]:
    found = list(findings_of(examined))
    several = _several(examined)
    open_points = f"; not checked: {', '.join(examined.unchecked)}" if examined.unchecked else ""
    if not examined.uniformity.size and not examined.swaps.maps:
        verdict = Verdict.SKIPPED if examined.unchecked == [NO_COMPONENTS] else Verdict.UNCLEAR
        return verdict, f"{subject}: nothing could be concluded ({', '.join(examined.unchecked)})"
    if not examined.masses and not examined.swaps.reference.size:
        open_points += f"{',' if open_points else '; not checked:'} that log_p is normalised"
    return Verdict.PASS, f"{subject}{several}: {'; '.join(found)}{open_points}"


def _several(examined: Examined) -> str:
    if examined.components <= 1:
        return ""
    part = f"{examined.looked_at} of " if examined.looked_at < examined.components else ""
    return f" ({part}{examined.components:,} components)"


def _log_mean(values: list[float]) -> float:
    return sum(math.log(value) for value in values if value > 0) / max(sum(value > 0 for value in values), 1)


def _details(examined: Examined, evidence: float, reference: float) -> dict[str, Any]:
    return {
        "draws": examined.draws,
        "components": examined.components,
        "log10_evidence_sampler": evidence / math.log(10),
        "log10_evidence_normalisation": reference / math.log(10),
        "disagreements": [found.kind for found in examined.disagreements],
        "unchecked": examined.unchecked,
    }


CHECK = Check(
    name=NAME,
    title="every log_p is normalised, and sample() and the moments agree with it",
    requires="updates that draw from a distribution: conditionals of Gibbs, proposals of MetropolisHastings",
    failure="log_p, sample() and the moments of a distribution contradict each other; the message says which, and by how much",
    kind="exact",
    missing=_missing,
    run=_run,
    weight=0.06,
)
