"""Models with their samplers, written the way the checks want them: distributions, model and general-purpose sampler apart.

``fit`` samples them for data of your own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcassay.models.fitting import fit as fit

__all__ = ["fit"]


def __getattr__(name: str) -> Any:
    if name != "fit":
        raise AttributeError(f"module 'mcassay.models' has no attribute {name!r}")
    return import_module("mcassay.models.fitting").fit
