"""Who follows an assay while it runs: nobody, a function of the user's, or somebody at a terminal or a notebook."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcassay.engine.budget import Budget
from mcassay.engine.events import Handler, guarded, ignore
from mcassay.errors import InputError


@contextmanager
def followed(progress: Any, title: str, budget: Budget) -> Iterator[Handler]:
    """Yield the handler of events: none for None, a live table for True, or else the function that is given."""
    if progress is not True:
        yield ignore if progress is None else guarded(progress)
        return
    try:
        from rich.console import Console

        from mcassay.report.progress import Progress
    except ImportError:
        raise InputError("assay: progress=True needs rich, which is not installed: pip install 'mcassay[cli]'") from None
    with Progress(Console(stderr=True), title, budget) as table:
        yield table
