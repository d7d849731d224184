"""Writes reports as JSON that people can read: numbers that belong together stand on one line."""

import json
import re
from typing import Any

# A string of JSON holds no line break, and this list no string, so that nothing but lists of numbers can match.
_LIST_OF_NUMBERS = re.compile(r'\[\n\s+([^][{}"]*?)\n\s+\]')


def as_json(form: Any) -> str:
    """Write the JSON form of a report, or of several.

    Examples
    --------
    >>> print(as_json({"pairs": [[1, 0.5], [2, 0.7]]}))
    {
      "pairs": [
        [1, 0.5],
        [2, 0.7]
      ]
    }
    """
    written = json.dumps(form, indent=2, allow_nan=False, ensure_ascii=False)
    return _LIST_OF_NUMBERS.sub(_on_one_line, written)


def _on_one_line(found: re.Match[str]) -> str:
    return f"[{' '.join(found[1].split())}]"
