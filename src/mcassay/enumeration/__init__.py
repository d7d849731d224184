"""Exact transition probabilities: every random choice of a kernel is made in turn, not one at random."""
