"""The project's own tests notice mistakes that are made in its own code: at least 95 of 100."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from scipy import stats

SCRIPT = Path(__file__).parent / "faults_of_ourselves.py"
# Mistakes of one random sample a room; the share of all that can be made is judged by an exact binomial test.
MADE, SEED = 40, 1
SHARE, FALSE_ALARM = 0.95, 0.01
# Mistakes of the sample that were looked at and found to change nothing that the code promises, with the reason.
HARMLESS: dict[str, str] = {}


@pytest.mark.parametrize("room", ["distributions", "kernels", "evidence"])
def test_mistakes_are_noticed(room):
    """Fails with probability at most 0.01 where tests notice 95 of 100 mistakes that are not harmless."""
    run = subprocess.run([sys.executable, SCRIPT, room, str(MADE), str(SEED)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    unnoticed = [one for one in found["unnoticed"] if one["fault"] not in HARMLESS]
    harmful = found["made"] - len(found["unnoticed"]) + len(unnoticed)
    told = "\n".join(f"{one['fault']}\n{one['diff']}" for one in unnoticed)
    assert stats.binom.cdf(harmful - len(unnoticed), harmful, SHARE) > FALSE_ALARM, told
