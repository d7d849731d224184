"""Small subjects for the tests of the engine, importable by name."""

import contextlib
import math
import os
import random
import signal
import struct
import sys
import time
from pathlib import Path

import numpy as np

from mcassay import Cycle, Subject

RHO = 0.5


def prior(rng):
    return {"x": rng.normal(), "y": rng.normal(size=3)}


def simulate(state, rng):
    return state["x"] + rng.normal(size=2)


def move_x(state, data, rng):
    """Draw x given its two observations."""
    return {**state, "x": data.sum() / 3 + rng.normal() / math.sqrt(3)}


def move_y(state, data, rng):
    return {**state, "y": RHO * state["y"] + math.sqrt(1 - RHO**2) * rng.normal(size=3)}


def log_joint(state, data):
    return -0.5 * float(state["x"] ** 2 + state["y"] @ state["y"] + np.square(data - state["x"]).sum())


def right(**changes):
    arguments = {"log_joint": log_joint, "name": "right", **changes}
    return Subject(prior, simulate, arguments.pop("step", Cycle({"x": move_x, "y": move_y})), **arguments)


class Counting:
    """A kernel that changes with the number of times that it was applied: blocks must not hear of each other."""

    def __init__(self):
        self.calls = 0

    def __call__(self, state, data, rng):
        self.calls += 1
        return {**move_x(state, data, rng), "y": state["y"] if self.calls % 50 else state["y"] + 1}


class Legacy:
    """A step that draws from the global generators."""

    def __call__(self, state, data, rng):
        return {"x": data.sum() / 3 + np.random.normal() / math.sqrt(3), "y": np.array([random.gauss(0, 1) for _ in range(3)])}


class At:
    """A step that does something once the state is in a rare region, so that it happens at the same replicate each time."""

    def __init__(self, what, threshold=2.6, flag=None):
        self.what, self.threshold, self.flag = what, threshold, flag

    def __call__(self, state, data, rng):
        if state["y"][0] > self.threshold and not (self.flag and Path(self.flag).exists()):
            if self.flag:
                Path(self.flag).touch()
            self.what()
        return move_y(move_x(state, data, rng), data, rng)


def explode():
    raise ZeroDivisionError("the scale is zero")


def die_while_writing():
    """Write the length of a result, but not the result, and die."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1000))
    os.kill(os.getpid(), signal.SIGKILL)


def crash():
    os._exit(3)


def hang():
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.01)


def leave():
    raise SystemExit(2)
