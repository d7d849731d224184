"""Mistakes made in this package, one at a time, and its own tests run on each: which ones go unnoticed?

``python tests/quality/faults_of_ourselves.py ROOM COUNT [SEED]`` draws COUNT mistakes at random from those that the operators
can make in src/mcassay/ROOM, and runs the tests of that room on each, in a process forked from one that has everything else
imported. Nothing on disk is changed. What the tests do not notice is printed with what was changed.
"""

import importlib
import json
import os
import random
import sys
import tempfile
from functools import partial
from pathlib import Path

from mcassay.faults.catalogue import OPERATORS
from mcassay.faults.find import find_faults
from mcassay.faults.forked import Died, TookTooLong, run_forked
from mcassay.faults.mutants import put_in_place

ROOT = Path(__file__).parents[2]
# The tests of a room, those first that notice most.
TESTS = {
    "distributions": ["tests/distributions/test_families.py", "tests/distributions"],
    "kernels": ["tests/kernels"],
    "evidence": ["tests/evidence"],
}
# What tests import besides the package; a forked process has it at once.
_SHARED = ("numpy", "scipy.stats", "scipy.special", "scipy.linalg", "scipy.integrate", "scipy.optimize")
SECONDS = 600.0


def sampled_faults(room, count, seed):
    """Draw mistakes at random from all that can be made in a room."""
    every = []
    for path in sorted((ROOT / "src" / "mcassay" / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        every += [(fault, text) for fault in find_faults(str(path), text, OPERATORS)]
    chosen = random.Random(seed).sample(range(len(every)), min(count, len(every)))
    return len(every), [every[place] for place in sorted(chosen)]


def noticed(fault, text, room):
    """Say whether the tests of a room, and the examples of the file, fail on a mutant; None for the right source."""
    found = run_forked(partial(_run_tests, fault, text, room), SECONDS)
    if isinstance(found, Died):
        raise SystemExit(found.reason)
    return isinstance(found, TookTooLong) or found != 0


def _run_tests(fault, text, room):
    import pytest

    doctests, got = [], ["nothing was to be put in place"]
    if fault is not None:
        got = put_in_place(fault.path, fault.applied_to(text))
        doctests = [fault.path]
    for name in list(sys.modules):
        if name.partition(".")[0] in ("mcassay", "pytest_mcassay", "tests"):
            del sys.modules[name]
    os.chdir(ROOT)
    # The right source and every mutant get the same examples of Hypothesis, not those that an earlier run kept.
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp()
    # pytest would read the files of an installed plugin's package itself, to rewrite their assertions.
    options = [
        "-x",
        "-q",
        "--assert=plain",
        "--hypothesis-seed=1",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--override-ini",
        "timeout=0",
    ]
    status = int(pytest.main([*options, *doctests, *TESTS[room]]))
    assert got, f"{fault} was never loaded"
    return status


def measure(room, count, seed):
    """Make the mistakes; return how many there are, how many were made, and those that nothing noticed."""
    for name in _SHARED:
        importlib.import_module(name)
    if noticed(None, "", room):
        raise SystemExit(f"the tests of {room} fail as they stand")
    total, faults = sampled_faults(room, count, seed)
    unnoticed = []
    for number, (fault, text) in enumerate(faults, start=1):
        seen = noticed(fault, text, room)
        print(f"{number}/{len(faults)} {'noticed' if seen else 'UNNOTICED'} {fault}", file=sys.stderr, flush=True)
        if not seen:
            unnoticed.append({"fault": str(fault), "diff": fault.diff(text)})
    return {"room": room, "possible": total, "made": len(faults), "unnoticed": unnoticed}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1), indent=1))
