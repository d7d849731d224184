"""The same models with their inner loops compiled: the laws are the same, the random numbers are used in another order.

Needs Numba (``pip install 'mcassay[fast]'``). Nothing here is imported unless it is asked for.
"""

from importlib.util import find_spec
from typing import Any

from mcassay.errors import InputError


def is_available() -> bool:
    """Say whether Numba is installed."""
    return find_spec("numba") is not None


def compiled(model: Any) -> Any:
    """Return the same model with compiled updates.

    Parameters
    ----------
    model
        One of the finite mixtures, collapsed or not, or a restaurant mixture.

    Examples
    --------
    >>> from mcassay.models.mixture import IsotropicMixture
    >>> compiled(IsotropicMixture(clusters=2)).subject()
    <Subject "mixture": updates pi, z, mu, sigma_sq_mu, sigma_sq_n>
    """
    if not is_available():
        raise InputError("compiled: needs numba, which is not installed: pip install 'mcassay[fast]'")
    from mcassay.models.compiled.catalogue import compiled_form

    return compiled_form(model)
