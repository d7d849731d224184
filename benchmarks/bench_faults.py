"""Mistakes made in samplers one at a time: which ones the exact checks catch, which ones the statistical checks, and both.

Every sampler is run three times: with the exact checks alone, with the statistical checks alone at the budget ``ci``, and with
all of them at ``quick``. A law of a sweep is said to change by so much where the total variation is bounded from below by a P-P
gap of a statistic, measured with pairs of a right and a wrong sweep on the same random numbers. Figures go to
``build/faults/NAME.json``, and a run that was broken off goes on from its journal.

``python benchmarks/bench_faults.py [NAME...] [--most N] [--workers N] [--budget BUDGET]`` with names of benchmarks/samplers.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mcassay.faults import FaultReport, Outcome, Status, inject
from mcassay.report.writing import as_json

HERE = Path(__file__).parent
FOLDER = HERE.parent / "build" / "faults"
SAMPLERS = ("mixture", "metropolis", "hamiltonian", "slices", "gaussian", "untied", "restaurant")
SMALLEST = 0.02
_MODEL = ("prior", "simulate", "log_joint")


def surely_changed(outcome: Outcome) -> bool:
    """Say whether the law of a sweep changes by at least 0.02: the gap that was measured, less what chance gives."""
    effect = outcome.effect
    return effect is not None and effect.gap - effect.chance >= SMALLEST


def in_kernel(outcome: Outcome) -> bool:
    """Say whether a mistake changes updates, or the sweep, and nothing of the model."""
    return bool(outcome.changed) and not any(name in _MODEL for name in outcome.changed)


def run(name: str, checks: str, limit: int | str, arguments: argparse.Namespace) -> FaultReport:
    """Make the mistakes and keep what was found."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    called = f"{name}-{checks}-{limit}-{arguments.most or 'all'}"
    report = inject(
        f"{HERE / 'samplers' / name}.py:subject",
        budget=limit,
        checks=None if checks == "all" else [checks],
        workers=arguments.workers,
        most=arguments.most,
        seed=1,
        journal=FOLDER / f"{called}.jsonl",
        all_effects=checks == "statistical",
        time_limit=arguments.time_limit,
    )
    (FOLDER / f"{called}.json").write_text(report.to_json(), encoding="utf-8")
    return report


def row(name: str, checks: str, report: FaultReport) -> dict[str, object]:
    """Sum up a run."""
    tried = [one for one in report.outcomes if one.status in (Status.CAUGHT, Status.SURVIVED)]
    kernel = [one for one in tried if in_kernel(one)]
    large = [one for one in kernel if surely_changed(one)]
    named = [one.culprit_is_right for one in tried if one.culprit_is_right is not None]
    return {
        "sampler": name,
        "checks": checks,
        "budget": report.budget,
        "mutants": len(report.outcomes),
        **report.counts,
        "in the kernel alone": len(kernel),
        "of these caught": sum(one.status is Status.CAUGHT for one in kernel),
        "surely 0.02 or more": len(large),
        "of those caught": sum(one.status is Status.CAUGHT for one in large),
        "culprit named": len(named),
        "culprit right": sum(named),
        "by check": dict(Counter(one.check for one in tried if one.check)),
        "CPU seconds": round(sum(float(one.details.get("cpu_seconds", 0.0)) for one in report.outcomes)),
        "seconds": round(report.seconds),
    }


def table(rows: Sequence[dict[str, object]]) -> str:
    """Write the table."""
    columns = [column for column in rows[0] if column != "by check"]
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
    return "\n".join([head, *(f"| {' | '.join(str(one[column]) for column in columns)} |" for one in rows)])


def budget(text: str) -> int | str:
    """Read a number of sweeps, or the name of a budget."""
    return int(text) if text.isdigit() else text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=SAMPLERS)
    parser.add_argument("--most", type=int, default=None, help="at most so many mistakes a sampler, drawn at random")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--budget", type=budget, default="ci", help="that of the statistical checks alone")
    parser.add_argument("--time-limit", type=float, default=None)
    parser.add_argument("--only", choices=("exact", "statistical", "all"), default=None)
    arguments = parser.parse_args()
    rows = []
    for name in arguments.names:
        for checks, limit in (("exact", "quick"), ("statistical", arguments.budget), ("all", "quick")):
            if arguments.only in (None, checks):
                report = run(name, checks, limit, arguments)
                rows.append(row(name, checks, report))
                print(f"\n{name}, {checks} checks\n{report}", flush=True)
    print(f"\n{table(rows)}\n{json.dumps(rows[-1]['by check'])}")
    (FOLDER / "table.json").write_text(as_json(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
