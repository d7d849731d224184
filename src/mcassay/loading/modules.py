"""Imports the user's files. What goes wrong there is told with their own line, never with a traceback of ours."""

import importlib
import importlib.util
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from mcassay.errors import InputError, users_frame


def import_source(where: str) -> ModuleType:
    """Import a file or a module by its name."""
    if where.endswith(".py") or Path(where).is_file() or not all(part.isidentifier() for part in where.split(".")):
        return import_file(where)
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    with guarded(f"{where} can not be imported:"):
        return importlib.import_module(where)


def import_file(where: str) -> ModuleType:
    """Import a file as a module of the name that it would have beside the ones it imports."""
    path = Path(where)
    _check_file(path, where)
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else f"_assayed_{abs(hash(path.resolve())):x}"
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with guarded(f"{where} can not be imported:"):
        spec.loader.exec_module(module)
    _pickle_by_value(module)
    return module


def _check_file(path: Path, where: str) -> None:
    if path.is_dir():
        raise InputError(f"{where} is a folder; write FILE.py:NAME")
    if path.suffix != ".py" and path.is_file():
        raise InputError(f"{where} is not a Python file; its name must end in .py")
    if not path.is_file():
        beside = [other.name for other in path.parent.glob("*.py")] if path.parent.is_dir() else []
        close = get_close_matches(path.name, beside, 1)
        raise InputError(f"{where}: no such file" + (f'; did you mean "{path.with_name(close[0])}"?' if close else ""))


def _pickle_by_value(module: ModuleType) -> None:
    """Let workers that can not import the file have its functions all the same."""
    try:
        import cloudpickle
    except ImportError:
        return
    cloudpickle.register_pickle_by_value(module)


@contextmanager
def guarded(doing: str) -> Iterator[None]:
    """Word what the user's code raises, with the line of theirs that did."""
    try:
        yield
    except (Exception, SystemExit) as error:
        said = str(error) if isinstance(error, InputError) else _in_words(error)
        raise InputError(f"{doing} {said}{_line(error)}") from error


def _in_words(error: BaseException) -> str:
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _line(error: BaseException) -> str:
    """Write the innermost line of the user's own code, below the message."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        file, number = error.filename, error.lineno or 0
    else:
        frame = users_frame(error)
        if frame is None:
            return ""
        file, number = frame.filename, frame.lineno or 0
    return f"\n  {Path(file).name}, line {number}: {linecache.getline(file, number).strip()}"
