"""Checks: one property a file, and the catalogue of them all."""

from mcassay.checks.base import Check, Context
from mcassay.checks.catalogue import CATALOGUE, select

__all__ = ["CATALOGUE", "Check", "Context", "select"]
