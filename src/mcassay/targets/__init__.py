"""Standard targets with exact draws, log densities and gradients, for conformance suites."""

from mcassay.targets.skip import Skip
from mcassay.targets.space import Space
from mcassay.targets.standard import standard
from mcassay.targets.target import Target

__all__ = ["Skip", "Space", "Target", "standard"]
