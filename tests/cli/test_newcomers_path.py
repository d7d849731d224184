"""What someone does who has never seen the tool: an empty folder, a starter, their own sampler, a bug, the fix."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(sys.executable).parent

# A plain NumPy Gibbs sampler, as a researcher has it, and with a bug: the spread of the mean is given as a variance.
THEIRS = """
def prior(rng):
    return {"mean": rng.normal(0.0, 2.0), "variance": 1 / rng.gamma(3.0, 1 / 2.0)}


def simulate(state, rng):
    return rng.normal(state["mean"], np.sqrt(state["variance"]), size=POINTS)


def update_mean(state, data, rng):
    precision = 1 / 4.0 + len(data) / state["variance"]
    mean = data.sum() / state["variance"] / precision
    state["mean"] = rng.normal(mean, 1 / precision)


def update_variance(state, data, rng):
    squares = ((data - state["mean"]) ** 2).sum()
    state["variance"] = 1 / rng.gamma(3.0 + len(data) / 2, 1 / (2.0 + squares / 2))


step = Cycle({"mean": update_mean, "variance": update_variance})
subject = Subject(prior, simulate, step, name="mine")
"""


def shell(folder, *words):
    """Run a command as a user does, who sits at no terminal here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    return subprocess.run(
        [str(SCRIPTS / words[0]), *words[1:]], cwd=folder, env=kept, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def put_theirs(path):
    """Put a sampler of one's own in the place of the model and sampler of the starter."""
    edited, places = re.subn(
        r"# 1\. The model.*(?=\n\n@assay_with_checks)", lambda found: THEIRS, path.read_text(), flags=re.DOTALL
    )
    assert places == 1
    path.write_text(edited)


def test_from_an_empty_folder_to_a_failure_that_names_the_update_and_to_a_pass(tmp_path):
    written = shell(tmp_path, "mcassay", "new", "kernel")
    assert written.returncode == 0
    assert "pytest test_sampler.py" in written.stdout
    test = tmp_path / "test_sampler.py"

    put_theirs(test)
    wrong = shell(tmp_path, "pytest", "--mcassay-budget", "quick", "-p", "no:cacheprovider")
    assert wrong.returncode == 1, wrong.stdout
    assert 'culprit: update "mean"' in wrong.stdout
    assert 'culprit: update "variance"' not in wrong.stdout
    (command,) = set(
        re.findall(r"reproduce: (mcassay run test_sampler.py:subject --seed \w+ --budget quick)$", wrong.stdout, re.M)
    )

    again = shell(tmp_path, *command.split())
    assert again.returncode == 1, again.stdout + again.stderr
    assert 'culprit: update "mean"' in again.stdout

    test.write_text(test.read_text().replace("rng.normal(mean, 1 / precision)", "rng.normal(mean, 1 / np.sqrt(precision))"))
    right = shell(tmp_path, "pytest", "-v", "-p", "no:cacheprovider", "--mcassay-budget", "30000")
    assert right.returncode == 0, right.stdout
    assert "[mine/invariance] PASSED" in right.stdout
    assert re.search(r"^\d+ checks: \d+ PASS, \d+ SKIPPED;", right.stdout, re.M), right.stdout


@pytest.mark.parametrize("style", ["gibbs", "kernel"])
def test_a_starter_runs_as_it_is_and_in_both_ways(tmp_path, style):
    shell(tmp_path, "mcassay", "new", style)
    tested = shell(tmp_path, "pytest", "--mcassay-budget", "500", "-p", "no:cacheprovider", "-q")
    assert tested.returncode == 0, tested.stdout
    run = shell(tmp_path, "mcassay", "run", "test_sampler.py:subject", "--budget", "500", "--workers", "1", "--seed", "1")
    assert run.returncode in (0, 3), run.stdout + run.stderr
    assert "PASS" in run.stdout
