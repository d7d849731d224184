"""Pools of processes end when they are told to, whatever their processes are doing."""

import os
import struct
import sys
import threading
import time

from mcassay.engine.pools import Pool


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
