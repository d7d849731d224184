"""Reports as tables of pandas, and their raw statistics in the form that ArviZ plots."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mcassay.errors import InputError, reject, shown
from mcassay.results import CheckResult

if TYPE_CHECKING:
    import pandas
    import xarray

    from mcassay.report.report import Report

# ArviZ calls draws from the joint "prior", and what a sampler makes "posterior". Under a right kernel they have one law.
_GROUPS = {"prior": "start", "posterior": "end"}
_OF = ("checks", "statistics")


def to_dataframe(report: "Report", of: str) -> "pandas.DataFrame":
    """Return one row a result, or one row a statistic of each."""
    if of not in _OF:
        reject("to_dataframe", "of", f"be one of {', '.join(_OF)}", of)
    try:
        import pandas
    except ImportError:
        _missing("to_dataframe", "pandas", "pandas")
    columns, rows = (_CHECKS, _check_rows(report)) if of == "checks" else (_STATISTICS, _statistic_rows(report))
    return pandas.DataFrame(rows, columns=columns).astype({name: "float64" for name in columns if name in _NUMBERS})


_CHECKS = ["subject", "check", "target", "verdict", "log10_evidence", "sweeps", "message", "cause"]
_STATISTICS = ["subject", "check", "target", "verdict", "statistic", "gap", "band", "log10_evidence"]
_NUMBERS = ("log10_evidence", "gap", "band")


def _check_rows(report: "Report") -> list[tuple[Any, ...]]:
    return [(*_about(report, r), r.log10_evidence, r.sweeps, r.message, r.cause) for r in report.results]


def _statistic_rows(report: "Report") -> list[tuple[Any, ...]]:
    pairs = [(result, s) for result in report.results for s in result.statistics]
    return [(*_about(report, result), s.name, s.gap, s.band, s.log10_evidence) for result, s in pairs]


def _about(report: "Report", result: CheckResult) -> tuple[str, str, str, str]:
    return report.subject, result.check, result.target, result.verdict.value


def _missing(what: str, package: str, extra: str) -> NoReturn:
    raise InputError(f"{what}: needs {package}, which is not installed: pip install 'mcassay[{extra}]'") from None


def to_xarray(report: "Report", check: str | None, target: str | None) -> "xarray.DataTree":
    """Return the raw statistics that a check kept, as groups "prior" and "posterior"."""
    result = _kept_by(report, check, target)
    try:
        import xarray
    except ImportError:
        _missing("to_xarray", "xarray", "arviz")
    kept = result.details["samples"]
    attributes = {"creation_library": "mcassay", "subject": report.subject, "check": result.check, "target": result.target}
    datasets = {group: _dataset(kept[side]).assign_attrs(attributes) for group, side in _GROUPS.items()}
    return xarray.DataTree.from_dict(datasets)


def _kept_by(report: "Report", check: str | None, target: str | None) -> CheckResult:
    """Choose the first result that kept raw statistics, among those that are asked for."""
    holders = [result for result in report.results if _holds(result.details.get("samples"))]
    for result in holders:
        if check in (None, result.check) and target in (None, result.target):
            return result
    names = ", ".join(f"{shown(r.check)} of {shown(r.target)}" for r in holders) or "no check of this report"
    asked = "".join(f" for {name} {shown(value)}" for name, value in (("check", check), ("target", target)) if value is not None)
    raise InputError(f"to_xarray: no raw statistics were kept{asked}; they are kept by: {names}")


def _holds(kept: Any) -> bool:
    """Say whether samples are there, and whole: reports are read from files as well."""
    if not isinstance(kept, Mapping) or not all(isinstance(kept.get(side), Mapping) and kept[side] for side in _GROUPS.values()):
        return False
    columns = [column for side in _GROUPS.values() for column in kept[side].values()]
    return all(isinstance(column, (list, tuple)) for column in columns) and len({len(column) for column in columns}) == 1


def _dataset(columns: Mapping[str, Any]) -> "xarray.Dataset":
    """Return one variable a statistic; the replicates are the draws of one chain."""
    import xarray

    columns = dict(zip(_names(columns), columns.values(), strict=True))
    values = {name: np.asarray(column, dtype=float)[np.newaxis] for name, column in columns.items()}
    draws = next(iter(values.values())).shape[1]
    coordinates = {"chain": [0], "draw": np.arange(draws)}
    return xarray.Dataset({name: (("chain", "draw"), value) for name, value in values.items()}, coordinates)


def _names(columns: Mapping[str, Any]) -> list[str]:
    """Name the variables; a tree keeps the slash for its own paths, and dimensions keep their names."""
    names: list[str] = []
    for name in columns:
        own = str(name).replace("/", "|")
        own = f"statistic {own}" if own in ("chain", "draw", "") else own
        while own in names:
            own += "'"
        names.append(own)
    return names
