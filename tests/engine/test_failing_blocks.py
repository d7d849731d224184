"""User code that raises, yields NaN, hangs or kills its process: an ERROR that can be repeated, and no lost run."""

import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from mcassay import Cycle, Gibbs, InputError, Normal, Subject, Verdict, assay
from mcassay.engine import executors
from tests.engine.engine_subjects import (
    At,
    crash,
    die_while_writing,
    explode,
    hang,
    leave,
    move_x,
    move_y,
    prior,
    right,
    simulate,
)

ONLY = ["invariance"]


def outcome(step, budget=6_000, **arguments):
    """The result about the sweep, which is to be found in a report whatever happens."""
    options = {"seed": 5, "checks": ONLY, **arguments}
    report = assay(right(step=step), budget=budget, **options)
    assert report.to_json()
    return next(result for result in report.results if result.target == "sweep")


def same(first, second):
    keys = ("block", "replicate", "place", "error", "seed")
    assert first.verdict is second.verdict is Verdict.ERROR
    assert {key: first.details[key] for key in keys} == {key: second.details[key] for key in keys}
    assert (first.message, first.sweeps, first.log10_evidence) == (second.message, second.sweeps, second.log10_evidence)


def test_an_exception_in_a_late_replicate_keeps_what_was_found():
    result = outcome(At(explode, 3.5), budget=30_000)
    assert result.verdict is Verdict.ERROR
    assert result.sweeps > 0
    assert result.log10_evidence is not None
    assert result.statistics
    assert "ZeroDivisionError: the scale is zero (engine_subjects.py:" in result.message
    assert f"in replicate {result.details['replicate']} of block {result.details['block']} of invariance/sweep" in result.message
    assert 'repeat it with seed="5"' in result.message


def test_an_exception_is_the_same_in_a_pool():
    step = At(explode)
    same(outcome(step), outcome(step, executor=2))


def test_an_exit_is_an_error():
    assert "SystemExit: 2" in outcome(At(leave)).message


class Unwritable(Exception):
    def __str__(self):
        raise ValueError("no words")


class NoException(BaseException):
    """Such as test runners raise."""


def raise_unwritable():
    raise Unwritable


def raise_none():
    raise NoException("left")


def close_generator():
    raise GeneratorExit


RAISED = {
    "an exception that can not be written": (raise_unwritable, "Unwritable: (its message can not be written)"),
    "what is no Exception": (raise_none, "NoException: left"),
    "what closes generators": (close_generator, "GeneratorExit"),
}


@pytest.mark.parametrize("name", RAISED)
def test_whatever_is_raised_is_an_error(name):
    what, said = RAISED[name]
    result = outcome(At(what))
    assert result.verdict is Verdict.ERROR
    assert result.message.startswith(said)


@pytest.mark.parametrize("name", RAISED)
def test_whatever_is_raised_in_an_exact_check_is_an_error(name):
    what, said = RAISED[name]
    (result, *_) = assay(right(step=At(what, -99.0)), seed=5, checks=["purity"]).results
    assert result.verdict is Verdict.ERROR
    assert result.message.startswith(said)


def test_an_error_state_of_numpy_that_the_code_changes_stays_with_it():
    before = np.geterr()

    def step(state, data, rng):
        np.seterr(all="raise")
        return move_y(move_x(state, data, rng), data, rng)

    report = assay(right(step=step), budget=500, seed=5, checks=["purity", "invariance"])
    assert report.verdict is Verdict.UNCLEAR
    assert np.geterr() == before


def test_a_state_that_can_not_be_copied_is_an_error_in_words():
    subject = Subject(lambda rng: {"x": rng.normal(), "lock": threading.Lock()}, None, lambda state, data, rng: state)
    for result in assay(subject, budget=500, seed=5, checks=["purity", "invariance"]).results:
        assert result.verdict is Verdict.ERROR
        assert "must be of a kind that copy.deepcopy can copy, but found lock: TypeError" in result.message
        assert result.details["traceback"] is None


def test_the_first_failing_block_counts_whatever_runs_ahead():
    with ThreadPoolExecutor(4) as executor:
        same(outcome(At(explode, 2.0)), outcome(At(explode, 2.0), executor=executor))


@pytest.mark.parametrize("executor", [None, 1])
def test_a_statistic_that_is_nan_names_itself_and_its_replicate(executor):
    subject = right(step=marked, statistics={"ratio": ratio})
    (result, *_) = assay(subject, budget=6_000, seed=5, checks=ONLY, executor=executor).results
    assert result.verdict is Verdict.ERROR
    assert 'statistic "ratio" is NaN, in replicate' in result.message


def marked(state, data, rng):
    """Leave a mark, so that it is known what was never moved, such as draws of the reference batch."""
    state = move_y(move_x(state, data, rng), data, rng)
    return {**state, "x": round(float(state["x"]), 3)}


def is_rare(state):
    return state["y"][0] > 2.6 and state["x"] == round(float(state["x"]), 3)


def ratio(state, data):
    return float("nan") if is_rare(state) else 1.0


def test_a_statistic_that_raises_names_its_replicate():
    def fragile(state, data):
        if is_rare(state):
            explode()
        return 0.0

    (result, *_) = assay(right(step=marked, statistics={"fragile": fragile}), budget=6_000, seed=5, checks=ONLY).results
    assert result.verdict is Verdict.ERROR
    assert isinstance(result.details["replicate"], int)
    assert "engine_subjects.py" in result.message


def test_an_exception_in_the_prior_is_an_error_of_the_check():
    def fragile(rng):
        state = prior(rng)
        return state if state["x"] < 3 else 1 / 0

    (result,) = assay(Subject(fragile, simulate, move_x), budget=1_000, seed=5, checks=ONLY).results
    assert result.verdict is Verdict.ERROR
    assert "test_failing_blocks.py" in result.message
    assert 'seed="5"' in result.message


def test_an_exception_without_a_line_of_the_users_keeps_its_traceback():
    (result, *_) = assay(Subject(prior, simulate, max), budget=1_000, checks=ONLY).results
    assert result.verdict is Verdict.ERROR
    assert "Traceback" in result.details["traceback"]


def test_one_update_that_fails_alone_leaves_the_others_their_results():
    first = First()
    report = assay(right(step=Cycle({"x": first, "y": After(first)})), budget=6_000, seed=5, checks=ONLY)
    verdicts = {result.target: result.verdict for result in report.results}
    assert verdicts["update:y"] is Verdict.ERROR
    assert verdicts["update:x"] is Verdict.PASS


class First:
    """Moves x, and notes that it did so."""

    ran = False

    def __call__(self, state, data, rng):
        self.ran = True
        return move_x(state, data, rng)


class After:
    """Moves y, but raises where x was never moved before."""

    def __init__(self, first):
        self.first = first

    def __call__(self, state, data, rng):
        return move_y(state, data, rng) if self.first.ran else explode()


def test_a_start_that_the_target_need_not_support_proves_nothing():
    def picky(state, data, rng):
        if abs(state["x"] - data.mean()) > 4:
            raise ValueError("too far from the data")
        return move_y(move_x(state, data, rng), data, rng)

    (result,) = assay(right(step=picky), budget=4_000, seed=5, checks=["forgetting"]).results
    assert result.verdict is Verdict.SKIPPED
    assert "can not start from a prior draw" in result.message
    assert "too far from the data" in result.message


def test_a_process_that_dies_once_changes_nothing(tmp_path):
    once = outcome(At(crash, flag=str(tmp_path / "died")), executor=2, budget=3_000)
    assert (tmp_path / "died").exists()
    whole = outcome(At(crash, flag=str(tmp_path)), executor=2, budget=3_000)
    assert once == whole


def test_a_process_that_dies_while_it_writes_a_result_is_noticed(tmp_path):
    """Its executor goes on reading for the rest of the result."""
    once = outcome(At(die_while_writing, flag=str(tmp_path / "died")), executor=1, budget=3_000)
    assert (tmp_path / "died").exists()
    assert once == outcome(At(die_while_writing, flag=str(tmp_path)), budget=3_000)


def test_a_process_that_always_dies_is_an_error_of_its_block():
    # The block that explodes in this process is the one that crashes there.
    result, known = outcome(At(crash), executor=2, budget=4_000), outcome(At(explode), budget=4_000)
    assert result.verdict is known.verdict is Verdict.ERROR
    assert "the process was lost 3 times" in result.message
    assert result.details["block"] == known.details["block"]
    assert (result.sweeps, result.log10_evidence) == (known.sweeps, known.log10_evidence)


def test_a_broken_executor_of_the_users_is_an_error():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        result = outcome(At(crash), executor=executor, budget=4_000)
    assert result.verdict is Verdict.ERROR
    assert "the executor broke" in result.message


def test_a_process_that_is_killed_from_outside_changes_nothing():
    killed = []

    def kill(event):
        import multiprocessing

        children = [child for child in multiprocessing.active_children() if child.pid not in killed]
        if children and len(killed) < 2:
            killed.append(children[0].pid)
            children[0].kill()

    step = At(explode, 99.0)
    assert outcome(step, executor=2, progress=kill) == outcome(step)
    assert killed


@pytest.mark.parametrize("executor", [None, 1])
def test_a_step_that_hangs_runs_into_its_limit(executor):
    result = outcome(At(hang), executor=executor, time_limit=1.0)
    assert result.verdict is Verdict.ERROR
    assert "took longer than its limit of 1 s (engine_subjects.py:" in result.message
    assert "in hang)" in result.message


def test_a_step_that_hangs_in_a_thread_runs_into_its_limit():
    with ThreadPoolExecutor(2) as executor:
        result = outcome(At(hang), executor=executor, time_limit=1.0)
    assert "took longer than its limit of 1 s" in result.message


def test_a_process_that_hears_no_signal_is_stopped(monkeypatch):
    monkeypatch.setattr(executors, "_GRACE", 1.0)
    result = outcome(At(hang_deaf), executor=1, time_limit=2.0)
    assert result.verdict is Verdict.ERROR
    assert "replicates took over 3 s" in result.message


def hang_deaf():
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    threading.Event().wait()


def test_an_exact_check_that_hangs_runs_into_its_limit():
    gibbs = Gibbs({"x": lambda state, data: Normal(data.sum() / 3, variance=1 / 3)})
    subject = right(step=gibbs, log_joint=lambda state, data: hang())
    (result,) = assay(subject, checks=["conditionals"], seed=5, time_limit=0.5).results
    assert result.verdict is Verdict.ERROR
    assert "limit of 0.5 s" in result.message


def test_an_alarm_of_somebody_else_still_goes_off():
    import signal
    import time

    from mcassay.engine.limits import time_limit

    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    before = signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with time_limit(60.0):
            time.sleep(0.1)
        signal.sigtimedwait([], 0.05)
        assert rung
    finally:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *before)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_that_is_shut_down_is_refused_before_anything_runs(kind):
    executor = kind(1)
    executor.shutdown()
    with pytest.raises(InputError, match=r"executor must still take work, but found .*PoolExecutor: cannot schedule"):
        assay(right(), executor=executor)


def test_an_executor_that_is_shut_down_meanwhile_is_an_error():
    executor = ThreadPoolExecutor(1)
    result = outcome(At(explode, 99.0), executor=executor, progress=lambda event: executor.shutdown(wait=False))
    assert result.verdict is Verdict.ERROR
    assert "the executor could not run it" in result.message


def test_a_subject_that_can_not_be_pickled_runs_in_process_with_a_note():
    lock = threading.Lock()

    def step(state, data, rng):
        with lock:
            return move_x(state, data, rng)

    report = assay(right(step=step), budget=500, seed=5, checks=ONLY, executor=2)
    assert report.results[0].verdict is Verdict.UNCLEAR
    assert any("can not be sent to other processes" in note and "ran in this one" in note for note in report.notes)


@pytest.mark.parametrize("value", [0, -1.0, "5", True, float("nan"), float("inf")])
def test_a_bad_time_limit_is_refused(value):
    with pytest.raises(InputError, match="time_limit must be a positive number of seconds, or None"):
        assay(right(), time_limit=value)


@pytest.mark.parametrize("value", [0, -2, True, 1.5, "2", ThreadPoolExecutor])
def test_a_bad_executor_is_refused(value):
    with pytest.raises(InputError, match="executor must be a concurrent"):
        assay(right(), executor=value)
