"""``assay(progress=True)``: a table where somebody can see it, silence elsewhere, and a worded error without rich."""

import io
import sys

import pytest
from rich.console import Console

from mcassay import InputError, Normal, Subject, assay
from mcassay.engine.budget import Budget
from mcassay.engine.events import CheckStarted, Progressed
from mcassay.report.progress import Progress

SUBJECT = Subject(lambda rng: {"mu": rng.normal()}, None, lambda state, data, rng: {"mu": Normal(0, sd=1).sample(rng)})


def test_where_nobody_looks_nothing_is_written(capsys):
    shown = assay(SUBJECT, seed=1, budget=500, checks=["invariance"], progress=True)
    assert capsys.readouterr() == ("", "")
    assert shown.results == assay(SUBJECT, seed=1, budget=500, checks=["invariance"]).results


def test_without_rich_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with pytest.raises(InputError) as caught:
        assay(SUBJECT, seed=1, budget=500, checks=["invariance"], progress=True)
    assert str(caught.value) == "assay: progress=True needs rich, which is not installed: pip install 'mcassay[cli]'"


def test_on_a_terminal_a_table_is_kept_and_taken_away():
    written = io.StringIO()
    with Progress(Console(file=written, force_terminal=True, width=100), "one mean", Budget(5_000)) as progress:
        progress(CheckStarted("invariance"))
        progress(Progressed("invariance", "sweep", 1_000, 0.5, 6.3))
        assert [column for row in progress.rows.items() for column in (*row[0], row[1])] == [
            "invariance",
            "sweep",
            "1,000 sweeps, 3.2 : 1 against (limit 2e6 : 1)",
        ]
    assert "one mean" in written.getvalue()
    assert "1,000 sweeps" in written.getvalue()
    assert written.getvalue().endswith("\x1b[2K")
