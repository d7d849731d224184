"""Faults: mistakes made on purpose, one at a time, to see which of them the checks of a subject catch."""

from mcassay.faults.catalogue import OPERATORS, select_operators
from mcassay.faults.detects import assert_detects, mistake
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
    "assert_detects",
    "faults_of",
    "inject",
    "mistake",
    "select_operators",
]
