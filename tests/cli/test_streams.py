"""Standard output and standard error: closed, broken, full, with few letters, or shared with what the user's code prints."""

import json
import os
import subprocess
import sys

import pytest

from mcassay import Report
from mcassay.cli import main
from tests.snapshots.commands import SAMPLER, fresh_imports

NOISY = """
import os
from sampler import *

print("noise at import")


def noisy(state, data, rng):
    print("noise")
    os.system("echo more noise")
    return {"mu": rng.normal(data / 2 + 5, 1.0)}


noisy = Subject(prior, simulate, noisy, name="noisy")
"""

MORE = """
from sampler import *


def stops():
    raise KeyboardInterrupt


wrong = Subject(prior, simulate, Gibbs({"mu": lambda s, d: Normal(1, sd=1)}), log_joint=log_joint, name="σ² 測試 🎲")
"""

RUN = [sys.executable, "-m", "mcassay", "run", "more.py:wrong", "--check", "conditionals", "--seed", "1", "--json", "report.json"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own, with samplers in it."""
    (tmp_path / "sampler.py").write_text(SAMPLER)
    (tmp_path / "noisy.py").write_text(NOISY)
    (tmp_path / "more.py").write_text(MORE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["rich", "json"])
def test_who_stops_to_read_misses_neither_the_file_nor_the_status(form, folder):
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([*RUN, "--format", form], stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert Report.from_json((folder / "report.json").read_text(encoding="utf-8")).verdict == "FAIL"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:
        ended = subprocess.run([*RUN, "--format", "rich"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 2
    assert ended.stderr == "mcassay: standard output can not be written: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="shells of Windows close no streams")
def test_streams_may_be_closed():
    assert subprocess.run([*RUN[:-2], "--format", "plain"], preexec_fn=lambda: (os.close(1), os.close(2))).returncode == 1


def test_a_terminal_with_few_letters_shows_their_codes():
    ended = subprocess.run(RUN, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "FAIL    \\u03c3\\xb2 \\u6e2c\\u8a66 \\U0001f3b2\n" in ended.stdout


def test_json_is_alone_on_standard_output_whatever_the_users_code_prints(capfd):
    with fresh_imports():
        words = ["--check", "invariance", "--seed", "1", "--workers", "1", "--budget", "100", "--format", "json"]
        main(["run", "noisy.py:noisy", *words])
    printed = capfd.readouterr()
    assert json.loads(printed.out)["subject"] == "noisy"
    assert {"noise at import", "noise", "more noise"} == set(printed.err.split("\n")) - {""}


def test_an_interrupt_before_the_assay_is_told(capsys):
    with fresh_imports():
        status = main(["run", "more.py:stops"])
    assert status == 130
    assert capsys.readouterr().err == "mcassay: interrupted before anything was found\n"
