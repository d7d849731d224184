"""Every move of emcee: right ones do not fail, broken ones are caught, and what releases get wrong is shown by other means."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from mcassay import InputError, Verdict, assay
from mcassay.targets import Skip, standard

emcee = pytest.importorskip("emcee", reason="emcee is not installed: pip install 'mcassay[emcee]'")

from mcassay.adapters.emcee import ensemble, on_target  # noqa: E402
from tests.adapters.starters import runs  # noqa: E402

moves = emcee.moves
TARGETS = {target.name: target for target in standard()}
# Of each assay here; so no test of a right move fails more often than once in a million runs.
ALPHA = 1e-6
# Releases up to this one have what test_released_defects shows; what came later has it put right.
LAST_WRONG = (3, 1, 6)


def verdicts(subject, budget, checks=("purity", "caches", "invariance")):
    report = assay(subject, alpha=ALPHA, budget=budget, seed=1, checks=checks)
    return {result.check: result.verdict for result in report.results}


class Snooker(moves.RedBlueMove):
    """The snooker move as it was published: a unit vector, and the power of the distance that goes with the dimensions."""

    def __init__(self, power=1.0, length=1.0):
        self.power, self.length = power, length
        super().__init__(nsplits=4)

    def get_proposal(self, s, c, random):
        new, factors = np.empty_like(s), np.empty(len(s))
        for i, here in enumerate(s):
            z, first, second = np.array([part[random.randint(len(part))] for part in c])[random.permutation(3)]
            distance = np.linalg.norm(here - z)
            unit = (here - z) / distance**self.length
            new[i] = here + 1.7 * unit * (unit @ (first - second))
            factors[i] = self.power * (s.shape[1] - 1) * math.log(np.linalg.norm(new[i] - z) / distance)
        return new, factors


def shifted(coordinates, random):
    """A walk that is no more likely upwards than downwards, but longer, and says so."""
    scale = np.exp(0.6 * random.randn(*coordinates.shape))
    return coordinates * scale, np.sum(np.log(scale), axis=1)


RIGHT = {
    "stretch": moves.StretchMove(),
    "stretch by 4 in three groups that stay": moves.StretchMove(a=4.0, nsplits=3, randomize_split=False),
    "walk": moves.WalkMove(),
    "walk with three helpers": moves.WalkMove(s=3),
    "differential evolution": moves.DEMove(),
    "differential evolution with noise": moves.DEMove(sigma=0.5, gamma0=1.0),
    "kernel density": moves.KDEMove(bw_method=1.0),
    "snooker as published": Snooker(),
    "gaussian": moves.GaussianMove(0.5),
    "gaussian of a random scale": moves.GaussianMove([0.3, 0.6], factor=3.0),
    "gaussian in one random dimension": moves.GaussianMove(0.5, mode="random"),
    "gaussian in each dimension in turn": moves.GaussianMove([0.3, 0.6], mode="sequential"),
    "scaling": moves.MHMove(shifted),
    "mixture": [(moves.StretchMove(), 0.5), (moves.DEMove(), 0.3), (moves.GaussianMove(0.5), 0.2)],
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_moves_do_not_fail(name):
    found = verdicts(on_target(TARGETS["normal in 2"], RIGHT[name]), 150)
    assert Verdict.FAIL not in found.values(), found
    assert found["caches"] is Verdict.PASS


@pytest.mark.parametrize(("target", "walkers"), [("banana", 9), ("gamma", 8), ("student t", 5), ("von mises", 2)])
def test_other_targets_and_sizes(target, walkers):
    assert Verdict.FAIL not in verdicts(on_target(TARGETS[target], walkers=walkers), 100).values()


class StretchOffByOne(moves.StretchMove):
    def get_proposal(self, s, c, random):
        new, factors = super().get_proposal(s, c, random)
        return new, factors * s.shape[1] / (s.shape[1] - 1)


class KernelDensityReversed(moves.KDEMove):
    def get_proposal(self, s, c, random):
        new, factors = super().get_proposal(s, c, random)
        return new, -factors


class WalkFromTheMiddle(moves.WalkMove):
    """Proposes round the mean of the other half, and has no ratio for it."""

    def get_proposal(self, s, c, random):
        middle = np.tile(np.concatenate(c).mean(axis=0), (len(s), 1))
        return super().get_proposal(middle, c, random)


class StaleDensities(moves.StretchMove):
    def update(self, old_state, new_state, accepted, subset=None):
        kept = old_state.log_prob.copy()
        state = super().update(old_state, new_state, accepted, subset)
        state.log_prob[:] = kept
        return state


def scaled_without_its_jacobian(coordinates, random):
    return shifted(coordinates, random)[0], np.zeros(len(coordinates))


WRONG = {
    "stretch with the dimensions themselves": (StretchOffByOne(), "invariance"),
    "kernel density with its ratio reversed": (KernelDensityReversed(), "invariance"),
    "walk from the middle": (WalkFromTheMiddle(), "invariance"),
    "scaling without its Jacobian": (moves.MHMove(scaled_without_its_jacobian), "invariance"),
    "stale densities": (StaleDensities(), "caches"),
}


@pytest.mark.parametrize("name", WRONG)
def test_broken_moves_are_caught(name):
    move, check = WRONG[name]
    found = verdicts(on_target(TARGETS["normal in 2"], move), 8000, [check])
    assert found[check] is Verdict.FAIL


released = pytest.mark.skipif(
    tuple(int(part) for part in emcee.__version__.split(".")[:3] if part.isdigit()) > LAST_WRONG,
    reason="these were put right after emcee 3.1.6",
)


@released
def test_a_full_covariance_moves_all_walkers_alike():
    """``GaussianMove`` draws one vector for all walkers where it is given a matrix: each is right alone, and all together not.

    For a standard normal and a step d the mean of x' given d is 2 d Phi(-|d| / 2), so that the product of two walkers, whose
    mean has to be 0, has the mean of its square over d.
    """
    move = moves.GaussianMove([[1.0]])
    proposed, _ = move.get_proposal(np.zeros((5, 1)), np.random.RandomState(1))
    assert np.ptp(proposed) == 0.0
    product = integrate.quad(lambda d: (2 * d * stats.norm.cdf(-abs(d) / 2)) ** 2 * stats.norm.pdf(d), -10, 10)[0]
    assert product > 0.2
    found = verdicts(ensemble(lambda rng: rng.normal(size=1), normal, walkers=4, moves=move), 4000, ["invariance"])
    assert found["invariance"] is Verdict.FAIL


def normal(walker):
    return -0.5 * float(walker @ walker)


@released
def test_the_snooker_move_scales_its_steps_by_the_distance():
    """``DESnookerMove`` divides by the root of the distance, and takes half the power that the ratio needs.

    The step is as long as the distance times the projected difference; it should be as long as the difference.
    """
    s, c = np.array([[3.0]]), [np.array([[-1.0]]), np.array([[-1.0]]), np.array([[-1.5]])]
    steps = {
        round(abs(float(moves.DESnookerMove(gammas=1.0).get_proposal(s, c, np.random.RandomState(seed))[0][0, 0] - 3.0)), 9)
        for seed in range(20)
    }
    # the published move steps by 0 or by the difference of 0.5, whatever the distance of 4 or 4.5
    assert steps == {0.0, 2.0}
    subject = on_target(TARGETS["normal in 5"], moves.DESnookerMove(), walkers=12)
    assert verdicts(subject, 8000, ["invariance"])["invariance"] is Verdict.FAIL


def test_what_no_ensemble_can_take_is_said():
    for name, said in (("ising", "whole"), ("simplex", "simplex"), ("logistic regression", "same data")):
        skipped = on_target(TARGETS[name])
        assert isinstance(skipped, Skip)
        assert said in skipped.reason


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"walkers": 0}, "walkers"),
        ({"draw": 3}, r"draw\(rng\)"),
        ({"draw": lambda rng: 1.0}, "vector"),
        ({"log_density": 1}, "log"),
    ],
)
def test_bad_input(options, said):
    given = {"draw": lambda rng: rng.normal(size=2), "log_density": normal, "walkers": 6, **options}
    with pytest.raises(InputError, match=said):
        ensemble(given.pop("draw"), given.pop("log_density"), **given)


def test_the_starter_runs():
    assert runs("emcee")
