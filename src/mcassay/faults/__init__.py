"""Faults: mistakes made on purpose, one at a time, to see whether the checks catch them."""
