"""What there is to plot: read from a report, from the result of a check, or from arrays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import numpy as np

from mcassay.errors import InputError, reject, shown
from mcassay.evidence.bands import pp_band
from mcassay.evidence.ranks import randomised_uniforms
from mcassay.report.figures import curves_of, growth_of
from mcassay.report.report import Report
from mcassay.results import IMPORTANCE, CheckResult
from mcassay.vocabulary import FloatArray

_PLACES = 50
_EVERYTHING = 10**9
T = TypeVar("T")


@dataclass(frozen=True)
class Bounded:
    """A P-P curve with bounds on it: they hold for all statistics and places at once."""

    places: FloatArray
    heights: FloatArray
    lower: FloatArray
    upper: FloatArray
    level: float
    label: str


@dataclass(frozen=True)
class Banded:
    """A P-P curve, and the band round the diagonal that as many independent draws would stay in."""

    places: FloatArray
    heights: FloatArray
    lower: FloatArray
    upper: FloatArray
    level: float
    label: str
    draws: int


@dataclass(frozen=True)
class Curves:
    """The P-P curves of one statistic: of runs with bounds, of a chain or a sample with a band; one of them at least."""

    statistic: str
    runs: Bounded | None
    sample: Banded | None


@dataclass(frozen=True)
class Growth:
    """Evidence, as log10 of odds, against sweeps; and the limit at which a check fails."""

    sweeps: FloatArray
    log10_evidence: FloatArray
    limit: float | None


@dataclass(frozen=True)
class Traced:
    """A statistic along a chain, and its values among forward draws."""

    statistic: str
    sweeps: FloatArray
    values: FloatArray
    forward: FloatArray


def curves_from(where: str, found: Any, statistic: str | None, reference: Any, level: float) -> Curves:
    """Read the P-P curves of a statistic."""
    if isinstance(found, (Report, CheckResult)):
        result, named = _first(where, found, _curves_by_name, "P-P curves: invariance, geweke, conditional draws and model do")
        return named[_chosen(where, statistic, list(named), _worst(result, list(named)))]
    return _of_arrays(where, found, statistic, reference, level)


def growth_from(where: str, found: Any, limit: float | None) -> Growth:
    """Read how evidence grew."""
    if isinstance(found, (Report, CheckResult)):
        _, growth = _first(where, found, _growth, "evidence that grew over blocks of sweeps: invariance and geweke do")
        return Growth(growth.sweeps, growth.log10_evidence, growth.limit if limit is None else limit)
    pairs = _numbers(where, "found", found)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs):
        reject(where, "found", "be a report, a result, or pairs of sweeps and log10 evidence", pairs.shape)
    return Growth(pairs[:, 0], pairs[:, 1], limit)


def trace_from(where: str, found: Any, statistic: str | None, forward: Any) -> Traced:
    """Read a trace."""
    if isinstance(found, (Report, CheckResult)):
        result, named = _first(where, found, _traces_by_name, "a trace: the check geweke does")
        return named[_chosen(where, statistic, list(named), _farthest(result, list(named)))]
    values = _one_row(where, "found", found)
    draws = np.zeros(0) if forward is None else _one_row(where, "forward", forward)
    return Traced(statistic or "statistic", np.arange(len(values), dtype=float), values, draws)


def _first(
    where: str, found: Report | CheckResult, read: Callable[[CheckResult], T | None], needed: str
) -> tuple[CheckResult, T]:
    """Return the most important result that holds what is to be plotted."""
    results = [found] if isinstance(found, CheckResult) else sorted(found.results, key=lambda r: IMPORTANCE.index(r.verdict))
    for result in results:
        part = read(result)
        if part is not None:
            return result, part
    about = f'the result of "{found.check}"' if isinstance(found, CheckResult) else "the report"
    raise InputError(f"{where}: {about} holds nothing to plot here (what holds {needed})")


def _chosen(where: str, statistic: str | None, names: list[str], default: str) -> str:
    if statistic is None:
        return default
    if statistic not in names:
        reject(where, "statistic", f"be one of {', '.join(names)}", statistic)
    return statistic


def _curves_by_name(result: CheckResult) -> dict[str, Curves] | None:
    runs, samples = _runs(result), _chains(result)
    names = dict.fromkeys([*runs, *samples])
    return {name: Curves(name, runs.get(name), samples.get(name)) for name in names} or None


def _runs(result: CheckResult) -> dict[str, Bounded]:
    kept = curves_of(result, _EVERYTHING)
    if kept is None:
        return {}
    places, label = np.array(kept.quantiles), _about_runs(result)
    return {
        curve.name: Bounded(
            places, places + curve.mean, places + curve.lower, places + curve.upper, kept.level if kept.level else 0.99, label
        )
        for curve in kept.curves
    }


def _about_runs(result: CheckResult) -> str:
    replicates, length = result.details.get("replicates"), result.details.get("length", 1)
    many = f"{replicates:,} " if isinstance(replicates, int) else ""
    return f"{many}independent runs of {length} sweeps" if length != 1 else f"{many}independent draws, moved once"


def _chains(result: CheckResult) -> dict[str, Banded]:
    chain = _mapping(result.details.get("chain"))
    try:
        band = [np.array(chain[part], dtype=float) for part in ("places", "lower", "upper")]
        rows = _mapping(chain["statistics"]).items()
        about = {name: (np.array(row["curve"], dtype=float), int(row["independent"])) for name, row in rows}
        size, level = int(chain["samples"]), float(chain["level"])
    except (KeyError, TypeError, ValueError):  # no chain, or a damaged one: nothing to plot
        return {}
    z, lower, upper = band
    said = f"one chain of {chain.get('sweeps', size):,} sweeps, worth {{}} independent draws"
    return {
        name: Banded(z, curve, lower, upper, level, said.format(worth), size)
        for name, (curve, worth) in about.items()
        if len(curve) == len(z) == len(lower) == len(upper)
    }


def _growth(result: CheckResult) -> Growth | None:
    kept = growth_of(result, _EVERYTHING)
    if kept is None:
        return None
    sweeps, evidence = np.array(kept.points).T
    return Growth(sweeps, evidence, kept.limit)


def _traces_by_name(result: CheckResult) -> dict[str, Traced] | None:
    trace = _mapping(_mapping(result.details.get("chain")).get("trace"))
    try:
        sweeps = np.array(trace["sweeps"], dtype=float)
        rows = {name: _two_rows(row) for name, row in _mapping(trace["statistics"]).items()}
    except (KeyError, TypeError, ValueError):
        return None
    return {name: Traced(name, sweeps, *pair) for name, pair in rows.items() if len(pair[0]) == len(sweeps) > 1} or None


def _two_rows(row: Mapping[str, Any]) -> tuple[FloatArray, FloatArray]:
    return np.array([float(value) for value in row["chain"]]), np.array([float(value) for value in row["forward"]])


def _worst(result: CheckResult, names: Sequence[str]) -> str:
    """Choose the statistic with the most evidence, or else the one whose chain is farthest from the diagonal."""
    evidence = {s.name: s.log10_evidence for s in result.statistics if s.log10_evidence is not None and s.name in names}
    return max(evidence, key=lambda name: evidence[name]) if evidence else _farthest(result, names)


def _farthest(result: CheckResult, names: Sequence[str]) -> str:
    chains = _chains(result)
    sizes = {name: float(np.abs(chains[name].heights - chains[name].places).max()) for name in names if name in chains}
    return max(sizes, key=lambda name: sizes[name]) if sizes else names[0]


def _of_arrays(where: str, sample: Any, statistic: str | None, reference: Any, level: float) -> Curves:
    if reference is None:
        raise InputError(f"{where}: a sample needs a reference sample to be compared with: reference=draws")
    values, draws = _one_row(where, "found", sample), _one_row(where, "reference", reference)
    band = pp_band(len(values), len(draws), level=level, places=_PLACES)
    # Ties are broken at random, and in the same way every time.
    u = np.sort(randomised_uniforms(values, draws, np.random.default_rng(0)))
    heights = np.searchsorted(u, band.z, side="right") / len(u)
    banded = Banded(band.z, heights, band.lower, band.upper, level, f"{len(values):,} draws", len(values))
    return Curves(statistic or "statistic", None, banded)


def _one_row(where: str, argument: str, values: Any) -> FloatArray:
    row = _numbers(where, argument, values)
    if row.ndim != 1 or not len(row):
        _unusable(where, argument, values)
    if np.isnan(row).any():
        reject(where, argument, "not be NaN", f"NaN at {int(np.argmax(np.isnan(row)))}")
    return row


def _numbers(where: str, argument: str, values: Any) -> FloatArray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        _unusable(where, argument, values)


def _unusable(where: str, argument: str, values: Any) -> NoReturn:
    raise InputError(
        f"{where}: {argument} must be a report, the result of a check, or a row of numbers, but found {shown(values)}"
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
