"""A conformance suite as text: a table of kernels by targets, then what failed, and why others were skipped."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcassay.results import IMPORTANCE, Verdict
from mcassay.rng import written_seed
from mcassay.suite.combinations import with_parameters

if TYPE_CHECKING:
    from mcassay.suite.result import Combination, Conformance

_WIDTH = 112
_MARKS = {Verdict.PASS: "pass", Verdict.FAIL: "FAIL", Verdict.UNCLEAR: "?", Verdict.SKIPPED: "-", Verdict.ERROR: "ERROR"}
_EXPECTED = "fail*"


def as_text(suite: "Conformance") -> str:
    """Write a suite for a terminal."""
    counts = {verdict: sum(one.verdict is verdict for one in suite.combinations) for verdict in IMPORTANCE}
    said = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    lines = [f"{suite.verdict.value:<8}{len(suite.combinations)} combinations: {said}", "", *_table(suite.combinations), ""]
    lines += [line for one in suite.combinations for line in _told(one)]
    lines += _skipped(suite.combinations)
    sweeps = sum(one.sweeps for one in suite.combinations)
    seed = written_seed(suite.seed)
    lines.append(
        f"        {sweeps:,} sweeps, {suite.seconds:.2g} s; any false alarm has a probability of at most {suite.alpha:.2g}"
    )
    return "\n".join([*lines, f'        to repeat it: seed="{seed}"'])


def _table(combinations: "Sequence[Combination]") -> Iterator[str]:
    """Yield a row for every target and a column for every kernel, as many columns side by side as there is room for."""
    kernels = list(dict.fromkeys(with_parameters(one.kernel, one.parameters) for one in combinations))
    targets = list(dict.fromkeys(one.target for one in combinations))
    cells = {(with_parameters(one.kernel, one.parameters), one.target): _mark(one) for one in combinations}
    wide = max(len(target) for target in targets) + 2
    room = max(1, (_WIDTH - wide) // 7)
    for begin in range(0, len(kernels), room):
        part = kernels[begin : begin + room]
        yield from (f"{'':<{wide}}[{begin + place + 1}] {kernel}" for place, kernel in enumerate(part))
        yield " " * wide + "".join(f"{f'[{begin + place + 1}]':<7}" for place in range(len(part))).rstrip()
        for target in targets:
            yield (f"{target:<{wide}}" + "".join(f"{cells[kernel, target]:<7}" for kernel in part)).rstrip()


def _mark(one: "Combination") -> str:
    return _EXPECTED if one.verdict is Verdict.FAIL and one.expected else _MARKS[one.verdict]


def _told(one: "Combination") -> Iterator[str]:
    """Tell what failed, what was expected to, and what passed in spite of that."""
    if one.unexpected == "failed":
        yield from _wrapped(f"  {one.verdict.value:<8}{one.name}: {one.message}")
    elif one.unexpected is not None:
        yield from _wrapped(f"  XPASS   {one.name}: it {one.unexpected} ({one.expected}); take it out of expected_failures")
    elif one.verdict is Verdict.FAIL:
        yield from _wrapped(f"  fail*   {one.name}: expected ({one.expected}); {one.message}")


def _skipped(combinations: "Sequence[Combination]") -> Iterator[str]:
    """Tell why combinations were skipped, each reason once."""
    reasons: dict[str, list[str]] = {}
    for one in combinations:
        if one.verdict is Verdict.SKIPPED:
            reasons.setdefault(one.message, []).append(one.name)
    for reason, names in reasons.items():
        yield from _wrapped(f"  SKIPPED {len(names)} ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''}): {reason}")


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * 10, break_long_words=False)
