"""What a test is run with: the command line over a marker over the ini file over the default."""

import hashlib
import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcassay.cli.options import read_part, read_seed, read_sweeps_or_time
from mcassay.errors import InputError

if TYPE_CHECKING:
    import pytest

STABLE, RANDOM = "stable", "random"
_MARKER = ("budget", "seed", "alpha", "tolerance")
_HIGHEST = {"alpha": 0.5, "tolerance": 1.0}
_SEED_BYTES = 4


@dataclass(frozen=True)
class TestSettings:
    """What one test is run with.

    Attributes
    ----------
    budget, alpha, tolerance
        Those of the assay that the check is a part of.
    seed
        The root seed in hexadecimal.
    strict
        Whether UNCLEAR fails.
    strict_expected
        Whether an unexpected pass fails.
    replay
        The command that repeats the test.
    """

    __test__ = False  # pytest takes every name that begins with Test for tests

    budget: int | str
    alpha: float
    tolerance: float
    seed: str
    strict: bool
    strict_expected: bool
    replay: str


def settings_of(item: "pytest.Function", check: str) -> TestSettings:
    """Read what a test is run with, and raise a worded error for what can not be used."""
    marked = _marked(item)
    config = item.config
    budget = read_sweeps_or_time(*_found(config, "budget", marked))
    seed = _seed(item, check, *_found(config, "seed", marked))
    return TestSettings(
        budget,
        read_part(*_found(config, "alpha", marked), _HIGHEST["alpha"]),
        read_part("tolerance of the marker", marked.get("tolerance", 0.02), _HIGHEST["tolerance"]),
        seed,
        bool(config.getoption("mcassay_strict") or config.getini("mcassay_strict")),
        _strict_expected(config),
        _replay(item, seed),
    )


def check_options(config: "pytest.Config") -> None:
    """Raise a worded error for an option that can not be used, before any test is collected."""
    read_sweeps_or_time(*_found(config, "budget", {}))
    read_part(*_found(config, "alpha", {}), _HIGHEST["alpha"])
    option, seed = _found(config, "seed", {})
    if seed not in (STABLE, RANDOM):
        _read_seed(option, seed)


def _marked(item: "pytest.Function") -> dict[str, Any]:
    """Return what the markers of a test say; the one that is closest to it counts."""
    said: dict[str, Any] = {}
    for marker in item.iter_markers("mcassay"):
        unknown = [name for name in marker.kwargs if name not in _MARKER]
        if marker.args or unknown:
            found = repr(marker.args[0]) if marker.args else unknown[0]
            raise InputError(f"the marker mcassay takes {', '.join(f'{name}=' for name in _MARKER)} by name, but found {found}")
        said = {**marker.kwargs, **said}
    return said


def _found(config: "pytest.Config", name: str, marked: dict[str, Any]) -> tuple[str, Any]:
    """Return where a setting was found, and what it is."""
    given = config.getoption(f"mcassay_{name}")
    if given is not None:
        return f"--mcassay-{name}", given
    if name in marked:
        return f"{name} of the marker", marked[name]
    return f"mcassay_{name} of the ini file", config.getini(f"mcassay_{name}")


def _seed(item: "pytest.Function", check: str, option: str, seed: Any) -> str:
    if seed not in (STABLE, RANDOM):
        return _read_seed(option, seed)
    # All tests of a run share what random seeds are made from: those of a subject are one assay of it.
    begin = item.config.option.mcassay_run if seed == RANDOM else ""
    made = hashlib.sha256((begin + _family(item, check)).encode()).hexdigest()
    return read_seed(option, made[: 2 * _SEED_BYTES])


def _read_seed(option: str, seed: Any) -> str:
    try:
        return read_seed(option, seed)
    except InputError:
        raise InputError(f"{option} must be {STABLE}, {RANDOM} or a seed as reports print it, but found {seed!r}") from None


def _family(item: "pytest.Function", check: str) -> str:
    """Return the node id without the check: all checks of a subject share a seed, and together they are one assay of it."""
    name, bracket, case = item.nodeid.partition("[")
    return name + bracket + "".join(case.rsplit(f"/{check}", 1))


def _strict_expected(config: "pytest.Config") -> bool:
    for name in ("xfail_strict", "strict_xfail", "strict"):  # the last two from pytest 9 on
        try:
            value = config.getini(name)
        except (KeyError, ValueError):
            continue
        if value is not None:
            return bool(value)
    return False


def _replay(item: "pytest.Function", seed: str) -> str:
    path = os.path.relpath(item.path, item.config.invocation_params.dir)
    words = ["pytest", f"{path}::{item.nodeid.partition('::')[2]}", "--mcassay-seed", seed]
    for name in ("budget", "alpha"):
        given = item.config.getoption(f"mcassay_{name}")
        words += [] if given is None else [f"--mcassay-{name}", str(given)]
    return shlex.join(words)
