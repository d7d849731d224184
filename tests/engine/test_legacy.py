"""Global randomness: seeded, noticed and restored; other threads are left out; and it stays global when code is sent."""

import copy
import pickle
import random
import subprocess
import sys
import threading
from random import gauss

import numpy as np
import pytest
from numpy.random import normal

from mcassay import Subject
from mcassay.engine import legacy
from mcassay.engine.block import fresh
from mcassay.engine.legacy import global_randomness, global_state
from mcassay.engine.portable import Parcel, pack


def in_another_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_it_is_seeded_noticed_and_restored():
    before = global_state()
    draws = []
    for _ in range(2):
        with global_randomness(7) as noticed:
            draws.append((np.random.random(), random.random(), gauss(0, 1), normal()))
        assert noticed.used == ["numpy.random", "random"]
    assert draws[0] == draws[1]
    assert random.getstate() == before.python
    assert np.array_equal(np.random.get_state()[1], before.numpy[1])


def test_nothing_is_noticed_where_nothing_is_drawn():
    with global_randomness(7) as noticed:
        np.random.default_rng(1).random()
    assert noticed.used == []


@pytest.mark.parametrize("draw", ["random", "gauss", "getrandbits", "shuffle", "seed"])
def test_draws_of_other_threads_are_neither_noticed_nor_do_they_change_ours(draw):
    arguments = {"gauss": (0, 1), "getrandbits": (8,), "shuffle": ([1, 2],), "seed": (1,)}.get(draw, ())
    with global_randomness(7):
        alone = [random.random(), random.random()]
    with global_randomness(7) as noticed:
        first = random.random()
        in_another_thread(lambda: getattr(random, draw)(*arguments))
        assert [first, random.random()] == alone
    assert noticed.used == ["random"]
    with global_randomness(7) as noticed:
        in_another_thread(lambda: getattr(random, draw)(*arguments))
    assert noticed.used == []


def test_a_block_in_a_thread_inside_a_check_counts_its_own_draws():
    seen = []

    def block():
        with global_randomness(8) as noticed:
            random.random()
        seen.extend(noticed.used)

    with global_randomness(7) as noticed:
        in_another_thread(block)
    assert (seen, noticed.used) == (["random"], [])


def test_the_module_is_left_as_it_was_even_by_a_block_that_ends_late():
    before, begin, end = dict(vars(random)), threading.Event(), threading.Event()

    def late():
        with global_randomness(8):
            begin.set()
            end.wait(10)

    thread = threading.Thread(target=late)
    with global_randomness(7):
        thread.start()
        assert begin.wait(10)
    end.set()
    thread.join()
    assert vars(random) == before
    with global_randomness(7) as noticed:
        random.random()
    assert noticed.used == ["random"]


def test_an_exception_leaves_the_module_as_it_was():
    before = dict(vars(random))
    with pytest.raises(ZeroDivisionError), global_randomness(7):
        raise ZeroDivisionError
    assert vars(random) == before


class Holds:
    """A kernel that holds global generators, and one of its own, and bound methods of a global one."""

    def __init__(self):
        self.numpy, self.draw, self.own = np.random.mtrand._rand, gauss, random.Random(5)

    def __call__(self, state, data, rng):
        return {"x": self.numpy.normal() + self.draw(0, 1)}


def globals_of(step):
    return step.numpy is np.random.mtrand._rand, step.draw.__self__ is gauss.__self__, step.own is not None


def test_a_copy_of_a_kernel_holds_the_same_global_generators_and_others_of_its_own():
    subject = Subject(lambda rng: {"x": rng.normal()}, None, Holds())
    parcel = pack(subject)
    assert isinstance(parcel, Parcel)
    for step in (fresh(subject).step, parcel.load().step):
        assert globals_of(step) == (True, True, True)
        assert step.own is not subject.step.own
    assert copy.deepcopy(subject.step).numpy is not np.random.mtrand._rand  # or this would be no test


def test_without_cloudpickle_too(monkeypatch):
    monkeypatch.setattr("mcassay.engine.portable.has_cloudpickle", lambda: False)
    subject = Subject(standard, None, Holds())
    parcel = pack(subject)
    assert isinstance(parcel, Parcel)
    assert globals_of(parcel.load().step) == (True, True, True)
    assert pickle.loads(pickle.dumps(subject.step)).numpy is not np.random.mtrand._rand  # or this would be no test


def standard(rng):
    return {"x": rng.normal()}


SCRIPT = """
from numpy.random import normal
from random import gauss
from mcassay import Subject, assay

def prior(rng):
    return {"x": gauss(0, 1)}

def step(state, data, rng):
    return {"x": float(normal())}

report = assay(Subject(prior, None, step), budget=300, seed=1)
print(report.verdict, sorted(report.notes))
"""


def test_a_script_that_imports_the_functions_of_global_generators_is_seeded_block_by_block(tmp_path):
    # Functions of a script travel by value; had the generators travelled with them, every block would repeat their draws.
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True).stdout
    assert said.startswith("UNCLEAR")
    for name in ("numpy.random", "random"):
        assert f"the code draws from the global generator of {name}; it was seeded for each block" in said


def test_what_another_thread_draws_at_the_edges_of_a_block_does_not_count(monkeypatch):
    real = legacy.global_state

    def state_and_a_draw():
        found = real()
        other = threading.Thread(target=lambda: random.random())
        other.start()
        other.join()
        return found

    monkeypatch.setattr(legacy, "global_state", state_and_a_draw)
    with legacy.global_randomness(1) as noticed:
        pass
    assert not noticed.used
