"""Faults: mistakes made on purpose, one at a time, to see which of them the checks of a subject catch."""

from mcassay.faults.catalogue import OPERATORS, select_operators
from mcassay.faults.fault import Fault
from mcassay.faults.injection import faults_of, inject
from mcassay.faults.operator import Operator
from mcassay.faults.outcome import Effect, Outcome, Status
from mcassay.faults.report import FaultReport

__all__ = [
    "OPERATORS",
    "Effect",
    "Fault",
    "FaultReport",
    "Operator",
    "Outcome",
    "Status",
    "faults_of",
    "inject",
    "select_operators",
]
