"""Reads files of reports: one report, or a list of them."""

from collections.abc import Iterable
from pathlib import Path

from mcassay.errors import InputError
from mcassay.report.reading import parse, read_report
from mcassay.report.report import Report


def read_reports(paths: Iterable[Path]) -> list[Report]:
    """Read all reports of these files."""
    return [report for path in paths for report in _read(path)]


def _read(path: Path) -> list[Report]:
    data = parse(_text(path), str(path))
    if not isinstance(data, list):
        return [read_report(data, str(path))]
    if not data:
        raise InputError(f"{path}: is an empty list; there is no report in it")
    return [read_report(one, f"{path}, report {number}") for number, one in enumerate(data, start=1)]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; name a file that --json wrote") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is no text; the file is damaged or no report") from None
    except OSError as error:
        raise InputError(f"{path}: can not be read: {error.strerror}") from None
