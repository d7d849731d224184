"""The files that ``mcassay new`` writes for other libraries, assayed as they are."""

from mcassay import Verdict, assay
from mcassay.cli.new import starter


def assayed(style):
    """Run a starter and assay its subject shortly: the verdicts by check."""
    namespace = {"__name__": "starter"}
    exec(compile(starter(style), f"{style}.txt", "exec"), namespace)
    report = assay(namespace["subject"], budget=100, seed=1, checks=["purity", "caches", "invariance"])
    return {result.check: result.verdict for result in report.results}


def runs(style):
    """Say whether nothing is wrong with a starter, as far as so few sweeps can tell."""
    verdicts = assayed(style)
    return verdicts["purity"] is Verdict.PASS and not {Verdict.FAIL, Verdict.ERROR} & set(verdicts.values())
