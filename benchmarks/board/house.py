"""The kernels of this package."""

from mcassay.suite.house import house_kernels as kernels

PACKAGE = "mcassay"

__all__ = ["PACKAGE", "kernels"]
