"""A fault: one mistake at one place of a source."""

import difflib
import itertools
from dataclasses import asdict, dataclass
from typing import Any

from mcassay.faults.site import Span

# How long a piece of code may be on a line, and how much is shown on either side of what differs.
_LONGEST, _ROUND = 60, 12


@dataclass(frozen=True)
class Fault:
    """One mistake at one place of a source.

    Attributes
    ----------
    path
        The file.
    function
        The function that it is in.
    operator
        The kind of mistake.
    begin, end
        The piece of the source that is replaced, in bytes.
    original, replacement
        What stands there, and what is put in its place.
    line
        The number of the line where it begins.

    Examples
    --------
    >>> fault = Fault("sampler.py", "cond_mu", "signs/plus-minus", 11, 16, "a + b", "a - b", 1)
    >>> fault
    <Fault sampler.py:1 in cond_mu, signs/plus-minus: a + b -> a - b>
    >>> fault.applied_to("return 2 * a + b")
    'return 2 * a - b'
    """

    path: str
    function: str
    operator: str
    begin: int
    end: int
    original: str
    replacement: str
    line: int

    @property
    def span(self) -> Span:
        """The piece of the source that is replaced."""
        return Span(self.begin, self.end)

    def applied_to(self, source: str) -> str:
        """Return the source with the mistake in it."""
        text = source.encode()
        return (text[: self.begin] + self.replacement.encode() + text[self.end :]).decode()

    def diff(self, source: str, context: int = 1) -> str:
        """Write what is changed, as a unified diff without its head."""
        before, after = source.splitlines(), self.applied_to(source).splitlines()
        lines = difflib.unified_diff(before, after, n=context, lineterm="")
        return "\n".join(line.rstrip() for line in list(lines)[2:] if not line.startswith("@@")).rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return asdict(self)

    def __repr__(self) -> str:
        original, replacement = _short(self.original, self.replacement)
        name = self.path.replace("\\", "/").rpartition("/")[2]
        return f"<Fault {name}:{self.line} in {self.function}, {self.operator}: {original} -> {replacement}>"

    def __str__(self) -> str:
        return repr(self)[7:-1]


def _short(original: str, replacement: str) -> tuple[str, str]:
    """Write both on one short line: without what they have in common at both ends, where they are long."""
    one, other = (" ".join(text.split()) for text in (original, replacement))
    if max(len(one), len(other)) <= _LONGEST:
        return one, other
    begin = _shared(one, other)
    end = _shared(one[begin:][::-1], other[begin:][::-1])
    begin, end = max(begin - _ROUND, 0), max(end - _ROUND, 0)
    return _cut(one, begin, end), _cut(other, begin, end)


def _shared(one: str, other: str) -> int:
    """Count the letters that two texts begin with alike."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cut(text: str, begin: int, end: int) -> str:
    cut = f"{'...' if begin else ''}{text[begin : len(text) - end]}{'...' if end else ''}"
    return cut if len(cut) <= 2 * _LONGEST else cut[:_LONGEST] + "..."
