"""Exit statuses: what a script learns without reading."""

from collections.abc import Iterable

from mcassay.results import IMPORTANCE, Verdict

PASSED, FAILED, USAGE, UNCLEAR, ERROR = range(5)
# A bug of our own, as in sysexits.h; so that it is not taken for a FAIL.
INTERNAL = 70
# As shells have it for Ctrl-C.
INTERRUPTED = 130

_STATUS = {
    Verdict.FAIL: FAILED,
    Verdict.ERROR: ERROR,
    Verdict.UNCLEAR: UNCLEAR,
    Verdict.PASS: PASSED,
    Verdict.SKIPPED: UNCLEAR,
}


def exit_status(verdicts: Iterable[Verdict]) -> int:
    """Return the status of the worst verdict, one of each subject.

    Examples
    --------
    >>> exit_status([Verdict.PASS, Verdict.UNCLEAR])
    3
    >>> exit_status([Verdict.ERROR, Verdict.FAIL])
    1
    """
    found = set(verdicts)
    return next((_STATUS[verdict] for verdict in IMPORTANCE if verdict in found), UNCLEAR)
