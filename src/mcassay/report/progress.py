"""Progress on a terminal or in a notebook: live evidence of every check, sweeps per second, and the time that is left."""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from mcassay.checks.betting import odds
from mcassay.engine.budget import Budget
from mcassay.engine.events import CheckEnded, CheckStarted, Event, Progressed

Row = tuple[str, str]
_PER_SECOND = 4


@dataclass
class Progress:
    """A handler of events that keeps a small table on a terminal or in a notebook; anywhere else it writes nothing."""

    console: Console
    title: str
    budget: Budget
    clock: Callable[[], float] = time.perf_counter
    rows: dict[Row, str] = field(default_factory=dict)
    counts: dict[Row, int] = field(default_factory=dict)
    began: float = 0.0
    _shown: "_OnTerminal | _InNotebook | None" = None

    def __enter__(self) -> "Progress":
        self.began = self.clock()
        if self.console.is_jupyter:
            self._shown = _InNotebook(self.table(), self.clock)
        elif self.console.is_terminal:
            self._shown = _OnTerminal(self.table(), self.console)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._shown is not None:
            self._shown.end()

    def __call__(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, CheckStarted):
            self.rows[event.check, ""] = "running"
        else:
            self.rows.pop((event.check, ""), None)
            self.rows[event.check, event.target] = _said(event)
        if isinstance(event, Progressed):
            self.counts[event.check, event.target] = event.sweeps
        if self._shown is not None:
            self._shown.update(self.table)

    @property
    def sweeps(self) -> int:
        """How many sweeps were done so far, as far as events have told."""
        return sum(self.counts.values())

    def table(self) -> Table:
        """Return what is known now."""
        title = Text(f"{self.title}  {self.pace()}")
        # As wide as the terminal, so that the title has room; the last column takes what the others leave.
        columns = "", "", Column(ratio=1)
        table = Table(*columns, box=None, pad_edge=False, title=title, title_justify="left", show_header=False, expand=True)
        for (check, target), said in self.rows.items():
            table.add_row(Text(check), Text(target), Text(said))
        return table

    def pace(self) -> str:
        """Say how fast it goes and how long it may take at the most."""
        seconds = self.clock() - self.began
        if not self.sweeps or seconds <= 0:
            return "..."
        rate = self.sweeps / seconds
        return f"{rate:,.0f} sweeps/s, {_duration(self._left(seconds, rate))} left at most"

    def _left(self, seconds: float, rate: float) -> float:
        if self.budget.seconds is not None:
            return max(0.0, self.budget.seconds - seconds)
        assert self.budget.sweeps is not None
        return max(0.0, (self.budget.sweeps - self.sweeps) / rate)


class _OnTerminal:
    """A table that rewrites itself, and leaves nothing behind."""

    def __init__(self, table: Table, console: Console) -> None:
        self._live = Live(table, console=console, refresh_per_second=_PER_SECOND, transient=True)
        self._live.start()

    def update(self, table: Callable[[], Table]) -> None:
        self._live.update(table())

    def end(self) -> None:
        self._live.stop()


class _InNotebook:
    """A table in the output of a cell, which is updated in its place; at the end it makes room for what the cell returns."""

    def __init__(self, table: Table, clock: Callable[[], float]) -> None:
        self._notebook: Any = importlib.import_module("IPython.display")
        self._place = self._notebook.display(table, display_id=True)
        self._clock, self._last = clock, clock()

    def update(self, table: Callable[[], Table]) -> None:
        now = self._clock()
        if now - self._last >= 1 / _PER_SECOND:
            self._last = now
            self._place.update(table())

    def end(self) -> None:
        self._place.update(self._notebook.HTML(""))


def _said(event: Progressed | CheckEnded) -> str:
    if isinstance(event, CheckEnded):
        return event.verdict
    return f"{event.sweeps:,} sweeps, {odds(event.log10_evidence)} against (limit {odds(event.log10_limit)})"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
