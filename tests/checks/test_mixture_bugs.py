"""Every bug in a conditional of the mixture is caught by the check of its own block, and by no other block's."""

import pytest

from mcassay.checks.base import Context
from mcassay.checks.conditionals import CHECK
from mcassay.results import Verdict, update_target
from tests.models.mixture_bugs import BUGS, HARMLESS, MODEL, cases, subject_with

SEEDS = (0, 1, 2)
FEWEST_BUGS = 10


def verdicts(subject, seed):
    return {result.target: result.verdict for result in CHECK.apply(subject, Context(seed=seed))}


def expected(**different):
    return {update_target(block): different.get(block, Verdict.PASS) for block in BUGS}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_conditionals_pass(seed):
    assert verdicts(MODEL.subject(), seed) == expected()


def test_every_block_has_at_least_ten_bugs():
    assert all(len(bugs) >= FEWEST_BUGS for bugs in BUGS.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("block", "name"), cases(BUGS))
def test_a_bug_fails_its_own_block_alone(block, name, seed):
    subject = subject_with(block, BUGS[block][name])
    assert verdicts(subject, seed) == expected(**{block: Verdict.FAIL})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("block", "name"), cases(HARMLESS))
def test_a_harmless_change_passes(block, name, seed):
    subject = subject_with(block, HARMLESS[block][name])
    assert verdicts(subject, seed) == expected()
