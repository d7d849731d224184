"""Writes reports: as files, and as JSON that people can read, in which numbers that belong together stand on one line."""

import json
import re
from os import PathLike
from pathlib import Path
from typing import Any

from mcassay.errors import InputError, reject

# A string of JSON holds no line break, and this list no string, so that nothing but lists of numbers can match.
_LIST_OF_NUMBERS = re.compile(r'\[\n\s+([^][{}"]*?)\n\s+\]')


def write(where: str, path: str | Path, text: str) -> None:
    """Write a file, or say in words why it can not be written."""
    if not isinstance(path, (str, PathLike)):
        reject(where, "path", "be a path", path)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{where}: {path} can not be written: {error.strerror}") from None


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
