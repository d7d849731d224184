"""Reads reports back from their JSON form, and says in words what is wrong with a file that is none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from mcassay.errors import InputError, reject, shown
from mcassay.results import CheckResult, Diagnosis, StatisticResult, Verdict
from mcassay.rng import root_seed

if TYPE_CHECKING:
    from mcassay.report.report import Report

SCHEMA = 1

_NOT_FINITE = ("inf", "-inf", "nan")
_NUMBER = (int, float)
_KINDS: dict[type | tuple[type, ...], str] = {
    str: "be a string",
    int: "be a whole number",
    _NUMBER: "be a number",
    list: "be a list",
    dict: "be an object",
    (int, str): "be a whole number or a string",
}


@dataclass(frozen=True)
class Part:
    """An object inside a report, with the path by which messages call it."""

    where: str
    path: str
    values: Mapping[str, Any]

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """Return a member of the right kind; the default where it is missing or null and a default is given."""
        value = self.values.get(name)
        if value is None and default is not ...:
            return default
        if name not in self.values:
            raise InputError(f'{self.where}: "{self.path}{name}" is missing; this is no report of mcassay')
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            reject(self.where, f'"{self.path}{name}"', _KINDS[kind], value)
        return value

    def number(self, name: str) -> float | None:
        """Return a number; None where it is missing. Numbers that JSON lacks are written as strings."""
        value = self.values.get(name)
        return float(value) if value in _NOT_FINITE else self.get(name, _NUMBER, None)

    def parts(self, name: str) -> list["Part"]:
        """Return a list of objects."""
        found = self.get(name, list)
        return [self.part(f"{name}[{i}]", value) for i, value in enumerate(found)]

    def part(self, name: str, value: Any) -> "Part":
        """Return an object inside this one."""
        if not isinstance(value, Mapping):
            reject(self.where, f'"{self.path}{name}"', "be an object", value)
        return Part(self.where, f"{self.path}{name}.", value)

    def strings(self, name: str) -> tuple[str, ...]:
        """Return a list of strings; an empty one where it is missing."""
        found = self.get(name, list, [])
        if not all(isinstance(value, str) for value in found):
            reject(self.where, f'"{self.path}{name}"', "be a list of strings", found)
        return tuple(found)


def parse(text: str, where: str) -> Any:
    """Parse JSON, with a worded error where it is none."""
    try:
        return json.loads(text, parse_constant=partial(_no_json, where))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise InputError(f"{where}: is not JSON ({place}); the file is damaged or no report") from None
    except RecursionError:
        raise InputError(f"{where}: is nested too deeply to be a report") from None


def _no_json(where: str, constant: str) -> NoReturn:
    raise InputError(f"{where}: is not JSON ({constant} is no number there); the file is damaged or no report")


def read_report(data: Any, where: str) -> "Report":
    """Read one report from its JSON form as a dict."""
    from mcassay.report.report import Report

    if not isinstance(data, Mapping):
        reject(where, "a report", "be an object", data)
    _check_schema(data, where)
    top = Part(where, "", data)
    chosen = top.get("chosen", list, None)
    report = Report(
        top.get("subject", str),
        tuple(_result(part) for part in top.parts("checks")),
        _diagnosis(top.part("diagnosis", top.get("diagnosis", dict))),
        _seed(top),
        float(top.get("alpha", _NUMBER)),
        float(top.get("seconds", _NUMBER)),
        {str(name): str(version) for name, version in top.get("versions", dict, {}).items()},
        top.strings("notes"),
        source=top.get("source", str, None),
        budget=top.get("budget", (int, str), None),
        tolerance=top.number("tolerance"),
        chosen=None if chosen is None else top.strings("chosen"),
    )
    return _consistent(report, top)


def _check_schema(data: Mapping[str, Any], where: str) -> None:
    schema = data.get("schema")
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        found = f"found {shown(schema)}" if "schema" in data else "there is none"
        raise InputError(f'{where}: is no report of mcassay: "schema" must be a whole number from 1 on, but {found}')
    if schema > SCHEMA:
        raise InputError(
            f"{where}: was written by a newer mcassay (schema {schema}; this one reads up to {SCHEMA}): "
            "pip install --upgrade mcassay"
        )


def _seed(top: Part) -> int:
    written = top.get("seed", str)
    try:
        return root_seed(written)
    except InputError:
        reject(top.where, '"seed"', "be a whole number in hexadecimal", written)


def _result(part: Part) -> CheckResult:
    return CheckResult(
        part.get("check", str),
        part.get("target", str),
        _verdict(part),
        part.get("message", str),
        part.number("log10_evidence"),
        part.get("sweeps", int),
        tuple(_statistic(inner) for inner in part.parts("statistics")),
        part.get("cause", str, None),
        part.get("details", dict, {}),
    )


def _statistic(part: Part) -> StatisticResult:
    return StatisticResult(part.get("name", str), part.number("gap"), part.number("band"), part.number("log10_evidence"))


def _verdict(part: Part) -> Verdict:
    written = part.get("verdict", str)
    if written not in set(Verdict):
        reject(part.where, f'"{part.path}verdict"', f"be one of {', '.join(Verdict)}", written)
    return Verdict(written)


def _diagnosis(part: Part) -> Diagnosis:
    smallest = part.get("smallest", dict, None)
    return Diagnosis(part.get("kind", str), part.strings("culprits"), part.get("cause", str, None), smallest)


def _consistent(report: "Report", top: Part) -> "Report":
    """Refuse a report that says something else of itself than its checks do."""
    for name, own in (("verdict", report.verdict.value), ("sweeps", report.sweeps)):
        written = top.get(name, type(own))
        if written != own:
            _contradicts(top, name, written, own)
    return report


def _contradicts(top: Part, name: str, written: Any, own: Any) -> NoReturn:
    raise InputError(f'{top.where}: "{name}" is {written}, but the checks say {own}; the report was changed or damaged')
