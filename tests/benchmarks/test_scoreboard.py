"""The scoreboard: it goes on where it stopped, and tells a FAIL as a defect only where a finding explains it."""

import json

import scoreboard
from scoreboard import Results, explained, page, run_library, wanted

from mcassay import Grid, Slice
from mcassay.targets import standard


class Module:
    PACKAGE = "mcassay"

    @staticmethod
    def kernels():
        return {"slice": Grid(lambda target, width: target.subject(Slice("x", width=width)), {"width": [0.5, 2.0]})}


def entry(library, name, verdict, **changed):
    given = {"library": library, "version": "1", "name": name, "kernel": "k", "parameters": {}, "target": name.rpartition("/")[2]}
    return {
        **given,
        "verdict": verdict,
        "log10_evidence": 9.0,
        "sweeps": 300,
        "message": "",
        "seed": "1",
        "budget": 300,
        **changed,
    }


def test_it_goes_on_where_it_stopped(tmp_path, capsys, monkeypatch):
    path = tmp_path / "board.json"
    for _ in range(2):
        run_library("house", Module, 20, float("inf"), "slice(width=2.0)/normal in [12]", Results(path))
    names = [entry["name"] for entry in json.loads(path.read_text())]
    assert names == ["slice(width=2.0)/normal in 1", "slice(width=2.0)/normal in 2"]
    assert capsys.readouterr().out.count("slice(width=2.0)/normal in 1:") == 1
    monkeypatch.setattr(scoreboard, "standard", lambda: standard()[:1])
    run_library("house", Module, 40, float("inf"), "slice(width=2.0)*", Results(path))
    assert [entry["budget"] for entry in json.loads(path.read_text())] == [40, 20]


def test_no_more_is_begun_once_the_time_is_up(tmp_path):
    results = Results(tmp_path / "board.json")
    run_library("house", Module, 20, 0.0, "*", results)
    assert results.entries == []


def test_only_what_is_asked_for_is_made():
    grid, target = Module.kernels()["slice"], standard()[0]
    assert [one.name for one in wanted("slice", grid, target, "*=0.5)*")] == ["slice(width=0.5)/normal in 1"]


def test_a_fail_is_a_defect_where_a_finding_explains_it():
    known, unknown = entry("emcee", "snooker(walkers=odd)/banana", "FAIL"), entry("emcee", "stretch/banana", "FAIL")
    assert explained(known) is not None
    assert explained(unknown) is None
    shown = page([known, unknown, entry("house", "slice/banana", "UNCLEAR", log10_evidence=0.1)])
    assert "### emcee 1: DESnookerMove" in shown
    assert "## Not explained yet\n\n- emcee stretch/banana" in shown
    assert "| house | 1 | 0 | 1 | 0 | 0 | 0 | 300 |" in shown
    assert "*" not in explained(known).title
