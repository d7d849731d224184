"""``assay_with_targets``: the pytest form of a conformance suite."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcassay.checks.catalogue import select
from mcassay.errors import InputError, reject
from mcassay.pytest_support.parametrise import AskedCheck, case_name
from mcassay.subject import Subject
from mcassay.suite.combinations import Planned, planned
from mcassay.suite.conformance import count_run
from mcassay.targets import Skip
from mcassay.targets.standard import read_targets

_WHERE = "assay_with_targets"


@dataclass(frozen=True)
class _Chosen:
    """The checks of a suite, what is expected of them, and the error probability of each combination."""

    checks: tuple[str, ...]
    expected: Mapping[str, str]
    alpha: float


def assay_with_targets(
    kernels: Mapping[str, Any],
    *,
    targets: Any = "standard",
    expected_failures: Mapping[str, str] | None = None,
    checks: Iterable[str] = ("invariance",),
    alpha: float = 1e-6,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make of a test function one test for every combination of kernel, parameters, target and check.

    Parameters
    ----------
    kernels, targets
        As ``conformance`` takes them. A target that a kernel can not take is a skipped test with the reason.
    expected_failures
        What is known to fail, and why: ``{"KERNEL/TARGET/CHECK": reason}``.
    checks
        Names of checks of the catalogue.
    alpha
        The bound on the probability of any false alarm, over all tests together.

    Returns
    -------
    Callable
        A decorator for a function ``test(subject, check)`` that calls ``check(subject)``.

    Examples
    --------
    >>> from mcassay import Slice, assay_with_targets
    >>> @assay_with_targets({"slice": lambda target: target.subject(Slice("x"))}, targets=["banana", "laplace"])
    ... def test_slice(subject, check):
    ...     check(subject)
    >>> [case.id for mark in test_slice.pytestmark for case in mark.args[1]]
    ['slice/banana/invariance', 'slice/laplace/invariance']
    """
    __tracebackhide__ = True
    try:
        import pytest
    except ModuleNotFoundError:
        raise InputError(f"{_WHERE} makes tests for pytest, which is not installed: pip install pytest") from None
    names = tuple(check.name for check in select(checks))
    plan = planned(kernels, read_targets(_WHERE, targets))
    expected = _expected(expected_failures, [case for one in plan for case in _names(one, names)])
    chosen = _Chosen(names, expected, alpha / max(1, count_run(plan)))
    return pytest.mark.parametrize(("subject", "check"), [case for one in plan for case in _cases(one, chosen)])


def _names(one: Planned, checks: Sequence[str]) -> list[str]:
    return [case_name(one.made, check) for check in checks] if isinstance(one.made, Subject) else []


def _cases(one: Planned, chosen: _Chosen) -> list[Any]:
    import pytest

    if isinstance(one.made, Skip):
        return [pytest.param(None, None, id=one.name, marks=pytest.mark.skip(reason=one.made.reason))]
    marked = pytest.mark.mcassay(alpha=chosen.alpha)
    asked = [AskedCheck(check, chosen.checks, chosen.expected.get(case_name(one.made, check))) for check in chosen.checks]
    return [pytest.param(one.made, check, id=case_name(one.made, check.name), marks=marked) for check in asked]


def _expected(expected: Any, known: Sequence[str]) -> Mapping[str, str]:
    """Refuse an expected failure that no test could have."""
    if expected is None:
        return {}
    if not isinstance(expected, Mapping):
        reject(_WHERE, "expected_failures", 'be a dict {"KERNEL/TARGET/CHECK": reason}', expected)
    for called in expected:
        if called not in known:
            raise InputError(f'{_WHERE}: expected_failures has "{called}", and there is no such test; one is "{known[0]}"')
    return expected
