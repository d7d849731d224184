"""Assay Monte Carlo code: is the sampler right, how sure is that, and which update is wrong."""
