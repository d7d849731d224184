"""Conformance suites: every kernel on every target that it can take, with one bound on the probability of any false alarm."""

from mcassay.suite.combinations import Grid
from mcassay.suite.conformance import conformance
from mcassay.suite.result import Combination, Conformance

__all__ = ["Combination", "Conformance", "Grid", "conformance"]
