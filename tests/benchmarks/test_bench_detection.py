"""The table of detection: seeds, resuming, and how results are written."""

import json

import bench_detection as bench
import numpy as np
import pytest


def run_of(sweeps, found=True, accepted=False):
    return {"found": found, "sweeps": sweeps, "forward": 10, "seconds": 1.0, "log10_evidence": 6.0, "accepted": accepted}


def test_seeds_depend_on_the_commit_alone():
    assert bench.seeds_of("ab12", 3) == bench.seeds_of("ab12", 21)[:3]
    assert bench.seeds_of("ab12", 3) != bench.seeds_of("ab13", 3)


def test_runs_that_find_nothing_count_as_infinite():
    cell = bench.summary([run_of(100), run_of(500, found=False), run_of(500, found=False, accepted=True)])
    assert cell["median"] == np.inf
    assert (cell["low"], cell["found"], cell["accepted"]) == (100, 1, 1)
    assert "> 500" in bench.line(cell, 500, 50.0)


def test_multiple_of_the_limit():
    assert " 2.0 " in bench.line(bench.summary([run_of(100)]), 500, 50.0)


def test_results_are_kept_and_resumed(tmp_path):
    path = tmp_path / "table.json"
    book = bench.Book(path, resume=False)
    book.runs["swap that aliases rows | ours | 00000001 | 500 | wrong"] = run_of(300)
    book.save()
    again = bench.Book(path, resume=True)
    assert again.runs == book.runs
    assert again.commit == book.commit
    assert bench.Book(path, resume=False).runs == {}
    lines = list(bench.table(again, bench.jobs_of(["swap that aliases rows"], ["ours"], [1], 500, False)))
    assert len(lines) == 2
    assert "300" in lines[1]


def test_jobs_are_run_once(tmp_path):
    book = bench.Book(tmp_path / "table.json", resume=False)
    book.limits["swap that aliases rows"] = None
    jobs = bench.jobs_of(["swap that aliases rows"], ["ours"], [7], 300, False)
    bench.fill(book, jobs, ["swap that aliases rows"], 1)
    kept = json.loads((tmp_path / "table.json").read_text())["runs"]
    bench.fill(book, jobs, ["swap that aliases rows"], 1)
    assert book.runs == kept
    assert len(kept) == 1


def test_time_that_is_up_leaves_the_rest_for_another_run(tmp_path):
    book = bench.Book(tmp_path / "table.json", resume=False)
    jobs = bench.jobs_of(["swap that aliases rows"], ["ours"], list(range(12)), 300, False)
    bench.fill(book, jobs, ["swap that aliases rows"], 1, minutes=0)
    assert 0 < len(book.limits) + len(book.runs) < len(jobs)
    assert len(list(bench.table(book, jobs))) >= 1


@pytest.mark.parametrize(("text", "expected"), [("0.505", ["0.505 for 0.5"]), ("swap; stretch", list(bench.BUGS)[-2:])])
def test_parts_of_names_choose(text, expected):
    assert bench.chosen(text, (), bench.BUGS, None) == expected


def test_conclusions_take_the_best_of_the_other_tools(tmp_path):
    book = bench.Book(tmp_path / "table.json", resume=False)
    bug, tools = "0.51 for 0.5", ["ours", "two-sample, L=1", "two-sample, L=5", "one long chain"]
    jobs = bench.jobs_of([bug], tools, [1], 50_000, False)
    sweeps = dict(zip(tools, [6_000, None, 24_000, 12_000], strict=True))
    book.runs = {bench.key_of(*job): run_of(sweeps[job[1]] or 50_000, found=sweeps[job[1]] is not None) for job in jobs}
    book.limits[bug] = 3_000.0
    limit, honest, any_kind = bench.conclusions(book, jobs)
    assert limit.endswith(": 2.00")
    assert honest.endswith("0.25")
    assert any_kind.endswith("0.50")
