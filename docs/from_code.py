"""The pages of the reference that are made from the code: API, checks, faults, command line, pytest and JSON Schema."""

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import mcassay
import pytest_mcassay
from mcassay.checks.base import Check
from mcassay.checks.catalogue import CATALOGUE
from mcassay.faults import catalogue
from mcassay.faults.operator import Operator

FOLDER = Path(__file__).parent / "reference" / "generated"

# Public names that are in none of these groups are distributions.
GROUPS = {
    "Assays": ["Subject", "assay", "assay_with_checks"],
    "Conformance suites": [
        *("conformance", "assay_with_targets", "Grid", "Skip", "Conformance", "Combination"),
        *("Target", "Space", "targets.target.LogDensity"),
    ],
    "Results": ["Report", "CheckResult", "results.Diagnosis", "results.StatisticResult", "Verdict", "InputError"],
    "Kernels": ["Gibbs", "Cycle", "RandomScan", "MetropolisHastings", "Slice", "EllipticalSlice", "HamiltonianMonteCarlo"],
}
_REST = "Distributions"
_FUNCTIONS = ("assay", "assay_with_checks", "assay_with_targets", "conformance")


def write_all() -> None:
    """Write every page; one that stays as it was is not touched, so that it is not built again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "api": api(),
        "checks": checks(),
        "faults": faults(),
        "command-line": command_line(),
        "pytest": plugin(),
        "json": json_form(),
    }.items():
        path = FOLDER / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def api() -> str:
    """Return the page of the public names, by group."""
    named = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, _REST: ["distributions.base.Distribution", *(name for name in mcassay.__all__ if name not in named)]}
    sections = [f"## {title}\n\n" + "\n".join(_entry(name) for name in names) for title, names in groups.items()]
    return "# API\n\n" + "\n".join(sections)


def _entry(name: str, *, function: bool | None = None) -> str:
    kind = "function" if name in _FUNCTIONS or function else "class"
    members = "" if kind == "function" else "   :members:\n"
    return f"```{{eval-rst}}\n.. auto{kind}:: mcassay.{name}\n{members}```\n"


def checks() -> str:
    """Return the page of the catalogue."""
    said = (
        "# Checks\n\nAn assay runs these, in this order. *Exact* checks hold to rounding; *statistical* ones yield evidence. The "
        "weight is the share of `alpha` at which a check rejects, and the share that of the sweeps, relative to the checks that "
        "apply.\n"
    )
    return said + "\n".join(_check(check) for check in CATALOGUE)


def _check(check: Check) -> str:
    rows = [
        ("property", check.title),
        ("requires", check.requires),
        ("a failure means", check.failure),
        ("kind", check.kind),
        ("weight", f"{check.weight:g}"),
        ("share of the sweeps", f"{check.share:g}"),
    ]
    return f"\n## {check.name}\n\n| | |\n|---|---|\n" + "".join(f"| {name} | {_cell(said)} |\n" for name, said in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("{", "\\{")


# What a user of faults needs, in the order of use.
_FAULTS = ("inject", "faults_of", "mistake", "assert_detects", "FaultReport", "Outcome", "Effect", "Fault", "Status")


def faults() -> str:
    """Return the page of the operators, each with its examples, and of the functions."""
    said = (
        "# Faults\n\n`mcassay faults` and `mcassay.faults.inject` make these mistakes in the source of a sampler, one at a time. "
        "Options take the names of operators or of whole families. The examples are tests: every operator does what they show.\n"
    )
    families = "".join(_family(family) for family in sorted(catalogue.FAMILIES, key=lambda family: family.__name__))
    functions = "\n".join(_entry(f"faults.{name}", function=name[0].islower()) for name in _FAULTS)
    return f"{said}{families}\n## Functions and results\n\n{functions}"


def _family(family: Any) -> str:
    name, title = family.__name__.rpartition(".")[2], str(family.__doc__).strip().splitlines()[0]
    rows = "".join(_operator(operator) for operator in family.OPERATORS)
    return f"\n## {name}\n\n{title}\n\n| operator | mistake | right | wrong |\n|---|---|---|---|\n{rows}"


def _operator(operator: Operator) -> str:
    lines = [(f"`{operator.name}`", operator.title)] + [("", "")] * (len(operator.examples) - 1)
    pairs = zip(lines, operator.examples, strict=True)
    return "".join(f"| {name} | {title} | {_code(right)} | {_code(wrong)} |\n" for (name, title), (right, wrong) in pairs)


def _code(text: str) -> str:
    """Write code of one or more lines in a cell of a table."""
    lines = text.replace("    ", "\u00a0" * 4).replace("|", "\\|").splitlines()
    return "<br>".join(f"`{line}`" for line in lines)


def command_line() -> str:
    """Return the page of the commands, from their own help."""
    import typer

    from mcassay.cli.app import app

    command: Any = typer.main.get_command(app)
    parts = ["# Command line\n\n`pip install 'mcassay[cli]'` brings it; `python -m mcassay` does the same.\n"]
    parts.append(_help(command, "mcassay"))
    parts += [f"## {name}\n\n{_help(sub, f'mcassay {name}')}" for name, sub in command.commands.items()]
    return "\n".join(parts)


def _help(command: Any, called: str) -> str:
    context = command.make_context(called, [], resilient_parsing=True, terminal_width=84, max_content_width=84)
    return f"```text\n{command.get_help(context).strip()}\n```\n"


class _Options:
    """Stands in for pytest's parser, and writes down the options that the plugin adds."""

    def __init__(self) -> None:
        self.told: dict[str, str] = {}

    def getgroup(self, *_: str) -> "_Options":
        return self

    def addoption(self, option: str, *, help: str, **_: object) -> None:
        self.told[option] = help

    def addini(self, *_: object, **__: object) -> None:
        """Take an ini key; it has the name of its option, without dashes."""


def plugin() -> str:
    """Return the page of the pytest plugin."""
    options = _Options()
    pytest_mcassay.pytest_addoption(options)  # type: ignore[arg-type]
    rows = [f"| `{name}` | `{name[2:].replace('-', '_')}` | {_cell(said)} |" for name, said in options.told.items()]
    said = (
        "# pytest\n\nThe plugin comes with the package. {py:func}`~mcassay.assay_with_checks` makes the tests, and "
        "{doc}`../../how-to/ci` shows how. What the command line says counts over what a marker says, that over the ini file, "
        "and that over the default.\n\n| option | ini key | what it is |\n|---|---|---|\n"
    )
    marker = (
        "\n\n`@pytest.mark.mcassay(budget=..., seed=..., alpha=..., tolerance=...)` sets them for one test function, and "
        "`pytest -m mcassay` runs the assays alone. UNCLEAR has the letter `U` and fails only where strictness is asked for; an "
        "ERROR always fails. Every test has its seed and the command that repeats it among the properties of the JUnit file.\n"
    )
    return said + "\n".join(rows) + marker


def json_form() -> str:
    """Return the page of the JSON Schemas."""
    rooms = ("mcassay.report", "mcassay.faults")
    schemas = [json.loads((resources.files(room) / "schema.json").read_text(encoding="utf-8")) for room in rooms]
    return "".join(_json_form(*schemas))


def _json_form(schema: dict[str, Any], faults: dict[str, Any]) -> Iterator[str]:
    yield "# JSON form of reports\n\n`Report.to_json()`, `--json` and `--format json` write it, `Report.from_json` reads it, "
    yield "and `mcassay schema` prints this JSON Schema.\n\n"
    yield f"```json\n{json.dumps(schema, indent=2, ensure_ascii=False)}\n```\n"
    yield "\n## Faults\n\n`FaultReport.to_json()` and `mcassay faults --json` write it; `mcassay schema faults` prints this.\n\n"
    yield f"```json\n{json.dumps(faults, indent=2, ensure_ascii=False)}\n```\n"
