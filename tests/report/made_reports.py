"""Reports made by hand, with everything in them that a page can show."""

import math

from mcassay import CheckResult, Report, Verdict
from mcassay.results import Diagnosis, StatisticResult

DECILES = [i / 10 for i in range(1, 10)]
NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "it's \"quoted\" & 'so on'",
    "ünïcödé 模型 \u202egnirts",
    "",
    "   ",
    "--> </style></title></textarea>",
    "javascript:alert(1)",
    "a/b#c?d=e%20f",
    "nul\x00 and half a pair \ud800",
    "long " * 60,
]


def pp(names, size=0.01):
    """P-P curves, each with its own size."""
    curves = {}
    for place, name in enumerate(names):
        mean = [size / (1 + place) * math.sin(math.pi * q) for q in DECILES]
        curves[name] = {"mean": mean, "lower": [m - 2 * size for m in mean], "upper": [m + 2 * size for m in mean]}
    return {"deciles": DECILES, "level": 0.99, "statistics": curves}


def chain(names):
    """A chain beside forward draws."""
    places = [i / 20 for i in range(1, 20)]
    values = [math.sin(i / 7) for i in range(200)]
    return {
        "sweeps": 4000,
        "samples": 1000,
        "forward": 1000,
        "level": 0.99,
        "places": places,
        "lower": [max(0.0, p - 0.05) for p in places],
        "upper": [min(1.0, p + 0.05) for p in places],
        "statistics": {name: {"curve": [p**0.9 for p in places], "independent": 310} for name in names},
        "trace": {
            "sweeps": [20 * i for i in range(200)],
            "statistics": {name: {"chain": values, "forward": values[::-1]} for name in names},
        },
    }


def details(names=("mu", "log_joint"), blocks=60, limit=6.3, **more):
    """What a statistical check keeps to be drawn."""
    history = [[100 * (i + 1), 8.0 * i / blocks] for i in range(blocks)]
    lengths = {"1 sweep": 0.02, "4 sweeps": 0.1, "16 sweeps": 0.4}
    figures = {
        "resolution": lengths,
        "by_length": {"1": 2.0, "4": 0.1},
        "prefixes": {"pi": 0.2, "mu": 7.0},
        "moved": {"mu": 9, "pi": 8},
    }
    return {"pp": pp(names), "history": history, "log10_limit": limit, **figures, **more}


def statistics(names=("mu", "log_joint")):
    return tuple(StatisticResult(name, 0.01 / (1 + i), 0.02, 7.0 - i) for i, name in enumerate(names))


def drawn(check="invariance", target="sweep", verdict=Verdict.FAIL, names=("mu", "log_joint"), **more):
    """A result with plots."""
    said = "3e7 : 1 against, after 11,264 sweeps (limit 2e6 : 1); mu ends too low"
    return CheckResult(
        check, target, verdict, said, 7.5, 11_264, statistics(names), cause="mu is scaled twice", details=details(names, **more)
    )


def plain(check="purity", target="sweep", verdict=Verdict.PASS, message="every input stays as it is"):
    """A result of words alone."""
    return CheckResult(check, target, verdict, message)


def report(subject="mixture", results=None, diagnosis=None, **more):
    """A report in which something failed."""
    results = (plain(), drawn(), plain("proposals", verdict=Verdict.SKIPPED)) if results is None else tuple(results)
    found = Diagnosis("update", ("sigma_sq_n",), "scale is 1.019 times too large here", {"data points": 1, "sweeps": 2})
    given = {"versions": {"mcassay": "0.1"}, "tolerance": 0.02, "budget": "ci", "source": "samplers.py:mixture", **more}
    return Report(subject, results, found if diagnosis is None else diagnosis, 7, 1e-6, 3.5, **given)


def nasty_report(name):
    """A report in which every name and every text is the same awkward one."""
    results = [
        drawn(check=name or "check", target=f"update:{name}", names=(name, f"{name}2")),
        drawn(check=name or "check", target=f"update:{name}", names=(name,), chain=chain([name])),
        plain(name or "check", verdict=Verdict.ERROR, message=name),
        plain(verdict=Verdict.UNCLEAR, message=name),
    ]
    diagnosis = Diagnosis("update", (name,), name, {"sweeps": 1})
    return report(name, results, diagnosis, notes=(name,), versions={name: name}, source=None, chosen=(name,))


STATISTICS = [f"spread of block {i} within groups" for i in range(40)]


def like_an_assay(subject):
    """A report of 20 results in the proportions of a real assay: half of them drawn, one with a chain."""
    words = [plain("conditionals", f"update:block {i}") for i in range(5)] + [
        plain("distributions", f"update:block {i}") for i in range(4)
    ]
    sweep = [drawn(names=STATISTICS), drawn("geweke", names=STATISTICS, verdict=Verdict.PASS, chain=chain(STATISTICS))]
    updates = [drawn(target=f"update:block {i}", verdict=Verdict.PASS, names=STATISTICS) for i in range(4)]
    draws = [drawn("conditional draws", f"update:block {i}", Verdict.PASS, STATISTICS) for i in range(4)]
    return report(subject, [*words, *sweep, *updates, *draws, plain("forgetting", verdict=Verdict.UNCLEAR)])
