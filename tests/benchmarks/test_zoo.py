"""The right samplers of the zoo are right, and every bug changes the law of a sweep."""

import math
import pickle

import numpy as np
import pytest
from ours import OurWager
from zoo import BUGS, COMPOSITION, ensembles, hamiltonian, metropolis, mixture, slices

from mcassay.state import same_state

NAMES = list(BUGS)
OF_MIXTURE = [bug.name for bug in mixture.BUGS]
RIGHT = ["0.51 for 0.5", *NAMES[7:]]


def test_eight_bugs_of_the_mixture_and_twelve_others():
    assert len(OF_MIXTURE) == 8
    assert len(NAMES) == 20


@pytest.mark.parametrize("name", NAMES)
def test_subjects_can_be_sent_to_other_processes(name):
    for make in (BUGS[name].make, BUGS[name].correct):
        assert pickle.loads(pickle.dumps(make())).updates.keys() == make().updates.keys()
    assert pickle.loads(pickle.dumps(BUGS[name])).name == name


@pytest.mark.parametrize("name", NAMES)
def test_culprits_are_updates(name):
    culprit = BUGS[name].culprit
    updates = BUGS[name].make().updates
    assert culprit in updates or (culprit is None and not updates) or (culprit == COMPOSITION and len(updates) > 1)


@pytest.mark.parametrize("name", RIGHT)
def test_right_samplers_are_not_found_wrong(name):
    """A right sampler is found wrong with probability at most 1e-7, whatever it is."""
    assert not OurWager().run(BUGS[name].correct(), seed=1, alpha=1e-7, most_sweeps=2000).found


@pytest.mark.parametrize("name", [name for name in NAMES if BUGS[name].divergence])
def test_wrong_sweeps_diverge_from_right_ones(name):
    divergence = BUGS[name].divergence(np.random.default_rng(2), 200)
    assert 1e-5 < divergence < 100


def test_divergence_of_a_right_conditional_is_none():
    model = mixture.MODEL
    for block, between in mixture.BETWEEN.items():
        right = getattr(model, f"cond_{block}")
        rng = np.random.default_rng(3)
        assert mixture.path_divergence(model.gibbs(), right, right, between, block, rng, 5) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("propose", "right"), [(metropolis.walk_of_n_with_hastings_term, True), (metropolis.walk_of_n_symmetric, False)]
)
def test_walk_of_animals_by_enumeration(propose, right):
    """The moves of n given p and y form a matrix T; the right one leaves pi T = pi to rounding."""
    y, p, highest = 2, 0.4, 60
    states = [{"n": n, "p": p} for n in range(y, highest)]
    log_pi = np.array([metropolis.animals_log_joint(state, y) for state in states])
    pi = np.exp(log_pi - np.logaddexp.reduce(log_pi))
    moves = np.zeros((len(states), len(states)))
    for i, state in enumerate(states):
        for up, chance in ((True, 1.0),) if state["n"] == y else ((True, 0.5), (False, 0.5)):
            new, log_q = propose(state, y, _Fixed(0.1 if up else 0.9))
            j = new["n"] - y
            if j < len(states):
                ratio = metropolis.animals_log_joint(new, y) - metropolis.animals_log_joint(state, y) + log_q
                moves[i, j] += chance * math.exp(min(0.0, ratio))
        moves[i, i] += 1 - moves[i].sum()
    assert bool(np.abs(pi @ moves - pi).max() < 1e-12) is right


class _Fixed:
    """Stands for a generator whose next uniform number is known."""

    def __init__(self, value):
        self.value = value

    def random(self):
        return self.value


def test_swap_by_views_doubles_a_row():
    x = np.arange(8.0).reshape(4, 2)
    ensembles.exchanged(x, 1)
    assert x[1:3].tolist() == [[4, 5], [2, 3]]
    ensembles.exchanged_by_views(x, 1)
    assert x[1:3].tolist() == [[2, 3], [2, 3]]


def test_exponents_differ():
    half = np.zeros((4, 3))
    assert ensembles.exponent_of_dimensions(half) == 2
    assert ensembles.exponent_of_walkers(half) == 3


def test_right_leapfrog_comes_back():
    """Run back with the momentum turned round, the right trajectory ends where it started."""
    x, momentum = hamiltonian.rates_prior(np.random.default_rng(4)), np.array([0.3, -1.0, 0.2, 0.5])
    there, end = hamiltonian.leapfrog(hamiltonian.rates_gradient, x, momentum, 0.3, 3)
    back, last = hamiltonian.leapfrog(hamiltonian.rates_gradient, there, -end, 0.3, 3)
    np.testing.assert_allclose(back, x, atol=1e-12)
    np.testing.assert_allclose(-last, momentum, atol=1e-12)


@pytest.mark.parametrize(
    ("log_joint", "gradient", "point"),
    [
        (hamiltonian.rates_log_joint, hamiltonian.rates_gradient, np.array([0.3, -0.2, 1.0, 0.4])),
        (hamiltonian.funnel_log_joint, hamiltonian.funnel_gradient, np.array([0.5, -0.2, 1.0, 0.4])),
    ],
)
def test_gradients(log_joint, gradient, point):
    steps = 1e-6 * np.eye(len(point))
    numeric = [(log_joint(point + step) - log_joint(point - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(gradient(point), numeric, rtol=1e-6)


def test_divergence_criterion_of_the_bug_sees_one_way_only():
    energies = [2.0, 2.2, 1.5]
    assert hamiltonian.strays_from_start(energies) != hamiltonian.strays_from_start(energies[::-1])
    assert hamiltonian.strays_from_either_end(energies) == hamiltonian.strays_from_either_end(energies[::-1])


def test_shrinking_on_both_sides_loses_the_other_side():
    assert slices.shrunk_on_the_side_of(1.5, 1.0, 0.0, 4.0) == (0.0, 1.5)
    assert slices.shrunk_on_both_sides(1.5, 1.0, 0.0, 4.0) == (0.5, 1.5)


@pytest.mark.parametrize("name", [name for name in NAMES if BUGS[name].make().init is not None])
def test_position_undoes_init(name):
    subject, rng = BUGS[name].make(), np.random.default_rng(5)
    state, data = subject.draw(rng)
    assert same_state(subject.position(subject.init(state, data, rng)), state)


def test_carried_momentum_shows_only_between_sweeps():
    """The first sweep moves by fresh momentum in both; only what is carried on differs."""
    x, momentum = np.zeros(4), np.array([1.0, -0.5, 0.2, 0.1])
    carry = {"x": x, "momentum": momentum}
    wrong = hamiltonian.hmc_with_carried_momentum(False, carry, None, np.random.default_rng(6))
    right = hamiltonian.hmc_with_carried_momentum(True, carry, None, np.random.default_rng(6))
    assert not np.array_equal(wrong["momentum"], right["momentum"])
