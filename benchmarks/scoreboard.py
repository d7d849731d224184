"""The scoreboard: every kernel of the libraries that are installed, on every target that it can take.

``make scoreboard`` goes on where it stopped: what is in docs/scoreboard.json for the same version and budget is not run again.
A FAIL is reported as one where a finding of the board explains it, which says how it was confirmed without an assay.
"""

import argparse
import json
import time
from collections import Counter
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from board.findings import FINDINGS

from mcassay import Grid, Skip
from mcassay.suite.combinations import Planned, planned
from mcassay.suite.conformance import Settings, run_one
from mcassay.targets import standard

DOCS = Path(__file__).parent.parent / "docs"
LIBRARIES = ("house", "emcee", "pymc", "blackjax", "numpyro", "tfp")
SEED = 1
# Any false alarm on a whole board has a probability of at most ALPHA: each of at most MOST combinations has its part of it.
ALPHA, MOST = 1e-6, 4000
CHECKS = ("caches", "invariance")


def board(name):
    """Return the kernels of a library; None where it is not installed, or has no kernels here yet."""
    try:
        return import_module(f"board.{name}")
    except ModuleNotFoundError as error:
        # what a library itself rests on, such as JAX, may be what is missing
        if error.name == f"board.{name}" or str(error.name).partition(".")[0] not in ("board", "mcassay"):
            return None
        raise


class Results:
    """What has been found so far, written down after every combination."""

    def __init__(self, path):
        self.path = path
        self.entries = json.loads(path.read_text()) if path.exists() else []

    def has(self, library, released, name, budget):
        return any(
            (e["library"], e["version"], e["name"]) == (library, released, name) and (e["budget"] or 0) >= budget
            for e in self.entries
        )

    def add(self, entry):
        key = (entry["library"], entry["version"], entry["name"])
        self.entries = [e for e in self.entries if (e["library"], e["version"], e["name"]) != key]
        self.entries.append(entry)
        self.entries.sort(key=lambda e: (LIBRARIES.index(e["library"]), e["name"]))
        part = self.path.with_suffix(".part")
        part.write_text("[\n" + ",\n".join(json.dumps(e, ensure_ascii=False) for e in self.entries) + "\n]\n")
        part.replace(self.path)


def entry_of(library, released, one, found, budget):
    """Return what is written down of a combination."""
    form = found.to_dict()
    kept = ("kernel", "parameters", "target", "verdict", "log10_evidence", "sweeps", "message", "seed")
    return {
        "library": library,
        "version": released,
        "name": one.name,
        **{key: form[key] for key in kept},
        "budget": budget,
        "checks": list(CHECKS),
    }


def run(names, budget, seconds, only, results):
    """Run what has not been run yet, until the time is up."""
    ends = time.monotonic() + seconds
    for name in names:
        module = board(name)
        if module is None:
            print(f"{name}: not installed, or not on the board yet")
            continue
        run_library(name, module, budget, ends, only, results)


def run_library(name, module, budget, ends, only, results):
    released = version(module.PACKAGE)
    settings = Settings(budget, SEED, ALPHA / MOST, 0.02, CHECKS)
    for kernel, grid in module.kernels().items():
        for target in standard():
            if time.monotonic() > ends:
                return
            for one in wanted(kernel, grid, target, only):
                if not results.has(name, released, one.name, budget):
                    found = run_one(made(one, grid), None, settings)
                    results.add(entry_of(name, released, one, found, budget))
                    print(f"{name} {released} {one.name}: {found.verdict.value} {found.message[:90]}", flush=True)


def wanted(kernel, grid, target, only):
    """Yield combinations that are asked for, before anything is made for them: that may take longer than the assay."""
    for parameters in grid:
        one = Planned(kernel, parameters, target, Skip("not made yet"))
        if fnmatchcase(one.name, only):
            yield one


def made(one, grid):
    """Make the subject of a combination."""
    (found,) = planned({one.kernel: Grid(grid.make, {name: [value] for name, value in one.parameters.items()})}, [one.target])
    return found


def explained(entry):
    """Return the finding that explains a FAIL."""
    findings = FINDINGS.get(entry["library"], ())
    return next((finding for finding in findings if fnmatchcase(entry["name"], finding.kernels)), None)


def page(entries):
    """Return the board as a page."""
    failed = [entry for entry in entries if entry["verdict"] == "FAIL"]
    ran = [entry for entry in entries if entry["verdict"] != "SKIPPED"]
    unexplained = [entry for entry in failed if explained(entry) is None]
    lines = [
        "# Scoreboard",
        "",
        "Which kernels of which released libraries leave their target invariant. `make scoreboard` runs what is missing and "
        "writes this page and [scoreboard.json](scoreboard.json); a FAIL is told as a "
        "defect where something else than an assay confirms it.",
        "",
        f"So far {len(ran)} combinations of kernel, parameters and target were run, {depth(ran)}; "
        f"{len(entries) - len(ran)} were skipped because the kernel can not take the target. The probability of any "
        f"false alarm on the whole board is at most {ALPHA:g}. *unclear* is: nothing was found, and so many sweeps do not rule "
        "out a gap of 0.02; a budget of a few hundred sweeps shows large errors alone.",
        "",
        *summary(entries),
        "",
        "## Confirmed defects",
        "",
        *findings(failed),
        *([] if not unexplained else ["", "## Not explained yet", "", *(f"- {e['library']} {e['name']}" for e in unexplained)]),
        "",
        "## All combinations",
        "",
        *tables(entries),
    ]
    return "\n".join(lines) + "\n"


def depth(ran):
    """Say how many sweeps the combinations were given."""
    counts = sorted(Counter(entry["budget"] for entry in ran).items())
    return ", ".join(f"{count} of them with a budget of {budget:,} sweeps" for budget, count in counts)


def summary(entries):
    yield "| library | version | pass | unclear | FAIL | error | skipped | sweeps |"
    yield "|---|---|---|---|---|---|---|---|"
    for library, released in dict.fromkeys((e["library"], e["version"]) for e in entries):
        own = [e for e in entries if (e["library"], e["version"]) == (library, released)]
        counts = Counter(e["verdict"] for e in own)
        verdicts = " | ".join(str(counts[v]) for v in ("PASS", "UNCLEAR", "FAIL", "ERROR", "SKIPPED"))
        yield f"| {library} | {released} | {verdicts} | {sum(e['sweeps'] for e in own):,} |"


def findings(failed):
    by_finding = {}
    for entry in failed:
        finding = explained(entry)
        if finding is not None:
            by_finding.setdefault(finding, []).append(entry)
    for finding, entries in by_finding.items():
        worst = max(entries, key=lambda e: e["log10_evidence"] or 0)
        first = entries[0]
        yield f"### {first['library']} {first['version']}: {finding.title}"
        yield ""
        yield finding.argument
        yield ""
        yield f"- where: {finding.place}"
        yield f"- upstream: {finding.upstream}"
        yield f"- evidence: 10^{worst['log10_evidence']:.1f} : 1 after {worst['sweeps']:,} sweeps on {worst['target']}"
        yield f"- fails on {len(entries)} of the combinations that were run: {', '.join(e['target'] for e in entries)}"
        yield ""


def tables(entries):
    marks = {"PASS": "pass", "UNCLEAR": "unclear", "FAIL": "**FAIL**", "ERROR": "error"}
    for library in dict.fromkeys(e["library"] for e in entries):
        own = [e for e in entries if e["library"] == library and e["verdict"] != "SKIPPED"]
        yield f"### {library}"
        yield ""
        yield "| kernel | target | verdict | evidence (log10) | sweeps |"
        yield "|---|---|---|---|---|"
        for e in own:
            evidence = "" if e["log10_evidence"] is None else f"{e['log10_evidence']:.1f}"
            yield f"| {e['name'].rpartition('/')[0]} | {e['target']} | {marks[e['verdict']]} | {evidence} | {e['sweeps']:,} |"
        yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", action="append", choices=LIBRARIES, help="only these")
    parser.add_argument("--budget", type=int, default=5000, help="sweeps of every combination")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop to begin new combinations after so long")
    parser.add_argument("--only", default="*", help="only combinations of names like this")
    parser.add_argument("--json", type=Path, default=DOCS / "scoreboard.json")
    parser.add_argument("--page", type=Path, default=DOCS / "scoreboard.md")
    given = parser.parse_args()
    results = Results(given.json)
    run(given.library or LIBRARIES, given.budget, given.seconds, given.only, results)
    given.page.write_text(page(results.entries), encoding="utf-8")


if __name__ == "__main__":
    main()
