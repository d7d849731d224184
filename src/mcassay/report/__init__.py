"""Reports: what an assay found, and how it is shown."""

from mcassay.report.report import Report

__all__ = ["Report"]
