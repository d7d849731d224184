"""``assay`` as a whole: what its report says, and that it depends on the seed alone."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mcassay import Gibbs, Normal, Subject, Verdict, assay
from mcassay.models.mixture import IsotropicMixture

MIXTURE = IsotropicMixture()


def posterior(variance):
    return lambda state, data: Normal(data / 2, variance=variance)


def log_joint(state, data):
    return Normal(0.0, sd=1.0).log_p(state["mu"]) + Normal(state["mu"], sd=1.0).log_p(data)


def subject(variance=1 / 2):
    return Subject(
        lambda rng: {"mu": rng.normal()},
        lambda state, rng: rng.normal(state["mu"], 1.0),
        Gibbs({"mu": posterior(variance)}),
        log_joint=log_joint,
        name="one observation",
    )


def exact(subject, **options):
    return assay(subject, checks=["conditionals"], **options)


def test_a_right_subject_passes_and_a_wrong_one_does_not():
    right, wrong = exact(subject(), seed=1), exact(subject(1 / 3), seed=1)
    assert (right.verdict, wrong.verdict) == (Verdict.PASS, Verdict.FAIL)
    assert (right.diagnosis.kind, right.diagnosis.culprits) == ("none", ())
    assert (wrong.diagnosis.kind, wrong.diagnosis.culprits) == ("update", ("mu",))
    assert "variance is 1.5 times too small here" in wrong.diagnosis.cause


@pytest.mark.parametrize("variance", [1 / 2, 1 / 3])
def test_the_same_seed_gives_the_same_report(variance):
    first, again = (exact(subject(variance), seed="7f3a").to_dict() for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_another_seed_gives_another_report():
    first, other = (exact(MIXTURE.subject(), seed=seed) for seed in (1, 2))
    assert [result.message for result in first.results] != [result.message for result in other.results]


def test_without_a_seed_the_report_can_still_be_repeated():
    first = exact(subject(1 / 3))
    again = exact(subject(1 / 3), seed=first.seed)
    assert replace(again, seconds=first.seconds).to_json() == first.to_json()


def test_the_report_is_json():
    read = json.loads(exact(subject(1 / 3), seed=26).to_json())
    assert (read["subject"], read["verdict"], read["seed"]) == ("one observation", "FAIL", "1a")
    assert read["checks"][0]["details"]["implied"]["variance"] == pytest.approx(0.5, rel=1e-9)


def test_numpys_global_generator_is_left_alone():
    np.random.seed(3)
    expected = np.random.random()
    np.random.seed(3)
    exact(subject(), seed=1)
    assert np.random.random() == expected


def test_the_subject_is_left_as_it_is():
    before = repr(subject())
    tested = subject()
    exact(tested, seed=1)
    assert repr(tested) == before
