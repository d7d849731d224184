"""What the pytest plugin does once a test needs it; the plugin itself, ``pytest_mcassay``, only hooks it in."""

from mcassay.pytest_support.parametrise import assay_with_checks

__all__ = ["assay_with_checks"]
