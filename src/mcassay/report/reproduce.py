"""How to run an assay again: the command where the source is known, the call where it is not."""

import shlex
from typing import TYPE_CHECKING

from mcassay.rng import written_seed

if TYPE_CHECKING:
    from mcassay.report.report import Report

# What need not be said.
DEFAULTS = {"budget": "ci", "alpha": 1e-6, "tolerance": 0.02}


def reproduce(report: "Report") -> str:
    """Return what repeats the assay of a report: a command of the shell, or a call."""
    return call(report) if report.source is None else command(report)


def command(report: "Report") -> str:
    """Return the command that repeats an assay of a known source."""
    words = ["mcassay", "run", str(report.source), "--seed", written_seed(report.seed)]
    for name, value in _unusual(report).items():
        words += [f"--{name}", str(value)]
    for check in report.chosen or ():
        words += ["--check", check]
    return shlex.join(words)


def call(report: "Report") -> str:
    """Return the call that repeats an assay."""
    arguments = [f'seed="{written_seed(report.seed)}"']
    arguments += [f"{name}={_quoted(value)}" for name, value in _unusual(report).items()]
    if report.chosen is not None:
        arguments.append(f"checks=[{', '.join(_quoted(check) for check in report.chosen)}]")
    return f"assay(subject, {', '.join(arguments)})"


def _unusual(report: "Report") -> dict[str, object]:
    values = {name: getattr(report, name) for name in DEFAULTS}
    return {name: value for name, value in values.items() if value is not None and value != DEFAULTS[name]}


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
