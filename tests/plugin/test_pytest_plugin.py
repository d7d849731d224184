"""The pytest plugin as its users see it: tests that run in a folder of their own, in this process or on workers of xdist.

Most tests use exact checks, which are over at once and convict by an identity; where a wager convicts, the bug is so large
that it takes a few hundred sweeps.
"""

import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest

# Imported here, or else pytester would forget them and import them anew for every run.
import mcassay.pytest_support.hooks
import mcassay.pytest_support.session
import mcassay.report.html  # noqa: F401
from mcassay import Report

# Hypothesis would be imported anew for every run.
INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"

KERNELS = """
import numpy as np
from mcassay import Cycle, Gibbs, Normal, Subject, assay_with_checks


def prior(rng):
    return {"mu": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["mu"], 1.0)


def log_joint(state, data):
    return Normal(0, sd=1).log_p(state["mu"]) + Normal(state["mu"], sd=1).log_p(data)


def gibbs(name, variance):
    conditional = lambda state, data: Normal(data / 2, variance=variance)
    return Subject(prior, simulate, Gibbs({"mu": conditional}), log_joint=log_joint, name=name)


def too_high(state, data, rng):
    return {"mu": rng.normal(data / 2 + 1, 0.7)}


def divides(state, data, rng):
    return {"mu": 1 / (data - data)}


right, wrong = gibbs("right", 1 / 2), gibbs("wrong", 1 / 3)
high = Subject(prior, simulate, too_high, name="high")
raises = Subject(prior, simulate, divides, name="raises")
"""

TWO = """
@assay_with_checks([right, wrong], checks=["conditionals", "proposals", "invariance"])
def test_kernels(subject, check):
    check(subject)
"""


@pytest.fixture(autouse=True)
def ini(pytester):
    """Let every run begin with the same ini file, unless a test writes its own."""
    pytester.makeini(INI)


@pytest.fixture
def run(pytester, monkeypatch):
    """Run pytest on a file of kernels and tests; on a CI machine it would print every message twice, unabridged."""
    for variable in ("CI", "BUILD_NUMBER"):
        monkeypatch.delenv(variable, raising=False)

    def run(tests, *options):
        pytester.makepyfile(test_kernels=KERNELS + tests)
        return pytester.runpytest_inprocess("--mcassay-budget", "300", *options)

    return run


def lines_of(result, beginning):
    return [line for line in result.outlines if line.startswith(beginning)]


def test_every_subject_and_check_is_a_test(run):
    result = run(TWO, "-v")
    result.stdout.fnmatch_lines(
        [
            "*::test_kernels?right/conditionals? PASSED*",
            "*::test_kernels?right/proposals? SKIPPED (no update*",
            "*::test_kernels?right/invariance? UNCLEAR*",
            "*::test_kernels?wrong/conditionals? FAILED*",
        ]
    )
    assert result.ret == 1


def test_a_failure_is_our_message_with_seed_and_replay_command_and_no_traceback(run):
    result = run(TWO)
    text = "\n".join(result.outlines)
    assert "the joint says" in text
    assert 'culprit: update "mu"' in text
    seed = next(line for line in result.outlines if "replay:" in line).split("--mcassay-seed ")[1].split()[0]
    assert f"reproduce: mcassay run test_kernels.py:wrong --seed {seed}" in text
    assert "replay: pytest 'test_kernels.py::test_kernels[wrong/conditionals]' --mcassay-seed" in text
    assert "conclude" not in text
    assert "pytest_support" not in text
    assert "Traceback" not in text


def test_unclear_has_a_letter_and_a_count_of_its_own_and_does_not_fail(run):
    tests = TWO.replace("[right, wrong]", "[right]")
    result = run(tests)
    assert "test_kernels.py .sU" in "\n".join(result.outlines)
    assert "1 passed, 1 skipped, 1 unclear" in result.outlines[-1]
    assert result.ret == 0
    assert lines_of(result, "UNCLEAR test_kernels.py::test_kernels[right/invariance]: nothing found in")


@pytest.mark.parametrize("how", ["option", "ini"])
def test_unclear_fails_where_strictness_is_asked_for(run, pytester, how):
    if how == "ini":
        pytester.makeini(INI + "mcassay_strict = true")
    result = run(TWO.replace("[right, wrong]", "[right]"), *(["--mcassay-strict"] if how == "option" else []))
    result.assert_outcomes(passed=1, skipped=1, failed=1)
    assert "UNCLEAR right" in "\n".join(result.outlines)


EXPECTED = """
@assay_with_checks(
    [right, wrong], checks=["conditionals"],
    expected_failures={"wrong/conditionals": "issue 41", "right/conditionals": "issue 42"},
)
def test_kernels(subject, check):
    check(subject)
"""


def test_an_expected_failure_is_one_and_an_unexpected_pass_is_said(run):
    result = run(EXPECTED, "-rxX")
    result.assert_outcomes(xfailed=1, xpassed=1)
    assert result.ret == 0
    text = "\n".join(result.outlines)
    assert "issue 41" in text
    assert (
        "XPASS   test_kernels.py::test_kernels[right/conditionals]: expected to fail (issue 42), but it passed: "
        "take it out of expected_failures"
    ) in text


def test_an_unexpected_pass_fails_where_pytest_is_strict_about_them(run, pytester):
    pytester.makeini(INI + "xfail_strict = true")
    result = run(EXPECTED)
    result.assert_outcomes(xfailed=1, failed=1)
    assert "expected to fail (issue 42), but it passed" in "\n".join(result.outlines)


def test_an_unclear_expected_failure_is_unclear(run):
    tests = EXPECTED.replace("conditionals", "invariance")
    result = run(tests, "--mcassay-budget", "20")
    assert "2 unclear" in result.outlines[-1]


def test_an_error_in_user_code_fails_even_where_a_failure_is_expected(run):
    tests = """
@assay_with_checks([raises], checks=["purity"], expected_failures={"raises/purity": "issue 43"})
def test_kernels(subject, check):
    check(subject)
"""
    result = run(tests)
    result.assert_outcomes(failed=1)
    assert "ZeroDivisionError: float division by zero (test_kernels.py:" in "\n".join(result.outlines)


def test_a_statistical_failure_brings_the_diagnosis_of_the_whole_assay(run):
    tests = """
@assay_with_checks([wrong], checks=["conditionals", "invariance"])
def test_kernels(subject, check):
    check(subject)
""".replace("wrong", "high_gibbs")
    kernel = """
high_gibbs = Subject(
    prior, simulate, Gibbs({"mu": lambda state, data: Normal(data / 2 + 2, variance=1 / 2)}), log_joint=log_joint, name="high"
)
"""
    result = run(kernel + tests, "-k", "invariance")
    result.assert_outcomes(failed=1, deselected=1)
    text = "\n".join(result.outlines)
    assert 'culprit: update "mu"' in text
    assert "the joint says" in text, "what the exact check found belongs to the diagnosis"


def seeds(result):
    return [line.split("--mcassay-seed ")[1].split()[0] for line in result.outlines if "replay:" in line]


FAILS = """
@assay_with_checks([wrong, high], checks=["conditionals", "purity", "invariance"])
def test_kernels(subject, check):
    check(subject)
"""


def test_seeds_are_stable_shared_by_the_checks_of_a_subject_and_another_for_every_subject(run):
    first, again = (seeds(run(FAILS, "--mcassay-strict", "--mcassay-budget", "20")) for _ in range(2))
    assert first == again
    assert len(set(first[:-1])) == 1
    assert len(set(first)) == 2


def test_a_random_seed_is_another_each_time_and_a_given_one_is_used(run):
    exact = FAILS.replace('"purity", "invariance"', '"purity"')
    assert seeds(run(exact, "--mcassay-seed", "random")) != seeds(run(exact, "--mcassay-seed", "random"))
    assert set(seeds(run(exact, "--mcassay-seed", "7f3a"))) == {"7f3a"}


def test_the_replay_command_replays(run, pytester):
    first = run(FAILS, "-k", "high")
    assert len(seeds(first)) == 1
    again = run(FAILS, "test_kernels.py::test_kernels[high/invariance]", "--mcassay-seed", seeds(first)[0])
    kept = [line for line in again.outlines if "against, after" in line]
    assert kept
    assert kept == [line for line in first.outlines if "against, after" in line]


def reports_in(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


ONE = """
@assay_with_checks([high], checks=["invariance"])
{marker}
def test_kernels(subject, check):
    check(subject)
"""


@pytest.mark.parametrize(
    ("option", "marker", "ini", "expected"),
    [
        (["--mcassay-budget", "40"], "@pytest.mark.mcassay(budget=30)", "20", 40),
        ([], "@pytest.mark.mcassay(budget=30)", "20", 30),
        ([], "", "20", 20),
        ([], "", None, "ci"),
    ],
)
def test_the_command_line_counts_over_the_marker_over_the_ini_file_over_the_default(pytester, option, marker, ini, expected):
    pytester.makeini(INI + "" + (f"mcassay_budget = {ini}\n" if ini else ""))
    pytester.makepyfile(test_kernels="import pytest\n" + KERNELS + ONE.format(marker=marker))
    pytester.runpytest_inprocess("--mcassay-report", "out", *option)
    (report,) = reports_in(pytester.path / "out")
    assert report["budget"] == expected


def test_alpha_and_tolerance_reach_the_assay(pytester):
    pytester.makeini(INI + "mcassay_alpha = 1e-4\nmcassay_report = reports")
    pytester.makepyfile(
        test_kernels="import pytest\n" + KERNELS + ONE.format(marker="@pytest.mark.mcassay(tolerance=0.3, budget=200)")
    )
    pytester.runpytest_inprocess()
    (report,) = reports_in(pytester.path / "reports")
    assert (report["alpha"], report["tolerance"]) == (1e-4, 0.3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--mcassay-budget", "plenty"], '--mcassay-budget must be "quick", "ci", "nightly"'),
        (["--mcassay-alpha", "2"], "--mcassay-alpha must be a number above 0 and at most 0.5, but found '2'"),
        (["--mcassay-seed", "xyz"], "--mcassay-seed must be stable, random or a seed as reports print it, but found 'xyz'"),
    ],
)
def test_options_that_can_not_be_used_are_told_before_any_test(run, options, said):
    result = run(TWO, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in "\n".join(result.errlines)
    assert "Traceback" not in "\n".join(result.errlines)


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ("budget='plenty'", 'budget of the marker must be "quick", "ci", "nightly"'),
        ("sweeps=3", "the marker mcassay takes budget=, seed=, alpha=, tolerance= by name, but found sweeps"),
    ],
)
def test_a_marker_that_can_not_be_used_is_told_by_its_test(pytester, marker, said):
    pytester.makepyfile(test_kernels="import pytest\n" + KERNELS + ONE.format(marker=f"@pytest.mark.mcassay({marker})"))
    result = pytester.runpytest_inprocess()
    text = "\n".join(result.outlines)
    assert said in text
    assert "pytest_support" not in text
    result.assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("right", "assay_with_checks: subjects must be a list of Subjects"),
        ("[right, 3]", "assay_with_checks: subjects must be a list of Subjects, but found 3"),
        ("[]", "assay_with_checks: subjects is an empty list"),
        ("[right, right]", 'assay_with_checks: 2 subjects are called "right"'),
        ("[right], checks=['purty']", "assay_with_checks: checks must name checks of the catalogue"),
        ("[right], expected_failures={'right/purty': 'issue'}", 'did you mean "right/purity"?'),
        ("[right], expected_failures={'right/purity': ''}", "must be the reason, a string that is not empty"),
        ("[right], expected_failures=['right/purity']", 'must be a dict {"SUBJECT/CHECK": reason}'),
    ],
)
def test_arguments_that_can_not_be_used_are_told_at_the_users_line(run, arguments, said):
    result = run(f"@assay_with_checks({arguments})\ndef test_kernels(subject, check):\n    check(subject)\n")
    text = "\n".join(result.outlines)
    assert said in text
    assert f"@assay_with_checks({arguments})" in text
    assert "pytest_support" not in text
    result.assert_outcomes(errors=1)


def test_a_test_that_calls_no_check_fails(run):
    result = run("@assay_with_checks([right], checks=['purity'])\ndef test_kernels(subject, check):\n    pass\n")
    result.assert_outcomes(failed=1)
    assert "the test did not call check(subject)" in "\n".join(result.outlines)


def test_a_test_may_check_several_subjects_and_all_of_them_count(run):
    result = run("""
@assay_with_checks([right], checks=["conditionals"])
def test_kernels(subject, check):
    check(subject)
    check(wrong)
""")
    result.assert_outcomes(failed=1)
    assert lines_of(result, "2 checks: 1 FAIL, 1 PASS;")


def test_what_is_no_subject_is_told(run):
    result = run("@assay_with_checks([right], checks=['purity'])\ndef test_kernels(subject, check):\n    check(prior)\n")
    assert "check(subject): subject must be a Subject" in "\n".join(result.outlines)
    assert "pytest_support" not in "\n".join(result.outlines)


FRESH = """
import pytest

@pytest.mark.xfail(reason="issue 44")
@pytest.mark.mcassay(seed="random")
@assay_with_checks([wrong], checks=["conditionals", "purity"])
def test_fresh(subject, check):
    check(subject)
"""


def properties(path):
    cases = ElementTree.parse(path).getroot().iter("testcase")
    return {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}


@pytest.mark.parametrize("workers", [0, 2])
def test_results_come_together_whatever_worker_ran_them(run, pytester, workers):
    options = ["--mcassay-report", "out", "--junitxml", "junit.xml", "-n", str(workers)]
    result = run(FAILS + EXPECTED.replace("test_kernels(", "test_expected(") + FRESH, *options)
    result.assert_outcomes(passed=2, failed=2, skipped=1, xfailed=2, xpassed=2)
    assert "1 unclear" in result.outlines[-1]
    summary = "\n".join(result.outlines).split("= mcassay =")[1]
    assert "FAIL    test_kernels.py::test_kernels[wrong/conditionals]: conditional" in summary
    assert "10 checks: 4 FAIL" in summary
    assert "test_fresh" not in summary, "who marks a test as an expected failure expects it"
    found = properties(pytester.path / "junit.xml")
    assert len(found) == 10
    assert len({case["mcassay_seed"] for name, case in found.items() if "test_fresh" in name}) == 1
    case = found["test_kernels[wrong/conditionals]"]
    assert (case["mcassay_subject"], case["mcassay_check"], case["mcassay_verdict"]) == ("wrong", "conditionals", "FAIL")
    assert case["mcassay_seed"] in case["mcassay_replay"]
    written = reports_in(pytester.path / "out")
    assert len(written) == 10
    assert all(json.loads(Report.from_dict(one).to_json()) == one for one in written)
    page = (pytester.path / "out" / "report.html").read_text()
    assert page.count("<html") == 1
    for said in ("right", "wrong", "high", "&quot;conditionals&quot; was expected to fail: issue 41"):
        assert said in page


def test_the_page_shows_one_assay_a_subject_and_says_how_to_run_it_again(run, pytester):
    run(FAILS, "--mcassay-report", "out", "--mcassay-seed", "7f3a")
    page = (pytester.path / "out" / "report.html").read_text()
    command = "mcassay run test_kernels.py:wrong --seed 7f3a --budget 300 --check conditionals --check purity --check invariance"
    assert command in page


def test_the_summary_bounds_the_probability_of_a_false_alarm(run):
    result = run(TWO, "--mcassay-alpha", "1e-3")
    (line,) = lines_of(result, "probability of any false alarm")
    assert line == "probability of any false alarm: at most 0.0015 in 2 assays"


def test_a_folder_that_can_not_be_made_is_told(run, pytester):
    (pytester.path / "taken").write_text("")
    result = run(TWO, "--mcassay-report", "taken")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--mcassay-report:" in "\n".join(result.errlines)


def test_other_tests_are_left_alone(pytester):
    pytester.makepyfile("def test_other():\n    pass\n")
    result = pytester.runpytest_inprocess("--strict-markers")
    result.assert_outcomes(passed=1)
    assert "mcassay ===" not in "\n".join(result.outlines)


def test_the_marker_selects_tests(run):
    result = run(TWO + "\ndef test_other():\n    pass\n", "-m", "not mcassay", "--strict-markers")
    result.assert_outcomes(passed=1, deselected=6)


def test_the_plugin_imports_nothing_of_ours_until_a_test_needs_it():
    code = "import sys, pytest_mcassay; print(*[name for name in sys.modules if name.partition('.')[0] in %r])"
    heavy = ("mcassay", "numpy", "scipy", "rich", "typer", "xdist")
    listing = subprocess.run([sys.executable, "-c", code % (heavy,)], check=True, capture_output=True, text=True)
    assert listing.stdout.split() == []


def test_a_run_without_tests_of_ours_imports_nothing_of_ours(pytester):
    pytester.makepyfile(
        test_other="import sys\ndef test_nothing_heavy():\n    assert not {'mcassay', 'numpy', 'scipy'} & set(sys.modules)\n"
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)
