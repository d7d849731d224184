"""Distributions: ``log_p`` and ``sample``, one family a file."""
