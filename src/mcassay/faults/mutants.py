"""A mutant: the subject, loaded again with one file of its source changed in memory. What is on disk is never touched."""

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

from mcassay.faults.package import belongs
from mcassay.loading.sources import load
from mcassay.subject import Subject


def load_mutant(source: str, folders: Sequence[str], path: str, text: str) -> Subject:
    """Load a subject from sources of which one is changed; for a process of its own, since nothing is put back."""
    put_in_place(path, text)
    forget_modules(folders)
    (loaded,) = load(source)
    return loaded.subject


def put_in_place(path: str, text: str) -> list[str]:
    """Have Python compile a text wherever it would read a file, in this process; return a list of the modules that got it."""
    got: list[str] = []
    wanted = os.path.realpath(path)
    original: Callable[..., Any] = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if os.path.realpath(self.path) == wanted:
            got.append(fullname)
            return compile(text, self.path, "exec", dont_inherit=True)
        return original(self, fullname)  # type: ignore[no-any-return]

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    return got


def forget_modules(folders: Sequence[str]) -> None:
    """Forget the modules of these folders, so that they are imported again."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name != "__main__" and isinstance(file, str) and belongs(file, tuple(folders)):
            del sys.modules[name]
    importlib.invalidate_caches()
