"""Distributions of scipy.stats over vectors and matrices, where we have no family of our own for them."""

from typing import Any

import numpy as np

from mcassay.vocabulary import BoolArray, FloatArray

# Beyond this, floating point no longer tells whole numbers apart.
_LARGEST = 2.0**53


class NoDraws(Exception):
    """Why a distribution of scipy.stats can not be used: the message goes on after its name."""


def event_shape_of(frozen: Any) -> tuple[int, ...]:
    """Return the shape of one draw, from a draw."""
    if not hasattr(frozen, "rvs"):
        raise NoDraws("which scipy.stats can not draw from")
    try:
        draws = np.asarray(frozen.rvs(size=2, random_state=np.random.default_rng(0)))
        components = np.shape(_log_density(frozen)(draws[0]))
    except ValueError:
        components = (0,)
    if components:
        raise NoDraws("several distributions at once, whose draws and densities scipy.stats does not line up")
    return draws.shape[1:]


def log_density_of_events(frozen: Any, x: FloatArray, axes: int) -> FloatArray:
    """Return the log density of values along the last axes; -inf outside the support, where scipy.stats may raise."""
    possible = np.isfinite(x).all(axis=_last(x, axes)) & _possible(frozen, x, axes)
    log_p = np.full(possible.shape, -np.inf)
    if possible.any():
        kept = x[possible]
        log_p[possible] = _log_density(frozen)(kept.astype(np.int64) if _is_discrete(frozen) else kept)
    return log_p[()]


def _possible(frozen: Any, x: FloatArray, axes: int) -> BoolArray:
    if _is_discrete(frozen):
        return np.asarray(((x >= 0) & (x <= _LARGEST) & (x == np.floor(x))).all(axis=_last(x, axes)))
    if type(frozen).__name__ == "vonmises_fisher_frozen":
        return np.asarray(np.isclose(np.sqrt((x * x).sum(axis=-1)), 1.0))
    return np.ones(x.shape[: x.ndim - axes], dtype=bool)


def _last(x: FloatArray, axes: int) -> tuple[int, ...]:
    return tuple(range(x.ndim - axes, x.ndim))


def _is_discrete(frozen: Any) -> bool:
    return not hasattr(frozen, "logpdf")


def _log_density(frozen: Any) -> Any:
    return frozen.logpmf if _is_discrete(frozen) else frozen.logpdf
