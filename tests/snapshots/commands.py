"""Runs commands of the command line in this process, in an empty folder, and writes what a user would see."""

import os
import shlex
import sys
from contextlib import contextmanager

from mcassay.cli import main

SAMPLER = """
import numpy as np
from mcassay import Gibbs, Normal, Subject


def prior(rng):
    return {"mu": rng.normal()}


def simulate(state, rng):
    return rng.normal(state["mu"], 1.0)


def log_joint(state, data):
    return Normal(0, sd=1).log_p(state["mu"]) + Normal(state["mu"], sd=1).log_p(data)


def cond_mu(state, data):
    return Normal(data / 2, variance=1 / 2)


def make(points):
    return subject


number = 3
subject = Subject(prior, simulate, Gibbs({"mu": cond_mu}), log_joint=log_joint, name="one observation")
several = [subject, 3]
nothing = []
"""


@contextmanager
def fresh_imports():
    """Forget what the user's files, those in the working folder, left in this process."""
    path, modules = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(os.getcwd() + os.sep):
                del sys.modules[name]


def session(capsys, *commands):
    """Run commands as in a shell; what they write, and their exit statuses."""
    shown = []
    for command in commands:
        with fresh_imports():
            status = main(shlex.split(command.removeprefix("mcassay ")))
        output = capsys.readouterr()
        shown.append(f"$ {command}\n{output.out}{output.err}[exit status {status}]\n")
    return "\n".join(shown)
