"""Bad input on the command line: what is told, word for word, and exit status 2. Files in texts/bad-input/."""

import json

import pytest

from mcassay import CheckResult, Report, Verdict
from mcassay.results import Diagnosis
from tests.conftest import TEXTS
from tests.snapshots.commands import SAMPLER, session

REPORT = Report("one observation", (CheckResult("purity", "sweep", Verdict.PASS, "fine"),), Diagnosis(), 7, 1e-6, 1.0).to_dict()

CHECKED = "mcassay run sampler.py:subject --workers 1 --seed 1"

# What is run, and the files beside sampler.py; a file is text or what is written as JSON.
CASES = {
    "no-such-file": ("mcassay run smapler.py:subject", {}),
    "no-file-alike": ("mcassay run other/file.py:subject", {}),
    "a-folder": ("mcassay run .:subject", {}),
    "no-python-file": ("mcassay run notes.txt:subject", {"notes.txt": "hello"}),
    "no-such-module": ("mcassay run nowhere.mixture:subject", {}),
    "no-source": ("mcassay run sampler.py:1subject", {}),
    "no-name": ("mcassay run sampler.py", {}),
    "no-such-name": ("mcassay run sampler.py:subjct", {}),
    "no-name-alike": ("mcassay run sampler.py:kernel", {}),
    "not-a-subject": ("mcassay run sampler.py:number", {}),
    "not-a-list-of-subjects": ("mcassay run sampler.py:several", {}),
    "empty-list": ("mcassay run sampler.py:nothing", {}),
    "past-the-end": ("mcassay run sampler.py:subject[1]", {}),
    "function-with-arguments": ("mcassay run sampler.py:make", {}),
    "a-class": ("mcassay run sampler.py:Subject", {}),
    "name-of-two-lines": (
        "mcassay run bad.py:subject",
        {"bad.py": "from sampler import *\nsubject = Subject(prior, simulate, subject.step, name='two\\nlines')\n"},
    ),
    "function-that-raises": ("mcassay run bad.py:make", {"bad.py": "def make():\n    return 1 / 0\n"}),
    "import-error": ("mcassay run bad.py:subject", {"bad.py": "import numpy\nimport smapler_tools\n"}),
    "syntax-error": ("mcassay run bad.py:subject", {"bad.py": "def prior(rng)\n    return 0.0\n"}),
    "error-in-the-file": ("mcassay run bad.py:subject", {"bad.py": "from sampler import number\nrate = 1 / (number - 3)\n"}),
    "file-that-exits": ("mcassay run bad.py:subject", {"bad.py": 'raise SystemExit("usage: bad.py FILE")\n'}),
    "prior-without-rng": (
        "mcassay run bad.py:subject",
        {"bad.py": "from sampler import *\nsubject = Subject(lambda: 0.0, simulate, subject.step)\n"},
    ),
    "step-with-wrong-arity": (
        "mcassay run bad.py:subject",
        {"bad.py": "from sampler import *\ndef step(state, rng): ...\nsubject = Subject(prior, simulate, step)\n"},
    ),
    "distribution-with-two-scales": (
        "mcassay run bad.py:subject",
        {"bad.py": "from mcassay import Normal\nunit = Normal(0, sd=1, variance=1)\n"},
    ),
    "unknown-check": (f"{CHECKED} --check invariant", {}),
    "unknown-skip": (f"{CHECKED} --skip zebra", {}),
    "no-check-left": (f"{CHECKED} --check purity --skip purity", {}),
    "budget": (f"{CHECKED} --budget plenty", {}),
    "budget-of-nothing": (f"{CHECKED} --budget 0", {}),
    "alpha": (f"{CHECKED} --alpha 2", {}),
    "tolerance": (f"{CHECKED} --tolerance none", {}),
    "seed": ("mcassay run sampler.py:subject --seed xyz", {}),
    "workers": ("mcassay run sampler.py:subject --workers 0", {}),
    "format": (f"{CHECKED} --format xml", {}),
    "json-to-no-folder": (f"{CHECKED} --json there/report.json", {}),
    "html-to-a-folder": (f"{CHECKED} --html .", {}),
    "json-and-html-to-one-file": (f"{CHECKED} --json out --html ./out", {}),
    "no-report": ("mcassay report report.json", {}),
    "damaged-report": ("mcassay report report.json", {"report.json": json.dumps(REPORT)[:-9]}),
    "some-other-json": ("mcassay report report.json", {"report.json": {"name": "package"}}),
    "report-of-a-newer-schema": ("mcassay report report.json", {"report.json": {**REPORT, "schema": 9}}),
    "report-without-checks": (
        "mcassay report report.json",
        {"report.json": {name: value for name, value in REPORT.items() if name != "checks"}},
    ),
    "report-that-was-changed": ("mcassay report report.json", {"report.json": {**REPORT, "verdict": "FAIL"}}),
    "report-with-a-strange-verdict": (
        "mcassay report report.json",
        {"report.json": {**REPORT, "checks": [{**REPORT["checks"][0], "verdict": "GOOD"}]}},
    ),
    "no-reports-in-a-list": ("mcassay report report.json", {"report.json": []}),
    "replay-without-a-source": ("mcassay replay report.json", {"report.json": REPORT}),
    "replay-of-another-subject": (
        "mcassay replay report.json",
        {"report.json": {**REPORT, "subject": "mixture", "source": "sampler.py:subject"}},
    ),
    "replay-of-an-absent-check": (
        "mcassay replay report.json --check invariance",
        {"report.json": {**REPORT, "source": "sampler.py:subject"}},
    ),
    "replay-as-json": ("mcassay replay report.json --format json", {"report.json": {**REPORT, "source": "sampler.py:subject"}}),
    "new-without-a-style": ("mcassay new", {}),
    "new-of-no-style": ("mcassay new stan", {}),
    "new-over-a-file": ("mcassay new gibbs --output sampler.py", {}),
    "new-into-no-folder": ("mcassay new gibbs --output tests/test_sampler.py", {}),
    "new-of-no-python-file": ("mcassay new gibbs --output test_sampler", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_told_in_words(name, tmp_path, monkeypatch, capsys, snapshot):
    command, files = CASES[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for file, content in {"sampler.py": SAMPLER, **files}.items():
        (tmp_path / file).write_text(content if isinstance(content, str) else json.dumps(content))
    shown = session(capsys, command)
    assert shown.endswith("[exit status 2]\n"), shown
    assert "Traceback" not in shown
    snapshot(f"bad-input/{name}", shown)


def test_every_text_has_its_case():
    assert {path.stem for path in (TEXTS / "bad-input").glob("*.txt")} == set(CASES)
