"""Diagnosis: where the bug is, from what the checks found."""

from mcassay.diagnosis.localise import diagnose
from mcassay.diagnosis.shrink import smallest

__all__ = ["diagnose", "smallest"]
