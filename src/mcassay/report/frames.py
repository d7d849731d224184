"""Reports as tables of pandas, and their raw statistics in the form that ArviZ plots."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mcassay.errors import InputError, reject, shown
from mcassay.results import CheckResult
from mcassay.vocabulary import FloatArray

if TYPE_CHECKING:
    import pandas
    import xarray

    from mcassay.report.report import Report

Columns = Mapping[str, FloatArray]
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
    result, kept = _kept_by(report, check, target)
    try:
        import xarray
    except ImportError:
        _missing("to_xarray", "xarray", "arviz")
    attributes = {"creation_library": "mcassay", "subject": report.subject, "check": result.check, "target": result.target}
    return xarray.DataTree.from_dict({group: _dataset(columns).assign_attrs(attributes) for group, columns in kept.items()})


def _kept_by(report: "Report", check: str | None, target: str | None) -> tuple[CheckResult, dict[str, Columns]]:
    """Choose the first result that kept raw statistics, among those that are asked for."""
    holders = [(result, kept) for result in report.results if (kept := _groups(result.details)) is not None]
    for result, kept in holders:
        if check in (None, result.check) and target in (None, result.target):
            return result, kept
    names = ", ".join(f"{shown(r.check)} of {shown(r.target)}" for r, _ in holders) or "no check of this report"
    asked = "".join(f" for {name} {shown(value)}" for name, value in (("check", check), ("target", target)) if value is not None)
    raise InputError(f"to_xarray: no raw statistics were kept{asked}; they are kept by: {names}")


def _groups(details: Mapping[str, Any]) -> dict[str, Columns] | None:
    """Find raw statistics that are whole, since reports are read from files as well.

    ArviZ calls draws from the joint "prior", and what a sampler makes "posterior". Under a right kernel they have one law.
    """
    for prior, posterior in (_of_replicates(details), _of_chain(details)):
        groups = {"prior": _columns(prior), "posterior": _columns(posterior)}
        if all(groups.values()):
            return groups
    return None


def _of_replicates(details: Mapping[str, Any]) -> tuple[Any, Any]:
    samples = _mapping(details.get("samples"))
    return samples.get("start"), samples.get("end")


def _of_chain(details: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return forward draws, and the chain that runs beside them."""
    trace = _mapping(_mapping(details.get("chain")).get("trace"))
    traced = {name: _mapping(sides) for name, sides in _mapping(trace.get("statistics")).items()}
    forward, chain = ({name: sides.get(side) for name, sides in traced.items()} for side in ("forward", "chain"))
    return forward, chain


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _columns(value: Any) -> Columns:
    """Return columns of one length; none where anything is damaged."""
    try:
        columns = {str(name): np.asarray(column, dtype=float) for name, column in _mapping(value).items()}
    except (TypeError, ValueError):
        return {}
    shapes = {column.shape for column in columns.values()}
    return columns if len(shapes) == 1 and len(min(shapes)) == 1 else {}


def _dataset(columns: Columns) -> "xarray.Dataset":
    """Return one variable a statistic; the replicates are the draws of one chain."""
    import xarray

    rows = {name: column[np.newaxis] for name, column in zip(_names(columns), columns.values(), strict=True)}
    coordinates = {"chain": [0], "draw": np.arange(next(iter(rows.values())).shape[1])}
    return xarray.Dataset({name: (("chain", "draw"), row) for name, row in rows.items()}, coordinates)


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
