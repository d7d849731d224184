"""Diagnosis: where the bug is, from what the checks found."""

from mcassay.diagnosis.localise import diagnose

__all__ = ["diagnose"]
