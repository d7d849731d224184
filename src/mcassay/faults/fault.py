"""A fault: one mistake at one place of a source."""

import difflib
from dataclasses import asdict, dataclass
from typing import Any

from mcassay.faults.site import Span


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
        return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))

    def to_dict(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return asdict(self)

    def __repr__(self) -> str:
        original, replacement = (" ".join(text.split()) for text in (self.original, self.replacement))
        name = self.path.replace("\\", "/").rpartition("/")[2]
        return f"<Fault {name}:{self.line} in {self.function}, {self.operator}: {original} -> {replacement}>"

    def __str__(self) -> str:
        return repr(self)[7:-1]
