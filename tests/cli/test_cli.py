"""The command line: exit statuses, forms of output, what stands in a report, progress, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from mcassay import Report
from mcassay.cli import main
from tests.snapshots.commands import SAMPLER, fresh_imports

MCASSAY = str(Path(sys.executable).parent / "mcassay")

MORE = """
from sampler import *
import time


def too_high(state, data, rng):
    return {"mu": rng.normal(data / 2 + 1, 0.7)}


def divides(state, data, rng):
    return {"mu": 1 / (data - data)}


def slow(state, data, rng):
    time.sleep(0.001)
    return {"mu": rng.normal(data / 2, np.sqrt(1 / 2))}


high = Subject(prior, simulate, too_high, name="high")
raises = Subject(prior, simulate, divides, name="raises")
waits = Subject(prior, simulate, slow, name="waits")
several = [subject, high]


def made():
    return several
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own, with samplers in it."""
    (tmp_path / "sampler.py").write_text(SAMPLER)
    (tmp_path / "more.py").write_text(MORE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mcassay(folder, capsys):
    """Run a command in this process; its exit status, output and errors."""

    def run(*words):
        with fresh_imports():
            status = main(list(words))
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


EXACT = ("--check", "conditionals", "--check", "purity", "--seed", "1", "--workers", "1")
WAGER = ("--check", "invariance", "--seed", "1", "--workers", "1", "--budget", "300")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sampler.py:subject", *EXACT), 0),
        (("sampler.py:subject", "--check", "caches", "--check", "purity"), 0),
        (("more.py:high", *WAGER), 1),
        (("sampler.py:nobody",), 2),
        (("sampler.py:subject", *WAGER), 3),
        (("sampler.py:subject", "--check", "caches"), 3),
        (("more.py:raises", *EXACT), 4),
        (("more.py:several", *WAGER), 1),
    ],
)
def test_the_exit_status_says_the_worst_verdict(mcassay, words, expected):
    assert mcassay("run", *words)[0] == expected


@pytest.mark.parametrize("source", ["sampler.py:subject", "sampler:subject", "./sampler.py:subject", "more.py:several[0]"])
def test_a_source_is_a_file_or_a_module_and_a_name(mcassay, source):
    status, out, _ = mcassay("run", source, *EXACT)
    assert status == 0
    assert out.startswith("PASS    one observation\n")


def test_a_function_may_return_several_subjects_and_each_says_how_to_run_it_alone(mcassay):
    _, out, _ = mcassay("run", "more.py:made", *WAGER)
    assert "reproduce: mcassay run more.py:subject" in out
    assert "reproduce: mcassay run more.py:high" in out


def schema():
    return json.loads((resources.files("mcassay.report") / "schema.json").read_text())


def test_json_on_standard_output_is_what_the_schema_says_and_nothing_else(mcassay):
    status, out, err = mcassay("run", "more.py:high", *WAGER, "--format", "json")
    report = json.loads(out)
    jsonschema.validate(report, schema())
    assert (status, err) == (1, "")
    assert (report["schema"], report["subject"], report["verdict"], report["seed"]) == (1, "high", "FAIL", "1")
    assert report["source"] == "more.py:high"


def test_several_subjects_give_a_list_in_a_file(mcassay, folder):
    mcassay("run", "more.py:several", *WAGER, "--json", "reports.json")
    reports = json.loads((folder / "reports.json").read_text())
    jsonschema.validate(reports, schema())
    assert [report["subject"] for report in reports] == ["one observation", "high"]
    status, out, _ = mcassay("report", "reports.json")
    assert status == 0
    assert "FAIL    high" in out


def test_the_schema_refuses_what_is_no_report():
    validator = jsonschema.Draft202012Validator(schema())
    jsonschema.Draft202012Validator.check_schema(schema())
    assert not validator.is_valid({"schema": 1})
    assert not validator.is_valid([]) or validator.is_valid([])


def test_the_schema_is_printed(mcassay):
    status, out, _ = mcassay("schema")
    assert (status, json.loads(out)) == (0, schema())


def test_one_page_over_many_reports(mcassay, folder):
    mcassay("run", "more.py:high", *WAGER, "--json", "high.json", "--html", "high.html")
    mcassay("run", "sampler.py:subject", *EXACT, "--json", "right.json")
    assert mcassay("report", "high.json", "right.json", "--html", "all.html")[0] == 0
    page = (folder / "all.html").read_text()
    assert "one observation" in page
    assert "high" in (folder / "high.html").read_text()
    assert page.count("<html") == 1


def test_a_replay_gives_the_same_outcome(mcassay, folder):
    mcassay("run", "more.py:several", *WAGER, "--json", "reports.json")
    status, out, _ = mcassay("replay", "reports.json", "--workers", "1")
    assert status == 0
    assert "one observation: the same outcome" in out
    assert "high: the same outcome" in out


def test_a_replay_of_one_check_gives_what_it_gave_among_the_others(mcassay, folder):
    words = ("--check", "purity", "--check", "invariance", "--check", "forgetting", "--seed", "1", "--workers", "1")
    mcassay("run", "sampler.py:subject", *words, "--budget", "1000", "--json", "report.json")
    status, out, _ = mcassay("replay", "report.json", "--check", "invariance", "--workers", "1")
    assert status == 0, out


def test_a_replay_says_where_the_outcome_differs(mcassay, folder):
    mcassay("run", "more.py:high", *WAGER, "--json", "report.json")
    (folder / "more.py").write_text(MORE.replace("data / 2 + 1", "data / 2"))
    status, out, _ = mcassay("replay", "report.json", "--workers", "1")
    assert status == 1
    assert "high: the outcome differs\n  invariance: FAIL then, UNCLEAR now" in out


def test_the_order_of_workers_makes_no_difference(mcassay, folder):
    one, two = (
        mcassay("run", "more.py:high", *WAGER[:4], "--budget", "300", "--workers", workers, "--format", "json")[1]
        for workers in ("1", "2")
    )
    assert {**json.loads(one), "seconds": 0} == {**json.loads(two), "seconds": 0}


def test_skipped_checks_are_left_out(mcassay):
    _, out, _ = mcassay(
        "run", "sampler.py:subject", "--check", "purity", "--check", "caches", "--skip", "caches", "--format", "json"
    )
    assert [check["check"] for check in json.loads(out)["checks"]] == ["purity"]


def test_the_catalogue_names_every_check(mcassay):
    from mcassay.checks import CATALOGUE

    _, out, _ = mcassay("checks")
    for check in CATALOGUE:
        assert f"{check.name} ({check.kind}): {check.title}" in out


@pytest.mark.parametrize("words", [("run",), ("assay",), ("run", "sampler.py:subject", "--sweeps", "3"), ()])
def test_wrong_usage_is_told_with_status_2(mcassay, words):
    status, out, err = mcassay(*words)
    assert status == 2
    assert "Usage: mcassay" in out + err


def test_colours_are_for_terminals_and_no_color_turns_them_off(folder):
    words = [MCASSAY, "run", "sampler.py:subject", *EXACT, "--format", "rich"]
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    forced = subprocess.run(words, env={**plain, "FORCE_COLOR": "1"}, capture_output=True, text=True)
    coloured = forced.stdout
    colourless = subprocess.run(words, env={**plain, "FORCE_COLOR": "1", "NO_COLOR": "1"}, capture_output=True, text=True).stdout
    piped = subprocess.run(words[:-2], env=plain, capture_output=True, text=True)
    assert "\x1b[1;32mPASS" in coloured
    assert "32mPASS" not in colourless
    assert "\x1b" not in piped.stdout + piped.stderr
    assert piped.stderr == forced.stderr == "", "progress is for terminals"


def interrupted(folder, *words):
    """Run a command that takes long, interrupt it as Ctrl-C does once it assays, and return how it ended."""
    command = [MCASSAY, "run", "more.py:waits", "--seed", "7f", "--check", "invariance", "--budget", "nightly", *words]
    (folder / "more.py").write_text(
        MORE.replace("    time.sleep(0.001)", "    open('began', 'w').close()\n    time.sleep(0.001)")
    )
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (folder / "began").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    return running.returncode, out, err


def test_ctrl_c_prints_what_is_known_so_far_and_how_to_go_on(folder):
    status, out, err = interrupted(folder, "--workers", "1", "--json", "report.json")
    assert status == 3
    assert "UNCLEAR invariance: interrupted after" in out
    assert err == (
        "mcassay: interrupted; to go on from the same seed: "
        "mcassay run more.py:waits --seed 7f --budget nightly --check invariance\n"
    )
    assert Report.from_json((folder / "report.json").read_text()).subject == "waits"


def test_help_is_there_at_once():
    # The time of the processor, so that a busy machine does not count against it.
    def spent():
        times = os.times()
        return times.children_user + times.children_system

    before = spent()
    subprocess.run([MCASSAY, "--help"], check=True, capture_output=True)
    assert spent() - before < 0.5


def test_help_loads_no_numpy():
    code = "import sys; from mcassay.cli import main; main(['--help']); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_it_is_said_what_to_install(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from mcassay.cli import main; sys.exit(main(['checks']))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr == f"mcassay: the command line needs {missing}: pip install 'mcassay[cli]'\n"


def test_it_runs_as_a_module_too():
    ended = subprocess.run([sys.executable, "-m", "mcassay", "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("mcassay ")


@pytest.mark.parametrize("style", ["gibbs", "kernel", "blackjax", "numpyro", "pymc", "emcee"])
def test_a_starter_is_python_with_a_subject_and_a_test(mcassay, folder, style):
    status, out, _ = mcassay("new", style, "--output", f"test_{style}.py")
    assert status == 0
    assert f"mcassay run test_{style}.py:subject" in out
    needed = style not in ("gibbs", "kernel") and find_spec(style) is None
    assert (f"{style} is not installed here: pip install {style}" in out) == needed
    text = (folder / f"test_{style}.py").read_text()
    compile(text, style, "exec")
    assert "\nsubject = " in text
    assert "@assay_with_checks([subject])" in text


def test_a_file_is_written_over_only_where_that_is_asked_for(mcassay, folder):
    assert mcassay("new", "gibbs", "--output", "sampler.py")[0] == 2
    assert (folder / "sampler.py").read_text() == SAMPLER
    assert mcassay("new", "gibbs", "--output", "sampler.py", "--force")[0] == 0
    assert (folder / "sampler.py").read_text() != SAMPLER
