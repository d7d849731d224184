"""``assay_with_checks``: makes of a test function one test for every subject and check."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from mcassay.checks.base import Check
from mcassay.checks.catalogue import select
from mcassay.errors import InputError, reject
from mcassay.results import CheckResult
from mcassay.subject import Subject

_WHERE = "assay_with_checks"


@dataclass(frozen=True)
class AskedCheck:
    """One check of one subject, as a test is given it: ``check(subject)``.

    Attributes
    ----------
    name
        The name of the check in the catalogue.
    chosen
        All checks that were asked for; None for the whole catalogue. They share the sweeps.
    expected
        Why it is known to fail; None where it has to pass.
    """

    name: str
    chosen: tuple[str, ...] | None = None
    expected: str | None = None

    def __call__(self, subject: Subject) -> tuple[CheckResult, ...]:
        """Run the check; the plugin puts one in its place that can."""
        raise InputError(f'check "{self.name}" runs in pytest only, with the plugin of mcassay (is it turned off by -p?)')


def assay_with_checks(
    subjects: Iterable[Subject], *, expected_failures: Mapping[str, str] | None = None, checks: Iterable[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make of a test function one test for every subject and check.

    Parameters
    ----------
    subjects
        What is under test; every one needs a name of its own.
    expected_failures
        What is known to fail, and why: ``{"SUBJECT/CHECK": reason}``. It is reported as an expected failure, and an
        unexpected pass is said.
    checks
        Names of checks of the catalogue; None for all of them.

    Returns
    -------
    Callable
        A decorator for a function ``test(subject, check)`` that calls ``check(subject)``.

    Examples
    --------
    >>> from mcassay import Subject, assay_with_checks
    >>> subject = Subject(lambda rng: rng.normal(), None, lambda state, data, rng: rng.normal(), name="fresh draws")
    >>> @assay_with_checks([subject], checks=["purity", "invariance"])
    ... def test_kernels(subject, check):
    ...     check(subject)
    >>> [case.id for mark in test_kernels.pytestmark for case in mark.args[1]]
    ['fresh draws/purity', 'fresh draws/invariance']
    """
    __tracebackhide__ = True
    try:
        listed, chosen = _subjects(subjects), select(checks)
        _check_expected(expected_failures, listed, chosen)
    except InputError as error:
        raise InputError(str(error).replace("assay:", f"{_WHERE}:", 1)) from None
    names = None if checks is None else tuple(check.name for check in chosen)
    return _parametrised(listed, chosen, names, expected_failures or {})


def _parametrised(
    subjects: Sequence[Subject], checks: Sequence[Check], chosen: tuple[str, ...] | None, expected: Mapping[str, str]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    try:
        import pytest
    except ModuleNotFoundError:
        raise InputError(f"{_WHERE} makes tests for pytest, which is not installed: pip install pytest") from None
    cases = []
    for subject in subjects:
        for check in checks:
            called = case_name(subject, check.name)
            asked = AskedCheck(check.name, chosen, expected.get(called))
            cases.append(pytest.param(subject, asked, id=called, marks=pytest.mark.mcassay))
    return pytest.mark.parametrize(("subject", "check"), cases)


def case_name(subject: Subject, check: str) -> str:
    """Return what one check of one subject is called."""
    return f"{subject.name}/{check}"


def _subjects(subjects: Any) -> list[Subject]:
    wanted = "be a list of Subjects"
    if isinstance(subjects, (str, Subject)) or not isinstance(subjects, Iterable):
        reject(_WHERE, "subjects", wanted, subjects)
    listed = list(subjects)
    for subject in listed:
        if not isinstance(subject, Subject):
            reject(_WHERE, "subjects", wanted, subject)
    if not listed:
        raise InputError(f"{_WHERE}: subjects is an empty list; there is nothing to test")
    names = [str(subject.name) for subject in listed]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f'{_WHERE}: {names.count(name)} subjects are called "{name}"; give each one its own, Subject(..., name=...)'
            )
    return listed


def _check_expected(expected: Any, subjects: Sequence[Subject], checks: Sequence[Check]) -> None:
    """Refuse an expected failure that no test could have: a slip there would go unnoticed."""
    if expected is None:
        return
    if not isinstance(expected, Mapping):
        reject(_WHERE, "expected_failures", 'be a dict {"SUBJECT/CHECK": reason}', expected)
    known = [case_name(subject, check.name) for subject in subjects for check in checks]
    for called, reason in expected.items():
        if called not in known:
            close = get_close_matches(str(called), known, 1)
            hint = f'did you mean "{close[0]}"?' if close else f'write it as "{known[0]}"'
            raise InputError(f'{_WHERE}: expected_failures has "{called}", and there is no such subject and check; {hint}')
        if not isinstance(reason, str) or not reason.strip():
            reject(_WHERE, f'expected_failures["{called}"]', "be the reason, a string that is not empty", reason)
