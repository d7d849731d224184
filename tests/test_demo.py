"""The demo: the story comes out as told, with plots; and where it does not, the exit status says so."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from mcassay import CheckResult, Report, Verdict, demo
from mcassay.results import Diagnosis

EXPLAINED = Diagnosis("update", ("sigma_sq_n",), "scale is 1.02 times too large", {"data points": 1})


def report(verdict, diagnosis=None, check="conditionals"):
    result = CheckResult(check, "sweep", Verdict(verdict), "")
    return Report("made up", (result,), diagnosis or Diagnosis(), seed=1, alpha=1e-6, seconds=0.0)


def swept(verdict, diagnosis=None):
    return report(verdict, diagnosis, check="invariance")


def chain(end):
    trace = {"sweeps": [0, 1], "statistics": {"sigma_sq_n": {"chain": [1.0] * 8 + [end] * 8, "forward": [1.0, 2.0]}}}
    return CheckResult("geweke", "sweep", Verdict.SKIPPED, "", details={"chain": {"trace": trace}})


AS_TOLD = demo.Story(
    (report("PASS"), report("FAIL", EXPLAINED), report("PASS")),
    (swept("PASS"), swept("FAIL", EXPLAINED)),
    (chain(1.5), chain(1e5)),
)
OTHERWISE = {
    "an exact check fails a right sampler": {"exact": (report("FAIL"), report("FAIL", EXPLAINED), report("PASS"))},
    "an exact check misses the bug": {"exact": (report("PASS"), report("PASS"), report("PASS"))},
    "sweeps of the right sampler are unclear": {"sweeps": (swept("UNCLEAR"), swept("FAIL", EXPLAINED))},
    "sweeps miss the bug": {"sweeps": (swept("PASS"), swept("UNCLEAR", EXPLAINED))},
    "the wrong culprit": {"sweeps": (swept("PASS"), swept("FAIL", replace(EXPLAINED, culprits=("mu",))))},
    "no cause": {"sweeps": (swept("PASS"), swept("FAIL", replace(EXPLAINED, cause=None)))},
    "no smaller run": {"sweeps": (swept("PASS"), swept("FAIL", replace(EXPLAINED, smallest=None)))},
    "the right chain explodes": {"chains": (chain(1e5), chain(1e5))},
    "the wrong chain stays": {"chains": (chain(1.5), chain(1.5))},
}


def test_a_story_as_told_leaves_no_doubt():
    assert AS_TOLD.doubts() == []


@pytest.mark.parametrize("what", OTHERWISE)
def test_any_other_story_is_doubted(what):
    assert replace(AS_TOLD, **OTHERWISE[what]).doubts()


def test_the_exit_status_follows_the_story(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(demo, "FOLDER", tmp_path)
    monkeypatch.setattr(demo, "save_plots", lambda told, folder: [folder / "evidence.png"])
    monkeypatch.setattr(demo, "story", lambda seed, executor: AS_TOLD)
    assert demo.main() == 0
    monkeypatch.setattr(demo, "story", lambda seed, executor: replace(AS_TOLD, chains=(chain(1.5), chain(1.5))))
    assert demo.main() == 1
    assert "This did not go as it should: a chain ended at 1.5" in capsys.readouterr().out


def test_it_runs_as_told_and_saves_its_plots(tmp_path):
    """A right sampler is failed with probability 1e-6 at the most; how often the bug is missed is measured in tests/quality."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, "-m", "mcassay.demo"], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    for said in (
        'culprit: update "sigma_sq_n"',
        "scale is 1.02 times too large here",
        "smallest run that still fails: 1 data point",
    ):
        assert said in done.stdout
    plots = {path.name for path in (tmp_path / "out").iterdir()}
    assert plots == {"evidence.png", "pp-right.png", "pp-wrong.png", "trace-right.png", "trace-wrong.png"}
