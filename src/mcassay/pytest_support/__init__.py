"""What the pytest plugin does once a test needs it; the plugin itself, ``pytest_mcassay``, only hooks it in."""

from mcassay.pytest_support.parametrise import assay_with_checks
from mcassay.pytest_support.suites import assay_with_targets

__all__ = ["assay_with_checks", "assay_with_targets"]
