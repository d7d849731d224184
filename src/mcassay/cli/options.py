"""The options of an assay on the command line, checked before anything is loaded or run."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from mcassay.checks.catalogue import CATALOGUE
from mcassay.engine.budget import read_budget
from mcassay.errors import InputError
from mcassay.rng import root_seed, written_seed

FORMATS = ("rich", "plain", "json")


@dataclass(frozen=True)
class Settings:
    """What an assay is run with."""

    budget: int | str = "ci"
    alpha: float = 1e-6
    tolerance: float = 0.02
    seed: str | None = None
    checks: tuple[str, ...] | None = None
    workers: int = 1


def settings(
    budget: str, alpha: str, tolerance: str, seed: str | None, check: Sequence[str], skip: Sequence[str], workers: int | None
) -> Settings:
    """Read the options, and raise a worded error for one that can not be used."""
    return Settings(
        read_sweeps_or_time("--budget", budget),
        read_part("--alpha", alpha, 0.5),
        read_part("--tolerance", tolerance, 1.0),
        None if seed is None else read_seed("--seed", seed),
        _checks(check, skip),
        processes(workers),
    )


def processes(workers: int | None) -> int:
    """Return how many processes to run in: as many as were asked for, or one for each core that may be used."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise InputError(f"--workers must be a whole number from 1 on, but found {workers}")
    return workers


def read_sweeps_or_time(option: str, text: int | str) -> int | str:
    """Read a budget, and name the option where it is none."""
    budget = int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else text
    try:
        read_budget(budget)
    except InputError as error:
        raise InputError(str(error).replace("assay: budget", option, 1)) from None
    return budget


def read_part(option: str, text: float | str, highest: float) -> float:
    """Read a number above 0 and at most ``highest``."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 < value <= highest:
        raise InputError(f"{option} must be a number above 0 and at most {highest}, but found {text!r}")
    return value


def read_seed(option: str, text: int | str) -> str:
    """Read a seed, and write it as reports do."""
    try:
        return written_seed(root_seed(text))
    except InputError:
        raise InputError(f"{option} must be a whole number in hexadecimal, as reports print it, but found {text!r}") from None


def _checks(check: Sequence[str], skip: Sequence[str]) -> tuple[str, ...] | None:
    names = [one.name for one in CATALOGUE]
    for option, given in (("--check", check), ("--skip", skip)):
        for name in given:
            _require_known(option, name, names)
    chosen = tuple(name for name in names if (not check or name in check) and name not in skip)
    if not chosen:
        raise InputError("no check is left: --skip names all of those that --check asks for")
    return chosen if check or skip else None


def _require_known(option: str, name: str, names: Sequence[str]) -> None:
    if name in names:
        return
    close = get_close_matches(name, names, 1)
    hint = f'did you mean "{close[0]}"?' if close else f"there are {', '.join(names)}"
    raise InputError(f'{option}: no check is called "{name}"; {hint}')


def output(option: str, path: Path | None) -> Path | None:
    """Check that a file can be written, before an assay that would be lost."""
    if path is None:
        return None
    if path.is_dir():
        raise InputError(f"{option}: {path} is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{option}: there is no folder {path.parent} to write {path.name} to")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{option}: {path} can not be written")
    return path


def outputs(json: Path | None, html: Path | None) -> tuple[Path | None, Path | None]:
    """Check where the report and the page are to be written."""
    files = output("--json", json), output("--html", html)
    if json is not None and html is not None and json.resolve() == html.resolve():
        raise InputError(f"--json and --html both write to {html}; name two files")
    return files


def chosen_format(name: str | None, *, terminal: bool) -> str:
    """Return the format: the one asked for, or else colours on a terminal and plain text elsewhere."""
    if name is not None and name not in FORMATS:
        raise InputError(f"--format must be one of {', '.join(FORMATS)}, but found {name!r}")
    return name or ("rich" if terminal else "plain")
