"""The pytest plugin of mcassay. It imports mcassay only once a test needs it.

``assay_with_checks`` makes the tests; this module gives them their settings, and reports what they found.
"""

import secrets
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcassay.pytest_support.running import BoundCheck
    from mcassay.pytest_support.session import Tested

_BOUND: "pytest.StashKey[BoundCheck]" = pytest.StashKey()
_RESULTS = "mcassay-results"

_SETTINGS = {
    "budget": (
        "ci",
        "the sweeps of the assay of a subject, all its checks together: quick, ci, nightly, a number, or a time such as 5min",
    ),
    "seed": ("stable", "stable (each test has its own, from its name), random, or a seed as a failure prints it"),
    "alpha": ("1e-6", "the bound on the probability of a false alarm for each subject, over all its checks"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and ini keys of the same names."""
    group = parser.getgroup("mcassay", "mcassay: samplers under test")
    for name, (default, told) in _SETTINGS.items():
        group.addoption(f"--mcassay-{name}", metavar=name.upper(), help=f"{told} (default: {default})")
        parser.addini(f"mcassay_{name}", told, default=default)
    told = "write the reports of all tests to this folder: report.html, and one JSON file a test"
    group.addoption("--mcassay-report", metavar="DIR", help=told)
    parser.addini("mcassay_report", told, default="")
    told = "let a test fail whose verdict is UNCLEAR"
    group.addoption("--mcassay-strict", action="store_true", default=False, help=told)
    parser.addini("mcassay_strict", told, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, check what the command line says, and collect results where they come together."""
    config.addinivalue_line(
        "markers",
        "mcassay(budget, seed, alpha, tolerance): a check of a sampler, made by assay_with_checks; what it names holds for it, "
        "unless the command line says otherwise.",
    )
    if hasattr(config, "workerinput"):  # a worker of xdist sends its results
        config.option.mcassay_run = config.workerinput["mcassay_run"]
        return
    config.option.mcassay_run = secrets.token_hex(16)
    if any(config.getoption(f"mcassay_{name}") is not None for name in _SETTINGS):
        _check_options(config)
    config.pluginmanager.register(_Results(config, _folder(config)), _RESULTS)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist what the random seeds of this run are made from."""
    node.workerinput["mcassay_run"] = node.config.option.mcassay_run


def _check_options(config: pytest.Config) -> None:
    from mcassay.errors import InputError
    from mcassay.pytest_support.settings import check_options

    try:
        check_options(config)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None


def _folder(config: pytest.Config) -> Path | None:
    """Return the folder for reports, made where it is missing."""
    given, base = config.getoption("mcassay_report"), config.invocation_params.dir
    if given is None:
        given, base = config.getini("mcassay_report"), config.rootpath
    if not given:
        return None
    folder = Path(base, given)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise pytest.UsageError(f"--mcassay-report: {folder} can not be made: {error.strerror}") from None
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Give a test of ours a check that knows what to run with."""
    if pyfuncitem.get_closest_marker("mcassay") is None:
        return (yield)
    from mcassay.pytest_support.hooks import run_test

    return (yield from run_test(pyfuncitem, _BOUND))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put what a test found on its report, which xdist sends to where results come together."""
    report = yield
    if call.when == "call" and _BOUND in item.stash:
        from mcassay.pytest_support.hooks import annotate

        annotate(report, item, item.stash[_BOUND])
    return report


def pytest_report_teststatus(
    report: pytest.CollectReport | pytest.TestReport,
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Give UNCLEAR a letter of its own: such a test has not failed, but nobody should read it as a pass."""
    found = getattr(report, "mcassay", None)
    if found is None or not report.passed or found["verdict"] != "UNCLEAR":
        return None
    return "unclear", "U", ("UNCLEAR", {"yellow": True})


class _Results:
    """What all tests of ours found, on whatever worker they ran."""

    def __init__(self, config: pytest.Config, folder: Path | None) -> None:
        self._config, self._folder = config, folder
        self._found: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test found; one that was run again counts once."""
        found = getattr(report, "mcassay", None)
        if found is not None:
            self._found[report.nodeid] = found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was found, and write the reports."""
        if not self._found:
            return
        from mcassay.pytest_support.session import summary

        tests = self._tests()
        terminalreporter.section("mcassay")
        for line in summary(tests):
            terminalreporter.line(line)
        if self._folder is not None:
            self._save(terminalreporter, tests, self._folder)

    def _save(self, terminalreporter: pytest.TerminalReporter, tests: "list[Tested]", folder: Path) -> None:
        from mcassay.errors import InputError
        from mcassay.pytest_support.session import save

        try:
            for line in save(tests, folder):
                terminalreporter.line(line)
        except InputError as error:
            raise pytest.UsageError(str(error)) from None

    def _tests(self) -> "list[Tested]":
        """Return the tests in one order, whatever workers did."""
        from mcassay.pytest_support.session import Tested

        return [Tested(nodeid, self._found[nodeid]) for nodeid in sorted(self._found)]
