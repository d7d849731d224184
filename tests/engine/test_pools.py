"""Pools of processes end when they are told to, and what can not be sent to them is told the same in every run."""

import os
import struct
import sys
import threading
import time

from mcassay import Subject
from mcassay.engine.pools import Pool
from mcassay.engine.portable import pack


def begin_a_result(path):
    """Write the length of a result but not the result, as a process does that is killed while it writes."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1000))
    path.touch()
    time.sleep(600)


def test_a_process_that_is_killed_while_it_writes_a_result_keeps_nobody_waiting(tmp_path):
    pool = Pool(None, 1)
    pool.submit(begin_a_result, tmp_path / "begun")
    deadline = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "begun").exists()
    closing = threading.Thread(target=pool.close, daemon=True)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()


class Unsendable:
    def __call__(self, state, data, rng):
        return rng.normal()

    def __reduce__(self):
        raise TypeError(f"cannot pickle {object()}")


def test_why_a_subject_can_not_be_sent_is_told_without_addresses():
    assert pack(Subject(lambda rng: rng.normal(), None, Unsendable())) == "TypeError: cannot pickle <object object>"
