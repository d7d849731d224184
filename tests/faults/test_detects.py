"""Tests of checks by mistakes made by hand."""

import pytest

from mcassay.errors import InputError
from mcassay.faults import Status, assert_detects, faults_of, mistake
from tests.faults import normal_sampler
from tests.faults.test_injection import SOURCE

OPTIONS = {"checks": ["conditionals"], "seed": 1}


def test_a_mistake_that_is_caught_is_returned_with_its_culprit():
    fault = mistake(normal_sampler.cond_variance, "0.5 *", "0.51 *")
    found = assert_detects(normal_sampler.subject, fault, **OPTIONS)
    assert (found.status, found.culprits, fault.line) == (Status.CAUGHT, ("variance",), 27)


def test_what_slips_through_is_told_with_what_was_changed():
    fault = mistake(normal_sampler.prior, "3.0", "3.1")
    with pytest.raises(AssertionError, match=r"(?s)no check fails .*rng\.gamma\(3\.1\)"):
        assert_detects(normal_sampler.subject, fault, **OPTIONS)


def test_what_is_no_mistake_shows_nothing():
    fault = mistake(normal_sampler.cond_mu, "precision = 1 + data.size", "precision = 1.0 + data.size")
    with pytest.raises(AssertionError, match="it is no mistake"):
        assert_detects(SOURCE, fault, **OPTIONS)


def test_what_raises_shows_nothing():
    fault = mistake(normal_sampler.cond_mu, "precision = 1 + data.size", "precision = 1 + date.size")
    with pytest.raises(AssertionError, match="shows nothing about the checks"):
        assert_detects(SOURCE, fault, **OPTIONS)


@pytest.mark.parametrize("right", ["2.0", "", "state"])
def test_what_is_to_be_changed_has_to_stand_there_once(right):
    with pytest.raises(InputError, match="right must occur once in the source of cond_mu"):
        mistake(normal_sampler.cond_mu, right, "1")


def test_what_is_written_nowhere_can_not_be_changed():
    with pytest.raises(InputError, match="be a function that is written in a file"):
        mistake(len, "a", "b")


def test_what_is_no_fault_is_refused():
    with pytest.raises(InputError, match="fault must be one of faults_of"):
        assert_detects(normal_sampler.subject, "0.51 for 0.5")


def test_every_fault_of_a_subject_can_be_a_test():
    for fault in faults_of(SOURCE, operators=["spreads/other-name"]):
        if fault.function.startswith("cond"):
            assert_detects(SOURCE, fault, **OPTIONS)
