"""Verdicts over several checks, and the JSON form of results."""

import json

import numpy as np
import pytest

from mcassay.results import CheckResult, StatisticResult, Verdict, jsonable, overall

PASS, FAIL, UNCLEAR, SKIPPED, ERROR = Verdict


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], UNCLEAR),
        ([SKIPPED, SKIPPED], UNCLEAR),
        ([PASS, SKIPPED], PASS),
        ([PASS, UNCLEAR], UNCLEAR),
        ([UNCLEAR, ERROR, PASS], ERROR),
        ([ERROR, FAIL, PASS], FAIL),
    ],
)
def test_what_matters_most_decides(verdicts, expected):
    assert overall(verdicts) is expected


def test_a_result_is_json_whatever_numbers_it_holds():
    statistics = (StatisticResult("mu", gap=float("nan"), band=np.float64(0.1), log10_evidence=float("inf")),)
    details = {"array": np.array([1.0, np.inf]), 3: np.int64(4), "set": {1}, "nested": {"pair": (np.bool_(True), None)}}
    result = CheckResult("check", "sweep", PASS, "fine", log10_evidence=-np.inf, statistics=statistics, details=details)
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert read["statistics"] == [{"name": "mu", "gap": "nan", "band": 0.1, "log10_evidence": "inf"}]
    assert read["details"] == {"array": [1.0, "inf"], "3": 4, "set": "{1}", "nested": {"pair": [True, None]}}
    assert read["log10_evidence"] == "-inf"


def test_what_json_lacks_becomes_text():
    assert jsonable([object, float("nan"), np.float32(0.5)]) == ["<class 'object'>", "nan", 0.5]
