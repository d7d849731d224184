"""What becomes of mistakes in a small sampler, and that nothing else is touched."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from mcassay.errors import InputError
from mcassay.faults import Fault, FaultReport, Status, faults_of, inject
from mcassay.faults.forked import Died, TookTooLong, run_forked
from mcassay.faults.journal import Journal
from mcassay.faults.outcome import Outcome
from mcassay.faults.package import belongs
from mcassay.faults.trial import Settings
from mcassay.faults.worker import baseline_of, try_one

SAMPLER = Path(__file__).parent / "normal_sampler.py"
SOURCE = f"{SAMPLER}:subject"
EXACT = ("conditionals", "proposals", "gradients", "distributions", "purity", "caches", "constants")
SETTINGS = Settings(SOURCE, seed=1, checks=EXACT)


@pytest.fixture(autouse=True)
def imports_stay_as_they_are(monkeypatch):
    """Some tests do here what a worker process does for itself."""
    monkeypatch.setattr(sys, "path", sys.path.copy())


def fault(before, after, function="cond_mu"):
    text = SAMPLER.read_text()
    begin = text.index(before)
    return Fault(str(SAMPLER), function, "made/by-hand", begin, begin + len(before), before, after, text[:begin].count("\n") + 1)


def outcome(before, after, settings=SETTINGS, seconds=100.0):
    return try_one(fault(before, after), SAMPLER.read_text(), settings, seconds)


def test_a_mistake_in_a_conditional_is_caught_by_the_exact_identity_and_named():
    found = outcome("3 + data.size / 2", "3 + data.size / 3")
    assert (found.status, found.check, found.kind, found.culprits) == (Status.CAUGHT, "conditionals", "exact", ("variance",))
    assert found.culprit_is_right
    assert set(found.changed) == {"update:variance", "sweep"}
    assert "-    return InverseGamma(3 + data.size / 2" in found.diff


def test_the_same_result_to_the_bit_is_equivalent():
    found = outcome('1 + data.size / state["variance"]', 'data.size / state["variance"] + 1')
    assert found.status is Status.EQUIVALENT
    assert "to the bit" in found.reason


def test_the_same_parameters_but_for_rounding_are_equivalent():
    found = outcome("data.sum() / state", "np.mean(data) * data.size / state")
    assert found.status is Status.EQUIVALENT
    assert "same parameters" in found.reason


def test_a_conditional_that_changes_the_data_is_not_equivalent_whatever_it_returns():
    found = outcome("    precision = 1 +", "    data += 0.0 * data.sum() + 1e-3\n    precision = 1 +")
    assert found.status is not Status.EQUIVALENT
    total = outcome(
        "    precision = 1 +",
        "    total = data.sum()\n    data[0] = data[0] + 0.0\n    data[:] = data[::-1]\n    precision = 1 +",
    )
    assert total.status is not Status.EQUIVALENT


def test_another_log_joint_is_not_equivalent_where_it_differs_by_rounding_alone():
    found = outcome(
        "(state, data):\n    likelihood", "(state, data):\n    state = {**state, 'mu': state['mu'] * (1 + 1e-15)}\n    likelihood"
    )
    assert found.status is Status.SURVIVED


@pytest.mark.parametrize("wrong", ["undefined", "1 / 0", "exit(3)", "[]"])
def test_what_raises_is_broken(wrong):
    assert outcome("1 + data.size", wrong).status is Status.BROKEN


def test_what_hangs_is_broken():
    began = time.perf_counter()
    found = outcome("    precision = 1", "    while True: pass\n    precision = 1", seconds=4.0)
    assert (found.status, "hangs" in found.reason) == (Status.BROKEN, True)
    assert time.perf_counter() - began < 60


def test_the_source_and_the_right_subject_stay_as_they_are():
    before, stamp = SAMPLER.read_text(), os.stat(SAMPLER).st_mtime_ns
    baseline = baseline_of(SOURCE, 1)
    outcome("3 + data.size / 2", "3 + data.size / 3")
    assert (SAMPLER.read_text(), os.stat(SAMPLER).st_mtime_ns) == (before, stamp)
    assert baseline_of(SOURCE, 1) is baseline


def test_a_run_that_was_broken_off_goes_on_from_its_journal_to_the_same_end(tmp_path):
    options = {"operators": ["rates"], "checks": ["conditionals"], "seed": 1, "most": 4}
    path, said = tmp_path / "faults.jsonl", []

    def stop(outcome, done, total):
        said.append(done)
        if done == 2:
            raise KeyboardInterrupt

    first = inject(SOURCE, journal=path, progress=stop, **options)
    assert first.interrupted
    assert "broken off" in str(first)
    second = inject(SOURCE, journal=path, progress=lambda _, done, total: said.append(done), **options)
    assert said == list(range(1, len(second.outcomes) + 1))
    third = inject(SOURCE, workers=2, **options)
    assert [one.status for one in third.outcomes] == [one.status for one in second.outcomes]
    assert [one.reason for one in third.outcomes] == [one.reason for one in second.outcomes]
    with pytest.raises(InputError, match="other code, or of other options"):
        inject(SOURCE, journal=path, **{**options, "seed": 2})
    assert json.loads(third.to_json())["counts"] == third.counts


def test_a_journal_survives_that_its_last_line_was_cut(tmp_path):
    path = tmp_path / "faults.jsonl"
    Journal.begin(path, "settings", {}).write(Outcome(fault("1 + data.size", "1"), Status.CAUGHT))
    path.write_text(path.read_text() + '{"fault": {"path"')
    assert len(Journal.begin(path, "settings", {}).found) == 1


def test_a_subject_that_fails_as_it_stands_is_refused():
    with pytest.raises(InputError, match="is not right yet; check conditionals says FAIL"):
        inject(f"{SAMPLER}:wrong", checks=["exact"])


def test_what_python_brings_itself_belongs_to_nobody(monkeypatch):
    monkeypatch.chdir(SAMPLER.parent)
    folder = (f"{SAMPLER.parent}{os.sep}",)
    assert belongs(str(SAMPLER), folder)
    assert not belongs("<frozen abc>", folder)
    assert not belongs(f"{SAMPLER.parent}/.venv/lib/python3/site-packages/numpy/__init__.py", folder)


def test_only_functions_that_run_are_changed():
    assert {one.function for one in faults_of(SOURCE)} == {"prior", "simulate", "log_joint", "cond_mu", "cond_variance"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"workers": 0}, "workers must"),
        ({"most": 0}, "most must"),
        ({"alpha": 2.0}, "alpha must"),
        ({"time_limit": -1}, "time_limit must"),
    ],
)
def test_bad_arguments_are_told_in_words(arguments, said):
    with pytest.raises(InputError, match=said):
        inject(SOURCE, **arguments)


def test_what_is_no_name_of_a_module_is_refused():
    with pytest.raises(InputError, match="can not find where"):
        inject(lambda: None)


def test_survivors_come_first():
    outcomes = (
        Outcome(fault("1 + data.size", "1"), Status.CAUGHT, check="model"),
        Outcome(fault("1 + data.size", "2"), Status.SURVIVED),
    )
    report = FaultReport("normal", SOURCE, outcomes, seed=1, budget="quick", alpha=1e-6)
    assert [one["status"] for one in report.to_dict()["outcomes"]] == ["survived", "caught"]
    assert str(report).index("SURVIVED") < str(report).index("caught by model")


def spin():
    while True:
        pass


def test_a_process_that_is_killed_or_sleeps_is_told_apart():
    assert run_forked(lambda: 7, 10.0) == 7
    assert isinstance(run_forked(lambda: time.sleep(60), 0.2), TookTooLong)
    assert isinstance(run_forked(spin, 0.2), TookTooLong)
    assert "signal 11" in run_forked(lambda: os.kill(os.getpid(), 11), 10.0).reason
    assert "ZeroDivisionError" in run_forked(lambda: 1 / 0, 10.0).reason
    assert isinstance(run_forked(lambda: 1 / 0, 10.0), Died)
